// Evicts at random, from the seed that it is given.
#include <stdlib.h>

#include "evictionlab_policy.h"

typedef struct {
  /// The residents in any order, and the place of each.
  evl_slot *residents;
  uint32_t *places;
  uint32_t count, slots;
  uint64_t state;
} policy_state;

static void reserve(void *state, uint32_t slots) {
  policy_state *s = state;
  if (slots <= s->slots) return;
  s->residents = realloc(s->residents, slots * sizeof *s->residents);
  s->places = realloc(s->places, slots * sizeof *s->places);
  for (uint32_t slot = s->slots; slot < slots; slot++) s->places[slot] = UINT32_MAX;
  s->slots = slots;
}

static void *create(const evl_configuration *configuration) {
  policy_state *s = calloc(1, sizeof *s);
  s->state = configuration->seed * 2 + 1;
  reserve(s, configuration->slots > 0 ? configuration->slots : 1);
  return s;
}

static void destroy(void *state) {
  policy_state *s = state;
  free(s->residents);
  free(s->places);
  free(s);
}

static void hit(void *state, evl_host *host, const evl_request *request) {
  (void)state, (void)host, (void)request;
}

static void take_out(policy_state *s, evl_slot slot) {
  const evl_slot last = s->residents[--s->count];
  s->residents[s->places[slot]] = last;
  s->places[last] = s->places[slot];
  s->places[slot] = UINT32_MAX;
}

static void evict(void *state, evl_host *host, const evl_request *request) {
  (void)request;
  policy_state *s = state;
  s->state = s->state * 6364136223846793005u + 1442695040888963407u;
  const evl_slot victim = s->residents[(s->state >> 33) % s->count];
  if (!evl_may_evict(host, victim)) return;
  take_out(s, victim);
  evl_evict(host, victim);
}

static uint32_t insert(void *state, evl_host *host, const evl_request *request) {
  policy_state *s = state;
  while (!evl_has_room(host)) {
    evict(state, host, request);
    if (evl_has_refused(host)) return EVL_REJECTED;
  }
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
    .bytes_per_slot = 8,
    .summary = "a random victim",
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
