/* measure.c - run a command, print one JSON line with its wall time, CPU time and peak memory.
 *   measure STDOUT_FILE STDERR_FILE STDIN_FILE TIMEOUT_S OUT_JSON -- CMD ARGS...
 * wall: monotonic clock from just before fork to just after the child is reaped.  user/sys: wait4's
 * rusage (the child and the children it waited for).  maxrss_kb: largest single process among them;
 * this program is tiny, so the floor of that figure is about 1 MB.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static pid_t child; static volatile sig_atomic_t timed_out;
static void on_alarm(int s) { (void)s; timed_out = 1; kill(-child, SIGKILL); }
int main(int argc, char **argv) {
  if (argc < 8 || strcmp(argv[6], "--")) { fprintf(stderr, "usage: measure OUT ERR IN TIMEOUT JSON -- CMD...\n"); return 2; }
  int o = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644), e = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0644), i = open(argv[3], O_RDONLY);
  if (o < 0 || e < 0 || i < 0) { perror("open"); return 2; }
  signal(SIGALRM, on_alarm);
  struct timespec a, b; struct rusage r; int st;
  clock_gettime(CLOCK_MONOTONIC, &a);
  child = fork();
  if (child == 0) {
    setpgid(0, 0); dup2(i, 0); dup2(o, 1); dup2(e, 2);
    execvp(argv[7], argv + 7); perror(argv[7]); _exit(127);
  }
  setpgid(child, child);
  alarm(atoi(argv[4]));
  while (wait4(child, &st, 0, &r) < 0 && errno == EINTR) {}
  clock_gettime(CLOCK_MONOTONIC, &b);
  alarm(0);
  FILE *f = fopen(argv[5], "w");
  if (!f) { perror(argv[5]); return 2; }
  fprintf(f, "{\"wall\":%.6f,\"user\":%.6f,\"sys\":%.6f,\"maxrss_kb\":%ld,\"exit\":%d,\"timed_out\":%d,\"nvcsw\":%ld,\"nivcsw\":%ld}\n",
    (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) / 1e9, r.ru_utime.tv_sec + r.ru_utime.tv_usec / 1e6,
    r.ru_stime.tv_sec + r.ru_stime.tv_usec / 1e6, r.ru_maxrss,
    WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st), (int)timed_out, r.ru_nvcsw, r.ru_nivcsw);
  fclose(f);
  return 0;
}
