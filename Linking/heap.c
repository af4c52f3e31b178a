// Memory for small things, in place of that of the C library, for the release build of the command.
//
// A request takes and gives back about 120 pieces of memory, nearly all of them below 256 bytes, in bursts of many alike: more than the lists hold that glibc keeps
// for each thread, so that half of them go the long way. Here each thread has lists without an end, one for each size, and looks at nothing else.
//
// One range of addresses, reserved at the start, is cut into spans of 16 KiB, each of which holds pieces of one size. To which size a piece belongs is
// said by its span. What is larger than 1 KiB, what is aligned to more than 16 bytes, and what comes when the range is full (or could not be had, as where
// the address space is limited) is glibc's, and goes back there: a piece outside of the range is not ours.
//
// Pieces may be given back by another thread than the one that took them. A thread keeps at most 128 KiB of a size for itself; what is more goes to the common
// list of that size, and all it has goes there when it ends.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

#define SPAN_SHIFT 14
#define SPAN_SIZE ((size_t)1 << SPAN_SHIFT)
#define RANGE_SIZE ((size_t)8 << 30)
#define SPAN_COUNT (RANGE_SIZE >> SPAN_SHIFT)
#define LARGEST 1024
#define CLASS_COUNT (LARGEST / 16 + 1)
#define KEPT_BYTES (128 << 10)

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

typedef struct piece {
  struct piece *next;
} piece;

// Of one size: what was given back, and what of the last span nobody has had yet.
typedef struct {
  piece *first;
  uint32_t count;
  uint32_t most;
  char *fresh;
  char *end;
} list;

// Where the range begins; 0 before there is one, and for good if there is none.
static uintptr_t base;
static size_t size;
static uint8_t class_of_span[SPAN_COUNT];

// What all threads have in common, behind the lock.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum { unknown, reserved, absent } state;
static size_t used_spans;
static piece *common[CLASS_COUNT];
static pthread_key_t at_end;

static __thread __attribute__((tls_model("initial-exec"))) list lists[CLASS_COUNT];
static __thread __attribute__((tls_model("initial-exec"))) int is_known;

// Whether a piece is one of ours.
static inline int is_ours(const void *p) { return (uintptr_t)p - base < size; }

static inline size_t class_of(const void *p) { return class_of_span[((uintptr_t)p - base) >> SPAN_SHIFT]; }

// Gives what a thread has to all others.
static void thread_ends(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (size_t class = 1; class < CLASS_COUNT; class++) {
    list *l = &lists[class];
    while (l->fresh < l->end) {
      piece *p = (piece *)l->fresh;
      l->fresh += class * 16;
      p->next = common[class];
      common[class] = p;
    }
    while (l->first) {
      piece *p = l->first;
      l->first = p->next;
      p->next = common[class];
      common[class] = p;
    }
    l->count = 0;
  }
  pthread_mutex_unlock(&lock);
  is_known = 0;
}

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }

