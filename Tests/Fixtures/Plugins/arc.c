// ARC: balances recency against frequency by what its ghosts teach it.
//
//     cc -O2 -fPIC -shared -I Sources/CEvictionLab Tests/Fixtures/Plugins/arc.c -o arc.so
//
// T1 has objects requested once lately, T2 those requested at least twice; B1 and B2 have the ghosts of each. A request for
// a ghost moves p, the target of T1's size. The cases are those of the paper's Figure 4. It counts pages; here sizes are
// added, and a step of p is multiplied by the size.
#include "evictionlab_lists.h"

enum { T1 = 1, T2, B1, B2 };

typedef struct {
  evl_lists lists;
  struct { int64_t capacity; double p; } target;
} arc;

static int64_t size(const arc *a, uint32_t list) { return evl_lists_size(&a->lists, list); }

static void set_capacity(arc *a, int64_t capacity) {
  a->target.capacity = capacity;
  if (a->target.p > (double)capacity) a->target.p = (double)capacity;
}

static void *create(const evl_configuration *configuration) {
  arc *a = calloc(1, sizeof *a);
  if (a == NULL) return NULL;
  evl_lists_init(&a->lists, 4, configuration->slots);
  set_capacity(a, configuration->capacity);
  return a;
}

// Case I: the object becomes the most recent of T2.
static void hit(void *state, evl_host *host, const evl_request *request) {
  if (evl_lists_owner(state, request->slot) == T2) {
    evl_lists_move_to_front(state, T2, request->slot);
  } else {
    evl_lists_move(state, T2, request->slot, evl_size(host, request->slot));
  }
}

// REPLACE: T1 or T2 gives up its least recent object, which becomes a ghost.
static void replace(arc *a, evl_host *host, int is_of_b2) {
  const double t1 = (double)size(a, T1), p = a->target.p;
  const int t1_has_one = evl_lists_unpinned_back(&a->lists, T1, host) != EVL_NO_SLOT;
  const int t2_has_one = evl_lists_unpinned_back(&a->lists, T2, host) != EVL_NO_SLOT;
  const int is_of_t1 = t1_has_one && (t1 > p || (is_of_b2 && t1 == p) || !t2_has_one);
  evl_lists_evict_back_to(&a->lists, is_of_t1 ? T1 : T2, is_of_t1 ? B1 : B2, host);
}

// Replaces until there is room; returns whether the host has refused none.
static int make_room(arc *a, evl_host *host, int is_of_b2) {
  while (!evl_has_room(host) && !evl_has_refused(host)) replace(a, host, is_of_b2);
  return !evl_has_refused(host);
}

// Forgets ghosts of B1 until it is within C with T1 and a newcomer.
static void bound_b1(arc *a, evl_host *host, int64_t newcomer) {
  const int64_t limit = a->target.capacity - size(a, T1) - newcomer;
  evl_lists_bound_ghosts(&a->lists, B1, limit, EVL_NO_SLOT, host);
}

// Forgets ghosts of B2, then of B1, until all lists and a newcomer are within 2C, as far as there are ghosts.
static void bound_directory(arc *a, evl_host *host, int64_t newcomer) {
  const int64_t limit = 2 * a->target.capacity - size(a, T1) - size(a, T2) - newcomer;
  evl_lists_bound_ghosts(&a->lists, B2, limit - size(a, B1), EVL_NO_SLOT, host);
  evl_lists_bound_ghosts(&a->lists, B1, limit - size(a, B2), EVL_NO_SLOT, host);
}

// Moves p by max(1, |B2|/|B1|), or its inverse, before the ghost leaves its list.
static void adapt(arc *a, const evl_request *request, uint32_t ghost) {
  if (request->size == 0) return;
  const double b1 = (double)size(a, B1), b2 = (double)size(a, B2);
  const double ratio = ghost == B1 ? b2 / b1 : b1 / b2;
  // Ghosts of no size make the ratio infinite, or 0/0, which counts 1.
  const double step = ratio > 1 ? ratio : 1;
  const double p = a->target.p + (ghost == B1 ? step : -step) * (double)request->size;
  const double capacity = (double)a->target.capacity;
  a->target.p = p < 0 ? 0 : p > capacity ? capacity : p;
}

// Cases II and III: a ghost moves p, and enters T2.
static uint32_t recall(arc *a, evl_host *host, const evl_request *request, uint32_t ghost) {
  adapt(a, request, ghost);
  if (!make_room(a, host, ghost == B2)) return evl_lists_refusal(&a->lists, request->slot);
  evl_lists_remove(&a->lists, request->slot, evl_size(host, request->slot));
  evl_lists_push_front(&a->lists, T2, request->slot, request->size);
  bound_directory(a, host, 0);
  return EVL_ADMITTED;
}

// Case IV: an unknown object enters T1. What T1 evicts while it alone fills the cache is not remembered.
static uint32_t insert(void *state, evl_host *host, const evl_request *request) {
  arc *a = state;
  const uint32_t ghost = evl_lists_owner(&a->lists, request->slot);
  if (ghost != 0) return recall(a, host, request, ghost);
  bound_b1(a, host, request->size);
  while (size(a, T1) + request->size > a->target.capacity) {
    evl_lists_evict_back(&a->lists, T1, host);
    if (evl_has_refused(host)) return EVL_REJECTED;
  }
  bound_directory(a, host, request->size);
  if (!make_room(a, host, 0)) return EVL_REJECTED;
  evl_lists_push_front(&a->lists, T1, request->slot, request->size);
  // What has left for the newcomer may be a ghost too many.
  bound_directory(a, host, 0);
  return EVL_ADMITTED;
}

static void evict(void *state, evl_host *host, const evl_request *request) {
  arc *a = state;
  replace(a, host, request != NULL && evl_lists_owner(&a->lists, request->slot) == B2);
  if (request != NULL) return;
  bound_b1(a, host, 0);
  bound_directory(a, host, 0);
}

static uint32_t contains(void *state, evl_slot slot) {
  const uint32_t owner = evl_lists_owner(state, slot);
  return owner == T1 || owner == T2;
}

static void resize(void *state, evl_host *host, int64_t capacity) {
  set_capacity(state, capacity);
  bound_b1(state, host, 0);
  bound_directory(state, host, 0);
}

static void visit_state(void *state, evl_archive *archive) {
  arc *a = state;
  evl_lists_visit(&a->lists, archive);
  evl_visit(archive, &a->target, sizeof a->target);
}

static void show_internals(void *state, void (*show)(void *, const char *, double), void *context) {
  show(context, "p", ((arc *)state)->target.p);
}

EVL_RUN(run, hit, insert, evl_listed_prefetch)

EVL_EXPORT const evl_policy *evictionlab_policy(void) {
  static const evl_policy policy = {
    EVL_LISTED_MEMBERS,
    .version = EVL_POLICY_VERSION,
    .flags = EVL_HITS_REORDER | EVL_PASSES_OVER_PINNED,
    .summary = "adaptive replacement cache: recency against frequency, taught by ghosts",
    .paper = "N. Megiddo and D. S. Modha, “ARC: a self-tuning, low overhead replacement "
             "cache”, FAST 2003, Figure 4.",
    .create = create, .hit = hit, .insert = insert, .evict = evict, .contains = contains,
    .resize = resize, .visit_state = visit_state, .show_internals = show_internals,
    .remove = evl_listed_remove, .remove_all = evl_listed_remove_all, .run = run,
  };
  return &policy;
}
