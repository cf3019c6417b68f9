#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void redirect(posix_spawn_file_actions_t *actions, int fd, int target) {
  if (fd < 0) {
    int mode = target == 0 ? O_RDONLY : O_WRONLY;
    posix_spawn_file_actions_addopen(actions, target, "/dev/null", mode, 0);
  } else {
    posix_spawn_file_actions_adddup2(actions, fd, target);
  }
}

int linux_start_process(const struct linux_spawn *spawn) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  redirect(&actions, spawn->input, 0);
  redirect(&actions, spawn->output, 1);
  redirect(&actions, spawn->error, 2);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(
    &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t pid = 0;
  int error = posix_spawn(
    &pid, spawn->path, &actions, &attributes, spawn->arguments,
    spawn->environment ? spawn->environment : environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error ? -error : pid;
}

int linux_reap(int pid, bool wait, int *status) {
  int ended;
  do ended = waitpid(pid, status, wait ? 0 : WNOHANG);
  while (ended < 0 && errno == EINTR);
  return ended < 0 ? -errno : ended;
}

int linux_exit_code(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int linux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0; }

int linux_die_with_parent(int signal) {
  return prctl(PR_SET_PDEATHSIG, signal) < 0 ? -errno : 0;
}

int linux_set_thread_name(const char *name) {
  char short_name[16] = {0};
  strncpy(short_name, name, sizeof short_name - 1);
  return -pthread_setname_np(pthread_self(), short_name);
}

int linux_set_realtime_priority(int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  return -pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

int linux_set_timer_slack(uint64_t ns) {
  return prctl(PR_SET_TIMERSLACK, (unsigned long)ns, 0, 0, 0) < 0 ? -errno : 0;
}

int linux_lock_memory(const void *start, size_t length) {
  return mlock(start, length) < 0 ? -errno : 0;
}

int linux_random(uint8_t *bytes, size_t length) {
  size_t filled = 0;
  while (filled < length) {
    ssize_t more = getrandom(bytes + filled, length - filled, 0);
    if (more < 0 && errno != EINTR) return -errno;
    if (more > 0) filled += (size_t)more;
  }
  return 0;
}

char *const *linux_environment(void) { return environ; }
