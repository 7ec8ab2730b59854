// The miss ratios of two policies on a few keys, and a cache: cc example.c -levictionlab && ./a.out
#include <evictionlab.h>
#include <stdio.h>
#include <stdlib.h>

// Ends the program with the error's message.
static void check(evl_status status, evl_error *error) {
  if (status == EVL_OK) return;
  fprintf(stderr, "error %d: %s\n", (int)status, evl_error_message(error));
  evl_error_free(error);
  exit(1);
}

int main(void) {
  evl_error *error = NULL;
  if (evl_abi_version() != EVL_ABI_VERSION) return 2;

  // Four keys that are used again and again, among others that are used once.
  uint64_t ids[3000];
  for (uint64_t i = 0; i < 3000; i++) ids[i] = i % 3 ? i % 4 : 1000 + i;
  evl_trace *trace = NULL;
  check(evl_trace_from_ids(ids, 3000, NULL, "example", &trace, &error), error);

  const char *policies[] = {"lru", "s3fifo"}, *capacities[] = {"4", "1%"};
  evl_results *results = NULL;
  check(evl_simulate(trace, policies, 2, capacities, 2, NULL, NULL, NULL, &results, &error), error);
  const evl_row *rows = evl_results_rows(results);
  for (uint64_t i = 0; i < evl_results_count(results); i++)
    printf("%-7s %4llu objects: %.3f\n", evl_results_policy(results, rows[i].policy),
           (unsigned long long)rows[i].capacity, 1 - (double)rows[i].hits / rows[i].requests);
  evl_results_free(results);
  evl_trace_close(trace);

  const evl_cache_options options = {.count_limit = 100, .cost_limit = EVL_NO_LIMIT};
  evl_cache *cache = NULL;
  check(evl_cache_create("arc", &options, &cache, &error), error);
  check(evl_cache_set(cache, "key", 3, "value", 5, EVL_COST_OF_LENGTH, 0, NULL, &error), error);
  void *value = NULL;
  uint64_t length = 0;
  check(evl_cache_get(cache, "key", 3, &value, &length, &error), error);
  printf("%.*s\n", (int)length, (const char *)value);
  evl_free(value);
  evl_cache_free(cache);
  return 0;
}