// With the lock held.
static int reserve(void) {
  state = absent;
  if (pthread_key_create(&at_end, thread_ends) != 0) return 0;
  void *range = mmap(NULL, RANGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return 0;
  // A page of 2 MiB for what needs a few KiB would make a small run a large one.
  madvise(range, RANGE_SIZE, MADV_NOHUGEPAGE);
  base = (uintptr_t)range;
  size = RANGE_SIZE;
  state = reserved;
  return 1;
}

static __attribute__((constructor)) void prepare(void) { pthread_atfork(before_fork, after_fork, after_fork); }

// When the thread's own list is empty.
static __attribute__((noinline)) void *refill(size_t class) {
  list *l = &lists[class];
  if (!is_known) {
    pthread_mutex_lock(&lock);
    int is_there = state == reserved || (state == unknown && reserve());
    pthread_mutex_unlock(&lock);
    if (!is_there) return __libc_malloc(class * 16);
    is_known = 1;
    // Any value but none: then the thread's end is told.
    pthread_setspecific(at_end, &lock);
    for (size_t each = 1; each < CLASS_COUNT; each++) lists[each].most = KEPT_BYTES / (each * 16);
  }
  if (l->fresh == l->end) {
    pthread_mutex_lock(&lock);
    if (common[class]) {
      // As many as a span has.
      size_t wanted = SPAN_SIZE / (class * 16);
      piece *p = common[class], *last = p;
      size_t count = 1;
      while (count < wanted && last->next) {
        last = last->next;
        count++;
      }
      common[class] = last->next;
      pthread_mutex_unlock(&lock);
      last->next = NULL;
      l->first = p->next;
      l->count = count - 1;
      return p;
    }
    if (used_spans == SPAN_COUNT) {
      pthread_mutex_unlock(&lock);
      return __libc_malloc(class * 16);
    }
    size_t span = used_spans++;
    class_of_span[span] = class;
    pthread_mutex_unlock(&lock);
    l->fresh = (char *)(base + (span << SPAN_SHIFT));
    l->end = l->fresh + SPAN_SIZE / (class * 16) * (class * 16);
  }
  void *p = l->fresh;
  l->fresh += class * 16;
  return p;
}

// Half of what a thread has, when it has too much.
static __attribute__((noinline)) void give_up(size_t class) {
  list *l = &lists[class];
  size_t count = (l->count + 1) / 2;
  piece *first = l->first, *last = first;
  for (size_t i = 1; i < count; i++) last = last->next;
  l->first = last->next;
  l->count -= count;
  pthread_mutex_lock(&lock);
  last->next = common[class];
  common[class] = first;
  pthread_mutex_unlock(&lock);
}

static inline void *take(size_t bytes) {
  size_t class = (bytes + 15) / 16;
  class += class == 0;
  list *l = &lists[class];
  piece *p = l->first;
  if (UNLIKELY(!p)) return refill(class);
  l->first = p->next;
  l->count--;
  return p;
}

void *malloc(size_t bytes) { return LIKELY(bytes <= LARGEST) ? take(bytes) : __libc_malloc(bytes); }

void free(void *p) {
  if (UNLIKELY(!is_ours(p))) {
    __libc_free(p);
    return;
  }
  size_t class = class_of(p);
  list *l = &lists[class];
  ((piece *)p)->next = l->first;
  l->first = p;
  // A thread that has never taken anything has no limit yet, and gives everything up.
  if (UNLIKELY(++l->count > l->most)) give_up(class);
}

void *calloc(size_t count, size_t each) {
  size_t bytes;
  if (__builtin_mul_overflow(count, each, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  if (bytes > LARGEST) return __libc_calloc(count, each);
  void *p = take(bytes);
  return p ? memset(p, 0, bytes) : NULL;
}

void *realloc(void *p, size_t bytes) {
  if (!p) return malloc(bytes);
  if (!is_ours(p)) return __libc_realloc(p, bytes);
  if (bytes == 0) {
    free(p);
    return NULL;
  }
  size_t had = class_of(p) * 16;
  // What needs less than half is moved.
  if (bytes <= had && bytes > had / 2) return p;
  void *moved = malloc(bytes);
  if (!moved) return NULL;
  memcpy(moved, p, had < bytes ? had : bytes);
  free(p);
  return moved;
}

void *memalign(size_t alignment, size_t bytes) { return alignment <= 16 ? malloc(bytes) : __libc_memalign(alignment, bytes); }

void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void **result, size_t alignment, size_t bytes) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
  void *p = memalign(alignment, bytes);
  if (!p) return ENOMEM;
  *result = p;
  return 0;
}

size_t malloc_usable_size(void *p) {
  if (is_ours(p)) return class_of(p) * 16;
  static size_t (*other)(void *);
  if (!p) return 0;
  size_t (*found)(void *) = __atomic_load_n(&other, __ATOMIC_RELAXED);
  if (!found) {
    *(void **)&found = dlsym(RTLD_NEXT, "malloc_usable_size");
    __atomic_store_n(&other, found, __ATOMIC_RELAXED);
  }
  return found ? found(p) : 0;
}
