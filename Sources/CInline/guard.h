/// Guarded memory for a loaded library: what it allocates lies right before a page that traps.
#ifndef EVICTIONLAB_GUARD_H
#define EVICTIONLAB_GUARD_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__GLIBC__) && __LP64__ && (defined(__x86_64__) || defined(__aarch64__))
#include <elf.h>
#include <link.h>
#include <malloc.h>

#define EVL_GUARD_MARK 0x9E3779B97F4A7C15u
#define EVL_GUARD_FILL 0xA5
/// Live blocks that are guarded: each divides the mappings of the process, of which the system allows some 65 000.
#define EVL_GUARDED_BLOCKS 16384

/// The record that lies before a guarded block.
typedef struct evl_block {
  uint64_t mark;
  size_t size;
  char *mapping;
  size_t mapping_bytes;
  /// The place of the block in the list of the live ones.
  size_t place;
  uint64_t unused[2];
  uint64_t last_mark;
} evl_block;

/// The live blocks, and a table that finds one by its address.
static struct {
  evl_block **live;
  evl_block **table;
  size_t count;
  size_t page;
  uint8_t fill;
  int lock;
} evl_guard = {NULL, NULL, 0, 4096, 0, 0};

static inline void evl_guard_enter(void) {
  while (__atomic_exchange_n(&evl_guard.lock, 1, __ATOMIC_ACQUIRE)) {
  }
}

static inline void evl_guard_leave(void) {
  __atomic_store_n(&evl_guard.lock, 0, __ATOMIC_RELEASE);
}

static inline size_t evl_guard_hash(const evl_block *block) {
  return (size_t)(((uintptr_t)block * EVL_GUARD_MARK) >> 40) % (4 * EVL_GUARDED_BLOCKS);
}

static inline size_t evl_guard_find(const evl_block *block) {
  size_t at = evl_guard_hash(block);
  while (evl_guard.table[at] && evl_guard.table[at] != block) at = (at + 1) % (4 * EVL_GUARDED_BLOCKS);
  return at;
}

static inline void evl_guard_forget(evl_block *block) {
  evl_block *last = evl_guard.live[--evl_guard.count];
  evl_guard.live[block->place] = last;
  last->place = block->place;
  size_t hole = evl_guard_find(block);
  evl_guard.table[hole] = NULL;
  // What stands behind moves up, or it would not be found.
  for (size_t at = (hole + 1) % (4 * EVL_GUARDED_BLOCKS); evl_guard.table[at];
       at = (at + 1) % (4 * EVL_GUARDED_BLOCKS)) {
    evl_block *moved = evl_guard.table[at];
    evl_guard.table[at] = NULL;
    evl_guard.table[evl_guard_find(moved)] = moved;
  }
}

static inline void evl_guard_fail(const char *what, size_t size) {
  char text[128];
  int count = snprintf(text, sizeof text, "writes %s a block of %zu bytes\n", what, size);
  if (write(2, text, (size_t)count) < 0) _exit(1);
  abort();
}

static inline void evl_guard_check(const evl_block *block) {
  if (block->mark != EVL_GUARD_MARK || block->last_mark != EVL_GUARD_MARK)
    evl_guard_fail("before the beginning of", block->size);
  const uint8_t *end = (const uint8_t *)block->mapping + block->mapping_bytes - evl_guard.page;
  for (const uint8_t *byte = (const uint8_t *)(block + 1) + block->size; byte < end; byte++)
    if (*byte != EVL_GUARD_FILL) evl_guard_fail("past the end of", block->size);
}

