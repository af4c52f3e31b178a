// Tells ThreadSanitizer of two things that order what threads do, and that it does not see because Swift's libraries are not instrumented. Nothing is
// replaced: what is tested is what is shipped.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

// 1. The slow half of Synchronization.Mutex.
//
// The quick paths of lock and unlock are atomics that the compiler puts into our code, where they are instrumented. A thread that has to wait
// gets the lock within libswiftSynchronization, which is not instrumented. These two functions are called in place of the library's, call
// those, and report what the quick paths would have reported: that the new owner comes after the thread that released the same word.

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void LockSlow(uint32_t thread, __attribute__((swift_context)) void *self);
typedef __attribute__((swiftcall)) void UnlockSlow(__attribute__((swift_context)) void *self);

static LockSlow *lock_slow;
static UnlockSlow *unlock_slow;

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

// 2. A continuation that is resumed before its task has gone to sleep.
//
// swift_continuation_resume tells ThreadSanitizer that it releases the task, and then sets the continuation's state by an atomic exchange. A
// task that is asleep is put into a queue, and the thread that runs it from there acquires it, which ThreadSanitizer learns, too. But if
// swift_continuation_await finds by that atomic that the task was resumed already, it goes on at once (`ResumeParent`), and reports nothing
// (Swift 6.3.1, Task.cpp): every read by the task of data that the other one wrote before it resumed it looks like a race. So such a task is
// led past a function that reports the acquisition. It is the task's word that was released, hence nothing else is ordered by this than what
// the exchange orders.
//
// This function is called in place of the library's by our own code only, as `withUnsafeContinuation` does it. `withCheckedContinuation`
// calls the library's from within the library, so what is tested here uses the former only.

typedef __attribute__((swiftasynccall)) void Continue(__attribute__((swift_async_context)) void *context);

/// swift::ContinuationAsyncContext, its beginning.
struct continuation;
typedef __attribute__((swiftasynccall)) void Await(struct continuation *continuation);
struct continuation {
  void *parent;
  Continue *resume;
  size_t flags;
};

/// Goes to another executor's queue in any case.
static const size_t switches_executor = 2;

/// swift::Job, from which every swift::AsyncTask begins.
struct task {
  uint8_t head[56];
  Continue *resume;
  struct continuation *context;
};

struct task *swift_task_getCurrent(void);
static Await *await_continuation;

static __attribute__((swiftasynccall)) void goes_on_at_once(__attribute__((swift_async_context)) void *context) {
  struct task *task = swift_task_getCurrent();
  if (__tsan_acquire) __tsan_acquire(task);
  // swift_continuation_init has put the same here, for the task that sleeps.
  __attribute__((musttail)) return task->resume(context);
}

__attribute__((swiftasynccall)) void swift_continuation_await(struct continuation *continuation) {
  if (!(continuation->flags & switches_executor)) {
    struct task *task = swift_task_getCurrent();
    // Another version of the runtime, whose structures are others.
    if (task->context != continuation || task->resume != continuation->resume) abort();
    continuation->resume = goes_on_at_once;
  }
  __attribute__((musttail)) return await_continuation(continuation);
}

__attribute__((constructor)) static void find(void) {
  lock_slow = (LockSlow *)dlsym(RTLD_NEXT, LOCK_SLOW);
  unlock_slow = (UnlockSlow *)dlsym(RTLD_NEXT, UNLOCK_SLOW);
  await_continuation = (Await *)dlsym(RTLD_NEXT, "swift_continuation_await");
  // Without these functions the run would report races that are none.
  if (!lock_slow || !unlock_slow || !await_continuation) abort();
}
