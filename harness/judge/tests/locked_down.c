// Starts a command as if the kernel lacked Landlock or refused namespaces: locked_down WHAT.. -- COMMAND..,
// where WHAT is landlock (as on Linux before 5.13, or gVisor), namespaces (as in a container without
// privileges), filters (of system calls, as where qemu imitates the processor) or limits (of signals that
// wait, as in gVisor).
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static int refuse_landlock(scmp_filter_ctx f) {
  return seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), 444, 0); // landlock_create_ruleset
}

static int refuse_namespaces(scmp_filter_ctx f) {
  const struct scmp_arg_cmp with_user = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER);
  int rc = seccomp_rule_add_array(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 1, &with_user);
  if (!rc) rc = seccomp_rule_add_array(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, &with_user);
  return rc ? rc : seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

static int refuse_filters(scmp_filter_ctx f) {
  const int rc =
      seccomp_rule_add(f, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP));
  return rc ? rc : seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0);
}

static int refuse_limits(scmp_filter_ctx f) {
  const int rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(setrlimit), 1,
                                  SCMP_A0(SCMP_CMP_EQ, RLIMIT_SIGPENDING));
  return rc ? rc
            : seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 2,
                               SCMP_A1(SCMP_CMP_EQ, RLIMIT_SIGPENDING), SCMP_A2(SCMP_CMP_NE, 0));
}

static const struct {
  const char *what;
  int (*refuse)(scmp_filter_ctx f);
} rows[] = {{"landlock", refuse_landlock},
            {"namespaces", refuse_namespaces},
            {"filters", refuse_filters},
            {"limits", refuse_limits}};

int main(int argc, char **argv) {
  scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
  int k = 1, rc = f ? 0 : -1;
  for (; !rc && k < argc && strcmp(argv[k], "--") != 0; k++)
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
      if (!strcmp(argv[k], rows[r].what)) rc = rows[r].refuse(f);
  if (rc || k + 1 >= argc || seccomp_load(f) != 0) {
    fprintf(stderr, "locked_down: the filter could not be made\n");
    return 77;
  }
  execvp(argv[k + 1], argv + k + 1);
  perror(argv[k + 1]);
  return 126;
}
