// Reference counts without locked instructions while only one thread runs Swift, for the release build of the command.
//
// Counting references is what a Swift program does most often: 1,700 times for each step of a workflow. The processor has to keep every other one from
// the counter while it counts, which takes ten times as long as the counting. Mostly there is nobody to be kept away: documents are read and planned before
// there is a second thread, and then the two of a run (that which sends, and that of the reports) wait most of the time, for the network and for the console. So these
// take turns: one of them runs, and gives its turn up for whatever may wait (see `CTurns`).
//
// `swift_retain` and `swift_release` of all code that is linked into the command come here (`--wrap`). Threads of libraries (libcurl's look-ups of names)
// never run Swift. Any other thread that the command makes, such as those of Swift's tasks, ends this for good: `pthread_create` comes
// here as well, before the thread exists. From then on references are counted as ever, and nobody takes turns.
//
// The layout is that of `RefCount.h` of the Swift runtime: at offset 8 the bits, strong references counted from bit 33 on, and a negative number where more
// has to be looked at (the last reference goes, a side table, an object that is never freed). Those are left to the runtime, and so is all that is rare.
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

extern void *__real_swift_retain(void *);
extern void __real_swift_release(void *);
extern int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

// Whether there are threads that do not take turns.
static int has_threads;

#define ONE ((int64_t)1 << 33)
#define ADDRESS 0x00fffffffffffff8

static inline int64_t *bits_of(void *object) { return (int64_t *)(((uintptr_t)object & ADDRESS) + 8); }

void *__wrap_swift_retain(void *object) {
  if (__builtin_expect(has_threads, 0)) return __real_swift_retain(object);
  // Null, and texts that are constants.
  if ((intptr_t)object <= 0) return object;
  int64_t *bits = bits_of(object);
  int64_t more;
  if (__builtin_expect(__builtin_add_overflow(*bits, ONE, &more) || more < 0, 0)) return __real_swift_retain(object);
  *bits = more;
  return object;
}

void __wrap_swift_release(void *object) {
  if (__builtin_expect(has_threads, 0)) {
    __real_swift_release(object);
    return;
  }
  if ((intptr_t)object <= 0) return;
  int64_t *bits = bits_of(object);
  int64_t less;
  if (__builtin_expect(__builtin_sub_overflow(*bits, ONE, &less) || less < 0, 0)) {
    __real_swift_release(object);
    return;
  }
  *bits = less;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  __atomic_store_n(&has_threads, 1, __ATOMIC_RELEASE);
  return __real_pthread_create(thread, attributes, body, argument);
}

// For libraries that are linked statically and make threads which run no Swift: `prepare` has them call this.
int garland_library_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  return __real_pthread_create(thread, attributes, body, argument);
}

// Turns are taken in the order in which they are asked for: the engine gives its own up at each look at the network and wants it back at once, and the reports
// would never have theirs.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t next_turn = PTHREAD_COND_INITIALIZER;
// The number that the next one draws, and whose turn it is. The main thread has the first.
static uint64_t drawn = 1, turn = 0;
static __thread int is_mine;

static __attribute__((constructor)) void prepare(void) { is_mine = 1; }

void garland_turns_end(void) {
  if (!is_mine) return;
  is_mine = 0;
  pthread_mutex_lock(&lock);
  turn++;
  int is_awaited = turn != drawn;
  pthread_mutex_unlock(&lock);
  if (is_awaited) pthread_cond_broadcast(&next_turn);
}

void garland_turns_begin(void) {
  // Who saw the threads also sees all that was counted before they were made.
  if (is_mine || __atomic_load_n(&has_threads, __ATOMIC_ACQUIRE)) return;
  pthread_mutex_lock(&lock);
  uint64_t number = drawn++;
  while (turn != number) pthread_cond_wait(&next_turn, &lock);
  pthread_mutex_unlock(&lock);
  is_mine = 1;
}

struct start {
  void *(*body)(void *);
  void *argument;
};

static void *run(void *pointer) {
  struct start start = *(struct start *)pointer;
  free(pointer);
  garland_turns_begin();
  void *result = start.body(start.argument);
  garland_turns_end();
  return result;
}

int garland_turns_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  if (has_threads) return __real_pthread_create(thread, attributes, body, argument);
  struct start *start = malloc(sizeof *start);
  if (!start) return ENOMEM;
  start->body = body;
  start->argument = argument;
  int status = __real_pthread_create(thread, attributes, run, start);
  if (status) free(start);
  return status;
}
