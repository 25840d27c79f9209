#!/bin/sh
# Fails when ninja runs in a copy of the build folder BUILD: the copy still names the files of the original, so it would
# build what they say. Usage: in_place.sh BUILD, as a step of the build. CMake enters BUILD before each step, so the
# folder that ninja works in is asked of ninja itself, one of the processes above.
pid=$PPID
for step in 1 2 3; do
  case $(cat "/proc/$pid/comm" 2>/dev/null) in
    ninja*)
      # shellcheck disable=SC3013 # dash and bash have -ef
      [ "/proc/$pid/cwd" -ef "$1" ] && exit 0
      printf 'scanlab: error: %s is a copy of %s and would build that tree\n' "$(readlink "/proc/$pid/cwd")" "$1" >&2
      printf '  hint: remove the copy of the build folder, then ./scanlab build, or cmake --preset sim\n' >&2
      exit 1 ;;
  esac
  pid=$(awk '$1 == "PPid:" { print $2 }' "/proc/$pid/status" 2>/dev/null)
done
exit 0 # another generator, or no /proc
