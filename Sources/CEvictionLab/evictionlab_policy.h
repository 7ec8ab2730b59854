/// An eviction policy in C: what a shared library exports, so that `evict` runs it as `plugin:PATH`.
///
///     const evl_policy *evictionlab_policy(void);
///
/// A policy never sees a key. It sees a slot: a number, less than that of the slots reserved, that stands for a key. It
/// keeps its lists and counts in arrays by slot. A slot is unknown, or it is resident (its object is in the cache), or
/// it is a ghost (its object has left, and the policy remembers it). Slots that the policy has forgotten are given to
/// other keys.
///
/// The host keeps sizes and values, and counts what is used. It calls `hit` only for residents, `insert` only for the others,
/// and `evict` only while something is resident. The policy tells it which objects leave, and what it has forgotten:
///
///     static uint32_t insert(void *state, evl_host *host, const evl_request *request) {
///       while (!evl_has_room(host)) {
///         evict(state, host, request);
///         if (evl_has_refused(host)) return EVL_REJECTED;
///       }
///       push_front(state, request->slot);
///       return EVL_ADMITTED;
///     }
///
/// The header needs nothing but a compiler for C11 or C++: no library is linked. evictionlab_lists.h beside it has lists of
/// slots.
///
/// A policy that does what it must not do is stopped, and what it did is named: a victim that is not resident, an `insert`
/// without room. A state belongs to one cache, which makes one call at a time, on any thread. So nothing may be shared
/// between two states, and equal calls must have equal results: `seed` is the source of all that is random.
#ifndef EVICTIONLAB_POLICY_H
#define EVICTIONLAB_POLICY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this interface. It changes with every structure here.
#define EVL_POLICY_VERSION 1

/// A number that stands for a key.
typedef uint32_t evl_slot;

/// No slot: ends lists, and is never given to a key.
#define EVL_NO_SLOT UINT32_MAX

/// One request, as far as it is known. What is not known, or not among the policy's `needs`, has the value in brackets.
typedef struct evl_request {
  /// The room that the object takes: 1, or its bytes where the run is sized. On a hit, what the resident takes.
  int64_t size;
  /// The penalty of a miss [1]. On a hit in a cache it is 1.
  double cost;
  /// The hash of the key, the same in every run [0]. EVL_NEEDS_KEY_HASH.
  uint64_t key_hash;
  /// The time in nanoseconds [0]. EVL_NEEDS_TIME.
  int64_t time;
  /// The number of the request [0], and that of the next one for its key [INT64_MAX]. EVL_NEEDS_NEXT_USE: simulations only.
  int64_t index;
  int64_t next_use;
  /// The time at which the object expires [INT64_MAX]. EVL_NEEDS_EXPIRY.
  int64_t expiry;
  /// The bytes of the key [0]. EVL_NEEDS_KEY_LENGTH.
  int64_t key_length;
  /// The slot of the key.
  evl_slot slot;
} evl_request;

/// The host, during one call. Read and told by the functions below, not by its members.
typedef struct evl_host {
  void *context;
  void (*evict)(void *context, evl_slot slot, uint32_t keeps_ghost);
  void (*forget)(void *context, evl_slot slot);
  int64_t (*size)(void *context, evl_slot slot);
  uint32_t (*may_evict)(void *context, evl_slot slot);
  uint32_t (*is_pinned)(void *context, evl_slot slot);
  uint32_t has_room;
  uint32_t has_refused;
  uint32_t is_sized;
  uint32_t asks_filter;
  uint32_t pins_slots;
  uint32_t slots;
  uint8_t *kinds;
  int64_t residents;
} evl_host;

/// Returns 1 if the newcomer of `insert` has room.
static inline uint32_t evl_has_room(const evl_host *host) { return host->has_room; }

/// Returns the size of a resident; of a ghost, that with which it left.
static inline int64_t evl_size(evl_host *host, evl_slot slot) {
  return host->is_sized ? host->size(host->context, slot) : 1;
}

