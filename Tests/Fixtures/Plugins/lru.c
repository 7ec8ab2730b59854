// LRU, the smallest whole policy in C: the object whose last request is the oldest leaves.
//
//     cc -O2 -fPIC -shared -I Sources/CEvictionLab Tests/Fixtures/Plugins/lru.c -o lru.so
//     evict sweep traces/search.txt.zst --policy lru,plugin:./lru.so --capacity 500
//
// The state is one list, ordered by recency: what every policy over lists does, evictionlab_lists.h has.
#include "evictionlab_lists.h"

enum { RECENCY = 1 };

static void *create(const evl_configuration *configuration) {
  evl_lists *lists = malloc(sizeof *lists);
  if (lists != NULL) evl_lists_init(lists, 1, configuration->slots);
  return lists;
}

static void hit(void *state, evl_host *host, const evl_request *request) {
  (void)host;
  evl_lists_move_to_front(state, RECENCY, request->slot);
}

static void evict(void *state, evl_host *host, const evl_request *request) {
  (void)request;
  evl_lists_evict_back(state, RECENCY, host);
}

static uint32_t insert(void *state, evl_host *host, const evl_request *request) {
  while (!evl_has_room(host)) {
    evict(state, host, request);
    if (evl_has_refused(host)) return EVL_REJECTED;
  }
  evl_lists_push_front(state, RECENCY, request->slot, request->size);
  return EVL_ADMITTED;
}

static uint32_t contains(void *state, evl_slot slot) {
  return evl_lists_owner(state, slot) == RECENCY;
}

EVL_RUN(run, hit, insert, evl_listed_prefetch)

EVL_EXPORT const evl_policy *evictionlab_policy(void) {
  static const evl_policy policy = {
    EVL_LISTED_MEMBERS,
    .version = EVL_POLICY_VERSION,
    .flags = EVL_HITS_REORDER | EVL_PASSES_OVER_PINNED,
    .summary = "least recently used",
    .paper = "P. J. Denning, “The working set model for program behavior”, CACM 11(5), 1968.",
    .create = create,
    .hit = hit,
    .insert = insert,
    .evict = evict,
    .contains = contains,
    .visit_state = evl_listed_visit_state,
    .remove = evl_listed_remove,
    .remove_all = evl_listed_remove_all,
    .run = run,
  };
  return &policy;
}
