#include "FaultVFS.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  sqlite3_vfs base;
  sqlite3_vfs *real;
  FaultVFSHook hook;
  void *context;
  int shares_memory;
} FaultVFS;

typedef struct {
  sqlite3_file base;
  FaultVFS *vfs;
  const char *path;
  int last_errno;
  sqlite3_file *real;
} FaultFile;

static int ask(
    FaultVFS *vfs, FaultVFSOperation operation, const char *path, const void *bytes, int64_t count,
    int64_t offset) {
  FaultVFSCall call = {operation, path ? path : "", bytes, count, offset};
  return vfs->hook(vfs->context, &call);
}

#define FILE_OF(file) FaultFile *f = (FaultFile *)(file)
#define ASK(operation, bytes, count, offset)                                    \
  do {                                                                          \
    int code = ask(f->vfs, operation, f->path, bytes, count, offset);           \
    if (code != SQLITE_OK) return code;                                         \
  } while (0)

static int file_close(sqlite3_file *file) {
  FILE_OF(file);
  return f->real->pMethods ? f->real->pMethods->xClose(f->real) : SQLITE_OK;
}
static int file_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  FILE_OF(file);
  int code = ask(f->vfs, FaultVFSRead, f->path, NULL, count, offset);
  // What the real one returns for a sector that cannot be read; it keeps the system's own error.
  if (code == SQLITE_IOERR_CORRUPTFS) f->last_errno = EIO;
  if (code != SQLITE_OK) return code;
  return f->real->pMethods->xRead(f->real, buffer, count, offset);
}
static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  FILE_OF(file);
  ASK(FaultVFSWrite, bytes, count, offset);
  return f->real->pMethods->xWrite(f->real, bytes, count, offset);
}
static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  FILE_OF(file);
  ASK(FaultVFSTruncate, NULL, size, 0);
  return f->real->pMethods->xTruncate(f->real, size);
}
// No test turns the power off: a real sync would only cost time.
static int file_sync(sqlite3_file *file, int flags) {
  FILE_OF(file);
  (void)flags;
  ASK(FaultVFSSync, NULL, 0, 0);
  return SQLITE_OK;
}
static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  FILE_OF(file);
  return f->real->pMethods->xFileSize(f->real, size);
}
static int file_lock(sqlite3_file *file, int level) {
  FILE_OF(file);
  ASK(FaultVFSLock, NULL, level, 0);
  return f->real->pMethods->xLock(f->real, level);
}
static int file_unlock(sqlite3_file *file, int level) {
  FILE_OF(file);
  return f->real->pMethods->xUnlock(f->real, level);
}
static int file_reserved(sqlite3_file *file, int *result) {
  FILE_OF(file);
  return f->real->pMethods->xCheckReservedLock(f->real, result);
}
static int file_control(sqlite3_file *file, int operation, void *argument) {
  FILE_OF(file);
  if (operation == SQLITE_FCNTL_LAST_ERRNO && f->last_errno) {
    *(int *)argument = f->last_errno;
    return SQLITE_OK;
  }
  return f->real->pMethods->xFileControl(f->real, operation, argument);
}
static int file_sector(sqlite3_file *file) {
  FILE_OF(file);
  return f->real->pMethods->xSectorSize(f->real);
}
static int file_characteristics(sqlite3_file *file) {
  FILE_OF(file);
  return f->real->pMethods->xDeviceCharacteristics(f->real);
}
static int file_shm_map(
    sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  FILE_OF(file);
  return f->real->pMethods->xShmMap(f->real, region, size, extend, memory);
}
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  FILE_OF(file);
  return f->real->pMethods->xShmLock(f->real, offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *file) {
  FILE_OF(file);
  f->real->pMethods->xShmBarrier(f->real);
}
static int file_shm_unmap(sqlite3_file *file, int delete_it) {
  FILE_OF(file);
  return f->real->pMethods->xShmUnmap(f->real, delete_it);
}

