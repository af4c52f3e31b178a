// Compares what formatting.c does with what libcurl's own functions do, which a shared libcurl has under their names. Prints each difference.
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// formatting.c is compiled with these names in place of libcurl's.
int ours_mvsnprintf(char *buffer, size_t size, const char *format, va_list arguments);
char *ours_mvaprintf(const char *format, va_list arguments);
int Curl_dyn_vprintf(void *buffer, const char *format, va_list arguments);

static int differences, comparisons;
static char added[1 << 16];
static size_t addedCount;
static int isFull, isFreed;

int Curl_dyn_addn(void *buffer, const void *bytes, size_t count) {
  (void)buffer;
  if (isFull) return CURLE_OUT_OF_MEMORY;
  memcpy(added, bytes, count);
  addedCount = count;
  return CURLE_OK;
}

void Curl_dyn_free(void *buffer) {
  (void)buffer;
  isFreed = 1;
}

static void expect(int holds, const char *what, const char *format) {
  comparisons++;
  if (holds) return;
  differences++;
  printf("%s differs for \"%s\"\n", what, format);
}

static void compare(int (*theirs)(char *, size_t, const char *, va_list), const char *format, ...) {
  static char wanted[1 << 16], found[1 << 16];
  va_list arguments, again;
  va_start(arguments, format);
  for (size_t size = 0; size < 40; size++) {
    memset(wanted, 'x', 64);
    memset(found, 'x', 64);
    va_copy(again, arguments);
    int wantedCount = theirs(wanted, size, format, again);
    va_end(again);
    va_copy(again, arguments);
    int foundCount = ours_mvsnprintf(found, size, format, again);
    va_end(again);
    expect((size == 0 || wantedCount == foundCount) && memcmp(wanted, found, 64) == 0, "a short buffer", format);
  }
  va_copy(again, arguments);
  int count = theirs(wanted, sizeof wanted, format, again);
  va_end(again);
  va_copy(again, arguments);
  expect(ours_mvsnprintf(found, sizeof found, format, again) == count && strcmp(wanted, found) == 0, "a buffer", format);
  va_end(again);
  va_copy(again, arguments);
  char *text = ours_mvaprintf(format, again);
  va_end(again);
  expect(text && strcmp(text, wanted) == 0, "a text", format);
  free(text);
  addedCount = 0;
  isFreed = 0;
  va_copy(again, arguments);
  int isRefused = Curl_dyn_vprintf(NULL, format, again);
  va_end(again);
  expect(!isRefused && !isFreed && addedCount == (size_t)count && memcmp(added, wanted, addedCount) == 0, "what is added", format);
  isFull = 1;
  va_copy(again, arguments);
  isRefused = Curl_dyn_vprintf(NULL, format, again);
  va_end(again);
  expect(count == 0 ? !isRefused : isRefused && isFreed, "a full buffer", format);
  isFull = 0;
  va_end(arguments);
}

int main(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  int (*theirs)(char *, size_t, const char *, va_list) = (int (*)(char *, size_t, const char *, va_list))dlsym(library, "curl_mvsnprintf");
  if (!theirs) return puts(dlerror()), 2;
  static char longText[3000];
  memset(longText, 'a', sizeof longText - 1);
  compare(theirs, "");
  compare(theirs, "100%%");
  compare(theirs, "%s %s HTTP/%s\r\n%s%s%s", "GET", "/a?b=c", "1.1", "Host: example.org:8080\r\n", "", "Accept: */*\r\n");
  compare(theirs, "%s%s%s", longText, "\r\n", longText);
  compare(theirs, "Host: %s%s%s:%d\r\n", "[", "::1", "]", 8443);
  compare(theirs, "%ld-%ld", 0L, -1L);
  compare(theirs, "bytes %ld-%ld/%ld", 5000000000L, 5000000001L, 9223372036854775807L);
  compare(theirs, "%d %d %d|%ld %ld", 0, 2147483647, -2147483647 - 1, 9223372036854775807L, -9223372036854775807L - 1);
  compare(theirs, "%u%s", 443U, "example.org");
  compare(theirs, "%u %lu|%d", 0U, 18446744073709551615UL, -10);
  compare(theirs, "%s%s%s%s", "", longText, "", "");
  compare(theirs, "Connection #%ld to host %s left intact", 17L, "example.org");
  compare(theirs, "%s and %5d of %s", "text", 42, "more");
  compare(theirs, "?%s", "");
  compare(theirs, "%u %lu %zu %zd %hu", 4294967295U, 1UL << 40, (size_t)77, (ssize_t)-7, (unsigned short)65535);
  compare(theirs, "%02d:%02d:%02d %03d %4ld|%-6d|%+d", 1, 22, 3, 7, 12L, 9, 4);
  compare(theirs, "%02x%02X %x %08x %lx", 10, 171, 255, 48879, 1UL << 33);
  compare(theirs, "%c%c", 'a', '\n');
  compare(theirs, "%.*s|%.3s|%10s|%-10s|", 4, "abcdefgh", "abcdefgh", "right", "left");
  compare(theirs, "%5.2f %.1f", 3.14159, 99.95);
  compare(theirs, "%d%%", 42);
  printf("%d of %d comparisons differ\n", differences, comparisons);
  return differences != 0 || comparisons < 600;
}
