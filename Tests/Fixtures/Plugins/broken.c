// Policies with a fault each, on top of a FIFO queue that has none: plugin:./broken.so:hit-evicts=true.
//
//     cc -O1 -fPIC -shared -I Sources/CEvictionLab Tests/Fixtures/Plugins/broken.c -o broken.so
//     evict policies check plugin:./broken.so:hit-evicts=true
//
// FAULTS names each one, and the words by which it is caught: a regular expression over what the check prints.
// test_plugins.py reads them here. Faults of the library itself are made by -DFLAWED=1 to 6, at the end.
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "evictionlab_lists.h"

// clang-format off
#define FAULTS(FAULT) \
  /* Evictions. */ \
  FAULT(TRIM_EVICTS_NOTHING, "trim-evicts-nothing", "evicts nothing when the host trims") \
  FAULT(MAKES_NO_ROOM, "makes-no-room", "admits slot \\d+ and holds") \
  FAULT(EVICTS_NEWCOMER, "evicts-newcomer", "evicts slot \\d+, which is the newcomer") \
  FAULT(EVICTS_GHOST, "evicts-ghost", "evicts slot \\d+, which is ghost") \
  FAULT(EVICTS_BEYOND, "evicts-beyond", "slot 4000000000, which is") \
  FAULT(EVICTS_TWICE, "evicts-twice", "evicts slot \\d+, which is unknown") \
  FAULT(EVICTS_UNASKED, "evicts-unasked", "evicts slot \\d+ without asking whether it may leave") \
  FAULT(EVICTS_KEPT, "evicts-kept", "asks before it evicts, and takes no for an answer: evicts slot") \
  FAULT(ADMITS_REFUSED, "admits-refused", "asks before it evicts.*: admits slot \\d+, which the host refused") \
  FAULT(HIT_EVICTS, "hit-evicts", "evicts slot \\d+ on its own hit") \
  FAULT(EVICTS_PINNED, "evicts-pinned", "passes over what the host has pinned: evicts slot") \
  FAULT(EVICTS_LATER, "evicts-later", "evicts slot \\d+ outside a call") \
  /* The memory of slots. */ \
  FAULT(FORGETS_RESIDENT, "forgets-resident", "forgets slot \\d+, which is resident") \
  FAULT(FORGETS_UNKNOWN, "forgets-unknown", "forgets slot \\d+, which is unknown") \
  FAULT(FORGETS_AND_ADMITS, "forgets-and-admits", "forgets slot \\d+ and admits it") \
  FAULT(ANSWERS_SEVEN, "answers-seven", "answers 7|neither forgets nor remembers") \
  FAULT(CONTAINS_GHOSTS, "contains-ghosts", "contains\\(\\d+\\) is true for a slot that is ghost") \
  FAULT(CONTAINS_REMEMBERED, "contains-remembered", "contains\\(\\d+\\) is true for a slot that is ghost") \
  FAULT(CONTAINS_NOTHING, "contains-nothing", "contains\\(\\d+\\) is false for a slot that is resident") \
  FAULT(KEEPS_REMOVED, "keeps-removed", "contains\\(\\d+\\) is true for a slot that is unknown") \
  FAULT(KEEPS_ALL, "keeps-all", "slot \\d+, which it forgot|is true for a slot that is unknown") \
  FAULT(SIZE_OF_NONE, "size-of-none", "asks for the size of slot 4000000000") \
  /* What equal calls do. */ \
  FAULT(ASKS_CLOCK, "asks-clock", "does the same for the same seed: event") \
  FAULT(ASKS_ADDRESS, "asks-address", "does the same for the same seed: event") \
  FAULT(SHARES_STATE, "shares-state", "does the same for the same seed: event") \
  FAULT(READS_FRESH_MEMORY, "reads-fresh-memory", "does the same for the same seed: event") \
  FAULT(SMALLEST_SLOT, "smallest-slot", "decides nothing by a slot's number: event") \
  FAULT(KEEPS_COUNTS, "keeps-counts", "treats a forgotten slot as new.*: event") \
  FAULT(READS_MORE, "reads-more", "does not read the state that it has passed on") \
  FAULT(FORGETS_STEPS, "forgets-steps", "goes on from a state that it has passed on: event") \
  FAULT(IGNORES_HITS, "ignores-hits", "learns nothing from a hit that it ignores: event") \
  FAULT(REORDERS, "reorders", "reorders on hits exactly if it says so: event") \
  FAULT(SIZED_IS_LIFO, "sized-is-lifo", "counts objects as it counts bytes: event") \
  FAULT(LEARNS_NAN, "learns-nan", "has learned p = -?nan") \
  /* Memory. */ \
  FAULT(WRITES_PAST, "writes-past", "writes past the end of a block of \\d+ bytes|crashed \\(signal 11\\)") \
  FAULT(WRITES_BEFORE, "writes-before", "writes before the beginning of a block of \\d+ bytes") \
  FAULT(RESERVES_NOTHING, "reserves-nothing", "writes past the end of a block of \\d+ bytes|crashed \\(signal 11\\)") \
  FAULT(USES_FREED, "uses-freed", "crashed \\(signal 11\\)") \
  FAULT(FREES_TWICE, "frees-twice", "crashed \\(signal (11|6)\\)") \
  FAULT(USES_NULL, "uses-null", "crashed \\(signal 11\\)") \
  FAULT(FILLS_MEMORY, "fills-memory", "ran out of memory|crashed \\(signal 11\\)") \
  /* The process. */ \
  FAULT(LOOPS, "loops", "did not return within \\d+ seconds") \
  FAULT(RECURSES, "recurses", "crashed \\(signal 11\\)") \
  FAULT(EXITS, "exits", "called exit\\(3\\)") \
  FAULT(ABORTS, "aborts", "crashed \\(signal 6\\)") \
  FAULT(EXITS_AT_ONCE, "exits-at-once", "called exit\\(0\\)") \
  FAULT(CRASHES_AT_ONCE, "crashes-at-once", "crashed \\(signal 11\\)") \
  FAULT(CRASHES_AT_LAST, "crashes-at-last", "crashed \\(signal 11\\)") \
  FAULT(FORKS, "forks", "crashed \\(signal 6\\): starts a process") \
  FAULT(LEAVES_THREAD, "leaves-thread", "crashed \\(signal (11|6)\\)") \
  /* Not caught as faults: it cannot run; it may remember all; what it prints is not the answer of the command. */ \
  FAULT(CANNOT_RUN, "cannot-run", "out of order: no parts") \
  FAULT(REMEMBERS_ALL, "remembers-all", "conforms") \
  FAULT(PRINTS, "prints", "conforms")
