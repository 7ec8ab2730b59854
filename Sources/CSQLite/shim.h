#include <sqlite3.h>

/// Closing the connection copies no log back, and deletes none. (Swift calls no function of variable arguments.)
static inline int sqlite_leave_files(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
