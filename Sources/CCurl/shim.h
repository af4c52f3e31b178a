#pragma once
#define CURL_STRICTER 1
#include <curl/curl.h>
#include <malloc.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Swift calls no variadic function. One wrapper for each type of argument that libcurl's options take; the names say the type.
// The headers' own macros check types through GCC extensions, so they are put aside for these definitions.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

typedef size_t (*garland_curl_data_callback)(char *, size_t, size_t, void *);
typedef int (*garland_curl_seek_callback)(void *, curl_off_t, int);
typedef int (*garland_curl_debug_callback)(CURL *, curl_infotype, char *, size_t, void *);

static inline CURLcode garland_setopt_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode garland_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode garland_setopt_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode garland_setopt_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}
// Sets the path and the query of a URL whose other parts stay. False for a long path, an empty query, or if libcurl refuses it: then one of the two may be new
// already, and the caller must set the whole URL.
static inline bool garland_url_set_target(CURLU *parts, const char *target) {
  char path[1024];
  const char *query = strchr(target, '?');
  size_t length = query ? (size_t)(query - target) : strlen(target);
  if (length >= sizeof path || (query && !query[1])) return false;
  memcpy(path, target, length);
  path[length] = 0;
  return curl_url_set(parts, CURLUPART_PATH, path, CURLU_PATH_AS_IS) == CURLUE_OK &&
         curl_url_set(parts, CURLUPART_QUERY, query ? query + 1 : NULL, 0) == CURLUE_OK;
}
static inline CURLcode garland_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode garland_setopt_data_callback(CURL *handle, CURLoption option, garland_curl_data_callback value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode garland_setopt_seek_callback(CURL *handle, CURLoption option, garland_curl_seek_callback value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode garland_setopt_debug_callback(CURL *handle, CURLoption option, garland_curl_debug_callback value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode garland_setopt_prereq_callback(CURL *handle, CURLoption option, curl_prereq_callback value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode garland_setopt_tls_callback(CURL *handle, CURLoption option, curl_ssl_ctx_callback value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode garland_setopt_blob(CURL *handle, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl_easy_setopt(handle, option, &blob);
}

// libcurl's own way of making sockets hands them down to every child process of the program.
static inline curl_socket_t garland_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context;
  (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
static inline CURLcode garland_keep_sockets_private(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, garland_open_socket);
}

// Which sockets a handle has open, in the order in which they were opened.
typedef struct {
  int count;
  curl_socket_t sockets[8];
} garland_sockets;
static inline curl_socket_t garland_open_tracked(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  garland_sockets *list = context;
  curl_socket_t made = garland_open_socket(NULL, purpose, address);
  if (made >= 0 && list->count < 8) list->sockets[list->count++] = made;
  return made;
}
static inline int garland_close_tracked(void *context, curl_socket_t socket) {
  garland_sockets *list = context;
  int kept = 0;
  for (int index = 0; index < list->count; index++)
    if (list->sockets[index] != socket) list->sockets[kept++] = list->sockets[index];
  list->count = kept;
  return close(socket);
}
static inline CURLcode garland_track_sockets(CURL *handle, garland_sockets *list) {
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, garland_open_tracked);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, list);
  curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, garland_close_tracked);
  return curl_easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, list);
}
static inline curl_socket_t garland_first_socket(const garland_sockets *list) { return list->count > 0 ? list->sockets[0] : -1; }

// A connection that somebody else has made. The socket is handed over once: what asks again has none.
static inline curl_socket_t garland_open_adopted(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)purpose;
  (void)address;
  int *socket = context;
  int adopted = *socket;
  *socket = -1;
  return adopted < 0 ? CURL_SOCKET_BAD : adopted;
}
static inline int garland_socket_is_connected(void *context, curl_socket_t socket, curlsocktype purpose) {
  (void)context;
  (void)socket;
  (void)purpose;
  return CURL_SOCKOPT_ALREADY_CONNECTED;
}
static inline CURLcode garland_adopt_socket(CURL *handle, int *socket) {
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, garland_open_adopted);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, socket);
  return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, garland_socket_is_connected);
}
static inline CURLcode garland_getinfo_socket(CURL *handle, curl_socket_t *value) {
  return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLcode garland_getinfo_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode garland_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode garland_getinfo_string(CURL *handle, CURLINFO info, const char **value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode garland_getinfo_pointer(CURL *handle, CURLINFO info, void **value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode garland_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLSHcode garland_share_tls_sessions(CURLSH *share) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}
static inline CURLcode garland_setopt_share(CURL *handle, CURLSH *share) { return curl_easy_setopt(handle, CURLOPT_SHARE, share); }

// A message's result sits in a C union, which Swift would read by an unchecked accessor.
static inline CURLcode garland_message_result(const CURLMsg *message) { return message->data.result; }

// Macros with casts or of unsigned long, which Swift does not import.
static const long garland_curlauth_basic = (long)CURLAUTH_BASIC;
static const long garland_curlauth_digest = (long)CURLAUTH_DIGEST;
static const long garland_curlauth_any = (long)CURLAUTH_ANY;
static const long garland_curlauth_bearer = (long)CURLAUTH_BEARER;
static const long garland_curlauth_ntlm = (long)CURLAUTH_NTLM;
static const long garland_curlauth_negotiate = (long)CURLAUTH_NEGOTIATE;
static const size_t garland_readfunc_abort = (size_t)CURL_READFUNC_ABORT;
static const size_t garland_readfunc_pause = (size_t)CURL_READFUNC_PAUSE;
static const size_t garland_writefunc_pause = (size_t)CURL_WRITEFUNC_PAUSE;
static const long garland_global_default = (long)CURL_GLOBAL_DEFAULT;
static const int garland_pause_recv = CURLPAUSE_RECV;
static const int garland_pause_send = CURLPAUSE_SEND;
static const int garland_pause_continue = CURLPAUSE_CONT;
static const int garland_pause_all = CURLPAUSE_ALL;
static const CURLversion garland_version_now = CURLVERSION_NOW;
static const long garland_http_version_1_1 = CURL_HTTP_VERSION_1_1;
static const long garland_http_version_2 = CURL_HTTP_VERSION_2_0;
static const long garland_http_version_2_prior_knowledge = CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;

// The result of libcurl's CURLINFO_TLS_SSL_PTR if it is OpenSSL's `SSL`, otherwise NULL.
static inline void *garland_openssl_connection(const void *info) {
  const struct curl_tlssessioninfo *session = (const struct curl_tlssessioninfo *)info;
  return session && session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

// TLS versions are added to each other, the maximum in the upper half.
static inline long garland_ssl_version(int minimum, int maximum) {
  static const long minima[] = {CURL_SSLVERSION_TLSv1_0, CURL_SSLVERSION_TLSv1_1, CURL_SSLVERSION_TLSv1_2, CURL_SSLVERSION_TLSv1_3};
  static const long maxima[] = {CURL_SSLVERSION_MAX_TLSv1_0, CURL_SSLVERSION_MAX_TLSv1_1, CURL_SSLVERSION_MAX_TLSv1_2,
                                CURL_SSLVERSION_MAX_TLSv1_3};
  return minima[minimum & 3] | (maximum < 0 ? CURL_SSLVERSION_MAX_NONE : maxima[maximum & 3]);
}

// Linux's own, which glibc's headers hide from Swift.
static inline int garland_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline void garland_eventfd_signal(int descriptor) { eventfd_write(descriptor, 1); }
// A descriptor that is readable from a time on, in nanoseconds of CLOCK_MONOTONIC.
static inline int garland_timerfd(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }
static inline void garland_timerfd_set(int descriptor, uint64_t time) {
  struct itimerspec due = {{0, 0}, {(time_t)(time / 1000000000), (long)(time % 1000000000)}};
  timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &due, 0);
}
static inline void garland_eventfd_clear(int descriptor) {
  eventfd_t value;
  eventfd_read(descriptor, &value);
}
static inline void garland_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
/// `renameat2` with RENAME_NOREPLACE: fails with EEXIST if the target is there.
static inline int garland_rename_new(const char *from, const char *to) {
  return (int)syscall(SYS_renameat2, -100 /* AT_FDCWD */, from, -100, to, 1u);
}
