/// The identity of the program that a process runs.
#ifndef EVICTIONLAB_EXECUTABLE_H
#define EVICTIONLAB_EXECUTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __linux__
#include <elf.h>
#include <sys/auxv.h>

/// Copies what the linker wrote into the program to tell it from others: the note NT_GNU_BUILD_ID. Returns its
/// bytes, at most `room`; 0 where there is none.
static inline size_t evl_linker_identity(uint8_t *identity, size_t room) {
#if __LP64__
  typedef Elf64_Phdr header_t;
  typedef Elf64_Nhdr note_t;
#else
  typedef Elf32_Phdr header_t;
  typedef Elf32_Nhdr note_t;
#endif
  const header_t *headers = (const header_t *)getauxval(AT_PHDR);
  size_t count = getauxval(AT_PHNUM);
  if (!headers) return 0;
  const header_t *own = headers;
  while (own < headers + count && own->p_type != PT_PHDR) own++;
  // Without it, it is not known where the program lies.
  if (own == headers + count) return 0;
  uintptr_t base = (uintptr_t)headers - own->p_vaddr;
  for (size_t at = 0; at < count; at++) {
    if (headers[at].p_type != PT_NOTE) continue;
    const uint8_t *next = (const uint8_t *)(base + headers[at].p_vaddr);
    const uint8_t *end = next + headers[at].p_memsz;
    while ((size_t)(end - next) >= sizeof(note_t)) {
      const note_t *note = (const note_t *)next;
      const uint8_t *name = next + sizeof *note;
      size_t name_bytes = ((size_t)note->n_namesz + 3) & ~(size_t)3;
      size_t bytes = ((size_t)note->n_descsz + 3) & ~(size_t)3;
      if (name_bytes + bytes > (size_t)(end - name)) break;
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4)) {
        size_t length = note->n_descsz < room ? note->n_descsz : room;
        memcpy(identity, name + name_bytes, length);
        return length;
      }
      next = name + name_bytes + bytes;
    }
  }
  return 0;
}
#else
#include <mach-o/dyld.h>
#include <mach-o/loader.h>

/// Copies what the linker wrote into the program to tell it from others: LC_UUID. Returns its bytes, at most
/// `room`; 0 where there is none.
static inline size_t evl_linker_identity(uint8_t *identity, size_t room) {
  const struct mach_header *header = _dyld_get_image_header(0);
  if (!header || header->magic != MH_MAGIC_64) return 0;
  const uint8_t *next = (const uint8_t *)header + sizeof(struct mach_header_64);
  for (uint32_t at = 0; at < header->ncmds; at++) {
    const struct load_command *command = (const struct load_command *)next;
    if (command->cmd == LC_UUID) {
      const struct uuid_command *found = (const struct uuid_command *)next;
      size_t length = sizeof found->uuid < room ? sizeof found->uuid : room;
      memcpy(identity, found->uuid, length);
      return length;
    }
    next += command->cmdsize;
  }
  return 0;
}
#endif

#endif
