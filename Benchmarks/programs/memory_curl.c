/* memory_curl.c - a libcurl without a network: each transfer is answered from memory, with the same head and 200 bytes of JSON.
 *
 * As libcurl.so.4 in LD_LIBRARY_PATH it lets `garland run` do everything it does for a request but what libcurl does, so that what it costs can be
 * counted in instructions. It has what Garland calls, and no more.
 */
#include <curl/curl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt

typedef size_t (*callback)(char *, size_t, size_t, void *);
struct easy {
  callback header, body;
  void *header_data, *body_data, *private_data;
  CURLMsg message;
  struct easy *next;
};
struct queue { struct easy *first, **last; };
struct multi { struct queue waiting, done; };

static const char *const head[] = {
  "HTTP/1.1 200 OK\r\n", "Server: nginx/1.22.1\r\n", "Date: Sat, 21 Nov 2026 11:00:00 GMT\r\n", "Content-Type: application/json\r\n",
  "Content-Length: 200\r\n", "Connection: keep-alive\r\n", "\r\n", NULL};
static const char content[] =
  "{\"id\":1,\"name\":\"garland\",\"ok\":true,\"tags\":[\"a\",\"b\"],\"owner\":{\"login\":\"octo\",\"id\":42},\"pad\":\""
  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}";

static void append(struct queue *queue, struct easy *easy) {
  easy->next = NULL;
  *queue->last = easy;
  queue->last = &easy->next;
}
static void take(struct queue *queue, struct easy *easy) {
  for (struct easy **at = &queue->first; *at; at = &(*at)->next)
    if (*at == easy) {
      *at = easy->next;
      if (!*at) queue->last = at;
      return;
    }
}

CURLcode curl_global_init(long flags) { (void)flags; return CURLE_OK; }
curl_version_info_data *curl_version_info(CURLversion age) {
  static curl_version_info_data info = {.version = "8.0.0", .version_num = 0x080000, .features = CURL_VERSION_SSL | CURL_VERSION_HTTP2};
  info.age = age;
  return &info;
}
CURL *curl_easy_init(void) { return calloc(1, sizeof(struct easy)); }
void curl_easy_cleanup(CURL *handle) { free(handle); }
void curl_easy_reset(CURL *handle) { memset(handle, 0, sizeof(struct easy)); }
const char *curl_easy_strerror(CURLcode code) { (void)code; return "none"; }
/* Of streams, which the benchmark has none of: the loader wants to find them. */
CURLcode curl_easy_recv(CURL *handle, void *buffer, size_t size, size_t *count) { (void)handle; (void)buffer; (void)size; *count = 0; return CURLE_AGAIN; }
CURLcode curl_easy_send(CURL *handle, const void *buffer, size_t size, size_t *count) { (void)handle; (void)buffer; (void)size; *count = 0; return CURLE_AGAIN; }
CURLcode curl_easy_pause(CURL *handle, int mask) { (void)handle; (void)mask; return CURLE_OK; }
CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...) {
  struct easy *easy = (struct easy *)handle;
  va_list arguments;
  va_start(arguments, option);
  switch (option) {
  case CURLOPT_HEADERFUNCTION: easy->header = va_arg(arguments, callback); break;
  case CURLOPT_WRITEFUNCTION: easy->body = va_arg(arguments, callback); break;
  case CURLOPT_HEADERDATA: easy->header_data = va_arg(arguments, void *); break;
  case CURLOPT_WRITEDATA: easy->body_data = va_arg(arguments, void *); break;
  case CURLOPT_PRIVATE: easy->private_data = va_arg(arguments, void *); break;
  default: break;
  }
  va_end(arguments);
  return CURLE_OK;
}
CURLcode curl_easy_getinfo(CURL *handle, CURLINFO info, ...) {
  va_list arguments;
  va_start(arguments, info);
  void *place = va_arg(arguments, void *);
  va_end(arguments);
  if (info == CURLINFO_PRIVATE) *(void **)place = ((struct easy *)handle)->private_data;
  else if ((info & CURLINFO_TYPEMASK) == CURLINFO_STRING) *(const char **)place = "127.0.0.1";
  else if ((info & CURLINFO_TYPEMASK) == CURLINFO_LONG) *(long *)place = info == CURLINFO_RESPONSE_CODE ? 200 : 0;
  else if ((info & CURLINFO_TYPEMASK) == CURLINFO_OFF_T) *(curl_off_t *)place = 100;
  else return CURLE_UNKNOWN_OPTION;
  return CURLE_OK;
}

