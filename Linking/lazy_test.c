// Linked with what `prepare` writes: OpenSSL is opened when it is needed, and set up before that as libcurl asked for.
#define _GNU_SOURCE
#include <curl/curl.h>
#include <dlfcn.h>
#include <openssl/engine.h>
#include <openssl/ssl.h>
#include <stdio.h>

static void tell(const char *when) {
  void *handle = dlopen("libssl.so.3", RTLD_LAZY | RTLD_NOLOAD);
  printf("%s: %s\n", when, handle ? "open" : "not open");
  if (handle) dlclose(handle);
}

int main(void) {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return 1;
  tell("libcurl is set up");
  CURL *easy = curl_easy_init();
  char reason[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, reason);
  curl_easy_setopt(easy, CURLOPT_URL, "http://127.0.0.1:1/");
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  printf("without TLS: %s\n", curl_easy_perform(easy) == CURLE_COULDNT_CONNECT ? "not reached" : reason);
  tell("a request without TLS");
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  tell("a function of OpenSSL");
  // There are none without OPENSSL_INIT_ENGINE_ALL_BUILTIN, for which libcurl asks.
  ENGINE *engine = ENGINE_get_first();
  printf("context: %s, engines: %s\n", context ? "yes" : "no", engine ? "yes" : "no");
  ENGINE_free(engine);
  SSL_CTX_free(context);
  curl_easy_cleanup(easy);
  return 0;
}
