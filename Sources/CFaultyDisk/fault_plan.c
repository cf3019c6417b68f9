#define _GNU_SOURCE
#include "fault_plan.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULES = 16, KINDS = 10 };

struct rule {
  int kind; // 0: any
  long number;
  bool goes_on;
  int error;
  bool is_half, dies_before, dies_after;
};

static struct rule rules[RULES];
static int rule_count;
static long counts[KINDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t read_once = PTHREAD_ONCE_INIT;

static int kind_named(const char *name) {
  static const char *names[] = {
    "any", "open", "write", "sync", "rename", "truncate", "mkdir", "link", "unlink",
  };
  for (int kind = 0; kind < (int)(sizeof names / sizeof *names); kind++) {
    if (strcmp(names[kind], name) == 0) return kind;
  }
  return -1;
}

static bool read_what(struct rule *rule, const char *what) {
  static const struct { const char *name; int error; } errors[] = {
    {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EROFS", EROFS}, {"EACCES", EACCES}, {"EDQUOT", EDQUOT},
    {"EINTR", EINTR}, {"ENOENT", ENOENT},
  };
  for (size_t place = 0; place < sizeof errors / sizeof *errors; place++) {
    if (strcmp(errors[place].name, what) == 0) return rule->error = errors[place].error, true;
  }
  rule->is_half = strcmp(what, "short") == 0 || strcmp(what, "half") == 0;
  rule->dies_before = strcmp(what, "crash") == 0;
  rule->dies_after = strcmp(what, "after") == 0 || strcmp(what, "half") == 0;
  return rule->is_half || rule->dies_before || rule->dies_after;
}

/// A test that misspells its fault must not pass.
static void refuse(const char *text) {
  fprintf(stderr, "FAULTY_DISK_FAULT is not understood: %s\n", text);
  _Exit(99);
}

static void read_rules(void) {
  const char *text = getenv("FAULTY_DISK_FAULT");
  if (!text) return;
  char *copy = strdup(text), *rest = copy, *word;
  while ((word = strsep(&rest, ",")) && *word) {
    struct rule rule = {0};
    char kind[16], plus[2] = "", what[16];
    int used = 0;
    bool is_whole = sscanf(word, "%15[a-z]@%ld=%15s%n", kind, &rule.number, what, &used) == 3;
    if (!is_whole) {
      rule.goes_on = true;
      is_whole =
        sscanf(word, "%15[a-z]@%ld%1[+]=%15s%n", kind, &rule.number, plus, what, &used) == 4;
    }
    rule.kind = is_whole ? kind_named(kind) : -1;
    if (!is_whole || rule.kind < 0 || rule_count == RULES || !read_what(&rule, what)) refuse(word);
    rules[rule_count++] = rule;
  }
  free(copy);
}

struct fault fault_next(enum faulty_disk_kind kind) {
  pthread_once(&read_once, read_rules);
  struct fault fault = {0};
  pthread_mutex_lock(&lock);
  long of_kind = ++counts[kind], of_all = ++counts[0];
  for (int place = 0; place < rule_count; place++) {
    const struct rule *rule = &rules[place];
    if (rule->kind && rule->kind != (int)kind) continue;
    long number = rule->kind ? of_kind : of_all;
    if (number != rule->number && !(rule->goes_on && number > rule->number)) continue;
    if (rule->dies_before) raise(SIGKILL);
    fault.error = rule->error;
    fault.is_half = rule->is_half;
    fault.is_last = rule->dies_after;
  }
  pthread_mutex_unlock(&lock);
  return fault;
}

void fault_done(struct fault fault) {
  if (fault.is_last) raise(SIGKILL);
}
