// Prints the results of kerberos.c for a library that can't be opened: the test sets a name that no library has.
#include <stdint.h>
#include <stdio.h>

typedef struct {
  size_t length;
  void *value;
} buffer;

uint32_t gss_import_name(uint32_t *, void *, void *, void **);
uint32_t gss_init_sec_context(uint32_t *, void *, void **, void *, void *, uint32_t, uint32_t, void *, void *, void **, void *, uint32_t *, uint32_t *);
uint32_t gss_display_status(uint32_t *, uint32_t, int, void *, uint32_t *, buffer *);

int main(void) {
  uint32_t minor = 1, more = 1;
  buffer text = {1, &text};
  printf("import: %u\n", gss_import_name(&minor, NULL, NULL, NULL) >> 16);
  printf("initialise: %u\n", gss_init_sec_context(&minor, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL) >> 16);
  gss_display_status(&minor, 0, 0, NULL, &more, &text);
  printf("words: %zu, more: %u\n", text.length, more);
  return 0;
}
