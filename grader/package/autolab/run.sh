#!/bin/sh
# run.sh FOLDER: grades what was handed in to FOLDER: kernel.cu, or an archive of NN_name/kernel.cu. Prints what the grader says, then
# the result in one line. No program of the student's can write to this output: all of them have ended by then.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
folder=$1 work=${TMPDIR:-/tmp}/scanlab.$$
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/handin" || exit 1
course=${SCANLAB_COURSE:-/usr/local/share/scanlab}
if [ -f "$folder/kernel.cu" ]; then cp -P "$folder/kernel.cu" "$work/handin"; fi
for archive in "$folder"/handin.tar "$folder"/handin.tar.gz "$folder"/handin.tgz; do
  [ ! -f "$archive" ] || (ulimit -f 131072; timeout 60 tar -xf "$archive" -C "$work/handin" --no-same-owner --wildcards '*.cu')
done
set --
while IFS= read -r option; do set -- "$@" "$option"; done <"$here/options"
[ ! -f "$here/overlay.json" ] || set -- "$@" --overlay "$here/overlay.json"
"$here/grade_one.sh" "$course" "$work/handin" "$work" autolab "$work/autoresult" "$@" 2>&1
echo
cat "$work/autoresult"