// clang-format on

#define FAULT_NUMBER(number, name, words) number,
enum { FAULTS(FAULT_NUMBER) FAULT_COUNT };

#define FAULT_PARAMETER(number, name, words) {name, words, EVL_FLAG, 0, 0, 1},
static const evl_parameter parameters[FAULT_COUNT] = {FAULTS(FAULT_PARAMETER)};

enum { QUEUE = 1, GHOSTS };

typedef struct {
  evl_lists lists;
  int has[FAULT_COUNT];
  /// By slot; only faults read it.
  uint32_t *counts;
  uint32_t slots;
  uint32_t steps;
  evl_host *host;
  pthread_t thread;
} broken;

/// Shared by all states.
static uint64_t evictions;
static void *volatile nowhere;

static void reserve(void *state, uint32_t slots) {
  broken *b = state;
  evl_lists_reserve(&b->lists, slots);
  if (slots <= b->slots || (b->has[RESERVES_NOTHING] && b->slots > 0)) return;
  b->counts = realloc(b->counts, slots * sizeof *b->counts);
  if (b->counts == NULL) abort();
  const size_t added = b->has[READS_FRESH_MEMORY] ? 0 : slots - b->slots;
  memset(b->counts + b->slots, 0, added * sizeof *b->counts);
  b->slots = slots;
}

// Forgets what was counted of a slot.
static void reset_count(broken *b, evl_slot slot) {
  if (!b->has[KEEPS_COUNTS] && !b->has[READS_FRESH_MEMORY]) b->counts[slot] = 0;
}

static void *scribble(void *state) {
  while (usleep(100) == 0) ((broken *)state)->slots++;
  return NULL;
}

static void *create(const evl_configuration *configuration) {
  if (configuration->parameters[CANNOT_RUN]) {
    strcpy(configuration->problem, "out of order: no parts");
    return NULL;
  }
  broken *b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  for (int fault = 0; fault < FAULT_COUNT; fault++) {
    b->has[fault] = configuration->parameters[fault] != 0;
  }
  b->has[SIZED_IS_LIFO] &= configuration->is_sized != 0;
  evl_lists_init(&b->lists, 2, 0);
  reserve(b, configuration->slots);
  if (b->has[EXITS_AT_ONCE]) exit(0);
  if (b->has[CRASHES_AT_ONCE]) *(volatile char *)nowhere = 1;
  if (b->has[LEAVES_THREAD]) pthread_create(&b->thread, NULL, scribble, b);
  return b;
}

