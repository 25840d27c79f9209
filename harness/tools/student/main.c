// `scanlab check|profile|trace|diff|status|hint|reset|doctor|list`, one row of the table each.
#include "student.h"

static const struct command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *about;
} commands[] = {
    {"check", sl__check, "the tests of one lab, until the first failure is explained"},
    {"profile", sl__profile, "what each line of a kernel costs, worst lines first"},
    {"trace", sl__trace, "a picture of what a kernel does to its arrays, step by step"},
    {"diff", sl__diff, "two versions of a kernel, counters and times side by side"},
    {"status", sl__status, "how far each lab is"},
    {"hint", sl__hint, "the TODO regions of a lab, and a hint for one"},
    {"reset", sl__reset, "the skeleton back, the old file kept"},
    {"doctor", sl__doctor, "is this machine fit for the course?"},
    {"list", sl__list, "the labs"},
};
enum { COUNT = sizeof commands / sizeof *commands };

static void usage(FILE *f) {
  fprintf(f, "sl-student: the commands of a student\n\nusage: sl-student COMMAND [ARGUMENTS]\n"
             "example: sl-student check 03\n\n");
  for (size_t k = 0; k < COUNT; k++) fprintf(f, "  %-8s %s\n", commands[k].name, commands[k].about);
}

static int unknown(const char *name) {
  const char *names[COUNT + 1] = {0};
  sl_error e = {0};
  for (size_t k = 0; k < COUNT; k++) names[k] = commands[k].name;
  sl_name_find("command", name, names, SL_EXIT_USAGE, &e);
  sl_error_print("sl-student", &e);
  return SL_EXIT_USAGE;
}

int main(int argc, char **argv) {
  if (argc < 2) return usage(stderr), SL_EXIT_USAGE;
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) return usage(stdout), SL_EXIT_OK;
  for (size_t k = 0; k < COUNT; k++)
    if (!strcmp(argv[1], commands[k].name)) return commands[k].run(argc - 1, argv + 1);
  return unknown(argv[1]);
}
