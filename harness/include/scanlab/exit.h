// Exit codes of every scanlab command. They are fixed; docs/reference/exit-codes.md explains each.
#ifndef SCANLAB_EXIT_H
#define SCANLAB_EXIT_H

enum sl_exit {
  SL_EXIT_OK = 0,     // done, and every test or check passed
  SL_EXIT_FAILED = 1, // done, but a test or check failed, or there was a finding
  SL_EXIT_USAGE = 2,  // the command line is wrong; nothing was done
  SL_EXIT_INPUT = 3,  // an input (file, dataset, kernel, folder) is missing, unreadable or wrong
  // the machine or the course tree is at fault: no compiler, disk full, no GPU, internal error
  SL_EXIT_INFRA = 4,
  SL_EXIT_LAUNCH = 125,     // `sim`: the program could not be started; else `sim` exits with its status
  SL_EXIT_INTERRUPTED = 130 // stopped by Ctrl-C or SIGTERM
};

#endif