// Version 2 has no memory mapping: every read is seen.
static const sqlite3_io_methods methods = {
    2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock,
    file_unlock, file_reserved, file_control, file_sector, file_characteristics, file_shm_map,
    file_shm_lock, file_shm_barrier, file_shm_unmap, NULL, NULL};
// Version 1 has no shared memory.
static const sqlite3_io_methods methods_without_memory = {
    1, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock,
    file_unlock, file_reserved, file_control, file_sector, file_characteristics, NULL, NULL, NULL,
    NULL, NULL, NULL};

static int vfs_open(
    sqlite3_vfs *base, sqlite3_filename path, sqlite3_file *file, int flags, int *out) {
  FaultVFS *vfs = (FaultVFS *)base;
  FILE_OF(file);
  memset(f, 0, sizeof *f);
  int code = ask(vfs, FaultVFSOpen, path, NULL, flags & SQLITE_OPEN_CREATE ? 1 : 0, 0);
  if (code != SQLITE_OK) return code;
  f->vfs = vfs;
  f->path = path;
  f->real = (sqlite3_file *)(f + 1);
  code = vfs->real->xOpen(vfs->real, path, f->real, flags, out);
  if (f->real->pMethods) {
    f->base.pMethods = vfs->shares_memory ? &methods : &methods_without_memory;
  }
  return code;
}
static int vfs_delete(sqlite3_vfs *base, const char *path, int sync_folder) {
  FaultVFS *vfs = (FaultVFS *)base;
  int code = ask(vfs, FaultVFSDelete, path, NULL, sync_folder, 0);
  if (code != SQLITE_OK) return code;
  return vfs->real->xDelete(vfs->real, path, 0);
}
static int vfs_access(sqlite3_vfs *base, const char *path, int flags, int *result) {
  FaultVFS *vfs = (FaultVFS *)base;
  return vfs->real->xAccess(vfs->real, path, flags, result);
}
static int vfs_full_path(sqlite3_vfs *base, const char *path, int size, char *out) {
  FaultVFS *vfs = (FaultVFS *)base;
  return vfs->real->xFullPathname(vfs->real, path, size, out);
}
static int vfs_randomness(sqlite3_vfs *base, int size, char *out) {
  FaultVFS *vfs = (FaultVFS *)base;
  return vfs->real->xRandomness(vfs->real, size, out);
}
static int vfs_sleep(sqlite3_vfs *base, int microseconds) {
  (void)base;
  (void)microseconds;
  return 0;
}
static int vfs_time(sqlite3_vfs *base, double *time) {
  FaultVFS *vfs = (FaultVFS *)base;
  return vfs->real->xCurrentTime(vfs->real, time);
}
static int vfs_error(sqlite3_vfs *base, int size, char *out) {
  (void)base;
  (void)size;
  (void)out;
  return 0;
}

int fault_vfs_register(const char *name, FaultVFSHook hook, void *context, int shares_memory) {
  sqlite3_vfs *real = sqlite3_vfs_find(NULL);
  FaultVFS *vfs = calloc(1, sizeof *vfs);
  if (!real || !vfs) return SQLITE_NOMEM;
  vfs->base.iVersion = 1;
  vfs->base.szOsFile = (int)sizeof(FaultFile) + real->szOsFile;
  vfs->base.mxPathname = real->mxPathname;
  vfs->base.zName = strdup(name);
  vfs->base.xOpen = vfs_open;
  vfs->base.xDelete = vfs_delete;
  vfs->base.xAccess = vfs_access;
  vfs->base.xFullPathname = vfs_full_path;
  vfs->base.xRandomness = vfs_randomness;
  vfs->base.xSleep = vfs_sleep;
  vfs->base.xCurrentTime = vfs_time;
  vfs->base.xGetLastError = vfs_error;
  vfs->real = real;
  vfs->hook = hook;
  vfs->context = context;
  vfs->shares_memory = shares_memory;
  return sqlite3_vfs_register(&vfs->base, 0);
}

void fault_vfs_unregister(const char *name) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(name);
  if (!vfs) return;
  sqlite3_vfs_unregister(vfs);
  free((void *)vfs->zName);
  free(vfs);
}