static void destroy(void *state) {
  broken *b = state;
  free(b->counts);
  if (b->has[FREES_TWICE]) free(b->counts);
  if (b->has[CRASHES_AT_LAST]) *(volatile char *)nowhere = 1;
  evl_listed_destroy(b);
}

static uint32_t recurse(volatile uint32_t *depth) {
  volatile uint32_t next = *depth + 1;
  return recurse(&next) + next;
}

static void hit(void *state, evl_host *host, const evl_request *request) {
  broken *b = state;
  b->counts[request->slot]++;
  if (b->has[IGNORES_HITS] || b->has[REORDERS]) {
    evl_lists_move_to_front(state, QUEUE, request->slot);
  }
  if (b->has[HIT_EVICTS] && evl_may_evict(host, request->slot)) {
    evl_lists_remove(state, request->slot, evl_size(host, request->slot));
    evl_evict(host, request->slot);
  }
}

static uint32_t ignores_hit(void *state, evl_slot slot) {
  (void)slot;
  return ((broken *)state)->has[IGNORES_HITS];
}

// A bit that depends on all of the number.
static int coin(uint64_t number) { return number * 0x9E3779B97F4A7C15u >> 63; }

// The slot that leaves next: the oldest one, or what a fault prefers.
static evl_slot chosen(broken *b, evl_host *host) {
  const evl_slot oldest = b->has[EVICTS_PINNED] ? evl_lists_back(&b->lists, QUEUE)
                                                : evl_lists_unpinned_back(&b->lists, QUEUE, host);
  const evl_slot newest = evl_lists_front(&b->lists, QUEUE);
  struct timespec now = {0, 0};
  if (b->has[ASKS_CLOCK]) clock_gettime(CLOCK_MONOTONIC, &now);
  if (coin((uint64_t)now.tv_nsec)) return newest;
  b->steps++;
  if (b->has[ASKS_ADDRESS] && coin((uintptr_t)b->counts + b->steps)) return newest;
  if (b->has[SHARES_STATE] && ++evictions % 7 == 0) return newest;
  if (b->has[FORGETS_STEPS] && b->steps % 7 == 0) return newest;
  if (b->has[READS_FRESH_MEMORY] && coin(b->counts[oldest] + b->steps)) return newest;
  if (b->has[KEEPS_COUNTS] && b->counts[oldest] > 1) return newest;
  if (b->has[SIZED_IS_LIFO]) return newest;
  if (b->has[SMALLEST_SLOT]) {
    for (evl_slot slot = 0;; slot++) {
      if (evl_lists_owner(&b->lists, slot) == QUEUE) return slot;
    }
  }
  return oldest;
}

static void evict(void *state, evl_host *host, const evl_request *request) {
  broken *b = state;
  if (b->has[TRIM_EVICTS_NOTHING] && request == NULL) return;
  if (b->has[EVICTS_NEWCOMER] && request != NULL) evl_evict(host, request->slot);
  if (b->has[EVICTS_BEYOND]) evl_evict(host, 4000000000u);
  if (b->has[SIZE_OF_NONE]) host->size(host->context, 4000000000u);
  const evl_slot victim = chosen(b, host);
  if (b->has[FORGETS_RESIDENT]) evl_forget(host, victim);
  if (!b->has[EVICTS_UNASKED] && !evl_may_evict(host, victim) && !b->has[EVICTS_KEPT]) return;
  evl_lists_remove(&b->lists, victim, evl_size(host, victim));
  reset_count(b, victim);
  if (b->has[REMEMBERS_ALL] || b->has[CONTAINS_GHOSTS] || b->has[EVICTS_GHOST]
      || b->has[FORGETS_AND_ADMITS]) {
    evl_lists_push_front(&b->lists, GHOSTS, victim, evl_size(host, victim));
    evl_evict_to_ghost(host, victim);
  } else {
    evl_evict(host, victim);
  }
  if (b->has[EVICTS_TWICE] || b->has[EVICTS_GHOST]) evl_evict(host, victim);
  if (b->has[FORGETS_UNKNOWN]) evl_forget(host, victim);
}

// What has nothing to do with slots.
static void go_wrong(broken *b) {
  volatile uint32_t depth = 0;
  if (b->has[WRITES_PAST]) b->counts[b->slots] = 1;
  if (b->has[WRITES_BEFORE]) b->counts[-1] = 1;
  if (b->has[USES_NULL]) *(volatile char *)nowhere = 1;
  if (b->has[LOOPS]) while (depth == 0) {}
  if (b->has[RECURSES]) recurse(&depth);
  if (b->has[EXITS]) exit(3);
  if (b->has[ABORTS]) abort();
  if (b->has[FORKS]) fork();
  if (b->has[PRINTS]) printf("a line of a plug-in\n");
  if (b->has[USES_FREED]) {
    uint32_t *freed = b->counts;
    b->counts = calloc(b->slots, sizeof *freed);
    free(freed);
    *(volatile uint32_t *)freed += 1;
  }
  while (b->has[FILLS_MEMORY]) *(volatile char *)malloc(1 << 24) = 1;
}

