#!/bin/sh
# bundle.sh ROOT: what `setup --offline-bundle FILE` writes on one machine, `setup --from FILE` installs on another one, which fetches
# nothing. Both lack ninja and a compiler; stand-ins for apt-get, pip, dpkg, sudo and cmake say what they were asked for.
set -u
root=$1 failed=0
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
unset SCANLAB_NVCC SCANLAB_PRESET SCANLAB_OFFLINE
fail() { echo "bundle.sh: $*"; cat "$tmp/said"; failed=1; }
script() { echo '#!/bin/sh' > "$1" && cat >> "$1" && chmod +x "$1"; }

# machine NAME: a tree, and commands without ninja.
machine() {
  mkdir -p "$tmp/$1/farm" "$tmp/$1/tree" && cp "$root/scanlab" "$tmp/$1/tree/" && echo 'cmake_minimum_required(VERSION 3.25)' > "$tmp/$1/tree/CMakeLists.txt"
  farm=$tmp/$1/farm
  ln -s /usr/local/bin/* /usr/bin/* /bin/* "$farm" 2> /dev/null
  for name in ninja nvcc apt-get python3 dpkg sudo cmake id; do rm -f "$farm/$name"; done
  echo 'echo cmake version 3.25.1' | script "$farm/cmake"
  echo 'echo "${USER_IS:-0}"' | script "$farm/id"
  printf '%s\n' '[ "$1" != -n ] || shift' "echo \"sudo \$*\" >> '$tmp/asked'" 'exec "$@"' | script "$farm/sudo"
}
# setup NAME ARGS..: the command there, where a toolkit of this machine is not looked at.
setup() {
  name=$1
  shift
  PATH=$tmp/$name/farm SCANLAB_FETCH_NVCC=1 "$tmp/$name/tree/scanlab" setup "$@" > "$tmp/said" 2>&1 < /dev/null
}

machine first
script "$farm/apt-get" << END
case \$* in
  *--download-only*) for word; do case \$word in Dir::Cache=*) echo 'ninja of Debian' > "\${word#*=}/archives/ninja-build.deb" ;; esac; done ;;
  *install*) ln -sf /bin/true '$farm/ninja' ;;
esac
echo "\$*" >> '$tmp/asked'
END
script "$farm/python3" << 'END'
while [ $# -gt 0 ] && [ "$1" != --target ]; do shift; done
[ $# = 0 ] || { mkdir -p "$2/nvidia/cu13/bin" "$2/nvidia/cu13/lib" && : > "$2/nvidia/cu13/bin/nvcc" && chmod +x "$2/nvidia/cu13/bin/nvcc"; }
END
setup first --offline-bundle "$tmp/bundle" || fail "no bundle: exit code $?"
for package in ninja-build g++ sed libsqlite3-dev gnuplot-nox; do
  grep -q -- "--download-only .* $package\( \|\$\)" "$tmp/asked" || fail "$package is not in the bundle"
done

machine second
for name in apt-get python3; do echo "echo 'fetched by $name' >> '$tmp/asked'; exit 1" | script "$farm/$name"; done
script "$farm/dpkg" << END
for word; do case \$word in *.deb) grep -q 'ninja of Debian' "\$word" && ln -s /bin/true '$farm/ninja' ;; esac; done
END

# Without rights it says who can do it, and changes nothing of the system.
mv "$farm/sudo" "$tmp/sudo"
USER_IS=1000 setup second --from "$tmp/bundle"
[ $? = 4 ] && tr -s ' \n' ' ' < "$tmp/said" | grep -qF "run this once as root: ./scanlab setup --from $tmp/bundle" || fail "a user without rights is not told who can do it"
[ ! -e "$farm/ninja" ] || fail "a user without rights has installed ninja"
mv "$tmp/sudo" "$farm/sudo"

for user in 0 1000; do
  : > "$tmp/asked"
  rm -rf "$farm/ninja" "$tmp/second/tree/build"
  USER_IS=$user setup second --from "$tmp/bundle" || fail "user $user: exit code $?"
  grep -qF "ready: $tmp/second/tree/build/cuda/bin/nvcc," "$tmp/said" && [ -e "$farm/ninja" ] || fail "user $user: it is not set up"
  ! grep fetched "$tmp/asked" || fail "user $user: something was fetched"
  [ $user = 0 ] || grep -q 'sudo.* dpkg' "$tmp/asked" || fail "user $user: sudo was not asked"
  left=$(find "$tmp/second/tree/build" -name 'bundle.tmp*')
  [ -z "$left" ] || fail "user $user: $left is left"
done
exit $failed