static inline void *evl_guard_allocate(size_t size, size_t alignment) {
  if (size > (size_t)1 << 46 || alignment > (size_t)1 << 30) return NULL;
  if (alignment < 16) alignment = 16;
  const size_t page = evl_guard.page;
  const size_t room = (sizeof(evl_block) + size + 2 * alignment + page - 1) & ~(page - 1);
  evl_guard_enter();
  char *mapping = MAP_FAILED;
  if (evl_guard.count < EVL_GUARDED_BLOCKS)
    mapping = mmap(
        NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED || mprotect(mapping + room, page, PROT_NONE) != 0) {
    if (mapping != MAP_FAILED) munmap(mapping, room + page);
    evl_guard_leave();
    return alignment > 16 ? memalign(alignment, size) : malloc(size);
  }
  char *start = (char *)((uintptr_t)(mapping + room - size) & ~(uintptr_t)(alignment - 1));
  evl_block *block = (evl_block *)start - 1;
  *block = (evl_block){
      EVL_GUARD_MARK, size, mapping, room + page, evl_guard.count, {0, 0}, EVL_GUARD_MARK};
  // Never the same twice, so that what is read before it is written differs between two runs.
  memset(start, ++evl_guard.fill, size);
  memset(start + size, EVL_GUARD_FILL, (size_t)(mapping + room - start) - size);
  evl_guard.live[evl_guard.count++] = block;
  evl_guard.table[evl_guard_find(block)] = block;
  evl_guard_leave();
  return start;
}

/// The block that begins at `address`; null for memory of others.
static inline evl_block *evl_guard_block(void *address) {
  evl_block *block = (evl_block *)address - 1;
  return evl_guard.table[evl_guard_find(block)];
}

static void evl_guard_free(void *address) {
  if (!address) return;
  evl_guard_enter();
  evl_block *block = evl_guard_block(address);
  if (block) {
    evl_guard_check(block);
    evl_guard_forget(block);
    // It traps from here on, and no other block gets its place.
    mmap(
        block->mapping, block->mapping_bytes, PROT_NONE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  }
  evl_guard_leave();
  if (!block) free(address);
}

static void *evl_guard_malloc(size_t size) { return evl_guard_allocate(size, 16); }

static void *evl_guard_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  void *address = evl_guard_allocate(bytes, 16);
  return address ? memset(address, 0, bytes) : NULL;
}

static size_t evl_guard_usable_size(void *address) {
  if (!address) return 0;
  evl_guard_enter();
  evl_block *block = evl_guard_block(address);
  evl_guard_leave();
  return block ? block->size : malloc_usable_size(address);
}

static void *evl_guard_realloc(void *address, size_t size) {
  void *moved = evl_guard_allocate(size, 16);
  if (!moved || !address) return moved;
  size_t before = evl_guard_usable_size(address);
  memcpy(moved, address, before < size ? before : size);
  evl_guard_free(address);
  return moved;
}

static void *evl_guard_reallocarray(void *address, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  return evl_guard_realloc(address, bytes);
}

static void *evl_guard_aligned(size_t alignment, size_t size) {
  return evl_guard_allocate(size, alignment);
}

static int evl_guard_posix_memalign(void **place, size_t alignment, size_t size) {
  *place = evl_guard_allocate(size, alignment);
  return *place ? 0 : ENOMEM;
}

static char *evl_guard_strndup(const char *text, size_t most) {
  size_t count = strnlen(text, most);
  char *copy = (char *)evl_guard_allocate(count + 1, 1);
  if (!copy) return NULL;
  memcpy(copy, text, count);
  copy[count] = 0;
  return copy;
}

static char *evl_guard_strdup(const char *text) { return evl_guard_strndup(text, strlen(text)); }

/// The function that takes the place of the one of that name; null for none.
///
/// `operator new` has none: what it makes may end inside the C++ library, where its own `delete` is called.
static inline void *evl_guard_function(const char *name) {
  static const struct {
    const char *name;
    void *function;
  } functions[] = {
      {"malloc", (void *)evl_guard_malloc},
      {"calloc", (void *)evl_guard_calloc},
      {"realloc", (void *)evl_guard_realloc},
      {"reallocarray", (void *)evl_guard_reallocarray},
      {"free", (void *)evl_guard_free},
      {"aligned_alloc", (void *)evl_guard_aligned},
      {"memalign", (void *)evl_guard_aligned},
      {"posix_memalign", (void *)evl_guard_posix_memalign},
      {"malloc_usable_size", (void *)evl_guard_usable_size},
      {"strdup", (void *)evl_guard_strdup},
      {"strndup", (void *)evl_guard_strndup},
  };
  for (size_t at = 0; at < sizeof functions / sizeof *functions; at++)
    if (strcmp(functions[at].name, name) == 0) return functions[at].function;
  return NULL;
}

