// What the stubs of `prepare` call the first time: opens the library and finds the function.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct library {
  const char *name;
  void *handle;
  // Names one after the other, with an empty one at the end.
  const char *first;
  // What its functions give when it can't be opened.
  long failure;
};

struct function {
  // Where the stub jumps to.
  void *target;
  const char *name;
  struct library *library;
};

// What stands in place of the functions of a library that can't be opened: each gives what its callers take for a failure, so that what needs the library
// fails, and all else goes on. `prepare` says which value that is.
static long fails_with_0(void) { return 0; }
static long fails_with_minus_1(void) { return -1; }
static long fails_with_minus_2(void) { return -2; }
static long fails_as_gssapi(void) { return 13L << 16; }

static void *failing_function(const struct library *library) {
  switch (library->failure) {
  case 0: return (void *)fails_with_0;
  case -1: return (void *)fails_with_minus_1;
  case -2: return (void *)fails_with_minus_2;
  case 13L << 16: return (void *)fails_as_gssapi;
  // Without libcurl there is nothing to be done.
  default: _exit(4);
  }
}

// The handle of a library that can't be used. It stays so, or it would fail here and work there.
static char unusable;

// Tells why, once for each library.
static void give_up(struct library *library) {
  const char *reason = dlerror();
  if (__atomic_exchange_n(&library->handle, (void *)&unusable, __ATOMIC_ACQ_REL) == &unusable) return;
  dprintf(STDERR_FILENO, "error: a library that is needed cannot be loaded: %s\n", reason ? reason : library->name);
}

// What sets up a library that was opened, if there is such a thing: curl.c has it.
__attribute__((weak, visibility("hidden"))) void garland_lazy_opened(const char *name, void *handle);

static void *opened(struct library *library) {
  void *handle = __atomic_load_n(&library->handle, __ATOMIC_ACQUIRE);
  if (handle) return handle;
  for (const char *name = library->first; *name; name += strlen(name) + 1) dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  handle = dlopen(library->name, RTLD_LAZY | RTLD_GLOBAL);
  if (!handle) {
    give_up(library);
    return &unusable;
  }
  if (garland_lazy_opened) garland_lazy_opened(library->name, handle);
  __atomic_store_n(&library->handle, handle, __ATOMIC_RELEASE);
  return handle;
}

// Two threads may get here at once: both find the same.
__attribute__((visibility("hidden"))) void *garland_lazy_resolve(struct function *function) {
  void *handle = opened(function->library);
  void *target = handle == &unusable ? NULL : dlsym(handle, function->name);
  if (!target) {
    if (handle != &unusable) give_up(function->library);
    target = failing_function(function->library);
  }
  __atomic_store_n(&function->target, target, __ATOMIC_RELEASE);
  return target;
}
