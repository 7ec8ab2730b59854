/// A SQLite file system that asks before each call: to make it fail, to record it, or to stop there.
#ifndef EVICTIONLAB_FAULT_VFS_H
#define EVICTIONLAB_FAULT_VFS_H

#include <stdint.h>

typedef enum {
  FaultVFSOpen,
  FaultVFSRead,
  FaultVFSWrite,
  FaultVFSTruncate,
  FaultVFSSync,
  FaultVFSDelete,
  FaultVFSLock,
} FaultVFSOperation;

/// What a call is about to do. `bytes` are those of a write; `count` is also the new length of a truncation,
/// and whether a deletion syncs the folder, or an opening may create the file.
typedef struct {
  FaultVFSOperation operation;
  const char *path;
  const void *bytes;
  int64_t count;
  int64_t offset;
} FaultVFSCall;

/// Returns SQLITE_OK to let the call happen, or what it shall return instead.
typedef int (*FaultVFSHook)(void *context, const FaultVFSCall *call);

/// Adds a file system under a name, over the default one; returns SQLite's code. If it shares no memory, no
/// two connections can use a write-ahead log together.
int fault_vfs_register(const char *name, FaultVFSHook hook, void *context, int shares_memory);
/// Takes it away again; no connection may use it any more.
void fault_vfs_unregister(const char *name);

#endif
