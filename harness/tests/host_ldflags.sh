#!/bin/sh
# host_ldflags.sh ROOT: a program that is linked with all that it needs runs whatever LDFLAGS says; where none would, it is linked as usual.
set -u
root=$1 failed=0
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(plain LANGUAGES C)' "include([[$root/harness/cmake/ScanlabPackages.cmake]])" \
  'add_executable(one one.c)' 'target_link_options(one PRIVATE ${SL_WHOLE})' > "$tmp/CMakeLists.txt"
printf '%s\n' '#include <stdio.h>' 'int main(void) { return puts("it runs") < 0; }' > "$tmp/one.c"
for flags in -Wl,-rpath,/opt/lib "-Wl,--dynamic-linker,$(LC_ALL=C readelf -lW /bin/sh | sed -n 's/.*interpreter: \(.*\)\].*/\1/p')"; do
  rm -rf "$tmp/b"
  LDFLAGS=$flags cmake -G Ninja -S "$tmp" -B "$tmp/b" > "$tmp/said" 2>&1 && ninja -C "$tmp/b" >> "$tmp/said" 2>&1 && "$tmp/b/one" >> "$tmp/said" 2>&1 ||
    { echo "with LDFLAGS='$flags': exit code $?"; tail -n 5 "$tmp/said"; failed=1; }
done
exit $failed
