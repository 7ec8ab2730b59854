// Random operations on evictionlab_lists.h beside std::list: prints ok, or the first operation after which they differ.
#include <cstdio>
#include <list>
#include <random>
#include <vector>

#include "evictionlab_lists.h"

namespace {

const uint32_t LISTS = 3;
const uint32_t SLOTS = 2000;

/// A slot as it should be.
struct Entry {
  uint32_t list, mark;
  int64_t size;
};

std::list<evl_slot> model[LISTS + 1];
std::vector<Entry> entries(SLOTS, Entry{0, 0, 0});

bool is_equal(const evl_lists *lists, uint32_t list) {
  int64_t size = 0;
  evl_slot next = evl_lists_front(lists, list);
  for (evl_slot slot : model[list]) {
    if (next != slot || evl_lists_owner(lists, slot) != list) return false;
    if (evl_lists_mark(lists, slot) != entries[slot].mark) return false;
    size += entries[slot].size;
    next = evl_lists_older(lists, slot);
  }
  if (next != EVL_NO_SLOT) return false;
  next = evl_lists_back(lists, list);
  for (auto slot = model[list].rbegin(); slot != model[list].rend(); ++slot) {
    if (next != *slot) return false;
    next = evl_lists_newer(lists, next);
  }
  return next == EVL_NO_SLOT && evl_lists_size(lists, list) == size
      && evl_lists_length(lists, list) == int64_t(model[list].size());
}

void enter(evl_slot slot, uint32_t list, bool at_front) {
  entries[slot].list = list;
  entries[slot].mark = 0;
  model[list].insert(at_front ? model[list].begin() : model[list].end(), slot);
}

void perform(evl_lists *lists, uint32_t operation, evl_slot slot, uint32_t other) {
  Entry &entry = entries[slot];
  const uint32_t list = entry.list;
  if (list == 0) {
    entry.size = other + operation % 5;
    if (operation % 2) evl_lists_push_front(lists, other, slot, entry.size);
    else evl_lists_push_back(lists, other, slot, entry.size);
    enter(slot, other, operation % 2);
  } else if (operation % 5 == 0) {
    evl_lists_remove(lists, slot, entry.size);
    model[list].remove(slot);
    entry.list = 0;
  } else if (operation % 5 == 1) {
    evl_lists_move_to_front(lists, list, slot);
    model[list].remove(slot);
    model[list].push_front(slot);
  } else if (operation % 5 == 2 && other != list) {
    evl_lists_move(lists, other, slot, entry.size);
    model[list].remove(slot);
    enter(slot, other, true);
  } else if (operation % 5 == 3) {
    entry.mark = operation / 5 % (EVL_MOST_MARK + 1);
    evl_lists_set_mark(lists, slot, entry.mark);
  } else {
    evl_lists_change_size(lists, slot, 3);
    entry.size += 3;
  }
}

}  // namespace

int main() {
  std::mt19937 random(5);
  uint32_t slots = 4;
  evl_lists lists;
  evl_lists_init(&lists, LISTS, slots);
  for (int step = 0; step < 100000; step++) {
    if (step % 500 == 0 && slots + 12 <= SLOTS) evl_lists_reserve(&lists, slots += 12);
    const uint32_t operation = random();
    const evl_slot slot = random() % slots;
    perform(&lists, operation, slot, 1 + random() % LISTS);
    if (step % 100 != 0) continue;
    for (uint32_t list = 1; list <= LISTS; list++) {
      if (is_equal(&lists, list)) continue;
      std::printf("list %u differs after operation %d\n", list, step);
      return 1;
    }
  }
  evl_lists_clear(&lists);
  for (Entry &entry : entries) entry.list = 0;
  for (std::list<evl_slot> &slots_of_list : model) slots_of_list.clear();
  for (uint32_t list = 1; list <= LISTS; list++) {
    if (!is_equal(&lists, list)) return 1;
  }
  evl_lists_free(&lists);
  std::puts("ok");
}
