#!/bin/sh
# vm.sh FOLDER [CASE..]: the built course on other kernels, in virtual machines (qemu) that start systemd; FOLDER holds their disks.
#
# A case is KERNEL[+WORD..]/USER/COMMAND. KERNEL: bullseye, bookworm, trixie, jammy, noble: the distribution's own kernel package. The
# system around it is this machine's Debian, so that what is built here (build/sim, with this machine's toolkit) runs there.
# WORD: nolandlock, nospaces (no user namespaces), v1 (control groups of version 1), nobwrap (no bubblewrap), little (2 GiB, one core).
# USER: root and plain, logged in; scope, a plain user in a scope with Delegate=yes; slice, one in a service of the user's own, as a
# terminal of a desktop; service, one in a service of the system with Delegate=yes.
# COMMAND: doctor, grade (./scanlab grade solutions), quick, sandbox (the tests of the sandbox and the attacks), tests:REGEX, sh:COMMAND.
# Each case prints one line: what it was, the exit code, seconds, the last words. FOLDER keeps the lines; `vm.sh FOLDER --page` prints
# them as a page of docs/results. VM_SECONDS: the most that a case may take (3600). Without KVM the machine is emulated: a boot takes
# a minute or two, and tests run into their time limits.
# Exit code 0: all passed. 77, skipped, with the reason: no root, no debootstrap, no qemu, or nothing built.
set -u
case ${1:-} in -h | --help | '') sed -n '2,15s/^# \{0,1\}//p' "$0"; [ -n "${1:-}" ]; exit ;; esac
tree=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
mkdir -p "$1" && folder=$(CDPATH='' cd -- "$1" && pwd -P) || exit 4
shift
figures=$folder/figures

