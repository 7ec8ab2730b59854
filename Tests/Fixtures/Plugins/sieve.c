// SIEVE: a hand sweeps a FIFO queue and sifts out what was not visited; survivors stay where they are.
//
//     cc -O2 -fPIC -shared -I Sources/CEvictionLab Tests/Fixtures/Plugins/sieve.c -o sieve.so
//
// The queue's head is the front of a list, its tail the back. A slot's mark is 1 if it was visited.
#include "evictionlab_lists.h"

enum { QUEUE = 1 };

typedef struct {
  evl_lists lists;
  /// The slot that the hand points at; EVL_NO_SLOT stands for the tail.
  evl_slot hand;
} sieve;

static void *create(const evl_configuration *configuration) {
  sieve *s = malloc(sizeof *s);
  if (s == NULL) return NULL;
  evl_lists_init(&s->lists, 1, configuration->slots);
  s->hand = EVL_NO_SLOT;
  return s;
}

static void hit(void *state, evl_host *host, const evl_request *request) {
  (void)host;
  evl_lists_set_mark(state, request->slot, 1);
}

// A visited object stays visited: a cache need not tell of its hits.
static uint32_t ignores_hit(void *state, evl_slot slot) { return evl_lists_mark(state, slot); }

// Takes a slot out of the queue: the hand does not stay there, but moves on towards the head.
static void take_out(sieve *s, evl_slot slot, int64_t size) {
  if (s->hand == slot) s->hand = evl_lists_newer(&s->lists, slot);
  evl_lists_remove(&s->lists, slot, size);
}

static void evict(void *state, evl_host *host, const evl_request *request) {
  (void)request;
  sieve *s = state;
  for (;;) {
    if (s->hand == EVL_NO_SLOT) s->hand = evl_lists_back(&s->lists, QUEUE);
    if (!evl_is_pinned(host, s->hand)) {
      if (!evl_lists_mark(&s->lists, s->hand)) break;
      evl_lists_set_mark(&s->lists, s->hand, 0);
    }
    s->hand = evl_lists_newer(&s->lists, s->hand);
  }
  const evl_slot victim = s->hand;
  if (!evl_may_evict(host, victim)) return;
  take_out(s, victim, evl_size(host, victim));
  evl_evict(host, victim);
}

static uint32_t insert(void *state, evl_host *host, const evl_request *request) {
  while (!evl_has_room(host)) {
    evict(state, host, request);
    if (evl_has_refused(host)) return EVL_REJECTED;
  }
  evl_lists_push_front(state, QUEUE, request->slot, request->size);
  return EVL_ADMITTED;
}

static void remove_slot(void *state, evl_host *host, evl_slot slot) {
  take_out(state, slot, evl_size(host, slot));
}

static uint32_t contains(void *state, evl_slot slot) {
  return evl_lists_owner(state, slot) == QUEUE;
}

static void remove_all(void *state) {
  evl_lists_clear(state);
  ((sieve *)state)->hand = EVL_NO_SLOT;
}

static void visit_state(void *state, evl_archive *archive) {
  sieve *s = state;
  evl_lists_visit(&s->lists, archive);
  evl_visit(archive, &s->hand, sizeof s->hand);
}

EVL_RUN(run, hit, insert, evl_listed_prefetch)

EVL_EXPORT const evl_policy *evictionlab_policy(void) {
  static const evl_policy policy = {
    EVL_LISTED_MEMBERS,
    .version = EVL_POLICY_VERSION,
    .flags = EVL_PASSES_OVER_PINNED,
    .summary = "a hand sweeps a FIFO queue; survivors stay where they are",
    .paper = "Y. Zhang et al., “SIEVE is simpler than LRU: an efficient turn-key eviction "
             "algorithm for web caches”, NSDI 2024.",
    .create = create,
    .hit = hit,
    .ignores_hit = ignores_hit,
    .insert = insert,
    .evict = evict,
    .remove = remove_slot,
    .contains = contains,
    .remove_all = remove_all,
    .visit_state = visit_state,
    .run = run,
  };
  return &policy;
}
