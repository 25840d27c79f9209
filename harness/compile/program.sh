#!/bin/sh
# program.sh SL-STEPS NVCC SETS SOURCE.cu PROGRAM FLAGS..: makes a program of one source, as nvcc does; from behind the runtime's
# headers where they are prepared (headers.c), in a fifth of the time. PROGRAM.d names the files that it was made of, but
# for those of the system and the toolkit: whole paths, one a line.
# SETS is the folder of what is prepared, a folder for each list of flags, 120 MB. The second call that could use one prepares it; where
# SL_PREPARE_NOW is set, the first. An empty SETS, as for -rdc=true: nothing is prepared, nor is it with less than 2 GiB left on that disk.
set -u
steps=$1 nvcc=$2 sets=$3 source=$4 program=$5 set=
shift 5
work=$(mktemp -d) && work=$(realpath "$work") || exit # whatever the course's own folder is called: not all options take blanks
trap 'rm -rf "$work" "$program.$$"' EXIT
trap 'exit 130' INT TERM HUP

# behind HEADERS|--prepare FLAGS..: kernel.cu, as all sources are called that share headers
behind() {
  headers=$1
  shift
  "$steps" "$headers" "$nvcc" "$@" --keep --no-device-link kernel.cu -o runner
}

# Fills the set anew, where another compiler or system made it or none did. Where it cannot, no file `plan` is there.
prepare() (
  [ "$(df -Pk "$sets" | awk 'NR == 2 { print $4 }')" -ge 2097152 ] || return
  rm -rf "$set" && mkdir "$set" && cd "$set" || return
  echo 'int sl_below_headers;' >kernel.cu
  behind --prepare "$@" >log 2>&1 || rm -f plan
  echo "$made_by" >made_by
)

# Is there a set to use? Whoever uses one shares the lock, so that nobody makes it anew meanwhile.
find_set() {
  [ -n "$sets" ] && mkdir -p "$sets" && sets=$(realpath "$sets") || return
  made_by=$(stat -L -c '%n %s %Y' "$steps" "${steps%/*}/sl-resume.so" "$nvcc" "${NVCC_CCBIN:-$(command -v gcc)}" 2>&1 && uname -r)
  set=$sets/headers-$(printf '%s\n' "$@" | cksum | tr -d ' ')
  if ! [ -e "$set.lock" ]; then
    : >"$set.lock"
    [ -n "${SL_PREPARE_NOW:-}" ] || return
  fi
  exec 9<"$set.lock" && flock -s 9 || return
  if [ "$made_by" != "$(cat "$set/made_by" 2>/dev/null)" ]; then
    flock 9 || return
    [ "$made_by" = "$(cat "$set/made_by" 2>/dev/null)" ] || prepare "$@"
  fi
  [ -e "$set/plan" ]
}

# The compilers are given the source under the name that all share; a line says whose lines they name, and a link lets them show one.
# A mark of the encoding stays in front of that line. 9: its name could be read as something else.
with_set() (
  export SL_NAMED_FROM="$PWD"
  folder=$(CDPATH='' cd -- "$(dirname -- "$source")" && pwd) || return
  case $source$folder$work$PWD in *[!A-Za-z0-9_./+-]*) return 9 ;; esac
  case $source in *..*) name=$folder/${source##*/} ;; *) name=$source ;; esac
  case $name in
    kernel.cu) cp "$source" "$work" ;;
    *) LC_ALL=C sed "1s|^\(\xEF\xBB\xBF\)\{0,1\}|\1#line 1 \"$name\"\n|" "$source" >"$work/kernel.cu" ;;
  esac
  cd "$work" || return
  case $name in /* | kernel.cu) ;; *) mkdir -p "$(dirname "$name")" && ln -s "$folder/${source##*/}" "$name" ;; esac
  behind "$set" "$@" -Xcompiler "-iquote,$folder,-fdebug-prefix-map=$work=$SL_NAMED_FROM" >said.log 2>&1
  made=$?
  sed "s|in the compilation of \"kernel[.]cu\"|in the compilation of \"$name\"|" said.log
  [ ! -e stale ] || rm -f "$set/made_by"
  return $made
)

# The preprocessed text names each file that it holds, with a 3 behind those of the system.
parts() {
  toolkit=$(readlink -f -- "${nvcc%/*}/..")
  { printf '%s\n' "$source" && LC_ALL=C sed -n 's/^# [0-9]* "\([^<].*\)"\( [12]\)*$/\1/p' "$work"/*.ii | grep -vx 'kernel\.cu'; } | sort -u | tr '\n' '\0' |
    xargs -0 -r readlink -f -- | grep -vF -e "$toolkit/" ${set:+-e "$set/"}
}

made=9 # 9: not so
if find_set "$@"; then with_set "$@"; made=$?; fi
[ $made -ne 9 ] || { "$nvcc" "$@" --keep --keep-dir "$work" -o "$work/runner" "$source"; made=$?; }
[ $made -eq 0 ] || exit $made
parts >"$program.d" && mv "$work/runner" "$program.$$" && mv "$program.$$" "$program"
