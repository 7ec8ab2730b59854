// The floors beside which policies are measured: what the least C that does their work costs on the same requests.
//
//     cc -O3 -march=native floor.c -o floor && ./floor TRACE CAPACITY
//
// TRACE is oracleGeneral: 24 bytes a request, of which the object's number is read and numbered in order of first
// appearance, as a simulator's interning does. Each floor prints its name, its hits and the median of its times in
// seconds over seven runs:
//
//     touch  adds to one eight-byte record a request; no policy can do less
//     fifo   the number of its latest insertion a slot, which tells if it is resident
//     lru    two 32-bit links a slot
//     clock  a ring of slots, and a bit that a hit sets
//
// Records are prefetched 16 requests ahead, which only a simulator can.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define AHEAD 16
#define RUNS 7

static uint32_t *ids;
static size_t requests, capacity;
static uint32_t keys;

static void fail(const char *what, const char *name) {
  fprintf(stderr, "floor: %s: %s\n", what, name);
  exit(1);
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) fail("out of memory", "");
  return memory;
}

/// Reads the object numbers, and numbers them in order of first appearance.
static void read_trace(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot be opened", path);
  fseek(file, 0, SEEK_END);
  requests = (size_t)ftell(file) / 24;
  rewind(file);
  ids = allocate(requests + AHEAD, sizeof *ids);
  size_t slots = 1;
  while (slots < 2 * requests) slots *= 2;
  uint64_t *table = allocate(slots, sizeof *table);
  uint32_t *numbers = allocate(slots, sizeof *numbers);
  unsigned char record[24];
  for (size_t i = 0; i < requests; i++) {
    if (fread(record, sizeof record, 1, file) != 1) fail("ends early", path);
    uint64_t object;
    memcpy(&object, record + 4, sizeof object);
    size_t place = (object * 0x9E3779B97F4A7C15u) >> 20 & (slots - 1);
    while (numbers[place] && table[place] != object) place = (place + 1) & (slots - 1);
    if (!numbers[place]) {
      table[place] = object;
      numbers[place] = ++keys;
    }
    ids[i] = numbers[place] - 1;
  }
  for (size_t i = 0; i < AHEAD; i++) ids[requests + i] = 0;
  fclose(file);
  free(table);
  free(numbers);
}

__attribute__((noinline)) static size_t touch(void) {
  uint64_t *records = allocate(keys, sizeof *records);
  for (size_t i = 0; i < requests; i++) {
    __builtin_prefetch(records + ids[i + AHEAD], 1);
    records[ids[i]] += i;
  }
  size_t sum = records[0] & 1;
  free(records);
  return sum;
}

__attribute__((noinline)) static size_t fifo(void) {
  uint32_t *numbers = allocate(keys, sizeof *numbers);
  // The residents are the last `room` insertions; the first is numbered so that nothing is resident before it.
  const uint32_t room = capacity < keys ? (uint32_t)capacity : keys;
  uint32_t next = room + 1;
  for (size_t i = 0; i < requests; i++) {
    __builtin_prefetch(numbers + ids[i + AHEAD], 1);
    uint32_t number = numbers[ids[i]], miss = next - number > room;
    numbers[ids[i]] = number + (next - number) * miss;  // no branch on a hit
    next += miss;
  }
  free(numbers);
  return requests - (next - room - 1);
}

__attribute__((noinline)) static size_t clock_hand(void) {
  uint8_t *state = allocate(keys, 1);  // 1 is resident, 2 was requested again
  uint32_t *ring = allocate(capacity, sizeof *ring);
  size_t hits = 0, hand = 0, count = 0;
  for (size_t i = 0; i < requests; i++) {
    uint32_t slot = ids[i];
    __builtin_prefetch(state + ids[i + AHEAD], 1);
    if (state[slot]) {
      hits++;
      state[slot] = 3;
      continue;
    }
    if (count == capacity) {
      while (state[ring[hand]] & 2) {
        state[ring[hand]] = 1;
        if (++hand == capacity) hand = 0;
      }
      state[ring[hand]] = 0;
    } else {
      count++;
    }
    ring[hand] = slot;
    state[slot] = 1;
    if (++hand == capacity) hand = 0;
  }
  free(state);
  free(ring);
  return hits;
}

struct links { uint32_t newer, older; };

__attribute__((noinline)) static size_t lru(void) {
  // Slot `keys` is the head of the circular list; a slot whose links are equal to its own number is not resident.
  struct links *links = allocate((size_t)keys + 1, sizeof *links);
  for (uint32_t slot = 0; slot <= keys; slot++) links[slot] = (struct links){slot, slot};
  size_t hits = 0, count = 0;
  uint32_t head = keys;
  for (size_t i = 0; i < requests; i++) {
    uint32_t slot = ids[i];
    __builtin_prefetch(links + ids[i + AHEAD], 1);
    struct links own = links[slot];
    if (own.newer != slot) {
      hits++;
      links[own.newer].older = own.older;
      links[own.older].newer = own.newer;
    } else if (count == capacity) {
      uint32_t victim = links[head].newer;
      links[head].newer = links[victim].newer;
      links[links[victim].newer].older = head;
      links[victim] = (struct links){victim, victim};
    } else {
      count++;
    }
    uint32_t newest = links[head].older;
    links[slot] = (struct links){head, newest};
    links[newest].newer = slot;
    links[head].older = slot;
  }
  free(links);
  return hits;
}

static int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void measure(const char *name, size_t (*run)(void)) {
  double times[RUNS];
  size_t hits = 0;
  for (int i = 0; i < RUNS; i++) {
    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    hits = run();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    times[i] = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
  }
  qsort(times, RUNS, sizeof *times, ascending);
  printf("%s %zu %.9f\n", name, hits, times[RUNS / 2]);
}

int main(int count, char **words) {
  if (count != 3 || !(capacity = strtoull(words[2], NULL, 10))) fail("usage", "floor TRACE CAPACITY");
  read_trace(words[1]);
  if (!requests) fail("holds no requests", words[1]);
  measure("touch", touch);
  measure("fifo", fifo);
  measure("lru", lru);
  measure("clock", clock_hand);
}
