/// Extended attributes of files, which the C library's module for Swift leaves out.
#ifndef EVICTIONLAB_FILES_H
#define EVICTIONLAB_FILES_H

#include <stddef.h>
#include <sys/types.h>
#include <sys/xattr.h>

/// Sets an attribute of an open file; nonzero where that can't be done.
static inline int evl_set_attribute(int file, const char *name, const void *value, size_t size) {
#ifdef __linux__
  return fsetxattr(file, name, value, size, 0);
#else
  return fsetxattr(file, name, value, size, 0, 0);
#endif
}

/// Copies an attribute of a file, behind all links. Returns its bytes, or -1.
static inline ssize_t evl_get_attribute(const char *path, const char *name, void *value, size_t size) {
#ifdef __linux__
  return getxattr(path, name, value, size);
#else
  return getxattr(path, name, value, size, 0, 0);
#endif
}

#endif
