// Threads that take turns count references of one object, first by themselves, then beside threads that don't. Linked with counts.c as the command is, with a runtime of
// a few lines in place of Swift's. Prints `ok`, or what is wrong.
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void garland_turns_begin(void);
extern void garland_turns_end(void);
extern int garland_turns_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

#define ONE ((int64_t)1 << 33)
#define ROUNDS 20000

static struct {
  void *type;
  int64_t bits;
} object = {0, 3}, immortal = {0, INT64_MIN | 0xffffffff};

static int64_t slow_calls, ends;

void *swift_retain(void *o) {
  __atomic_fetch_add(&slow_calls, 1, __ATOMIC_RELAXED);
  if (o == &object) __atomic_fetch_add(&object.bits, ONE, __ATOMIC_RELAXED);
  return o;
}

void swift_release(void *o) {
  __atomic_fetch_add(&slow_calls, 1, __ATOMIC_RELAXED);
  if (o != &object) return;
  if (__atomic_sub_fetch(&object.bits, ONE, __ATOMIC_RELAXED) < 0) __atomic_fetch_add(&ends, 1, __ATOMIC_RELAXED);
}

// As code of other files calls them.
extern void *count_up(void *o);
extern void count_down(void *o);

static void fail(const char *what) {
  printf("%s\n", what);
  fflush(stdout);
  _exit(1);
}

static void *count(void *takes_turns) {
  for (int i = 0; i < ROUNDS; i++) {
    for (int j = 0; j < 20; j++) {
      if (count_up(&object) != &object) fail("retain gives something else");
    }
    if (takes_turns && i % 7 == 0) {
      garland_turns_end();
      if (i % 49 == 0) sched_yield();
      garland_turns_begin();
    }
    for (int j = 0; j < 20; j++) count_down(&object);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  if (count_up(NULL) != NULL) fail("retain of nothing gives something");
  count_down(NULL);
  count_up(&immortal);
  count_down(&immortal);
  if (immortal.bits != (INT64_MIN | 0xffffffff)) fail("what lives for ever was counted");
  slow_calls = 0;
  for (int i = 0; i < 3; i++) {
    if (garland_turns_create(&threads[i], NULL, count, &threads)) fail("no thread");
  }
  garland_turns_end();
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  garland_turns_begin();
  if (object.bits != 3) fail("counts were lost while threads took turns");
  if (slow_calls != 0) fail("references were counted with locked instructions although threads took turns");
  for (int i = 0; i < 3; i++) {
    // Two that don't take turns among those that do.
    int status = i == 1 ? garland_turns_create(&threads[i], NULL, count, &threads) : pthread_create(&threads[i], NULL, count, NULL);
    if (status) fail("no thread");
  }
  count(&threads);
  garland_turns_end();
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  garland_turns_begin();
  if (object.bits != 3) fail("counts were lost beside threads that take no turns");
  if (slow_calls == 0) fail("references were counted without locked instructions beside threads that take no turns");
  count_down(&object);
  if (ends != 1) fail("the last reference was not seen");
  printf("ok\n");
}
