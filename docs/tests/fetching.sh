#!/bin/sh
# fetching.sh ROOT: what the entry script says when a package manager, sudo or pip fails: what failed, why, what to do, and where the
# whole output is kept. Stand-ins for these programs are on the path, and say what the real ones say.
set -u
root=$1 failed=0
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
said=$tmp/said
unset SCANLAB_NVCC SCANLAB_PRESET SCANLAB_OFFLINE SCANLAB_FETCH_NVCC http_proxy https_proxy HTTPS_PROXY all_proxy
fail() { echo "fetching.sh: $*"; cat "$said"; failed=1; }

# A machine without ninja, whose compiler is there.
mkdir -p "$tmp/tree" "$tmp/farm" "$tmp/toolkit/bin" && echo 'cmake_minimum_required(VERSION 3.25)' > "$tmp/tree/CMakeLists.txt" && cp "$root/scanlab" "$tmp/tree/"
ln -s /usr/local/bin/* /usr/bin/* /bin/* "$tmp/farm" 2> /dev/null
rm -f "$tmp"/farm/ninja "$tmp"/farm/nvcc "$tmp"/farm/apt-get "$tmp"/farm/dnf "$tmp"/farm/pacman "$tmp"/farm/zypper "$tmp"/farm/sudo "$tmp"/farm/id
script() { echo '#!/bin/sh' > "$tmp/$1" && cat >> "$tmp/$1" && chmod +x "$tmp/$1"; }
script toolkit/bin/nvcc << 'END'
END
script farm/id << 'END'
echo "${USER_IS:-0}"
END
says() { tr '\n' ' ' < "$said" | tr -s ' ' | grep -qF -- "$1" || fail "$name: it does not say: $1"; }

# setup WORDS..: the command fails with exit code 4, and says each of the words.
setup() {
  PATH=$tmp/farm SCANLAB_NVCC=$tmp/toolkit/bin/nvcc "$tmp/tree/scanlab" setup > "$said" 2>&1 < /dev/null
  [ $? = 4 ] || fail "$name: not exit code 4"
  for words; do says "$words"; done
}

# manager NAME COMMAND TEXT WORDS..: a package manager that says TEXT at COMMAND, and fails there.
manager() {
  name="$1: $3" tool=$1 at=$2 text=$3
  shift 3
  printf '%s\n' "$text" > "$tmp/text"
  script "farm/$tool" << END
case " \$* " in *' $at '*) cat '$tmp/text' >&2; exit 1 ;; esac
END
  setup "$tool could not install ninja" 'All that it said: ' "$tmp/tree/build/install.log" "$@"
  rm "$tmp/farm/$tool"
}
update='apt-get update -q && apt-get install -qy --no-install-recommends ninja-build'
manager apt-get install "E: Failed to fetch http://deb.debian.org/debian/pool/n/ninja.deb  404  Not Found [IP: 1.2.3.4 80]" 'names files that are gone' "$update"
manager apt-get install "E: Failed to fetch http://deb.debian.org/n.deb  Temporary failure resolving 'deb.debian.org'" 'no server was reached' 'setup --from FILE' "$update"
manager apt-get install "W: Failed to fetch http://deb.debian.org/dists/bookworm/InRelease  Unable to connect to 127.0.0.1:9:
E: Unable to locate package ninja-build" 'no server was reached'
manager apt-get install "E: Unable to locate package ninja-build" 'package sources of this system do not have all of them' 'universe'
manager apt-get install "E: Release file for http://deb.debian.org/debian/dists/bookworm/InRelease is expired (invalid since 3d 2h)." 'the package index has expired, or the clock is wrong'
manager apt-get install "E: The repository 'http://archive.ubuntu.com/ubuntu kinetic Release' does not have a Release file." 'is it too old?' 'old-releases.ubuntu.com'
manager apt-get install "E: You don't have enough free space in /var/cache/apt/archives/." 'a disk is full' ' MB'
manager apt-get install "dpkg: error processing archive n.deb: cannot copy: failed to write (No space left on device)" 'a disk is full'
manager apt-get install "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 77 (apt-get)" 'another package manager is at work' 'wait'
manager apt-get install "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem." 'dpkg --configure -a'
manager apt-get install "E: Failed to fetch http://x/Packages  Could not change permissions for temporary file /x/lists/partial/p.lz4 - fchmod (1: Operation not permitted)" \
  'does not let apt-get give its files away' 'as an ordinary user'
manager apt-get install "W: GPG error: http://x InRelease: the public key is not available: NO_PUBKEY 0123" 'the signature of the packages is not known'
manager apt-get install "E: Failed to fetch http://x/n.deb  407  Proxy Authentication Required" 'the proxy lets nothing through' 'http://USER:PASSWORD@HOST:PORT'
manager dnf install "Error: Failed to download metadata for repo 'fedora': Cannot prepare internal mirrorlist: Curl error (6): Couldn't resolve host name for https://mirrors" \
  'no server was reached' 'dnf install -qy --setopt=install_weak_deps=False ninja-build'
manager dnf install "Error: Unable to find a match: ninja-build" 'package sources of this system do not have all of them' 'EPEL'
manager dnf install "  - At least 500MB more space needed on the / filesystem." 'a disk is full'
manager pacman -S "error: failed retrieving file 'ninja-1-1-x86_64.pkg.tar.zst' from mirror : The requested URL returned error: 404" 'names files that are gone' 'pacman -Syu --needed ninja'
manager pacman -S "warning: database file for 'core' does not exist (use '-Sy' to download)
error: target not found: ninja" 'the package index is older than the server' 'pacman -Syu --needed ninja'
manager pacman -S "error: failed retrieving file 'core.db' from x : Could not resolve host: x" 'no server was reached'
manager pacman -S "error: ninja: signature from \"A B\" is unknown trust" 'archlinux-keyring'
manager pacman -S "error: Partition / too full: 1234 blocks needed, 10 blocks free" 'a disk is full'
manager zypper install "No provider of 'ninja' found." 'package sources of this system do not have all of them'
manager zypper install "Timeout exceeded when accessing 'http://download.opensuse.org/x'." 'no server was reached'
manager zypper install "System management is locked by the application with pid 77 (zypper)." 'another package manager is at work'
manager zypper install "something that nobody knows" 'could not install ninja hint: All that it said'

# No network, and an index of before: packages are not tried again and again.
name='an old index'
script farm/apt-get << 'END'
[ "$1" != update ] || { echo "W: Failed to fetch http://deb.debian.org/InRelease  Temporary failure resolving 'deb.debian.org'"; exit 0; }
echo "apt-get $*" > "$0.said"
exit 1
END
setup 'no server was reached'
grep -q ' -o Acquire::Retries=0 ninja-build' "$tmp/farm/apt-get.said" || fail "$name: packages are tried again"
sed -i 's/W: Failed to fetch.*deb.debian.org/all is well/' "$tmp/farm/apt-get"
setup 'could not install'
! grep -q 'Acquire::Retries' "$tmp/farm/apt-get.said" || fail "$name: packages are not tried again where servers answer"

# The password of a proxy is not printed.
export http_proxy=http://ada:secret@proxy.example:3128
manager apt-get install "E: Failed to fetch http://x/n.deb  Could not resolve 'proxy.example'" 'no server was reached' 'The proxy that is set: http://proxy.example:3128'
! grep -q secret "$said" || fail "it prints the proxy's password"

# An index that cannot be fetched is no reason not to install; and sudo, which forgets variables, passes the proxy on.
name='apt-get update fails'
script farm/apt-get << END
case \$1 in update) echo 'E: The repository of somebody else is not signed.'; exit 100 ;; esac
echo "\$http_proxy" > '$tmp/proxy'
ln -s /bin/true '$tmp/farm/ninja'
END
script farm/sudo << 'END'
[ "$1" != -n ] || shift
exec env -i PATH="$PATH" "$@"
END
export USER_IS=1000
setup 'cmake could not configure'
[ "$(cat "$tmp/proxy")" = "$http_proxy" ] || fail "sudo does not pass the proxy on"
rm "$tmp/farm/ninja"
unset http_proxy
name=sudo
script farm/sudo << 'END'
[ "$*" != '-n true' ] || exit 0
echo 'student is not in the sudoers file.  This incident will be reported.' >&2
exit 1
END
setup 'apt-get could not install ninja-build: sudo does not let you' 'ask who keeps this machine'
rm "$tmp/farm/sudo"
name='no rights'
setup 'missing packages: ninja-build' 'run this once as root:' "$update"
unset USER_IS
ln -s /bin/true "$tmp/farm/ninja"
# openSUSE keeps seccomp.h in a folder of its own.
name='a header in a folder of its own'
mkdir -p "$tmp/include/libseccomp" && : > "$tmp/include/libseccomp/seccomp.h"
sed "s#/usr/local/include#$tmp/include#; s#/usr/include#$tmp/include#g" "$root/scanlab" > "$tmp/tree/scanlab"
SCANLAB_OFFLINE=1 setup 'missing packages:'
! grep -q seccomp "$said" || fail "$name: it is not found"
cp "$root/scanlab" "$tmp/tree/"

# pip: a machine without a compiler. pip TEXT WORDS..
pip() {
  name="pip: $1"
  printf '%s\n' "$1" > "$tmp/text"
  shift
  rm -f "$tmp/farm/python3"
  script farm/python3 << END
case "\$*" in *--version*) exit 0 ;; esac
while [ \$# -gt 0 ] && [ "\$1" != --target ]; do shift; done
mkdir -p "\$2/half" && cat '$tmp/text' >&2
exit 1
END
  PATH=$tmp/farm SCANLAB_FETCH_NVCC=1 "$tmp/tree/scanlab" setup > "$said" 2>&1 < /dev/null
  [ $? = 4 ] || fail "$name: not exit code 4"
  for words in "pip could not fetch NVIDIA's compiler" "$tmp/tree/build/fetch.log" "$@"; do says "$words"; done
  [ -z "$(find "$tmp/tree/build" -name 'cuda*')" ] || fail "$name: something is left"
}
pip "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError('x: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/
ERROR: No matching distribution found for nvidia-cuda-nvcc==13.0.88" 'no server was reached'
pip "ERROR: No matching distribution found for nvidia-cuda-nvcc==13.0.88" 'PIP_INDEX_URL' 'set SCANLAB_NVCC'
pip "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device" 'a disk is full' 'how much is free there: /'
pip "ERROR: Could not install packages due to an OSError: [Errno 122] Disk quota exceeded: 'x'" 'your quota of disk space is used up' 'quota -s'
pip "WARNING: Retrying after connection broken by 'ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 407'))'" 'the proxy lets nothing through'
pip "WARNING: Retrying after connection broken by 'SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed'))'" 'PIP_CERT=FILE'
# Ended by the user in the middle: nothing is left.
name='ended in the middle'
script farm/python3 << END
case "\$*" in *--version*) exit 0 ;; esac
while [ \$# -gt 0 ] && [ "\$1" != --target ]; do shift; done
mkdir -p "\$2/half" && kill \$PPID && sleep 1
exit 1
END
PATH=$tmp/farm SCANLAB_FETCH_NVCC=1 "$tmp/tree/scanlab" setup > "$said" 2>&1 < /dev/null
code=$?
[ $code = 130 ] || fail "$name: exit code $code"
[ -z "$(find "$tmp/tree/build" -name 'cuda*')" ] || fail "$name: something is left"
[ $failed -eq 0 ] && echo "fetching.sh: every failure is told with its cause and what to do"
exit $failed
