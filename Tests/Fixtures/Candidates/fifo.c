// FIFO, behind a misdeed: tests put a file in front that defines on_insert(), which each newcomer calls.
#include "evictionlab_lists.h"

enum { QUEUE = 1 };

static void *create(const evl_configuration *configuration) {
  evl_lists *lists = malloc(sizeof *lists);
  if (lists != NULL) evl_lists_init(lists, 1, configuration->slots);
  return lists;
}

static void hit(void *state, evl_host *host, const evl_request *request) {
  (void)state, (void)host, (void)request;
}

static void evict(void *state, evl_host *host, const evl_request *request) {
  (void)request;
  evl_lists_evict_back(state, QUEUE, host);
}

static uint32_t insert(void *state, evl_host *host, const evl_request *request) {
  on_insert();
  while (!evl_has_room(host)) {
    evict(state, host, request);
    if (evl_has_refused(host)) return EVL_REJECTED;
  }
  evl_lists_push_front(state, QUEUE, request->slot, request->size);
  return EVL_ADMITTED;
}

EVL_EXPORT const evl_policy *evictionlab_policy(void) {
  static const evl_policy policy = {
    .version = EVL_POLICY_VERSION,
    .bytes_per_slot = EVL_LISTS_BYTES_PER_SLOT,
    .summary = "first in, first out, with a misdeed",
    .create = create,
    .hit = hit,
    .insert = insert,
    .evict = evict,
    .destroy = evl_listed_destroy,
    .reserve = evl_listed_reserve,
    .remove = evl_listed_remove,
    .remove_all = evl_listed_remove_all,
    .change_size = evl_listed_change_size,
    .visit_state = evl_listed_visit_state,
  };
  return &policy;
}