/// Points a library's references to the allocator, of some of its relocations, at the guarding functions.
static inline int evl_guard_patch(
    const struct link_map *map, const Elf64_Rela *relocations, size_t bytes, const Elf64_Sym *symbols,
    const char *names) {
#if defined(__x86_64__)
  const uint32_t kinds[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_64};
#else
  const uint32_t kinds[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_ABS64};
#endif
  int count = 0;
  for (size_t at = 0; at < bytes / sizeof *relocations; at++) {
    const Elf64_Sym *symbol = symbols + ELF64_R_SYM(relocations[at].r_info);
    uint32_t kind = (uint32_t)ELF64_R_TYPE(relocations[at].r_info);
    if (kind != kinds[0] && kind != kinds[1] && kind != kinds[2]) continue;
    if (symbol->st_shndx != SHN_UNDEF) continue;
    void *function = evl_guard_function(names + symbol->st_name);
    if (!function) continue;
    void **place = (void **)(map->l_addr + relocations[at].r_offset);
    // Once it is loaded, a library's references may be read only.
    char *page = (char *)((uintptr_t)place & ~(evl_guard.page - 1));
    if (mprotect(page, evl_guard.page, PROT_READ | PROT_WRITE) != 0) continue;
    *place = function;
    count++;
  }
  return count;
}

/// Guards what the library allocates from here on that holds `address`, one of its functions. Returns the number of
/// its references to the allocator, or -1 where that can't be done.
static inline int evl_guard_library(const void *address) {
  typedef struct {
    const char *file;
    void *base;
    const char *name;
    void *symbol;
  } information_t;
  extern int dladdr1(const void *, void *, void **, int);
  information_t information;
  struct link_map *map = NULL;
  if (!dladdr1(address, &information, (void **)&map, 2 /* RTLD_DL_LINKMAP */) || !map) return -1;
  // Of the program itself, and of what has no file, nothing is guarded.
  if (!map->l_name || !*map->l_name) return -1;
  evl_guard.page = (size_t)sysconf(_SC_PAGESIZE);
  if (!evl_guard.table) {
    evl_guard.table = (evl_block **)calloc(4 * EVL_GUARDED_BLOCKS, sizeof(evl_block *));
    evl_guard.live = (evl_block **)calloc(EVL_GUARDED_BLOCKS, sizeof(evl_block *));
    if (!evl_guard.table || !evl_guard.live) return -1;
  }
  uintptr_t entries[DT_JMPREL + 1] = {0};
  for (const Elf64_Dyn *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag > 0 && entry->d_tag <= DT_JMPREL)
      entries[entry->d_tag] = (uintptr_t)entry->d_un.d_val;
  const Elf64_Sym *symbols = (const Elf64_Sym *)entries[DT_SYMTAB];
  const char *names = (const char *)entries[DT_STRTAB];
  if (!symbols || !names) return -1;
  int count = evl_guard_patch(
      map, (const Elf64_Rela *)entries[DT_RELA], entries[DT_RELASZ], symbols, names);
  if (entries[DT_PLTREL] == DT_RELA)
    count += evl_guard_patch(
        map, (const Elf64_Rela *)entries[DT_JMPREL], entries[DT_PLTRELSZ], symbols, names);
  return count;
}

/// Ends the process, with a line that says so, if something was written right before or behind a live block.
static inline void evl_check_guarded_blocks(void) {
  evl_guard_enter();
  for (size_t at = 0; at < evl_guard.count; at++) evl_guard_check(evl_guard.live[at]);
  evl_guard_leave();
}

#else

static inline int evl_guard_library(const void *address) {
  (void)address;
  return -1;
}

static inline void evl_check_guarded_blocks(void) {}

#endif
#endif
