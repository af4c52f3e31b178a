// The C library's sscanf, for libcurl's http.c, which reads the status line of each response with it: 2,200 instructions. Here an ordinary
// status line takes 50. Every other text and format is passed to the C library.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int digit(char byte) { return byte >= '0' && byte <= '9'; }

// Reads "HTTP/", a digit, a dot, a digit, a separator, three digits and one more byte. Returns how many of the five arguments were set; 0 if
// the text has another form, in which case none was set.
static int scan_status(const char *text, va_list arguments) {
  if (strncmp(text, "HTTP/", 5) != 0 || !digit(text[5]) || text[6] != '.' || !digit(text[7]) || !text[8]) return 0;
  for (int i = 9; i < 12; i++) {
    if (!digit(text[i])) return 0;
  }
  *va_arg(arguments, int *) = text[5] - '0';
  *va_arg(arguments, int *) = text[7] - '0';
  *va_arg(arguments, char *) = text[8];
  *va_arg(arguments, int *) = (text[9] - '0') * 100 + (text[10] - '0') * 10 + text[11] - '0';
  if (!text[12]) return 4;
  *va_arg(arguments, char *) = text[12];
  return 5;
}

int garland_sscanf(const char *text, const char *format, ...);
int garland_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  int count = 0;
  if (strcmp(format, " HTTP/%1d.%1d%c%3d%c") == 0) {
    va_start(arguments, format);
    count = scan_status(text, arguments);
    va_end(arguments);
  }
  if (count == 0) {
    va_start(arguments, format);
    count = vsscanf(text, format, arguments);
    va_end(arguments);
  }
  return count;
}
