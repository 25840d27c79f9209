#!/bin/sh
# player_test.sh BIN SOURCE [all]: makes moving pictures of right, racing, conflicting, wrong and stuck kernels (all: more of each) and
# drives each in headless Chromium (player_test.js); access_test.py asks one for what a screen reader finds. Without a browser it is
# skipped (77).
#   FIGURES=1 prints how long loading and a step take, too.
set -u
bin=$1 source=$2
here=$source/harness/picture/tests
wrong=$source/harness/corpus/labs/wrong.sh
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  { echo "skipped: no Chromium here (apt-get install chromium)"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
SCANLAB_ROOT=$source
export SCANLAB_ROOT

# picture EXPECTED LAB KERNEL ARGS..: makes a page and drives it
picture() {
  expected=$1 lab=$2 kernel=$3
  shift 3
  case $kernel in
    solution) file=$(echo "$source"/solutions/"$lab"_*/kernel.cu) ;;
    *) file=$tmp/${kernel##*/}.cu; sh "$wrong" "$kernel" >"$file" || exit 1 ;;
  esac
  "$bin/sl-student" trace "$lab" --file "$file" "$@" --html "$tmp/page.html" >"$tmp/said" 2>&1 ||
    { echo "not ok: trace $lab --file $file $*"; cat "$tmp/said"; failed=1; return; }
  size=$(wc -c <"$tmp/page.html")
  [ "$size" -lt 2000000 ] || { echo "not ok: the page of $lab $* has $size bytes"; failed=1; }
  ! grep -Eq '(src|href)="?(https?:)?//|@import|url\(' "$tmp/page.html" || { echo "not ok: the page of $lab loads something"; failed=1; }
  # it goes to other people: it names the kernel and a command of theirs
  ! grep -Fo -e "$tmp" -e "$source/" "$tmp/page.html" || { echo "not ok: the page of $lab names a folder of this machine"; failed=1; }
  grep -Fq "\"./scanlab trace $lab${*:+ $*} --html picture.html\"" "$tmp/page.html" || { echo "not ok: the page of $lab says no command that makes it"; failed=1; }
  { sed '$d' "$tmp/page.html" | sed '$d'; echo "<script>const EXPECTED = \"$expected\";"; cat "$here/player_test.js"; echo '</script></body></html>'; } >"$tmp/driven.html"
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --window-size=1280,1000 --user-data-dir="$tmp/user" --dump-dom "file://$tmp/driven.html" \
    >"$tmp/dom" 2>"$tmp/err"
  grep -q '^end of the report' "$tmp/dom" || { echo "not ok: $expected $lab: the browser gave no report"; tail -3 "$tmp/err"; failed=1; return; }
  [ -z "${FIGURES:-}" ] || { echo "$lab $kernel $*: $size bytes"; grep -o '^figure .*' "$tmp/dom"; }
  if grep '^not ok\|>not ok' "$tmp/dom"; then
    echo "  in: trace $lab $kernel $*"
    failed=1
  fi
}

picture right 03 solution
if command -v python3 >/dev/null; then timeout 120 python3 "$here/access_test.py" "$tmp/page.html" || failed=1; fi
picture race 03 03_blelloch/no_barrier_in_down_sweep --n 64
picture unset 03 03_blelloch/leaves_not_filled --n 33
picture conflict 04 04_bank_conflicts/no_padding --n 256
picture bounds 02 02_double_buffer/room_for_one_buffer --n 64
picture chain 06 solution --n 10000
picture deadlock 06 06_radix_sort/tile_is_the_block_index --n 10000 --schedule order=reverse,resident=2
[ "${3-}" = all ] || exit $failed
picture right 03 solution --n 1024
picture wrong 03 03_blelloch/root_not_cleared --n 16
picture wrong 13 13_segmented_scan/order_exchanged --n 16
picture any 05 solution --n 600
picture bounds 02 02_double_buffer/no_shared_bytes --n 64
picture bounds 01 01_naive_scan/no_guard_in_the_step --n 20
picture bounds 02 02_double_buffer/threads_for_n --n 20
picture any 06 solution --n 131072
exit $failed
