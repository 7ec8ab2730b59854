/// Lists of slots for a policy in C: see evictionlab_policy.h. LRU on a hit, on a miss and at an eviction:
///
///     evl_lists_move_to_front(lists, LRU, request->slot);
///     evl_lists_push_front(lists, LRU, request->slot, request->size);
///     evl_lists_evict_back(lists, LRU, host);
///
/// A few doubly linked lists over the same slots. A slot is in one of them at most, and has a small mark there: a bit of
/// CLOCK's, a frequency. The front of a list is its most recent end, the back its least recent one. Lists have numbers, from
/// 1 to EVL_MOST_LISTS; a policy gives them names:
///
///     enum { PROBATION = 1, PROTECTED };
///
/// A list knows its length and the sum of the sizes of its slots. So a size is told where a slot enters, moves or leaves:
/// evl_size(), which is 1 where objects count one.
///
/// A state that begins with an `evl_lists` has members made here: EVL_LISTED_MEMBERS.
///
/// Everything is O(1) but growth, evl_lists_clear() and evl_lists_visit(), which are O(slots). A slot takes
/// EVL_LISTS_BYTES_PER_SLOT. The links of all lists are in one array, each list a ring through a record in front of slot 0,
/// so that nothing branches where slots are linked. Number and mark share a byte, and a hit that only marks touches
/// nothing else.
///
/// Nothing is checked: a slot that is not in the list named, or beyond those reserved, destroys the lists.
#ifndef EVICTIONLAB_LISTS_H
#define EVICTIONLAB_LISTS_H

#include <stdlib.h>
#include <string.h>

#include "evictionlab_policy.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The largest number of a list.
#define EVL_MOST_LISTS 15

/// The largest mark of a slot.
#define EVL_MOST_MARK 15

/// The memory of a slot: what `bytes_per_slot` of a policy counts.
#define EVL_LISTS_BYTES_PER_SLOT 9

/// The neighbours of a slot. A number with the high bit is −k, the record of list k.
typedef struct evl_link {
  uint32_t newer;
  uint32_t older;
} evl_link;

/// The lists. The members are for the functions below.
typedef struct evl_lists {
  /// From the records of the lists, which are in front of slot 0, to the last slot.
  evl_link *links;
  /// By slot: the number of its list, and its mark times 16.
  uint8_t *marks;
  uint32_t list_count;
  uint32_t slots;
  // Length and size of a list do not touch: a processor waits where it reads in one piece what was written in two.
  int64_t lengths[EVL_MOST_LISTS + 1];
  int64_t sizes[EVL_MOST_LISTS + 1];
} evl_lists;

static inline evl_link *evl_link_of(const evl_lists *lists, uint32_t node) {
  return lists->links + (int32_t)node;
}

static inline uint32_t evl_record_of(uint32_t list) { return 0u - list; }

static inline evl_slot evl_slot_of(uint32_t node) {
  return node < 0x80000000u ? node : EVL_NO_SLOT;
}

// Making room

/// Takes every slot out of its list.
static inline void evl_lists_clear(evl_lists *lists) {
  if (lists->slots > 0) memset(lists->marks, 0, lists->slots);
  for (uint32_t list = 1; list <= lists->list_count; list++) {
    const evl_link empty = {evl_record_of(list), evl_record_of(list)};
    *evl_link_of(lists, evl_record_of(list)) = empty;
    lists->lengths[list] = lists->sizes[list] = 0;
  }
}

/// Makes room for slots below `slots`, as `reserve` of a policy does. Ends the process where there is no memory.
static inline void evl_lists_reserve(evl_lists *lists, uint32_t slots) {
  if (slots <= lists->slots) return;
  const size_t records = lists->list_count, added = slots - lists->slots;
  evl_link *links = lists->links - records;
  links = (evl_link *)realloc(links, (records + slots) * sizeof(evl_link));
  uint8_t *marks = (uint8_t *)realloc(lists->marks, slots);
  if (links == NULL || marks == NULL) abort();
  lists->links = links + records;
  lists->marks = marks;
  memset(lists->links + lists->slots, 0, added * sizeof(evl_link));
  memset(lists->marks + lists->slots, 0, added);
  lists->slots = slots;
}

