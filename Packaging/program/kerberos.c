// Opens the Kerberos library when libcurl first asks for a ticket.
//
// The archive has libcurl inside, and Kerberos is the one library that can't be: it reads the configuration and the
// plug-ins of the machine. Few requests need it. So these functions have the names that libcurl's object files look
// for (RFC 2744), and call the library's own. Where the library is missing they return GSS_S_UNAVAILABLE, which libcurl
// reports as a failed authentication, and standard error names the package that is missing.
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint32_t status;
// Handles and buffers pass through untouched, so their insides are not declared here.
typedef void *opaque;

enum { UNAVAILABLE = 16 << 16 };

#ifndef KERBEROS
#define KERBEROS "libgssapi_krb5.so.2"
#endif

static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void) {
  // By name only, so that the loader's own search path decides, never the working directory.
  library = dlopen(KERBEROS, RTLD_NOW | RTLD_LOCAL);
  if (!library) fputs("warning: Kerberos is not available: " KERBEROS " is missing (Debian: libgssapi-krb5-2)\n", stderr);
}

static void *function(const char *name) {
  pthread_once(&once, open_library);
  return library ? dlsym(library, name) : NULL;
}

#define FORWARD(name, parameters, arguments)                                                                            \
  status name parameters;                                                                                               \
  status name parameters {                                                                                              \
    status(*found) parameters = (status(*) parameters)function(#name);                                                  \
    if (found) return found arguments;                                                                                  \
    *minor = 0;                                                                                                         \
    return UNAVAILABLE;                                                                                                 \
  }

FORWARD(gss_init_sec_context,
        (status * minor, opaque credential, opaque *context, opaque target, opaque mechanism, uint32_t flags, uint32_t lifetime,
         opaque bindings, opaque input, opaque *actual, opaque output, uint32_t *given, uint32_t *remaining),
        (minor, credential, context, target, mechanism, flags, lifetime, bindings, input, actual, output, given, remaining))
FORWARD(gss_delete_sec_context, (status * minor, opaque *context, opaque token), (minor, context, token))
FORWARD(gss_import_name, (status * minor, opaque buffer, opaque type, opaque *name), (minor, buffer, type, name))
FORWARD(gss_display_name, (status * minor, opaque name, opaque buffer, opaque *type), (minor, name, buffer, type))
FORWARD(gss_release_name, (status * minor, opaque *name), (minor, name))
FORWARD(gss_release_buffer, (status * minor, opaque buffer), (minor, buffer))
FORWARD(gss_inquire_context,
        (status * minor, opaque context, opaque *source, opaque *target, uint32_t *lifetime, opaque *mechanism, uint32_t *flags,
         int *local, int *open),
        (minor, context, source, target, lifetime, mechanism, flags, local, open))
FORWARD(gss_wrap, (status * minor, opaque context, int confidential, uint32_t quality, opaque input, int *state, opaque output),
        (minor, context, confidential, quality, input, state, output))
FORWARD(gss_unwrap, (status * minor, opaque context, opaque input, opaque output, int *state, uint32_t *quality),
        (minor, context, input, output, state, quality))

// libcurl asks for the words of a status in a loop, until this one says that there are no more.
typedef struct {
  size_t length;
  void *value;
} buffer;
status gss_display_status(status *, status, int, opaque, uint32_t *, buffer *);
status gss_display_status(status *minor, status value, int type, opaque mechanism, uint32_t *more, buffer *text) {
  typedef status display(status *, status, int, opaque, uint32_t *, buffer *);
  display *found = (display *)function("gss_display_status");
  if (found) return found(minor, value, type, mechanism, more, text);
  *minor = 0;
  *more = 0;
  text->length = 0;
  text->value = NULL;
  return UNAVAILABLE;
}

// The only variable that libcurl uses of the library: RFC 2744, appendix A, has its value.
typedef struct {
  uint32_t length;
  const void *elements;
} object_identifier;
static object_identifier host_based_service = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"};
object_identifier *GSS_C_NT_HOSTBASED_SERVICE = &host_based_service;
