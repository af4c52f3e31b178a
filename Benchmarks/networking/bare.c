// bare URL COUNT CONCURRENCY: the least that a program can do with libcurl's multi interface to get a resource so many times, its content in memory
// and its status checked. Prints the CPU time in microseconds, the bytes received and the number of failures.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct transfer {
  CURL *easy;
  char *content;
  size_t length, capacity;
};

static long long bytes;
static long failures;

static long long processor_time(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static size_t receive(char *data, size_t size, size_t count, void *context) {
  struct transfer *transfer = context;
  size_t length = size * count;
  if (transfer->length + length > transfer->capacity) {
    size_t capacity = (transfer->length + length) * 2;
    char *content = realloc(transfer->content, capacity);
    if (!content) return 0;
    transfer->content = content;
    transfer->capacity = capacity;
  }
  memcpy(transfer->content + transfer->length, data, length);
  transfer->length += length;
  return length;
}

static void begin(CURLM *multi, struct transfer *transfer) {
  transfer->length = 0;
  curl_multi_add_handle(multi, transfer->easy);
}

static void run(CURLM *multi, struct transfer *transfers, long count, long concurrency) {
  long begun = 0, ended = 0;
  for (; begun < concurrency && begun < count; begun++) begin(multi, &transfers[begun]);
  while (ended < count) {
    int running, left;
    curl_multi_perform(multi, &running);
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL *easy = message->easy_handle;
      CURLcode result = message->data.result;
      struct transfer *transfer;
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&transfer);
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      curl_multi_remove_handle(multi, easy);
      bytes += transfer->length;
      if (result != CURLE_OK || status != 200) {
        if (!failures++) fprintf(stderr, "%s, status %ld\n", curl_easy_strerror(result), status);
      }
      ended++;
      if (begun < count) {
        begun++;
        begin(multi, transfer);
      }
    }
    if (ended < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
}

int main(int argc, char **argv) {
  long count = argc == 4 ? atol(argv[2]) : 0, concurrency = argc == 4 ? atol(argv[3]) : 0;
  if (count <= 0 || concurrency <= 0) {
    fprintf(stderr, "usage: bare URL COUNT CONCURRENCY\n");
    return 2;
  }
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, concurrency);
  struct transfer *transfers = calloc(concurrency, sizeof *transfers);
  for (long i = 0; i < concurrency; i++) {
    CURL *easy = transfers[i].easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    // One connection for all with HTTP/2.
    if (!strncmp(argv[1], "https:", 6)) curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfers[i]);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfers[i]);
  }
  run(multi, transfers, concurrency * 4, concurrency);
  bytes = 0;
  long long start = processor_time();
  run(multi, transfers, count, concurrency);
  long long used = processor_time() - start;
  printf("%lld %lld %ld\n", used, bytes, failures);
  for (long i = 0; i < concurrency; i++) {
    curl_easy_cleanup(transfers[i].easy);
    free(transfers[i].content);
  }
  free(transfers);
  curl_multi_cleanup(multi);
  curl_global_cleanup();
  return failures != 0;
}