/// Makes `list_count` empty lists with room for slots below `slots`. Ends the process where there is no memory.
static inline void evl_lists_init(evl_lists *lists, uint32_t list_count, uint32_t slots) {
  evl_link *links = (evl_link *)malloc(list_count * sizeof(evl_link));
  if (links == NULL || list_count > EVL_MOST_LISTS) abort();
  memset(lists, 0, sizeof *lists);
  lists->links = links + list_count;
  lists->list_count = list_count;
  evl_lists_clear(lists);
  evl_lists_reserve(lists, slots);
}

/// Frees the memory of the lists.
static inline void evl_lists_free(evl_lists *lists) {
  free(lists->links - lists->list_count);
  free(lists->marks);
}

/// Passes on the lists: `visit_state` of a policy calls it, and passes on its own members by evl_visit().
static inline void evl_lists_visit(evl_lists *lists, evl_archive *archive) {
  const size_t records = lists->list_count;
  evl_visit(archive, lists->links - records, (records + lists->slots) * sizeof(evl_link));
  if (lists->slots > 0) evl_visit(archive, lists->marks, lists->slots);
  evl_visit(archive, lists->lengths, sizeof lists->lengths);
  evl_visit(archive, lists->sizes, sizeof lists->sizes);
}

/// Asks the processor to bring near what a request for `slot` will read.
static inline void evl_lists_prefetch(const evl_lists *lists, evl_slot slot) {
  EVL_PREFETCH(lists->marks + slot);
  EVL_PREFETCH(lists->links + slot);
}

// Asking

/// The number of the list that holds the slot; 0 if none does.
static inline uint32_t evl_lists_owner(const evl_lists *lists, evl_slot slot) {
  return lists->marks[slot] & 15u;
}

/// The mark of a slot that is in a list; 0 where it has entered one.
static inline uint32_t evl_lists_mark(const evl_lists *lists, evl_slot slot) {
  return lists->marks[slot] >> 4;
}

/// The number of slots in the list.
static inline int64_t evl_lists_length(const evl_lists *lists, uint32_t list) {
  return lists->lengths[list];
}

/// The sum of the sizes of the list's slots.
static inline int64_t evl_lists_size(const evl_lists *lists, uint32_t list) {
  return lists->sizes[list];
}

/// The most recent slot of the list; EVL_NO_SLOT if it is empty.
static inline evl_slot evl_lists_front(const evl_lists *lists, uint32_t list) {
  return evl_slot_of(evl_link_of(lists, evl_record_of(list))->older);
}

/// The least recent slot of the list; EVL_NO_SLOT if it is empty.
static inline evl_slot evl_lists_back(const evl_lists *lists, uint32_t list) {
  return evl_slot_of(evl_link_of(lists, evl_record_of(list))->newer);
}

/// The neighbour towards the front of a slot that is in a list; EVL_NO_SLOT at the front.
static inline evl_slot evl_lists_newer(const evl_lists *lists, evl_slot slot) {
  return evl_slot_of(lists->links[slot].newer);
}

/// The neighbour towards the back of a slot that is in a list; EVL_NO_SLOT at the back.
static inline evl_slot evl_lists_older(const evl_lists *lists, evl_slot slot) {
  return evl_slot_of(lists->links[slot].older);
}

/// The least recent slot of the list that is not pinned; EVL_NO_SLOT if there is none.
static inline evl_slot evl_lists_unpinned_back(
    const evl_lists *lists, uint32_t list, evl_host *host) {
  evl_slot slot = evl_lists_back(lists, list);
  while (slot != EVL_NO_SLOT && evl_is_pinned(host, slot)) slot = evl_lists_newer(lists, slot);
  return slot;
}

