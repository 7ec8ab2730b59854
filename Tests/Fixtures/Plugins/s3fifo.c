// S3-FIFO: a small FIFO queue filters what may enter the main one, and a queue of ghosts corrects it.
//
//     cc -O2 -fPIC -shared -I Sources/CEvictionLab Tests/Fixtures/Plugins/s3fifo.c -o s3fifo.so
//     evict sweep traces/search.txt.zst --policy plugin:./s3fifo.so:small=0.2:threshold=0 --capacity 500
//
// A queue's head is the front of a list, its tail the back. A slot's mark is its frequency. Room is made before the ghost
// test, so the newcomer's own ghost may be forgotten meanwhile: then it enters S.
#include "evictionlab_lists.h"

enum { S = 1, M, G };

enum { SMALL, THRESHOLD, KEEP, PARAMETERS };

static const evl_parameter parameters[PARAMETERS] = {
  {"small", "Sc, as a share of the capacity; at least 1", EVL_NUMBER, 0.1, 0, 1},
  {"threshold", "an object moves from S to M if its frequency is larger", EVL_WHOLE, 1, 0, 3},
  {"keep", "an object that moves from S to M keeps its frequency", EVL_FLAG, 0, 0, 1},
};

typedef struct {
  evl_lists lists;
  double given[PARAMETERS];
  /// Of the main queue's also of the ghosts.
  struct { int64_t small, main; } limits;
} s3fifo;

static int64_t size(const s3fifo *s, uint32_t queue) { return evl_lists_size(&s->lists, queue); }

static int64_t length(const s3fifo *s, uint32_t q) { return evl_lists_length(&s->lists, q); }

static void set_limits(s3fifo *s, int64_t capacity) {
  const int64_t small = evl_part(capacity, s->given[SMALL]);
  s->limits.small = small > 1 ? small : 1;
  s->limits.main = capacity - s->limits.small;
}

static void *create(const evl_configuration *configuration) {
  s3fifo *s = malloc(sizeof *s);
  if (s == NULL) return NULL;
  evl_lists_init(&s->lists, 3, configuration->slots);
  memcpy(s->given, configuration->parameters, sizeof s->given);
  set_limits(s, configuration->capacity);
  return s;
}

static void hit(void *state, evl_host *host, const evl_request *request) {
  (void)host;
  const uint32_t frequency = evl_lists_mark(state, request->slot);
  if (frequency < 3) evl_lists_set_mark(state, request->slot, frequency + 1);
}

static uint32_t ignores_hit(void *state, evl_slot slot) { return evl_lists_mark(state, slot) >= 3; }

// A tail with frequency > 0 becomes the head with one less; the first with 0 leaves. What is pinned passes as it is.
static void evict_from_main(s3fifo *s, evl_host *host) {
  if (evl_lists_unpinned_back(&s->lists, M, host) == EVL_NO_SLOT) return;
  for (;;) {
    const evl_slot tail = evl_lists_back(&s->lists, M);
    const uint32_t frequency = evl_lists_mark(&s->lists, tail);
    const uint32_t is_pinned = evl_is_pinned(host, tail);
    if (!is_pinned && frequency == 0) break;
    evl_lists_move_to_front(&s->lists, M, tail);
    if (!is_pinned) evl_lists_set_mark(&s->lists, tail, frequency - 1);
  }
  evl_lists_evict_back(&s->lists, M, host);
}

// Moves what was requested to M, until one object has left S for the ghosts, or S is empty.
static void evict_from_small(s3fifo *s, evl_host *host, evl_slot newcomer) {
  evl_slot tail;
  while ((tail = evl_lists_unpinned_back(&s->lists, S, host)) != EVL_NO_SLOT) {
    const uint32_t frequency = evl_lists_mark(&s->lists, tail);
    if (frequency <= s->given[THRESHOLD]) {
      evl_lists_evict_back_to(&s->lists, S, G, host);
      evl_lists_bound_ghosts(&s->lists, G, s->limits.main, newcomer, host);
      return;
    }
    evl_lists_move(&s->lists, M, tail, evl_size(host, tail));
    if (s->given[KEEP]) evl_lists_set_mark(&s->lists, tail, frequency);
    if (size(s, M) > s->limits.main) evict_from_main(s, host);
    if (evl_has_refused(host)) return;
  }
}

// By the limits, unless all of the chosen queue is pinned.
static int takes_from_small(const s3fifo *s, evl_host *host) {
  const int prefers_small = size(s, S) >= s->limits.small || length(s, M) == 0;
  const evl_slot tail = evl_lists_unpinned_back(&s->lists, prefers_small ? S : M, host);
  return tail == EVL_NO_SLOT ? !prefers_small : prefers_small;
}

static void evict(void *state, evl_host *host, const evl_request *request) {
  s3fifo *s = state;
  const int64_t residents = length(s, S) + length(s, M);
  do {
    if (takes_from_small(s, host)) {
      evict_from_small(s, host, request != NULL ? request->slot : EVL_NO_SLOT);
    } else {
      evict_from_main(s, host);
    }
  } while (length(s, S) + length(s, M) == residents && !evl_has_refused(host));
}

static uint32_t insert(void *state, evl_host *host, const evl_request *request) {
  s3fifo *s = state;
  while (!evl_has_room(host)) {
    evict(s, host, request);
    if (evl_has_refused(host)) return evl_lists_refusal(&s->lists, request->slot);
  }
  const int is_ghost = evl_lists_owner(&s->lists, request->slot) == G;
  if (is_ghost) evl_lists_remove(&s->lists, request->slot, evl_size(host, request->slot));
  evl_lists_push_front(&s->lists, is_ghost ? M : S, request->slot, request->size);
  return EVL_ADMITTED;
}

static uint32_t contains(void *state, evl_slot slot) {
  const uint32_t owner = evl_lists_owner(state, slot);
  return owner == S || owner == M;
}

static void resize(void *state, evl_host *host, int64_t capacity) {
  s3fifo *s = state;
  set_limits(s, capacity);
  evl_lists_bound_ghosts(&s->lists, G, s->limits.main, EVL_NO_SLOT, host);
}

static void visit_state(void *state, evl_archive *archive) {
  s3fifo *s = state;
  evl_lists_visit(&s->lists, archive);
  evl_visit(archive, &s->limits, sizeof s->limits);
}

EVL_RUN(run, hit, insert, evl_listed_prefetch)

EVL_EXPORT const evl_policy *evictionlab_policy(void) {
  static const evl_policy policy = {
    EVL_LISTED_MEMBERS,
    .version = EVL_POLICY_VERSION,
    .flags = EVL_PASSES_OVER_PINNED,
    .parameter_count = PARAMETERS,
    .parameters = parameters,
    .summary = "a small FIFO queue before a main one, and a queue of ghosts",
    .paper = "J. Yang et al., “FIFO queues are all you need for cache eviction”, SOSP 2023.",
    .create = create, .hit = hit, .ignores_hit = ignores_hit, .insert = insert, .evict = evict,
    .contains = contains, .resize = resize, .visit_state = visit_state,
    .remove = evl_listed_remove, .remove_all = evl_listed_remove_all, .run = run,
  };
  return &policy;
}
