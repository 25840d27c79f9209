#!/bin/sh
# Runs a test program as an ordinary user. Exit code 77, skipped, where that cannot be done. Usage: as_user.sh PROGRAM
[ "$(id -u)" = 0 ] || exit 77
command -v setpriv >/dev/null || exit 77
as='setpriv --reuid 65534 --regid 65534 --clear-groups'
$as test -x "$1" || exit 77
exec $as "$1"
