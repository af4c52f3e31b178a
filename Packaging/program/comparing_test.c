// Compares the results of comparing.c with those of the functions that the shared libcurl exports. Prints each difference.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// comparing.c is compiled with these names in place of libcurl's.
int ours_strequal(const char *first, const char *second);
int ours_strnequal(const char *first, const char *second, size_t count);

static int (*theirs)(const char *, const char *);
static int (*theirsUpTo)(const char *, const char *, size_t);
static int differences, comparisons;

static void compare(const char *first, const char *second) {
  comparisons++;
  int isSame = !theirs(first, second) == !ours_strequal(first, second);
  for (size_t count = 0; count < 8; count++) {
    isSame = isSame && !theirsUpTo(first, second, count) == !ours_strnequal(first, second, count);
  }
  if (isSame) return;
  differences++;
  printf("\"%s\" and \"%s\" differ\n", first ? first : "(null)", second ? second : "(null)");
}

int main(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  theirs = (int (*)(const char *, const char *))dlsym(library, "curl_strequal");
  theirsUpTo = (int (*)(const char *, const char *, size_t))dlsym(library, "curl_strnequal");
  if (!theirs || !theirsUpTo) return puts(dlerror()), 2;
  const char *texts[] = {NULL, "", "a", "A", "Age", "aGE", "Ages", "Host", "HOST:", "Content-Length", "content-lengtH", "[", "{", "@", "`"};
  size_t count = sizeof texts / sizeof *texts;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < count; j++) compare(texts[i], texts[j]);
  }
  // Every pair of bytes, alone and before and after others.
  for (int i = 0; i < 256; i++) {
    for (int j = 0; j < 256; j++) {
      char first[] = {'x', (char)i, 'Y', 0}, second[] = {'X', (char)j, 'y', 0};
      compare(first, second);
      compare(first + 1, second + 1);
    }
  }
  printf("%d of %d comparisons differ\n", differences, comparisons);
  return differences != 0;
}
