// Takes and gives back memory at random on several threads, hands pieces from one to another, and looks whether each holds what was written into it.
// Prints `ok`, or what is wrong.
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define SLOTS 512
#define STEPS 200000

static struct {
  unsigned char *piece;
  size_t size;
  unsigned char mark;
} slots[SLOTS];
static pthread_mutex_t locks[SLOTS];

static void fail(const char *what) {
  printf("%s\n", what);
  fflush(stdout);
  _exit(1);
}

static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void check(int slot) {
  for (size_t i = 0; i < slots[slot].size; i++) {
    if (slots[slot].piece[i] != slots[slot].mark) fail("a piece has been written to by somebody else");
  }
}

static size_t any_size(uint64_t *state) {
  switch (next(state) % 8) {
  case 0: return next(state) % 20000;
  case 1: return 1000 + next(state) % 60;
  default: return next(state) % 300;
  }
}

static void *work(void *argument) {
  uint64_t state = 88172645463325252ull + (uintptr_t)argument * 7919;
  for (int step = 0; step < STEPS; step++) {
    int slot = next(&state) % SLOTS;
    pthread_mutex_lock(&locks[slot]);
    unsigned char *old = slots[slot].piece;
    if (old) check(slot);
    size_t size = any_size(&state), had = slots[slot].size;
    unsigned char mark = next(&state), before = slots[slot].mark;
    unsigned char *piece = old;
    switch (next(&state) % 6) {
    case 0: {
      free(old);
      piece = calloc(size ? size : 1, 1);
      for (size_t i = 0; i < size; i++) if (piece[i]) fail("calloc gives what is not zero");
      break;
    }
    case 1: case 2: {
      piece = realloc(old, size ? size : 1);
      for (size_t i = 0; old && i < had && i < size; i++) if (piece[i] != before) fail("realloc loses what there was");
      break;
    }
    case 3: {
      free(old);
      size_t alignment = (size_t)8 << (next(&state) % 6);
      void *aligned;
      if (posix_memalign(&aligned, alignment, size ? size : 1) != 0 || (uintptr_t)aligned % alignment) fail("a piece is not aligned");
      piece = aligned;
      break;
    }
    case 4: {
      free(old);
      piece = NULL;
      size = 0;
      break;
    }
    default: {
      free(old);
      piece = malloc(size ? size : 1);
      if ((uintptr_t)piece % 16) fail("a piece is not aligned to 16 bytes");
    }
    }
    if (piece && malloc_usable_size(piece) < size) fail("a piece is said to be smaller than was asked for");
    if (piece) memset(piece, mark, size);
    slots[slot].piece = piece;
    slots[slot].size = size;
    slots[slot].mark = mark;
    pthread_mutex_unlock(&locks[slot]);
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < SLOTS; i++) pthread_mutex_init(&locks[i], NULL);
  // Threads come and go.
  for (int round = 0; round < 3; round++) {
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++) {
      if (pthread_create(&threads[i], NULL, work, (void *)(i + round * THREADS + 1))) fail("no thread");
    }
    pid_t child = fork();
    if (child == 0) {
      // Whoever forks may go on taking memory.
      for (int i = 0; i < 10000; i++) free(malloc(i % 500));
      _exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) fail("a child process can't take memory");
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  }
  for (int i = 0; i < SLOTS; i++) {
    if (slots[i].piece) check(i);
    free(slots[i].piece);
  }
  void *volatile nothing = malloc(0);
  if (!nothing) fail("malloc(0) gives nothing");
  free(nothing);
  size_t volatile huge = SIZE_MAX / 2;
  errno = 0;
  void *volatile refused = calloc(huge, 4);
  if (refused || errno != ENOMEM) fail("calloc does not see that there is too much");
  printf("ok\n");
}