static uint32_t insert(void *state, evl_host *host, const evl_request *request) {
  broken *b = state;
  go_wrong(b);
  b->host = host;
  const int was_ghost = evl_lists_owner(&b->lists, request->slot) == GHOSTS;
  if (was_ghost) {
    evl_lists_remove(&b->lists, request->slot, evl_size(host, request->slot));
    if (b->has[FORGETS_AND_ADMITS]) evl_forget(host, request->slot);
  }
  if (b->has[ANSWERS_SEVEN]) return 7;
  if (b->has[CONTAINS_REMEMBERED] && !was_ghost) {
    evl_lists_push_front(&b->lists, GHOSTS, request->slot, request->size);
    return EVL_REMEMBERED;
  }
  while (!evl_has_room(host) && !b->has[MAKES_NO_ROOM]) {
    evict(b, host, request);
    if (evl_has_refused(host) && b->has[ADMITS_REFUSED]) break;
    if (evl_has_refused(host)) return EVL_REJECTED;
  }
  evl_lists_push_front(&b->lists, QUEUE, request->slot, request->size);
  b->counts[request->slot] += 1;
  return EVL_ADMITTED;
}

static void remove_slot(void *state, evl_host *host, evl_slot slot) {
  broken *b = state;
  if (b->has[KEEPS_REMOVED]) return;
  evl_lists_remove(&b->lists, slot, evl_size(host, slot));
  reset_count(b, slot);
}

static uint32_t contains(void *state, evl_slot slot) {
  broken *b = state;
  const uint32_t owner = evl_lists_owner(&b->lists, slot);
  if (b->has[EVICTS_LATER] && b->host != NULL && owner == QUEUE) evl_evict(b->host, slot);
  if (b->has[CONTAINS_NOTHING]) return 0;
  if (b->has[CONTAINS_GHOSTS] || b->has[CONTAINS_REMEMBERED]) return owner != 0;
  return owner == QUEUE;
}

static void remove_all(void *state) {
  broken *b = state;
  if (b->has[KEEPS_ALL]) return;
  evl_lists_clear(&b->lists);
  for (evl_slot slot = 0; slot < b->slots; slot++) reset_count(b, slot);
}

static void visit_state(void *state, evl_archive *archive) {
  broken *b = state;
  uint64_t more = 0;
  evl_lists_visit(&b->lists, archive);
  evl_visit(archive, b->counts, b->slots * sizeof *b->counts);
  if (b->has[READS_MORE] && archive->is_reading) evl_visit(archive, &more, sizeof more);
}

static void show_internals(
    void *state, void (*show)(void *context, const char *name, double value), void *context) {
  const double zero = ((broken *)state)->lists.sizes[0];
  if (((broken *)state)->has[LEARNS_NAN]) show(context, "p", zero / zero);
}

static evl_policy policy = {
  .version = EVL_POLICY_VERSION,
  .flags = EVL_PASSES_OVER_PINNED,
  .parameter_count = FAULT_COUNT,
  .parameters = parameters,
  .bytes_per_slot = EVL_LISTS_BYTES_PER_SLOT + 4,
  .summary = "a FIFO queue with faults",
  .create = create,
  .destroy = destroy,
  .reserve = reserve,
  .hit = hit,
  .ignores_hit = ignores_hit,
  .insert = insert,
  .evict = evict,
  .remove = remove_slot,
  .contains = contains,
  .remove_all = remove_all,
  .change_size = evl_listed_change_size,
  .visit_state = visit_state,
  .show_internals = show_internals,
};

#ifndef FLAWED
#define FLAWED 0
#endif

#if FLAWED == 4
// The library exports no function of that name.
#define evictionlab_policy evictionlab_polity
#endif

#if FLAWED == 6
__attribute__((constructor)) static void end(void) { exit(0); }
#endif

EVL_EXPORT const evl_policy *evictionlab_policy(void) {
  if (FLAWED == 1) policy.version = 999;
  if (FLAWED == 5) *(volatile char *)nowhere = 1;
  if (FLAWED == 2) policy.insert = NULL;
  return FLAWED == 3 ? NULL : &policy;
}
