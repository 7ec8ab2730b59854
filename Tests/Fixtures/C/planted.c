// A wrong access inside the library: it is told that an array is longer than it is. Tests/Leaks/library expects the
// address sanitizer to see that.
#include <evictionlab.h>
#include <stdlib.h>

int main(void) {
  evl_trace *trace = NULL;
  uint64_t *ids = calloc(100, sizeof *ids);
  const evl_status status = evl_trace_from_ids(ids, 101, NULL, NULL, &trace, NULL);
  evl_trace_close(trace);
  free(ids);
  return status;
}
