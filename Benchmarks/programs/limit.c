/* limit.c - the "libcurl limit": N GETs at concurrency C with as little else as possible.
 *
 *   limit [-m poll|epoll|easy] [-n N] [-c C] [-t THREADS] [-f] [-s STR] [-x] [-o FILE] [-u FILE] [-2] [-a FILE] URL
 *     -m poll    curl_multi_perform + curl_multi_poll (default)
 *     -m epoll   curl_multi_socket_action + epoll_wait
 *     -m easy    curl_easy_perform in a loop (concurrency is 1 per thread)
 *     -n N       number of requests (default 1);  -c C   requests in flight (default 1)
 *     -t T       T threads, each with its own multi, N/T requests and C/T in flight
 *     -f         fresh easy handle for every request (default: C handles reused)
 *     -s STR     look for this text in each body
 *     -x         chain: capture "token":"..." from each body, put it in ?prev= of the next,
 *                and check that "prev" comes back (-c 1 only)
 *     -o FILE    stream the body to FILE (one request)
 *     -u FILE    upload FILE as multipart/form-data part "file" (one request)
 *     -2         HTTP/2 over TLS, streams of one connection
 *     -a FILE    the certificate authority to trust
 * A "%d" in URL is replaced by the request's number (1..N).  Prints one JSON line.
 */
#define _GNU_SOURCE
#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static const char *mode = "poll", *url_t, *want = NULL, *out_file, *up_file, *ca_file;
static long N = 1, C = 1, T = 1;
static int fresh, check, chain, http2;

typedef struct { CURL *h; char *buf; size_t len, cap; long idx; FILE *f; curl_mime *mime; char prev[128]; } slot;
typedef struct {
  long n, c, base, next, done, bad; unsigned long long bytes;
  CURLM *m; slot *s; int ep; long timeout_ms; char prev[128]; long newconn;
} worker;

static size_t on_body(char *p, size_t a, size_t b, void *u) {
  slot *s = u; size_t n = a * b;
  if (s->f) { s->len += n; return fwrite(p, 1, n, s->f); }
  if (s->len + n + 1 > s->cap) {
    size_t cap = s->cap ? s->cap : 1024;
    while (cap < s->len + n + 1) cap *= 2;
    s->buf = realloc(s->buf, cap); s->cap = cap;
  }
  memcpy(s->buf + s->len, p, n); s->len += n; s->buf[s->len] = 0;
  return n;
}