# page: the kept lines as the page of results.
page() {
  cat << END
# Kernels

Virtual machines with the kernels of other systems, and with parts of them switched off. The built course runs in each, as
\`docs/machines/vm.sh --help\` says; \`docs/machines/vm.sh FOLDER --page\` made this page of the lines that its runs kept. Seconds were
taken on 2 cores that did other work as well.

| kernel | without or with | user | command | sandbox that doctor names | result | seconds | date |
|---|---|---|---|---|---|---|---|
END
  sort "$figures" | awk -F'\t' '{ print "| " $1 " | " $2 " | " $3 " | " $4 " | " $5 " | " $6 " | " $7 " | " $8 " |" }'
}
case ${1:-} in --page) page; exit ;; esac
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "only root can make root folders"
for need in debootstrap qemu-system-x86_64 mke2fs; do command -v $need > /dev/null || skip "there is no $need"; done
# A processor without the flag svm or vmx may have a /dev/kvm, but that runs no distribution's kernel.
if [ -w /dev/kvm ] && grep -qwE 'svm|vmx' /proc/cpuinfo; then machine='-accel kvm -cpu host'; else machine='-accel tcg,thread=multi -cpu max'; fi
[ -f "$tree/build/sim/course" ] || skip "nothing is built in build/sim"
toolkit=$(sed -n 's,^nvcc=\(.*\)/bin/nvcc$,\1,p' "$tree/build/sim/course")
failed=0

# archive KERNEL: where its packages come from, and the package that names the kernel.
archive() {
  case $1 in
    jammy | noble) echo http://archive.ubuntu.com/ubuntu "$1" main linux-image-virtual; echo http://archive.ubuntu.com/ubuntu "$1-updates" main linux-image-virtual ;;
    bullseye | bookworm | trixie) echo http://deb.debian.org/debian "$1" main linux-image-amd64 ;;
    *) return 1 ;;
  esac
}

# apt_of KERNEL ARGS..: apt-get or apt-cache with lists of that system.
apt_of() {
  at=$folder/kernels/$1 tool=$2
  shift 2
  "$tool" -qq -o Debug::NoLocking=1 -o APT::Sandbox::User=root -o Dir::State::lists="$at/lists" -o Dir::State::status="$at/status" -o Dir::Cache="$at" \
    -o Dir::Etc::sourcelist="$at/sources" -o Dir::Etc::sourceparts=- "$@"
}

# make_system: the disk's content, with the packages of the table `needs`; a kernel's modules come later.
make_system() {
  [ ! -d "$folder/system" ] || return 0
  new=$folder/system.new
  rm -rf --one-file-system "$new"
  packages=$(sed -n "/^needs='/,/'\$/p" "$tree/scanlab" | awk '$6 ~ /^(always|draws|tests)/ { print $2 }')
  debootstrap --variant=minbase --include=systemd-sysv,dbus,dbus-user-session,libpam-systemd,initramfs-tools,kmod,nfs-kernel-server,zstd,xz-utils,sudo,procps,iproute2 \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$new" > "$folder/system.log" 2>&1 || return 1
  cp /etc/resolv.conf "$new/etc/resolv.conf"
  chroot "$new" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $packages git file bubblewrap >> "$folder/system.log" 2>&1 || return 1
  chroot "$new" useradd -m -s /bin/sh student
  printf 'COMPRESS=gzip\n' > "$new/etc/initramfs-tools/conf.d/scanlab"
  printf 'LABEL=system / ext4 rw 0 0\n%s\n' "LABEL=toolkit $toolkit ext4 ro,nofail 0 0" > "$new/etc/fstab"
  mkdir -p "$new$tree" "$new$toolkit" "$new/vm"
  printf '%s\n' '[Unit]' 'After=multi-user.target' 'Wants=systemd-user-sessions.service' '[Service]' 'Type=idle' 'ExecStart=/vm/run' \
    > "$new/etc/systemd/system/case.service"
  mkdir -p "$new/etc/systemd/system/default.target.wants"
  ln -sf ../case.service "$new/etc/systemd/system/default.target.wants/case.service"
  mv "$new" "$folder/system"
}

# within: what the machine does. Its job is a disk that holds a tar file; its output goes to the second serial line.
within() {
  cat << END
#!/bin/sh
stty -F /dev/ttyS1 raw 2> /dev/null
exec > /dev/ttyS1 2>&1 < /dev/null
mkdir -p /run/job && tar -xf /dev/disk/by-id/virtio-job -C /run/job && . /run/job/job && export run && exec /bin/sh /run/job/do
END
}

# make_kernel KERNEL: its files, and a disk with the system and its modules.
make_kernel() {
  at=$folder/kernels/$1
  [ ! -f "$at/disk" ] || return 0
  mkdir -p "$at/lists/partial" "$at/archives/partial" && : > "$at/status"
  archive "$1" > "$at/from" || { echo "there is no kernel $1 in the table"; return 1; }
  keys=/usr/share/keyrings
  while read -r url release part package; do
    case $url in *ubuntu*) key=$keys/ubuntu-archive-keyring.gpg ;; *) key=$keys/debian-archive-keyring.gpg ;; esac
    [ -f "$key" ] && trust="signed-by=$key" || trust=trusted=yes
    echo "deb [$trust] $url $release $part"
  done < "$at/from" > "$at/sources"
  read -r url release part package < "$at/from"
  apt_of "$1" apt-get update > "$at/log" 2>&1 || return 1
  rm -rf "$at/files" && mkdir "$at/files"
  image=$(apt_of "$1" apt-cache depends "$package" | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
  modules=$(apt_of "$1" apt-cache depends "$image" | sed -n 's/^ *Depends: \(linux-modules-[0-9].*\)/\1/p' | head -n 1)
  (cd "$at/archives" && apt_of "$1" apt-get download "$image" $modules) >> "$at/log" 2>&1 || return 1
  for deb in "$at"/archives/linux-*.deb; do dpkg -x "$deb" "$at/files"; done
  version=$(ls "$at/files/lib/modules" 2> /dev/null || ls "$at/files/usr/lib/modules")
  modules=$(dirname "$(find "$at/files" -type d -path "*/modules/$version")")
  rm -rf "$folder/system/usr/lib/modules" && mkdir -p "$folder/system/usr/lib/modules" && cp -a "$modules/$version" "$folder/system/usr/lib/modules/"
  cp "$at/files/boot/config-$version" "$at/files/boot/vmlinuz-$version" "$folder/system/boot/"
  chroot "$folder/system" depmod "$version" && chroot "$folder/system" mkinitramfs -o /boot/initrd "$version" >> "$at/log" 2>&1 || return 1
  mv "$folder/system/boot/initrd" "$at/initrd" && mv "$folder/system/boot/vmlinuz-$version" "$at/vmlinuz" && rm -f "$folder/system/boot/config-$version"
  within > "$folder/system/vm/run" && chmod +x "$folder/system/vm/run"
  mke2fs -qt ext4 -L system -d "$folder/system" "$at/disk.new" 6G > /dev/null && mv "$at/disk.new" "$at/disk"
  rm -rf "$at/files" "$at/archives"
}

# make_tree: the disks of the course as it is built, and of the toolkit.
make_tree() {
  [ -f "$folder/toolkit.disk" ] || mke2fs -qt ext4 -L toolkit -d "$toolkit" "$folder/toolkit.disk" 6G > /dev/null || return 1
  rm -rf "$folder/tree" "$folder/tree.disk" && mkdir -p "$folder/tree/build" || return 1
  git -C "$tree" ls-files -z | (cd "$tree" && tar -c --null -T - -f -) | tar -x -C "$folder/tree" && cp -a "$tree/build/sim" "$folder/tree/build/" || return 1
  rm -rf "$folder/tree/build/sim/Testing" "$folder/tree/build/sim/grade"
  mke2fs -qt ext4 -L tree -d "$folder/tree" "$folder/tree.disk" 4G > /dev/null && rm -rf "$folder/tree"
}

# job: the script of a case, for /bin/sh in the machine.
job() {
  cat << END
mount LABEL=tree '$tree'
case '$words' in *+nobwrap*) rm -f /usr/bin/bwrap ;; esac
printf '%s\n' 'cd "$tree"' 'export LANG=C.UTF-8 SCANLAB_OFFLINE=1 SCANLAB_NVCC=$toolkit/bin' 'echo "kernel: \$(uname -r)"' \
  './scanlab doctor > /tmp/doctor 2>&1; sed -n "s/^ *[a-z]*  *sandbox  */sandbox: /p" /tmp/doctor' 'cat /proc/self/cgroup' "\$run" > /run/job/user
case '$user' in
  root) su -l root -c 'sh /run/job/user' ;;
  *)
    chown -R student '$tree'
    case '$user' in
      plain) su -l student -c 'sh /run/job/user' ;;
      scope) su -l student -c 'systemd-run -q --user --scope -p Delegate=yes sh /run/job/user' ;;
      slice) su -l student -c 'systemd-run -q --user --wait --pipe sh /run/job/user' ;;
      service) systemd-run -q --wait --pipe -p Delegate=yes --uid=student -p WorkingDirectory=/home/student -E HOME=/home/student sh /run/job/user ;;
    esac ;;
esac
echo "exit: \$?"
sync
exec > /dev/null 2>&1
systemctl poweroff -ff
END
}

# boot KERNEL WORDS: starts the machine; it ends itself.
boot() {
  at=$folder/kernels/$1 append='root=LABEL=system rw console=ttyS0 quiet systemd.show_status=0' memory=3072 cores=2
  case $words in *+nolandlock*) append="$append lsm=yama" ;; esac
  case $words in *+nospaces*) append="$append sysctl.user.max_user_namespaces=0" ;; esac
  case $words in *+v1*) append="$append systemd.unified_cgroup_hierarchy=0 systemd.legacy_systemd_cgroup_controller=1" ;; esac
  case $words in *+little*) memory=2048 cores=1 ;; esac
  : > "$folder/said"
  timeout "${VM_SECONDS:-3600}" qemu-system-x86_64 $machine -m $memory -smp $cores -display none -no-reboot -nodefaults -nic none \
    -kernel "$at/vmlinuz" -initrd "$at/initrd" -append "$append" -serial "file:$folder/console" -serial "file:$folder/said" -snapshot \
    -drive "file=$at/disk,format=raw,if=virtio" -drive "file=$folder/tree.disk,format=raw,if=virtio" \
    -drive "file=$folder/toolkit.disk,format=raw,if=virtio" -drive "file=$folder/job.tar,format=raw,if=none,id=job" \
    -device virtio-blk-pci,drive=job,serial=job -device virtio-rng-pci
}

# keep CASE ..: the line of a case, in place of an older one.
keep() {
  line=$(printf '%s\t' "$@")
  { [ ! -f "$figures" ] || awk -F'\t' -v new="$line" 'BEGIN { split(new, n) } $1 != n[1] || $2 != n[2] || $3 != n[3] || $4 != n[4]' "$figures"; echo "$line"; } > "$figures.new" &&
    mv "$figures.new" "$figures"
}

make_system || { tail -n 5 "$folder/system.log"; exit 4; }
[ $# = 0 ] || make_tree || { echo "the disks of the course could not be made"; exit 4; }
for one; do
  words=${one%%/*} rest=${one#*/}
  kernel=${words%%+*} user=${rest%%/*} command=${rest#*/}
  case $command in
    doctor) run='./scanlab doctor' ;; grade) run='./scanlab grade solutions' ;; quick) run='./scanlab test -L quick' ;;
    sandbox) run="./scanlab test -R 'sandbox|attacks|jail'" ;; tests:?*) run="./scanlab test -R '${command#tests:}'" ;; sh:?*) run=${command#sh:} ;;
    *) echo "vm.sh: $one: no such command"; exit 2 ;;
  esac
  case $user in root | plain | scope | slice | service) ;; *) echo "vm.sh: $one: no such user"; exit 2 ;; esac
  make_kernel "$kernel" || { echo "$one: the kernel could not be made: $(tail -n 3 "$folder/kernels/$kernel/log")"; failed=1; continue; }
  mkdir -p "$folder/job"
  job > "$folder/job/do"
  printf "tree='%s'\nrun=%s\n" "$tree" "$(printf '%s' "$run" | sed "s/'/'\\\\''/g; s/^/'/; s/\$/'/")" > "$folder/job/job"
  tar -b 128 -cf "$folder/job.tar" -C "$folder/job" job do
  began=$(date +%s)
  boot "$kernel"
  seconds=$(($(date +%s) - began))
  name=$(echo "$one" | tr -c 'a-z0-9+\n' - | cut -c 1-80)
  tr -d '\r' < "$folder/said" > "$folder/$name.log"
  code=$(sed -n 's/^exit: //p' "$folder/$name.log" | tail -n 1)
  said=$(grep -E 'tests passed|^total' "$folder/$name.log" | tail -n 1)
  echo "$one: exit code ${code:-none (the machine did not end)}, $seconds s: ${said:=$(grep -v '^exit: ' "$folder/$name.log" | tail -n 1)}"
  keep "$kernel $(sed -n 's/^kernel: //p' "$folder/$name.log")" "$(echo "${words#"$kernel"}" | tr + ' ')" "$user" "\`$run\`" \
    "$(sed -n 's/^sandbox: //p' "$folder/$name.log" | cut -d: -f1)" "$said" $seconds "$(date +%F)"
  [ "$code" = 0 ] || failed=1
done
exit $failed
