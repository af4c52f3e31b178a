#pragma once
// Replaces a function in the program and in all libraries that are loaded: in the tables through which they call one another.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct garland_replacement {
  const char *name;
  void *function;
  int count;
};

/// Returns an address of a dynamic section. The loader has relocated it, except in the system's own object.
static inline const void *garland_dynamic_address(const struct dl_phdr_info *object, ElfW(Addr) address) {
  return (const void *)(address < object->dlpi_addr ? object->dlpi_addr + address : address);
}

/// Whether the loader has made a slot read-only after it had written it.
static inline bool garland_is_read_only(const struct dl_phdr_info *object, uintptr_t slot, uintptr_t page) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    if (header->p_type != PT_GNU_RELRO) continue;
    uintptr_t start = object->dlpi_addr + header->p_vaddr;
    return slot >= (start & ~(page - 1)) && slot < ((start + header->p_memsz) & ~(page - 1));
  }
  return false;
}

static inline int garland_replace_in_object(struct dl_phdr_info *object, size_t size, void *data) {
  struct garland_replacement *replacement = (struct garland_replacement *)data;
  const ElfW(Dyn) *entry = NULL;
  for (int i = 0; i < object->dlpi_phnum; i++)
    if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
      entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
  if (!entry) return 0;
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  // The relocations of variables, then those of calls.
  const ElfW(Rela) *tables[2] = {NULL, NULL};
  size_t sizes[2] = {0, 0};
  for (; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_SYMTAB) symbols = (const ElfW(Sym) *)garland_dynamic_address(object, entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRTAB) names = (const char *)garland_dynamic_address(object, entry->d_un.d_ptr);
    if (entry->d_tag == DT_RELA) tables[0] = (const ElfW(Rela) *)garland_dynamic_address(object, entry->d_un.d_ptr);
    if (entry->d_tag == DT_JMPREL) tables[1] = (const ElfW(Rela) *)garland_dynamic_address(object, entry->d_un.d_ptr);
    if (entry->d_tag == DT_RELASZ) sizes[0] = entry->d_un.d_val;
    if (entry->d_tag == DT_PLTRELSZ) sizes[1] = entry->d_un.d_val;
  }
  if (!symbols || !names) return 0;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int t = 0; t < 2; t++) {
    if (!tables[t]) continue;
    for (size_t i = 0; i < sizes[t] / sizeof(ElfW(Rela)); i++) {
      const ElfW(Rela) *relocation = &tables[t][i];
      uint32_t symbol = ELF64_R_SYM(relocation->r_info);
      if (!symbol || relocation->r_addend || strcmp(names + symbols[symbol].st_name, replacement->name)) continue;
      uintptr_t slot = object->dlpi_addr + relocation->r_offset;
      void *start = (void *)(slot & ~(page - 1));
      bool protected = garland_is_read_only(object, slot, page);
      if (protected && mprotect(start, page, PROT_READ | PROT_WRITE)) continue;
      *(void **)slot = replacement->function;
      if (protected) mprotect(start, page, PROT_READ);
      replacement->count++;
    }
  }
  return 0;
}

/// Makes all loaded programs and libraries call another function instead of the one with this name. Returns the number of changed slots.
static inline int garland_replace_function(const char *_Nonnull name, void *_Nonnull function) {
  struct garland_replacement replacement = {name, function, 0};
  dl_iterate_phdr(garland_replace_in_object, &replacement);
  return replacement.count;
}