static void setup(slot *s) {
  s->h = curl_easy_init();
  curl_easy_setopt(s->h, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(s->h, CURLOPT_WRITEDATA, s);
  curl_easy_setopt(s->h, CURLOPT_PRIVATE, s);
  curl_easy_setopt(s->h, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(s->h, CURLOPT_TIMEOUT_MS, 300000L);
  if (http2) { curl_easy_setopt(s->h, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS); curl_easy_setopt(s->h, CURLOPT_PIPEWAIT, 1L); }
  if (ca_file) curl_easy_setopt(s->h, CURLOPT_CAINFO, ca_file);
  if (out_file) { s->f = fopen(out_file, "wb"); if (!s->f) { perror(out_file); exit(2); } setvbuf(s->f, NULL, _IONBF, 0); }
  if (up_file) {
    s->mime = curl_mime_init(s->h);
    curl_mimepart *p = curl_mime_addpart(s->mime);
    curl_mime_name(p, "file"); curl_mime_filedata(p, up_file);
    curl_easy_setopt(s->h, CURLOPT_MIMEPOST, s->mime);
  }
}

static void arm(worker *w, slot *s) {
  char url[2048];
  if (fresh && s->h) { curl_easy_cleanup(s->h); s->h = NULL; }
  if (!s->h) setup(s);
  s->idx = w->base + ++w->next; s->len = 0;
  if (chain) snprintf(url, sizeof url, "%s?prev=%s", url_t, w->prev);
  else snprintf(url, sizeof url, url_t, (int)s->idx);
  curl_easy_setopt(s->h, CURLOPT_URL, url);
}

static void finish(worker *w, slot *s, CURLcode rc) {
  long code = 0, nc = 0;
  curl_easy_getinfo(s->h, CURLINFO_RESPONSE_CODE, &code);
  curl_easy_getinfo(s->h, CURLINFO_NUM_CONNECTS, &nc);
  w->done++; w->bytes += s->len; w->newconn += nc;
  int ok = rc == CURLE_OK && code == 200;
  if (ok && check && want) ok = s->buf && strstr(s->buf, want) != NULL;
  if (ok && chain) {
    char exp[160]; snprintf(exp, sizeof exp, "\"prev\":\"%s\"", w->prev);
    char *t = strstr(s->buf, "\"token\":\"");
    ok = strstr(s->buf, exp) != NULL && t != NULL;
    if (t) { t += 9; size_t k = strcspn(t, "\""); if (k > 120) k = 120; memcpy(w->prev, t, k); w->prev[k] = 0; }
  }
  if (!ok) { if (!w->bad) fprintf(stderr, "request %ld: %s, status %ld\n", s->idx, curl_easy_strerror(rc), code); w->bad++; }
}

static void reap(worker *w) {
  int left; CURLMsg *m;
  while ((m = curl_multi_info_read(w->m, &left))) {
    if (m->msg != CURLMSG_DONE) continue;
    slot *s; CURL *h = m->easy_handle; CURLcode rc = m->data.result;
    curl_easy_getinfo(h, CURLINFO_PRIVATE, (char **)&s);
    curl_multi_remove_handle(w->m, h);
    finish(w, s, rc);
    if (w->next < w->n) { arm(w, s); curl_multi_add_handle(w->m, s->h); }
  }
}

static int on_sock(CURL *e, curl_socket_t fd, int what, void *u, void *sp) {
  worker *w = u; struct epoll_event ev = {0}; (void)e;
  if (what == CURL_POLL_REMOVE) { epoll_ctl(w->ep, EPOLL_CTL_DEL, fd, NULL); curl_multi_assign(w->m, fd, NULL); return 0; }
  ev.data.fd = fd;
  ev.events = ((what & CURL_POLL_IN) ? EPOLLIN : 0) | ((what & CURL_POLL_OUT) ? EPOLLOUT : 0);
  if (sp) epoll_ctl(w->ep, EPOLL_CTL_MOD, fd, &ev);
  else { if (epoll_ctl(w->ep, EPOLL_CTL_ADD, fd, &ev) && errno == EEXIST) epoll_ctl(w->ep, EPOLL_CTL_MOD, fd, &ev);
         curl_multi_assign(w->m, fd, w); }
  return 0;
}
static int on_timer(CURLM *m, long ms, void *u) { (void)m; ((worker *)u)->timeout_ms = ms; return 0; }

static void *work(void *u) {
  worker *w = u;
  w->s = calloc(w->c, sizeof(slot));
  if (!strcmp(mode, "easy")) {
    slot *s = &w->s[0];
    while (w->next < w->n) { arm(w, s); finish(w, s, curl_easy_perform(s->h)); }
    curl_easy_cleanup(s->h);
    if (s->f) fclose(s->f);
    return NULL;
  }
  w->m = curl_multi_init();
  curl_multi_setopt(w->m, CURLMOPT_MAXCONNECTS, w->c + 8);
  int ep = !strcmp(mode, "epoll");
  if (ep) {
    w->ep = epoll_create1(0); w->timeout_ms = -1;
    curl_multi_setopt(w->m, CURLMOPT_SOCKETFUNCTION, on_sock); curl_multi_setopt(w->m, CURLMOPT_SOCKETDATA, w);
    curl_multi_setopt(w->m, CURLMOPT_TIMERFUNCTION, on_timer); curl_multi_setopt(w->m, CURLMOPT_TIMERDATA, w);
  }
  for (long i = 0; i < w->c && w->next < w->n; i++) { arm(w, &w->s[i]); curl_multi_add_handle(w->m, w->s[i].h); }
  int running = 0;
  if (!ep) {
    do {
      curl_multi_perform(w->m, &running);
      reap(w);
      if (w->done < w->n) curl_multi_poll(w->m, NULL, 0, 1000, NULL);
    } while (w->done < w->n);
  } else {
    struct epoll_event ev[256];
    curl_multi_socket_action(w->m, CURL_SOCKET_TIMEOUT, 0, &running);
    reap(w);
    while (w->done < w->n) {
      int t = w->timeout_ms < 0 ? 1000 : w->timeout_ms > 1000 ? 1000 : (int)w->timeout_ms;
      int k = epoll_wait(w->ep, ev, 256, t);
      if (k <= 0 || t == 0) { w->timeout_ms = -1; curl_multi_socket_action(w->m, CURL_SOCKET_TIMEOUT, 0, &running); }
      for (int i = 0; i < k; i++) {
        int f = ((ev[i].events & EPOLLIN) ? CURL_CSELECT_IN : 0) | ((ev[i].events & EPOLLOUT) ? CURL_CSELECT_OUT : 0) |
                ((ev[i].events & (EPOLLERR | EPOLLHUP)) ? CURL_CSELECT_ERR : 0);
        curl_multi_socket_action(w->m, ev[i].data.fd, f, &running);
      }
      reap(w);
    }
  }
  for (long i = 0; i < w->c; i++) if (w->s[i].h) {
    if (w->s[i].mime) curl_mime_free(w->s[i].mime);
    if (w->s[i].f) fclose(w->s[i].f);
    curl_easy_cleanup(w->s[i].h); free(w->s[i].buf);
  }
  curl_multi_cleanup(w->m);
  return NULL;
}

int main(int argc, char **argv) {
  int o;
  while ((o = getopt(argc, argv, "m:n:c:t:fs:xo:u:2a:")) != -1) switch (o) {
    case 'm': mode = optarg; break; case 'n': N = atol(optarg); break; case 'c': C = atol(optarg); break;
    case 't': T = atol(optarg); break; case 'f': fresh = 1; break;
    case 's': want = optarg; check = 1; break; case 'x': chain = 1; break;
    case 'o': out_file = optarg; break; case 'u': up_file = optarg; break;
    case '2': http2 = 1; break; case 'a': ca_file = optarg; break;
    default: return 2;
  }
  if (optind >= argc || N < 1 || C < 1 || T < 1 || C < T || (chain && (C != 1 || T != 1))) { fprintf(stderr, "see the head of limit.c\n"); return 2; }
  url_t = argv[optind];
  struct timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  worker *w = calloc(T, sizeof *w); pthread_t *th = calloc(T, sizeof *th); long base = 0;
  for (long i = 0; i < T; i++) {
    w[i].n = N / T + (i < N % T); w[i].c = C / T + (i < C % T); w[i].base = base; base += w[i].n;
    if (chain) strcpy(w[i].prev, "0");
    if (T > 1) pthread_create(&th[i], NULL, work, &w[i]); else work(&w[i]);
  }
  long bad = 0, done = 0, nc = 0; unsigned long long bytes = 0;
  for (long i = 0; i < T; i++) { if (T > 1) pthread_join(th[i], NULL); bad += w[i].bad; done += w[i].done; bytes += w[i].bytes; nc += w[i].newconn; }
  clock_gettime(CLOCK_MONOTONIC, &b);
  double s = (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) / 1e9;
  printf("{\"libcurl\":\"%s\",\"mode\":\"%s\",\"n\":%ld,\"c\":%ld,\"t\":%ld,\"bad\":%ld,\"connections\":%ld,\"bytes\":%llu,\"seconds\":%.6f,\"rps\":%.0f}\n",
         curl_version_info(CURLVERSION_NOW)->version, mode, done, C, T, bad, nc, bytes, s, done / s);
  return bad || done != N;
}
