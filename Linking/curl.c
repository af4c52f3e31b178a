// What a libcurl that is linked statically would otherwise open other libraries for at once, though nobody needs them yet.
#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define QUOTE(x) #x
#define TEXT(x) QUOTE(x)

// What it says of itself. Libcurl's own would ask seven libraries for their versions, too, of which with this `age` nothing is said.
curl_version_info_data *curl_version_info(CURLversion version) {
  static const char *const protocols[] = {NULL};
  static curl_version_info_data data = {.age = CURLVERSION_FIRST,
                                        .version = TEXT(VERSION),
                                        .version_num = VERSION_NUMBER,
                                        .host = "",
                                        .features = FEATURES,
                                        .protocols = protocols};
  (void)version;
  return &data;
}

char *curl_version(void) {
  static char text[] = "libcurl/" TEXT(VERSION);
  return text;
}

// Called when libcurl is set up, for SCP and SFTP, which are not offered.
int libssh2_init(int flags);
int libssh2_init(int flags) {
  (void)flags;
  return 0;
}

void libssh2_exit(void);
void libssh2_exit(void) {}

// Libcurl sets OpenSSL up when it is set up itself. To open that takes twice as long as everything else that a plain request over HTTP needs, so it waits until a
// function of libssl is called for the first time; `options` are what libcurl asked for.
typedef int set_up(uint64_t options, const void *settings);
static uint64_t options;
static set_up *opened;

set_up OPENSSL_init_ssl;
int OPENSSL_init_ssl(uint64_t wanted, const void *settings) {
  __atomic_or_fetch(&options, wanted, __ATOMIC_SEQ_CST);
  set_up *now = __atomic_load_n(&opened, __ATOMIC_SEQ_CST);
  return now ? now(wanted, settings) : 1;
}

// Called by lazy.c before anything else of a library that was opened.
__attribute__((visibility("hidden"))) void garland_lazy_opened(const char *name, void *handle);
void garland_lazy_opened(const char *name, void *handle) {
  if (strncmp(name, "libssl.", 7) != 0) return;
  set_up *now = (set_up *)dlsym(handle, "OPENSSL_init_ssl");
  if (!now) return;
  __atomic_store_n(&opened, now, __ATOMIC_SEQ_CST);
  now(__atomic_load_n(&options, __ATOMIC_SEQ_CST), NULL);
}

// The only variable that libcurl uses of these libraries: RFC 2744, appendix A, has its value.
typedef struct {
  unsigned length;
  const void *elements;
} oid;
static oid host_based_service = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"};
oid *GSS_C_NT_HOSTBASED_SERVICE = &host_based_service;