CURLU *curl_url(void) { return malloc(1); }
void curl_url_cleanup(CURLU *url) { free(url); }
CURLUcode curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags) {
  (void)url, (void)part, (void)text, (void)flags;
  return CURLUE_OK;
}

CURLM *curl_multi_init(void) {
  struct multi *multi = calloc(1, sizeof *multi);
  multi->waiting.last = &multi->waiting.first;
  multi->done.last = &multi->done.first;
  return (CURLM *)multi;
}
CURLMcode curl_multi_cleanup(CURLM *multi) { free(multi); return CURLM_OK; }
const char *curl_multi_strerror(CURLMcode code) { (void)code; return "none"; }
CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...) { (void)multi; (void)option; return CURLM_OK; }
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *handle) {
  append(&((struct multi *)multi)->waiting, (struct easy *)handle);
  return CURLM_OK;
}
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *handle) {
  take(&((struct multi *)multi)->waiting, (struct easy *)handle);
  take(&((struct multi *)multi)->done, (struct easy *)handle);
  return CURLM_OK;
}
CURLMcode curl_multi_perform(CURLM *handle, int *running) {
  struct multi *multi = (struct multi *)handle;
  struct easy *easy;
  while ((easy = multi->waiting.first)) {
    take(&multi->waiting, easy);
    easy->message = (CURLMsg){.msg = CURLMSG_DONE, .easy_handle = (CURL *)easy, .data.result = CURLE_OK};
    char line[128];
    for (int i = 0; head[i]; i++) {
      size_t size = strlen(head[i]);
      memcpy(line, head[i], size);
      if (easy->header && easy->header(line, 1, size, easy->header_data) != size) easy->message.data.result = CURLE_WRITE_ERROR;
    }
    char body[sizeof content];
    memcpy(body, content, sizeof content);
    if (easy->body && easy->body(body, 1, 200, easy->body_data) != 200) easy->message.data.result = CURLE_WRITE_ERROR;
    append(&multi->done, easy);
  }
  *running = 0;
  return CURLM_OK;
}
CURLMsg *curl_multi_info_read(CURLM *handle, int *left) {
  struct multi *multi = (struct multi *)handle;
  struct easy *easy = multi->done.first;
  *left = 0;
  if (!easy) return NULL;
  take(&multi->done, easy);
  return &easy->message;
}
CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd extra[], unsigned count, int timeout, int *ready) {
  // Transfers that can go on or have ended come first: then the call does not wait.
  if (((struct multi *)multi)->waiting.first || ((struct multi *)multi)->done.first) timeout = 0;
  struct pollfd descriptors[8];
  for (unsigned i = 0; i < count && i < 8; i++) descriptors[i] = (struct pollfd){.fd = extra[i].fd, .events = POLLIN};
  int found = poll(descriptors, count < 8 ? count : 8, timeout);
  if (ready) *ready = found > 0 ? found : 0;
  return CURLM_OK;
}
CURLSH *curl_share_init(void) { return malloc(1); }
CURLSHcode curl_share_setopt(CURLSH *share, CURLSHoption option, ...) { (void)share; (void)option; return CURLSHE_OK; }
CURLSHcode curl_share_cleanup(CURLSH *share) { free(share); return CURLSHE_OK; }
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
  struct curl_slist *item = malloc(sizeof *item), *last = list;
  item->data = strdup(text);
  item->next = NULL;
  if (!list) return item;
  while (last->next) last = last->next;
  last->next = item;
  return list;
}
void curl_slist_free_all(struct curl_slist *list) {
  while (list) {
    struct curl_slist *next = list->next;
    free(list->data);
    free(list);
    list = next;
  }
}
