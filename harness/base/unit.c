// The main function of unit tests that need nothing around them.
#include "base/unit.h"

int main(void) { return RUN_TESTS(NULL, NULL); }
