// libcurl's own printf, which its documentation has as curl_mprintf(3), made of the C library's. Libcurl's writes byte after byte, through four functions each;
// head of a request and host are formatted with it several times, and that is a third of what libcurl computes for a request.
//
// The functions return what libcurl's do, also if the C library's return something else. Of formats libcurl uses those of the C standard
// only. A text that isn't there is `(null)` here and `(nil)` there, which no user sees: libcurl has that in lines of its log only.
#define _GNU_SOURCE
#include <curl/mprintf.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A buffer that grows. These are libcurl's, and not public.
struct dynbuf;
int Curl_dyn_addn(struct dynbuf *buffer, const void *bytes, size_t count);
void Curl_dyn_free(struct dynbuf *buffer);

// Longer than nearly every line and head of a request.
enum { LIKELY_SIZE = 1024 };

// Formats what consists of texts and numbers without width or precision, as nearly everything that libcurl formats does, by copying: the C library takes twice as long.
// Returns how many bytes were written, without the null at the end; -1 if there is anything else in the format, or no room, with some of `buffer` written.
static int format_plainly(char *buffer, size_t size, const char *format, va_list arguments) {
  char *to = buffer;
  for (;;) {
    char digits[24];
    const char *bytes = format;
    size_t count = *format == '%' ? 0 : (size_t)(strchrnul(format, '%') - format);
    if (count == 0) {
      if (*format == 0) break;
      char *first = digits + sizeof digits;
      int isLong = format[1] == 'l';
      switch (format[1 + isLong]) {
        case 's':
          if (isLong || !(bytes = va_arg(arguments, const char *))) return -1;
          count = strlen(bytes);
          break;
        case 'd':
        case 'u': {
          int isSigned = format[1 + isLong] == 'd';
          long number = isSigned ? (isLong ? va_arg(arguments, long) : va_arg(arguments, int)) : 0;
          unsigned long rest = isSigned ? (number < 0 ? 0 - (unsigned long)number : (unsigned long)number)
                                        : (isLong ? va_arg(arguments, unsigned long) : va_arg(arguments, unsigned));
          do *--first = (char)('0' + rest % 10);
          while (rest /= 10);
          if (number < 0) *--first = '-';
          bytes = first;
          count = (size_t)(digits + sizeof digits - first);
          break;
        }
        default: return -1;
      }
      format += 2 + isLong;
    } else {
      format += count;
    }
    if (count >= size - (size_t)(to - buffer)) return -1;
    memcpy(to, bytes, count);
    to += count;
  }
  *to = 0;
  return (int)(to - buffer);
}

// `vsnprintf`.
static int format_into(char *buffer, size_t size, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int count = format_plainly(buffer, size, format, again);
  va_end(again);
  return count < 0 ? vsnprintf(buffer, size, format, arguments) : count;
}

// Text in `likely`, which has that size, or in memory of its own if it is longer; NULL when there is none.
static char *format_text(char *likely, int *count, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  char *text = likely;
  *count = format_into(likely, LIKELY_SIZE, format, arguments);
  if (*count >= LIKELY_SIZE) *count = vasprintf(&text, format, again);
  va_end(again);
  return *count < 0 ? NULL : text;
}

// Adds text to a buffer. Returns 0, or 1 when there is no memory, or no more may be added; then the buffer is empty.
int Curl_dyn_vprintf(struct dynbuf *buffer, const char *format, va_list arguments);
int Curl_dyn_vprintf(struct dynbuf *buffer, const char *format, va_list arguments) {
  char likely[LIKELY_SIZE];
  int count;
  char *text = format_text(likely, &count, format, arguments);
  int isAdded = text && (count == 0 || Curl_dyn_addn(buffer, text, (size_t)count) == 0);
  if (text != likely) free(text);
  if (!isAdded) Curl_dyn_free(buffer);
  return !isAdded;
}

// Text in memory of its own, which the caller frees; NULL when there is no memory.
char *curl_mvaprintf(const char *format, va_list arguments) {
  char likely[LIKELY_SIZE];
  int count;
  char *text = format_text(likely, &count, format, arguments);
  if (text != likely) return text;
  char *copy = malloc((size_t)count + 1);
  return copy ? memcpy(copy, text, (size_t)count + 1) : NULL;
}

// Returns how many bytes were written, without the null at the end, and not, as the C library does, how many there would be with more room.
int curl_mvsnprintf(char *buffer, size_t size, const char *format, va_list arguments) {
  if (size == 0) return 0;
  int count = format_into(buffer, size, format, arguments);
  return count >= 0 && (size_t)count >= size ? (int)(size - 1) : count;
}

int curl_mvsprintf(char *buffer, const char *format, va_list arguments) { return vsprintf(buffer, format, arguments); }

int curl_mvfprintf(FILE *file, const char *format, va_list arguments) { return vfprintf(file, format, arguments); }

int curl_mvprintf(const char *format, va_list arguments) { return vprintf(format, arguments); }

#define FORWARD(type, call)       \
  va_list arguments;              \
  va_start(arguments, format);    \
  type result = call;             \
  va_end(arguments);              \
  return result

char *curl_maprintf(const char *format, ...) { FORWARD(char *, curl_mvaprintf(format, arguments)); }

int curl_msnprintf(char *buffer, size_t size, const char *format, ...) { FORWARD(int, curl_mvsnprintf(buffer, size, format, arguments)); }

int curl_msprintf(char *buffer, const char *format, ...) { FORWARD(int, vsprintf(buffer, format, arguments)); }

int curl_mfprintf(FILE *file, const char *format, ...) { FORWARD(int, vfprintf(file, format, arguments)); }

int curl_mprintf(const char *format, ...) { FORWARD(int, vprintf(format, arguments)); }
