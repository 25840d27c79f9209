// What sl-steps and the library that it loads into compilers (resume.c) agree on.
#pragma once

#define SL_RESUME_INPUT "SL_RESUME_INPUT"   // the name of the compiler's source
#define SL_RESUME_LENGTH "SL_RESUME_LENGTH" // how many bytes of it are headers

enum { SL_RESUME_NOT_SO = 125 }; // the exit code of a process that cannot be stored or taken up
enum { SL_RESUME_FD = 9 };       // the file of the stored memory: empty, or to be taken up
