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
};

struct function {
  // Where the stub jumps to.
  void *target;
  const char *name;
  struct library *library;
};

__attribute__((noreturn)) static void give_up(void) {
  const char *reason = dlerror();
  dprintf(STDERR_FILENO, "error: a library that is needed cannot be loaded: %s\n", reason ? reason : "unknown reason");
  _exit(4);
}

// What sets up a library that was opened, if there is such a thing: curl.c has it.
__attribute__((weak, visibility("hidden"))) void garland_lazy_opened(const char *name, void *handle);

// Two threads may get here at once: both find the same.
__attribute__((visibility("hidden"))) void *garland_lazy_resolve(struct function *function) {
  void *handle = __atomic_load_n(&function->library->handle, __ATOMIC_ACQUIRE);
  if (!handle) {
    for (const char *name = function->library->first; *name; name += strlen(name) + 1) dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    handle = dlopen(function->library->name, RTLD_LAZY | RTLD_GLOBAL);
    if (!handle) give_up();
    if (garland_lazy_opened) garland_lazy_opened(function->library->name, handle);
    __atomic_store_n(&function->library->handle, handle, __ATOMIC_RELEASE);
  }
  void *target = dlsym(handle, function->name);
  if (!target) give_up();
  __atomic_store_n(&function->target, target, __ATOMIC_RELEASE);
  return target;
}