/// Returns 1 if a victim may leave for the newcomer: asked before each eviction. If it may not, an admission filter has
/// refused the newcomer: the policy changes nothing more, and `insert` returns EVL_REJECTED, or EVL_REMEMBERED for a ghost
/// that is one still.
static inline uint32_t evl_may_evict(evl_host *host, evl_slot victim) {
  return host->asks_filter ? host->may_evict(host->context, victim) : 1;
}

/// Returns 1 if evl_may_evict() has returned 0 in this call.
static inline uint32_t evl_has_refused(const evl_host *host) { return host->has_refused; }

/// Returns 1 if the resident must stay for now: it is passed over, and nothing about it changes. Asked by a policy with
/// EVL_PASSES_OVER_PINNED, which `evict prefix` runs.
static inline uint32_t evl_is_pinned(evl_host *host, evl_slot slot) {
  return host->pins_slots ? host->is_pinned(host->context, slot) : 0;
}

// What a slot is in `kinds`, which is there in `run` only: then the host hears no more than what must not be.
enum { EVL_UNKNOWN = 0, EVL_RESIDENT = 1, EVL_GHOST = 2 };

static inline uint32_t evl_becomes(evl_host *host, evl_slot slot, uint8_t before, uint8_t after) {
  if (host->kinds == NULL || slot >= host->slots || host->kinds[slot] != before) return 0;
  host->kinds[slot] = after;
  return 1;
}

static inline void evl_leaves(evl_host *host, evl_slot slot, uint32_t keeps_ghost) {
  if (evl_becomes(host, slot, EVL_RESIDENT, keeps_ghost ? EVL_GHOST : EVL_UNKNOWN)) {
    host->residents -= 1;
    host->has_room = 1;
  } else {
    host->evict(host->context, slot, keeps_ghost);
  }
}

/// The resident leaves, and is forgotten.
static inline void evl_evict(evl_host *host, evl_slot slot) { evl_leaves(host, slot, 0); }

/// The resident leaves, and is a ghost from here on.
static inline void evl_evict_to_ghost(evl_host *host, evl_slot slot) { evl_leaves(host, slot, 1); }

/// The ghost is forgotten.
static inline void evl_forget(evl_host *host, evl_slot slot) {
  if (!evl_becomes(host, slot, EVL_GHOST, EVL_UNKNOWN)) host->forget(host->context, slot);
}

/// The answers of `insert`.
enum {
  /// The object is resident now.
  EVL_ADMITTED = 0,
  /// It is not, and its slot is forgotten, also if it was a ghost.
  EVL_REJECTED = 1,
  /// It is not, and its slot is a ghost: as before, or from now on.
  EVL_REMEMBERED = 2
};

/// The fields of a request that a policy reads beyond slot, size and cost.
enum {
  EVL_NEEDS_KEY_HASH = 1,
  EVL_NEEDS_TIME = 2,
  EVL_NEEDS_NEXT_USE = 4,
  EVL_NEEDS_EXPIRY = 8,
  EVL_NEEDS_KEY_LENGTH = 16,
  EVL_NEEDS_COST = 32
};

/// The page of a policy, in its own words.
enum {
  /// Evictions depend on the order of hits. Without it, a hit does no more than mark or count.
  EVL_HITS_REORDER = 1,
  /// It may refuse a newcomer of its own accord.
  EVL_MAY_REFUSE = 2,
  /// `evict` passes over pinned slots.
  EVL_PASSES_OVER_PINNED = 4
};

/// The kinds of parameters.
enum {
  /// A whole number, from `least` to `most`.
  EVL_WHOLE = 0,
  /// A number with a fraction, from `least` to `most`.
  EVL_NUMBER = 1,
  /// 0 or 1.
  EVL_FLAG = 2
};

/// A parameter: `plugin:./mine.so:name=value`.
typedef struct evl_parameter {
  /// Lower-case letters, digits and hyphens.
  const char *name;
  /// One line.
  const char *help;
  uint32_t kind;
  double default_value;
  double least;
  double most;
} evl_parameter;

