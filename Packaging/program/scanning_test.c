// Compares the results of scanning.c with those of the C library. Prints each difference.
#include <stdio.h>
#include <string.h>

int garland_sscanf(const char *text, const char *format, ...);

#define STATUS " HTTP/%1d.%1d%c%3d%c"

static int differences, comparisons;

static void compare(const char *text) {
  struct {
    int major, minor, status;
    char separator, next;
  } wanted, found;
  memset(&wanted, 7, sizeof wanted);
  memset(&found, 7, sizeof found);
  int wantedCount = sscanf(text, STATUS, &wanted.major, &wanted.minor, &wanted.separator, &wanted.status, &wanted.next);
  int foundCount = garland_sscanf(text, STATUS, &found.major, &found.minor, &found.separator, &found.status, &found.next);
  comparisons++;
  if (wantedCount == foundCount && memcmp(&wanted, &found, sizeof wanted) == 0) return;
  differences++;
  printf("\"%s\" differs\n", text);
}

int main(void) {
  const char *texts[] = {
    "HTTP/1.1 200 OK\r\n", "HTTP/1.0 404\r\n", "HTTP/1.1 204", "HTTP/2 200 \r\n", "HTTP/2 200", "HTTP/3.0 101\t", "HTTP/1.1  200 OK", " HTTP/1.1 200 OK",
    "\r\n\tHTTP/1.1 200 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2", "HTTP/1.1 ", "HTTP/1.1", "HTTP/1.", "HTTP/1", "HTTP/", "HTTP", "", "http/1.1 200",
    "HTTP/1.1 -12 x", "HTTP/1.1 +12 x", "HTTP/1.1 099 x", "HTTP/1.1\t200", "HTTP/1.1:200:", "HTTP/11.1 200", "HTTP/1.12 200", "HTTP/+1.1 200", "HTTP/ 1.1 200",
    "HTTP/1. 1 200", "HTTP/9.9 999 9", "HTTP/1.1 abc", "ICY 200 OK", "HTTP 200", "\xff\xfe"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    // Each text as it is, shorter, and with each of its bytes replaced by each other byte.
    size_t length = strlen(texts[i]);
    char text[64];
    for (size_t end = 0; end <= length; end++) {
      memcpy(text, texts[i], end);
      text[end] = 0;
      compare(text);
    }
    for (size_t place = 0; place < length; place++) {
      for (int byte = 0; byte < 256; byte++) {
        strcpy(text, texts[i]);
        text[place] = (char)byte;
        compare(text);
      }
    }
  }
  int wanted = -1, found = -1;
  comparisons++;
  if (sscanf("HTTP 301", " HTTP %3d", &wanted) != garland_sscanf("HTTP 301", " HTTP %3d", &found) || wanted != found) differences++;
  printf("%d of %d comparisons differ\n", differences, comparisons);
  return differences != 0;
}
