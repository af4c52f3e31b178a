// Linked with what `prepare` writes, and run where no library can be opened: each of them fails, and tells so once.
#define _GNU_SOURCE
#include <brotli/decode.h>
#include <curl/curl.h>
#include <libpsl.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <zlib.h>
#include <zstd.h>

int main(void) {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return 1;
  // No file can be opened any more, and so no library.
  struct rlimit none = {3, 3};
  setrlimit(RLIMIT_NOFILE, &none);
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  printf("zlib: %d\n", inflateInit(&stream));
  printf("zstd: %s\n", ZSTD_createDStream() ? "yes" : "no");
  printf("brotli: %s\n", BrotliDecoderCreateInstance(NULL, NULL, NULL) ? "yes" : "no");
  printf("libpsl: %s\n", psl_builtin() ? "yes" : "no");
  printf("digest: %s\n", EVP_MD_CTX_new() ? "yes" : "no");
  printf("digest: %s\n", EVP_MD_CTX_new() ? "yes" : "no");
  printf("context: %s\n", SSL_CTX_new(TLS_client_method()) ? "yes" : "no");
  CURL *easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, "https://127.0.0.1:1/");
  printf("request: %s\n", curl_easy_perform(easy) == CURLE_OK ? "sent" : "failed");
  curl_easy_cleanup(easy);
  return 0;
}