/// The configuration of a new state.
typedef struct evl_configuration {
  /// In objects, or in bytes where the run is sized; 1 or more.
  int64_t capacity;
  /// The random seed.
  uint64_t seed;
  /// The slots to make room for at once. More come by `reserve`.
  uint32_t slots;
  /// 1 if objects count their bytes.
  uint32_t is_sized;
  /// The values of the parameters, in the order of their declaration.
  const double *parameters;
  /// The `context` of the policy.
  void *context;
  /// Room for a text of EVL_PROBLEM_BYTES that says why there is no state; empty at first.
  char *problem;
} evl_configuration;

#define EVL_PROBLEM_BYTES 256

/// The state on its way out of a policy or into another: see `visit_state`.
typedef struct evl_archive {
  void *context;
  void (*visit)(void *context, void *bytes, uint64_t count);
  /// 1 if bytes are read: what is passed gets other values.
  uint32_t is_reading;
} evl_archive;

/// Passes on plain memory.
static inline void evl_visit(evl_archive *archive, void *bytes, uint64_t count) {
  archive->visit(archive->context, bytes, count);
}

/// Requests of a simulation that are run at once: see EVL_RUN().
typedef struct evl_run {
  const evl_slot *requests;
  uint64_t count;
  /// After request i, `requests[i + ahead]` can be read.
  uint64_t ahead;
  int64_t capacity;
  uint64_t hits;
  uint64_t insertions;
  /// Less than `count` where the last answer of `insert` was wrong.
  uint64_t done;
  uint32_t answer;
} evl_run;

/// A policy. Members that may be NULL say so; the others must be there. `slot` is always below the slots reserved.
typedef struct evl_policy {
  /// EVL_POLICY_VERSION.
  uint32_t version;
  /// EVL_NEEDS_…, added.
  uint32_t needs;
  /// EVL_HITS_REORDER …, added.
  uint32_t flags;
  uint32_t parameter_count;
  /// The smallest capacity in objects; 0 means 1.
  int64_t minimum_capacity;
  /// The memory for a slot, for reports and for the limit of memory of a run.
  int64_t bytes_per_slot;
  /// One line: what the policy does.
  const char *summary;
  /// Authors, title, venue, year. May be NULL.
  const char *paper;
  /// `parameter_count` of them. May be NULL for none.
  const evl_parameter *parameters;
  /// Passed to `create`. May be NULL.
  void *context;

  /// Makes the state of an empty cache. Returns NULL if it cannot, with the reason in `problem`.
  void *(*create)(const evl_configuration *configuration);
  /// Frees a state.
  void (*destroy)(void *state);
  /// Makes room for slots below `slots`. May be NULL for a policy that has no arrays by slot.
  void (*reserve)(void *state, uint32_t slots);

  /// A request found its object resident, and it stays. Others may leave.
  void (*hit)(void *state, evl_host *host, const evl_request *request);
  /// A request missed. Makes room while evl_has_room() is 0, then admits or refuses the newcomer: EVL_ADMITTED …
  /// The newcomer's slot may be a ghost.
  uint32_t (*insert)(void *state, evl_host *host, const evl_request *request);
  /// Evicts at least one object, or none if evl_may_evict() returns 0. `request` is NULL where the host makes room for no
  /// newcomer.
  void (*evict)(void *state, evl_host *host, const evl_request *request);
  /// The user removed the key, or the object expired: forgets the slot, resident or ghost, and tells nothing. The host has
  /// taken the object out. Called for known slots only.
  void (*remove)(void *state, evl_host *host, evl_slot slot);

  /// Returns 1 if the slot is resident. May be NULL: the host knows itself. One that is there is compared with that.
  uint32_t (*contains)(void *state, evl_slot slot);
  /// Forgets every slot, and tells nothing; what was learned stays. May be NULL: then a new state takes its place, which has
  /// learned nothing.
  void (*remove_all)(void *state);
  /// The capacity changed: restores quotas by moving objects between lists. The host evicts afterwards. May be NULL.
  void (*resize)(void *state, evl_host *host, int64_t capacity);
  /// The resident takes `difference` more than before; `resize` follows. May be NULL.
  void (*change_size)(void *state, evl_slot slot, int64_t difference);
  /// The resident expires at another time, INT64_MAX for never. May be NULL.
  void (*change_expiry)(void *state, evl_slot slot, int64_t expiry);
  /// Returns 1 if a hit of the resident would change nothing, now and after any other hits. Several threads ask at once.
  /// May be NULL.
  uint32_t (*ignores_hit)(void *state, evl_slot slot);
  /// Passes on by evl_visit() all that changes while the policy works, in the same order each time, whether it is written
  /// or read: so a cache is saved and goes on from a file. A state that reads was made with the same configuration, and has
  /// the same slots reserved. May be NULL: then it cannot be saved.
  void (*visit_state)(void *state, evl_archive *archive);
  /// Shows what was learned: calls `show` with a short name and a finite number for each. May be NULL.
  void (*show_internals)(
      void *state, void (*show)(void *context, const char *name, double value), void *context);
  /// The slot will be requested soon: a chance to prefetch its records. May be NULL.
  void (*prefetch)(void *state, evl_slot slot);
  /// It will be requested sooner, and its record has come. May be NULL.
  void (*prefetch_further)(void *state, evl_slot slot, uint64_t key_hash);
  /// Runs requests at once: a function that EVL_RUN() makes, with which a simulation is two to three times as fast. May be
  /// NULL.
  void (*run)(void *state, evl_host *host, evl_run *run);
} evl_policy;

