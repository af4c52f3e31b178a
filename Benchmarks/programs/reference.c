/* reference.c - fixed work, the like of which Garland does: numbers written and read, texts compared, sorted and copied. Its instructions are the
 * measure of Garland's. Without anything of the standard library but memory, so that they do not change with it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { count = 2000, width = 24, rounds = 40 };
static char texts[count][width], spare[count][width];

static int compare(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}
static void copy(char *to, const char *from) {
  while ((*to++ = *from++)) {}
}
static void merge(int low, int high) {
  if (high - low < 2) return;
  int middle = (low + high) / 2, a = low, b = middle;
  merge(low, middle);
  merge(middle, high);
  for (int at = low; at < high; at++)
    copy(spare[at], a < middle && (b == high || compare(texts[a], texts[b]) <= 0) ? texts[a++] : texts[b++]);
  for (int at = low; at < high; at++) copy(texts[at], spare[at]);
}
int main(void) {
  uint32_t state = 1, sum = 0;
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < count; i++) {
      state = state * 1664525 + 1013904223;
      uint32_t value = state;
      char digits[16], *at = texts[i];
      int n = 0;
      do digits[n++] = (char)('0' + value % 10);
      while (value /= 10);
      while (n) *at++ = digits[--n];
      *at = 0;
    }
    merge(0, count);
    for (int i = 0; i < count; i++) {
      uint32_t value = 0;
      for (const char *at = texts[i]; *at; at++) value = value * 10 + (uint32_t)(*at - '0');
      sum = sum * 31 + value;
    }
  }
  printf("%u\n", sum);
  return 0;
}