// Moving slots

/// Gives a slot that is in a list another mark, from 0 to EVL_MOST_MARK.
static inline void evl_lists_set_mark(evl_lists *lists, evl_slot slot, uint32_t mark) {
  lists->marks[slot] = (uint8_t)((lists->marks[slot] & 15u) | mark << 4);
}

// Links a slot as the older neighbour of a slot, or of a list's record.
static inline void evl_link_after(evl_lists *lists, evl_slot slot, uint32_t newer) {
  const uint32_t older = evl_link_of(lists, newer)->older;
  const evl_link link = {newer, older};
  lists->links[slot] = link;
  evl_link_of(lists, older)->newer = slot;
  evl_link_of(lists, newer)->older = slot;
}

static inline void evl_unlink(evl_lists *lists, evl_slot slot) {
  const evl_link link = lists->links[slot];
  evl_link_of(lists, link.newer)->older = link.older;
  evl_link_of(lists, link.older)->newer = link.newer;
}

static inline void evl_enter_list(evl_lists *lists, uint32_t list, evl_slot slot, int64_t size) {
  lists->marks[slot] = (uint8_t)list;
  lists->lengths[list] += 1;
  lists->sizes[list] += size;
}

// Takes a slot out of the list named: the byte of a victim that is far away is written, and not waited for.
static inline void evl_leave_list(evl_lists *lists, uint32_t list, evl_slot slot, int64_t size) {
  evl_unlink(lists, slot);
  lists->marks[slot] = 0;
  lists->lengths[list] -= 1;
  lists->sizes[list] -= size;
}

/// Puts a slot that is in no list at the front of one, with mark 0.
static inline void evl_lists_push_front(
    evl_lists *lists, uint32_t list, evl_slot slot, int64_t size) {
  evl_enter_list(lists, list, slot, size);
  evl_link_after(lists, slot, evl_record_of(list));
}

/// Puts a slot that is in no list at the back of one, with mark 0.
static inline void evl_lists_push_back(
    evl_lists *lists, uint32_t list, evl_slot slot, int64_t size) {
  evl_enter_list(lists, list, slot, size);
  evl_link_after(lists, slot, evl_link_of(lists, evl_record_of(list))->newer);
}

/// Takes a slot out of its list; `size` is what it entered with.
static inline void evl_lists_remove(evl_lists *lists, evl_slot slot, int64_t size) {
  evl_leave_list(lists, evl_lists_owner(lists, slot), slot, size);
}

/// Makes a slot of the list its most recent; its mark stays.
static inline void evl_lists_move_to_front(evl_lists *lists, uint32_t list, evl_slot slot) {
  evl_unlink(lists, slot);
  evl_link_after(lists, slot, evl_record_of(list));
}

/// Moves a slot to the front of another list than its own, with mark 0.
static inline void evl_lists_move(evl_lists *lists, uint32_t list, evl_slot slot, int64_t size) {
  evl_lists_remove(lists, slot, size);
  evl_lists_push_front(lists, list, slot, size);
}

/// Counts a slot with `difference` more in its list: `change_size` of a policy.
static inline void evl_lists_change_size(evl_lists *lists, evl_slot slot, int64_t difference) {
  lists->sizes[evl_lists_owner(lists, slot)] += difference;
}

// With the host

/// Evicts the least recent slot of the list that is not pinned, if a filter lets it go. There must be one.
static inline void evl_lists_evict_back(evl_lists *lists, uint32_t list, evl_host *host) {
  const evl_slot victim = evl_lists_unpinned_back(lists, list, host);
  if (!evl_may_evict(host, victim)) return;
  evl_leave_list(lists, list, victim, evl_size(host, victim));
  evl_evict(host, victim);
}