#ifdef __GNUC__
#define EVL_INLINE static inline __attribute__((always_inline))
#define EVL_FLATTEN __attribute__((flatten))
#define EVL_PREFETCH(place) __builtin_prefetch(place, 1)
#else
#define EVL_INLINE static inline
#define EVL_FLATTEN
#define EVL_PREFETCH(place) ((void)(place))
#endif

/// Makes the function `name`, the `run` of a policy, of its other functions: the compiler, which sees them here, puts them
/// together to one loop. `prefetch` may be NULL.
///
///     EVL_RUN(run, hit, insert, evl_listed_prefetch)
///
/// The requests are plain gets of objects that count one, and the policy has no `needs`. Before that, the first requests of a
/// trace are run both ways; later, single requests and the sums are compared with `kinds`. A plug-in that answers differently
/// is stopped.
#define EVL_RUN(name, hit, insert, prefetch)                                   \
  EVL_FLATTEN static void name(void *state, evl_host *host, evl_run *requests) { \
    evl_run_requests(state, host, requests, hit, insert, prefetch);            \
  }

EVL_INLINE void evl_run_requests(
    void *state, evl_host *host, evl_run *run,
    void (*hit)(void *, evl_host *, const evl_request *),
    uint32_t (*insert)(void *, evl_host *, const evl_request *),
    void (*prefetch)(void *, evl_slot)) {
  evl_request request = {1, 1, 0, 0, 0, INT64_MAX, INT64_MAX, 0, 0};
  uint8_t *kinds = host->kinds;
  const evl_slot *next = run->requests;
  const evl_slot *end = next + run->count;
  const uint64_t ahead = run->ahead;
  uint64_t hits = 0, insertions = 0;
  for (; next < end; next++) {
    EVL_PREFETCH(kinds + next[ahead]);
    if (prefetch != NULL) prefetch(state, next[ahead]);
    request.slot = *next;
    if (kinds[*next] == EVL_RESIDENT) {
      hits += 1;
      hit(state, host, &request);
      continue;
    }
    host->has_room = host->residents < run->capacity;
    run->answer = insert(state, host, &request);
    if (run->answer == EVL_ADMITTED) {
      if (!host->has_room) break;
      kinds[*next] = EVL_RESIDENT;
      host->residents += 1;
      insertions += 1;
    } else {
      if (run->answer > EVL_REMEMBERED) break;
      kinds[*next] = run->answer == EVL_REMEMBERED ? EVL_GHOST : EVL_UNKNOWN;
    }
  }
  run->hits = hits;
  run->insertions = insertions;
  run->done = (uint64_t)(next - run->requests);
}

/// The function that a shared library exports.
#ifdef __cplusplus
#define EVL_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define EVL_EXPORT __attribute__((visibility("default")))
#endif
EVL_EXPORT const evl_policy *evictionlab_policy(void);

#ifdef __cplusplus
}
#endif

#endif
