// Every function with arguments that it has to refuse: each returns the status that is expected, and an error that says
// what to do. Prints what went otherwise; exits with 1 then.
#include <evictionlab.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static evl_error *error;
static int failures;
static int calls;

static void expect(evl_status expected, evl_status status, const char *call) {
  calls++;
  const char *message = evl_error_message(error);
  const int isTold = status == EVL_OK || (evl_error_status(error) == status && strlen(message) > 10);
  if (status != expected || !isTold) {
    printf("%s: %d instead of %d: “%s”\n", call, (int)status, (int)expected, message);
    failures++;
  } else if (status != EVL_OK) {
    printf("%s\n", message);
  }
  evl_error_free(error);
  error = NULL;
}

#define EXPECT(status, call) expect(status, call, #call)
#define REFUSE(call) EXPECT(EVL_USAGE, call)

static int32_t stop(void *context, uint64_t done, uint64_t total) {
  (void)done, (void)total;
  ++*(int *)context;
  return 1;
}

enum { COUNT = 1000 };
static uint64_t ids[COUNT];
static const char *const lru[] = {"lru"};
static const char *const hundred[] = {"100"};

static void traces(const char *folder) {
  evl_trace *trace = NULL;
  const uint64_t huge = UINT64_MAX;
  REFUSE(evl_trace_from_ids(NULL, COUNT, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_ids(ids, COUNT, NULL, NULL, NULL, &error));
  REFUSE(evl_trace_from_ids(ids, 0, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_ids(ids, huge, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_ids(ids, huge / 8, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_ids((const uint64_t *)((const char *)ids + 1), 10, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_ids(ids, COUNT, NULL, "\xff", &trace, &error));

  uint64_t sizes[COUNT];
  for (int i = 0; i < COUNT; i++) sizes[i] = UINT64_MAX / 2;
  evl_columns columns = {.sizes = sizes};
  EXPECT(EVL_DATA, evl_trace_from_ids(ids, COUNT, &columns, NULL, &trace, &error));
  uint8_t operations[COUNT] = {0};
  operations[COUNT - 1] = EVL_TOUCH + 1;
  columns = (evl_columns){.operations = operations};
  REFUSE(evl_trace_from_ids(ids, COUNT, &columns, NULL, &trace, &error));
  int64_t ttls[COUNT] = {0};
  ttls[7] = -1;
  columns = (evl_columns){.ttls = ttls};
  REFUSE(evl_trace_from_ids(ids, COUNT, &columns, NULL, &trace, &error));
  double costs[COUNT] = {0};
  const double wrong[] = {-1, NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    costs[3] = wrong[i];
    columns = (evl_columns){.costs = costs};
    REFUSE(evl_trace_from_ids(ids, COUNT, &columns, NULL, &trace, &error));
  }
  columns = (evl_columns){.times = (const int64_t *)((const char *)ttls + 3)};
  REFUSE(evl_trace_from_ids(ids, 10, &columns, NULL, &trace, &error));

  const uint8_t *text = (const uint8_t *)"abcdef";
  const uint64_t offsets[] = {0, 2, 6}, falling[] = {0, 4, 2}, beyond[] = {0, 2, 7};
  REFUSE(evl_trace_from_texts(NULL, 6, offsets, 2, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_texts(text, 6, NULL, 2, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_texts(text, 6, offsets, 2, NULL, NULL, NULL, &error));
  REFUSE(evl_trace_from_texts(text, 6, offsets, 0, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_texts(text, 6, offsets, huge, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_texts(text, 6, offsets, huge - 1, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_texts(text, 6, falling, 2, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_texts(text, 6, beyond, 2, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_texts(text, huge, offsets, 2, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_from_texts(text, 6, offsets, 2, NULL, "\xc3", &trace, &error));
  EXPECT(EVL_OK, evl_trace_from_texts(text, 6, offsets, 2, NULL, NULL, &trace, &error));
  evl_trace_close(trace);
  // Texts of no bytes need none.
  const uint64_t empty[] = {0, 0, 0};
  EXPECT(EVL_OK, evl_trace_from_texts(NULL, 0, empty, 2, NULL, NULL, &trace, &error));
  evl_trace_close(trace);

  char path[4096];
  snprintf(path, sizeof path, "%s/zipf.txt.zst", folder);
  const uint32_t all = EVL_ALL_COLUMNS;
  REFUSE(evl_trace_open(NULL, NULL, 0, all, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_open(path, NULL, 0, all, NULL, NULL, NULL, &error));
  REFUSE(evl_trace_open("", NULL, 0, all, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_open("\xff", NULL, 0, all, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_open(path, "nosuch", 0, all, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_open(path, "csv:nosuch=1", 0, all, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_open(path, "\xff", 0, all, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_open(path, NULL, huge, all, NULL, NULL, &trace, &error));
  REFUSE(evl_trace_open(path, NULL, 0, all + 1, NULL, NULL, &trace, &error));
  EXPECT(EVL_MISSING, evl_trace_open("no/such/file", NULL, 0, all, NULL, NULL, &trace, &error));
  EXPECT(EVL_IO, evl_trace_open(folder, NULL, 0, all, NULL, NULL, &trace, &error));
  EXPECT(EVL_DATA, evl_trace_open("/dev/null", NULL, 0, all, NULL, NULL, &trace, &error));
  int times = 0;
  EXPECT(EVL_CANCELLED, evl_trace_open(path, NULL, 0, all, stop, &times, &trace, &error));
  evl_trace_info info;
  REFUSE(evl_trace_get_info(NULL, &info, &error));
  if (trace || evl_trace_name(NULL) || evl_trace_format(NULL)) failures++;
  evl_trace_close(NULL);
}

static void columns(void) {
  uint32_t columns = 0;
  REFUSE(evl_trace_columns(NULL, 1, hundred, 1, NULL, &columns, &error));
  REFUSE(evl_trace_columns(lru, 0, hundred, 1, NULL, &columns, &error));
  REFUSE(evl_trace_columns(lru, 1, NULL, 1, NULL, &columns, &error));
  REFUSE(evl_trace_columns(hundred, 1, hundred, 1, NULL, &columns, &error));
  REFUSE(evl_trace_columns(lru, 1, lru, 1, NULL, &columns, &error));
  REFUSE(evl_trace_columns(lru, 1, hundred, 1, NULL, NULL, &error));
  EXPECT(EVL_OK, evl_trace_columns(lru, 1, hundred, 1, NULL, &columns, &error));
}

static void simulations(const evl_trace *trace) {
  REFUSE(evl_trace_get_info(trace, NULL, &error));
  evl_results *results = NULL;
#define SIMULATE(policies, p, capacities, c, options) \
  evl_simulate(trace, policies, p, capacities, c, options, NULL, NULL, &results, &error)
  REFUSE(evl_simulate(NULL, lru, 1, hundred, 1, NULL, NULL, NULL, &results, &error));
  REFUSE(evl_simulate(trace, lru, 1, hundred, 1, NULL, NULL, NULL, NULL, &error));
  REFUSE(SIMULATE(NULL, 1, hundred, 1, NULL));
  REFUSE(SIMULATE(lru, 0, hundred, 1, NULL));
  REFUSE(SIMULATE(lru, UINT64_MAX, hundred, 1, NULL));
  REFUSE(SIMULATE(lru, 1, NULL, 1, NULL));
  REFUSE(SIMULATE(lru, 1, hundred, 0, NULL));
  const char *policies[] = {
      "", "nosuch", "LRU", "lru:", "lru:nosuch=1", "slru:protected=2", "slru:protected=nan", "lru,nosuch", "\xff",
      "lru:admission=nosuch", "lru:admission=size:admission.limit=-1", "lru:admission=size"};
  for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++) REFUSE(SIMULATE(policies + i, 1, hundred, 1, NULL));
  const char *null[] = {"lru", NULL};
  REFUSE(SIMULATE(null, 2, hundred, 1, NULL));
  REFUSE(SIMULATE(lru, 1, null, 2, NULL));
  const char *capacities[] = {
      "", "0", "-1", "nan", "inf", "0%", "-1%", "nan%", "0B", "1e400", "18446744073709551615", "65PiB", "1,000", "ten", "1.5",
      "\xff", "1MiB"};
  for (unsigned i = 0; i < sizeof capacities / sizeof *capacities; i++) REFUSE(SIMULATE(lru, 1, capacities + i, 1, NULL));
  const char *mixed[] = {"100", "1MiB"};
  REFUSE(SIMULATE(lru, 1, mixed, 2, NULL));
  const evl_options options[] = {
      {42, COUNT, 0, 0, 0, 0}, {42, UINT64_MAX, 0, 0, 0, 0}, {42, 0, 1025, 0, 0, 0}, {42, 0, 0, 2, 0, 0},
      {42, 0, 0, 0, 2, 0}, {42, 0, 0, 0, 0, 2}, {42, 0, 0, 1, 0, 0}};
  for (unsigned i = 0; i < sizeof options / sizeof *options; i++) REFUSE(SIMULATE(lru, 1, hundred, 1, options + i));
  const evl_options expires = {42, 0, 0, 0, 0, 1};
  EXPECT(EVL_DATA, SIMULATE(lru, 1, hundred, 1, &expires));
  const char *needy[] = {"tlru"};
  EXPECT(EVL_DATA, SIMULATE(needy, 1, hundred, 1, NULL));
  int times = 0;
  EXPECT(EVL_CANCELLED, evl_simulate(trace, lru, 1, hundred, 1, NULL, stop, &times, &results, &error));
  if (times != 1 || results) failures++;

  uint64_t *hits = NULL, count = 0, requests = 0;
  REFUSE(evl_lru_curve(NULL, NULL, NULL, &hits, &count, &requests, &error));
  REFUSE(evl_lru_curve(trace, NULL, NULL, NULL, &count, &requests, &error));
  REFUSE(evl_lru_curve(trace, NULL, NULL, &hits, NULL, &requests, &error));
  REFUSE(evl_lru_curve(trace, NULL, NULL, &hits, &count, NULL, &error));
  EXPECT(EVL_CANCELLED, evl_lru_curve(trace, stop, &times, &hits, &count, &requests, &error));

  evl_bound *bounds = NULL;
  REFUSE(evl_bounds(NULL, hundred, 1, NULL, NULL, NULL, &bounds, &count, &error));
  REFUSE(evl_bounds(trace, NULL, 1, NULL, NULL, NULL, &bounds, &count, &error));
  REFUSE(evl_bounds(trace, hundred, 0, NULL, NULL, NULL, &bounds, &count, &error));
  REFUSE(evl_bounds(trace, hundred, 1, NULL, NULL, NULL, NULL, &count, &error));
  REFUSE(evl_bounds(trace, hundred, 1, NULL, NULL, NULL, &bounds, NULL, &error));
  REFUSE(evl_bounds(trace, capacities + 1, 1, NULL, NULL, NULL, &bounds, &count, &error));
  REFUSE(evl_bounds(trace, hundred, 1, options, NULL, NULL, &bounds, &count, &error));
  EXPECT(EVL_CANCELLED, evl_bounds(trace, hundred, 1, NULL, stop, &times, &bounds, &count, &error));

  if (evl_results_count(NULL) || evl_results_rows(NULL) || evl_results_policy_count(NULL)) failures++;
  if (evl_results_policy(NULL, 0) || evl_results_notes(NULL)) failures++;
  evl_results_free(NULL);
  EXPECT(EVL_OK, SIMULATE(lru, 1, hundred, 1, NULL));
  if (evl_results_policy(results, 1) || evl_results_policy(results, UINT64_MAX)) failures++;
  evl_results_free(results);
}

static void *no_state(const evl_configuration *configuration) {
  strcpy(configuration->problem, "has no room");
  return NULL;
}
static void destroy(void *state) { (void)state; }
static void hit(void *state, evl_host *host, const evl_request *request) { (void)state, (void)host, (void)request; }
static uint32_t insert(void *state, evl_host *host, const evl_request *request) {
  (void)state, (void)host, (void)request;
  return EVL_REJECTED;
}
static void forget(void *state, evl_host *host, evl_slot slot) { (void)state, (void)host, (void)slot; }

static void policies(const evl_trace *trace) {
  const evl_policy whole = {
      .version = EVL_POLICY_VERSION, .summary = "refuses to run", .create = no_state, .destroy = destroy, .hit = hit,
      .insert = insert, .evict = hit, .remove = forget};
  REFUSE(evl_policy_add(NULL, &whole, &error));
  REFUSE(evl_policy_add("mine", NULL, &error));
  const char *names[] = {"", "a:b", "a,b", "a b", "\xff"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) REFUSE(evl_policy_add(names[i], &whole, &error));
  evl_policy wrong[] = {whole, whole, whole, whole, whole, whole};
  wrong[0].version++, wrong[1].create = NULL, wrong[2].summary = NULL, wrong[3].needs = 64, wrong[4].flags = 1u << 31;
  wrong[5].parameter_count = 1;
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) REFUSE(evl_policy_add("mine", wrong + i, &error));
  EXPECT(EVL_OK, evl_policy_add("mine", &whole, &error));
  REFUSE(evl_policy_add("mine", &whole, &error));

  char *json = NULL;
  const char *texts[] = {"", "nosuch", "lru,arc", "plugin:", "plugin:mine", "plugin:mine:a=1", "\xff"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
    REFUSE(evl_policy_check(texts[i], 42, 1, 10, NULL, NULL, &json, &error));
  EXPECT(EVL_MISSING, evl_policy_check("plugin:nosuch", 42, 1, 10, NULL, NULL, &json, &error));
  REFUSE(evl_policy_check(NULL, 42, 1, 10, NULL, NULL, &json, &error));
  REFUSE(evl_policy_check("lru", 42, 1, 10, NULL, NULL, NULL, &error));
  REFUSE(evl_policy_check("lru", UINT64_MAX, 1, 10, NULL, NULL, &json, &error));
  REFUSE(evl_policy_check("lru", 42, 0, 10, NULL, NULL, &json, &error));
  REFUSE(evl_policy_check("lru", 42, 1, UINT64_MAX, NULL, NULL, &json, &error));
  int times = 0;
  EXPECT(EVL_CANCELLED, evl_policy_check("lru", 42, 1, 10, stop, &times, &json, &error));
  if (json) failures++;
  EXPECT(EVL_OK, evl_policy_check("lru", INT64_MAX, 1, 10, NULL, NULL, &json, &error));
  if (!strstr(json, "\"violations\": []")) failures++;
  evl_free(json);

  const char *const mine[] = {"plugin:mine"};
  evl_results *results = NULL;
  evl_cache *cache = NULL;
  const evl_cache_options options = {10, EVL_NO_LIMIT, 0, 0};
  REFUSE(evl_simulate(trace, mine, 1, hundred, 1, NULL, NULL, NULL, &results, &error));
  REFUSE(evl_cache_create("plugin:mine", &options, &cache, &error));
  evl_policy_remove("mine");
  EXPECT(EVL_MISSING, evl_simulate(trace, mine, 1, hundred, 1, NULL, NULL, NULL, &results, &error));
  evl_policy_remove("mine");
  evl_policy_remove("\xff");
  evl_policy_remove(NULL);
}

static void caches(void) {
  evl_cache *cache = NULL;
  evl_cache_options options = {10, EVL_NO_LIMIT, 0, 0};
  REFUSE(evl_cache_create("lru", NULL, &cache, &error));
  REFUSE(evl_cache_create("lru", &options, NULL, &error));
  const char *policies[] = {
      "", "nosuch", "all", "lru,arc", "opt", "belady-size", "\xff", "slru:protected=2", "lru:admission=nosuch",
      "lru:admission=size:admission.limit=1KiB"};
  for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++)
    REFUSE(evl_cache_create(policies[i], &options, &cache, &error));
  const evl_cache_options wrong[] = {
      {UINT64_MAX - 1, 10, 0, 0}, {10, UINT64_MAX - 1, 0, 0}, {10, 10, 0, 2}};
  for (int i = 0; i < 3; i++) REFUSE(evl_cache_create("lru", wrong + i, &cache, &error));
  REFUSE(evl_cache_clear(NULL, &error));
  evl_cache_free(NULL);

  EXPECT(EVL_OK, evl_cache_create(NULL, &options, &cache, &error));
  void *value = NULL;
  uint64_t length = 0;
  uint32_t answer = 0;
  REFUSE(evl_cache_get(NULL, "k", 1, &value, &length, &error));
  REFUSE(evl_cache_get(cache, NULL, 1, &value, &length, &error));
  REFUSE(evl_cache_get(cache, "k", UINT64_MAX, &value, &length, &error));
  REFUSE(evl_cache_get(cache, "k", 1, NULL, &length, &error));
  REFUSE(evl_cache_get(cache, "k", 1, &value, NULL, &error));
  REFUSE(evl_cache_set(NULL, "k", 1, "v", 1, 1, 0, &answer, &error));
  REFUSE(evl_cache_set(cache, NULL, 1, "v", 1, 1, 0, &answer, &error));
  REFUSE(evl_cache_set(cache, "k", 1, NULL, 1, 1, 0, &answer, &error));
  REFUSE(evl_cache_set(cache, "k", 1, "v", UINT64_MAX, 1, 0, &answer, &error));
  REFUSE(evl_cache_set(cache, "k", 1, "v", 1, UINT64_MAX - 1, 0, &answer, &error));
  REFUSE(evl_cache_remove(NULL, "k", 1, &answer, &error));
  REFUSE(evl_cache_remove(cache, NULL, 1, &answer, &error));
  REFUSE(evl_cache_contains(NULL, "k", 1, &answer, &error));
  REFUSE(evl_cache_contains(cache, NULL, 1, &answer, &error));
  REFUSE(evl_cache_contains(cache, "k", 1, NULL, &error));
  REFUSE(evl_cache_take_removed(NULL, &value, &length, &error));
  REFUSE(evl_cache_take_removed(cache, &value, &length, &error));
  REFUSE(evl_cache_take_removed(cache, NULL, &length, &error));
  REFUSE(evl_cache_take_removed(cache, &value, NULL, &error));
  uint64_t number = 0;
  if (evl_cache_touch(NULL, 1) != -1 || evl_cache_put(NULL, 1, 2, 3, 0, NULL) != -1) failures++;
  if (evl_cache_put(cache, 1, 2, UINT64_MAX - 1, 0, NULL) != -1) failures++;
  if (evl_cache_take_numbers(NULL, &number, 1) || evl_cache_take_numbers(cache, NULL, 1)) failures++;
  if (evl_cache_take_numbers(cache, &number, UINT64_MAX)) failures++;
  if (evl_cache_touch_all(NULL, &number, 1) || evl_cache_touch_all(cache, NULL, 1)) failures++;
  if (evl_cache_touch_all(cache, &number, UINT64_MAX) || evl_cache_touch_all(cache, &number, 0)) failures++;
  evl_cache_batch batch = {.cache = cache, .key = 1, .value = 2, .cost = 1};
  if (evl_cache_run_batch(NULL) != INT64_MIN || evl_cache_run_batch(&batch) != 0) failures++;
  evl_cache_batch batches[] = {batch, batch, batch, batch};
  batches[0].cache = NULL, batches[1].get_count = EVL_BATCH_GETS + 1, batches[2].cost = UINT64_MAX - 1;
  batches[3].removed_capacity = 1;
  for (int i = 0; i < 4; i++) failures += evl_cache_run_batch(&batches[i]) != INT64_MIN;
  // A batch of no gets may end before them.
  evl_cache_batch *few = malloc(offsetof(evl_cache_batch, gets));
  memcpy(few, &batch, offsetof(evl_cache_batch, gets));
  if (evl_cache_run_batch(few) != 0) failures++;
  free(few);
  calls += 11;
  evl_cache_statistics statistics;
  REFUSE(evl_cache_get_statistics(NULL, &statistics, &error));
  REFUSE(evl_cache_get_statistics(cache, NULL, &error));

  // The largest numbers that are allowed, and nothing at all as key and value.
  EXPECT(EVL_OK, evl_cache_set(cache, NULL, 0, NULL, 0, INT64_MAX, UINT64_MAX, NULL, &error));
  EXPECT(EVL_OK, evl_cache_set(cache, "k", 1, "", 0, INT64_MAX, 1, &answer, &error));
  EXPECT(EVL_OK, evl_cache_get(cache, NULL, 0, &value, &length, &error));
  evl_free(value);
  EXPECT(EVL_OK, evl_cache_remove(cache, "k", 1, NULL, &error));
  evl_cache_free(cache);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  for (int i = 0; i < COUNT; i++) ids[i] = (uint64_t)(i * i) % 300;
  traces(argv[1]);
  columns();
  evl_trace *trace = NULL;
  EXPECT(EVL_OK, evl_trace_from_ids(ids, COUNT, NULL, NULL, &trace, &error));
  simulations(trace);
  policies(trace);
  evl_trace_close(trace);
  caches();
  REFUSE(evl_catalog(NULL, &error));
  // Without a place for the error, the status alone tells.
  calls += evl_catalog(NULL, NULL) == EVL_USAGE;
  if (evl_error_status(NULL) != EVL_OK || *evl_error_message(NULL)) failures++;
  evl_error_free(NULL);
  evl_free(NULL);
  printf("%d calls, %d failures\n", calls, failures);
  return failures > 0;
}
