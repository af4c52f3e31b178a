// libcurl's comparisons of texts without regard to ASCII case, curl_strequal(3) and curl_strnequal(3). libcurl compares each header line of
// a response with the names of seven and more fields. libcurl's own functions call a function for each byte; the functions in this file
// compare the bytes directly.
#include <curl/curl.h>
#include <stddef.h>

static unsigned char lowercase(unsigned char byte) { return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte; }

int curl_strnequal(const char *first, const char *second, size_t count) {
  // A missing text equals only another missing text, and only if any bytes are compared.
  if (!first || !second) return !first && !second && count != 0;
  for (size_t i = 0; i < count; i++) {
    unsigned char one = (unsigned char)first[i], other = (unsigned char)second[i];
    if (one != other && lowercase(one) != lowercase(other)) return 0;
    if (one == 0) return 1;
  }
  return 1;
}

int curl_strequal(const char *first, const char *second) { return curl_strnequal(first, second, (size_t)-1); }
