// Tells ThreadSanitizer of the one half of Synchronization.Mutex that it does not see.
//
// The quick paths of lock and unlock are atomics that the compiler puts into our code, where they are instrumented. Who has to wait gets
// the lock within libswiftSynchronization, which is not. These two stand in front of the library's functions, and say what the quick paths
// would have said: that the new owner comes after whoever released the same word. What is tested is the lock that is shipped.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void LockSlow(uint32_t thread, __attribute__((swift_context)) void *self);
typedef __attribute__((swiftcall)) void UnlockSlow(__attribute__((swift_context)) void *self);

static LockSlow *lock_slow;
static UnlockSlow *unlock_slow;

__attribute__((constructor)) static void find(void) {
  lock_slow = (LockSlow *)dlsym(RTLD_NEXT, LOCK_SLOW);
  unlock_slow = (UnlockSlow *)dlsym(RTLD_NEXT, UNLOCK_SLOW);
  // Without them the run would tell of races that are none.
  if (!lock_slow || !unlock_slow) abort();
}

LockSlow interposed_lock __asm__(LOCK_SLOW);
UnlockSlow interposed_unlock __asm__(UNLOCK_SLOW);

__attribute__((swiftcall)) void interposed_lock(uint32_t thread, __attribute__((swift_context)) void *self) {
  lock_slow(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

__attribute__((swiftcall)) void interposed_unlock(__attribute__((swift_context)) void *self) {
  if (__tsan_release) __tsan_release(self);
  unlock_slow(self);
}