/// The same, but the victim becomes a ghost at the front of the list `ghosts`.
static inline void evl_lists_evict_back_to(
    evl_lists *lists, uint32_t list, uint32_t ghosts, evl_host *host) {
  const evl_slot victim = evl_lists_unpinned_back(lists, list, host);
  if (!evl_may_evict(host, victim)) return;
  const int64_t size = evl_size(host, victim);
  evl_leave_list(lists, list, victim, size);
  evl_lists_push_front(lists, ghosts, victim, size);
  evl_evict_to_ghost(host, victim);
}

/// Forgets the oldest ghosts of the list until their sizes are within the limit, or none is left. What is known of a
/// `newcomer`, the slot of `insert`, is not told before its answer; EVL_NO_SLOT if it is in another list.
static inline void evl_lists_bound_ghosts(
    evl_lists *lists, uint32_t list, int64_t limit, evl_slot newcomer, evl_host *host) {
  while (lists->sizes[list] > limit && lists->lengths[list] > 0) {
    const evl_slot ghost = evl_lists_back(lists, list);
    evl_leave_list(lists, list, ghost, evl_size(host, ghost));
    if (ghost != newcomer) evl_forget(host, ghost);
  }
}

/// The answer of an `insert` that a filter has refused: a ghost that is still in its list stays one.
static inline uint32_t evl_lists_refusal(const evl_lists *lists, evl_slot newcomer) {
  return evl_lists_owner(lists, newcomer) == 0 ? EVL_REJECTED : EVL_REMEMBERED;
}

/// The floor of a parameter times the capacity, as a quota of a list is. In a double 0.29 is a little less than 29/100, and
/// its product with 100 less than 29: what the last bits may lack is added, some 2⁻⁵¹ of the product, so that what is whole
/// in decimals is whole here.
static inline int64_t evl_part(int64_t capacity, double fraction) {
  const double product = (double)capacity * fraction;
  const double whole = product + product * 4e-16;
  return whole < 9e18 ? (int64_t)whole : INT64_MAX;
}

// Members of a policy whose state begins with its lists, and is memory of malloc()

/// `destroy`.
static inline void evl_listed_destroy(void *state) {
  evl_lists_free((evl_lists *)state);
  free(state);
}

/// `reserve`.
static inline void evl_listed_reserve(void *state, uint32_t slots) {
  evl_lists_reserve((evl_lists *)state, slots);
}

/// `remove`, of a resident or a ghost.
static inline void evl_listed_remove(void *state, evl_host *host, evl_slot slot) {
  evl_lists_remove((evl_lists *)state, slot, evl_size(host, slot));
}

/// `remove_all`, where nothing but the lists knows slots.
static inline void evl_listed_remove_all(void *state) { evl_lists_clear((evl_lists *)state); }

/// `change_size`.
static inline void evl_listed_change_size(void *state, evl_slot slot, int64_t difference) {
  evl_lists_change_size((evl_lists *)state, slot, difference);
}

/// `visit_state`, where nothing but the lists changes.
static inline void evl_listed_visit_state(void *state, evl_archive *archive) {
  evl_lists_visit((evl_lists *)state, archive);
}

/// `prefetch`.
static inline void evl_listed_prefetch(void *state, evl_slot slot) {
  evl_lists_prefetch((evl_lists *)state, slot);
}

/// The members of a table that any policy over lists has; `remove` and `remove_all` are its own, or those above:
///
///     static const evl_policy policy = {EVL_LISTED_MEMBERS, .remove = evl_listed_remove, …};
#define EVL_LISTED_MEMBERS                                                   \
  .bytes_per_slot = EVL_LISTS_BYTES_PER_SLOT, .destroy = evl_listed_destroy, \
  .reserve = evl_listed_reserve, .change_size = evl_listed_change_size,      \
  .prefetch = evl_listed_prefetch

#ifdef __cplusplus
}
#endif

#endif
