#!/bin/sh
# Runs a test program as an ordinary user. Exit code 77, skipped, where that cannot be done. Usage: as_user.sh PROGRAM
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "only root can become another user"
command -v setpriv >/dev/null || skip "there is no setpriv"
as='setpriv --reuid 65534 --regid 65534 --clear-groups'
$as test -x "$1" || skip "that user cannot reach this build folder"
exec $as "$1"
