#!/bin/sh
# Puts together what an image is made of, on a Debian that has Node.js: rootfs.sh PACKAGE.tgz [server|agent]
# Makes rootfs.tar, or rootfs-agent.tar, beside this file. In that of the server is nothing but Node.js, the libraries that it needs and
# Lockkeeper: no shell, no package manager. That of an agent has git, ssh, bubblewrap and a shell, too. The same packages make the same bytes.
set -eu

# Node.js is linked to these; whoever lets it trust the authorities of the system (NODE_USE_SYSTEM_CA=1) needs the last one.
PACKAGES='libc6 libgcc-s1 libstdc++6 ca-certificates'
# What configurations and their provisioners expect, with all that it depends on.
TOOLS='bubblewrap coreutils dash git grep gzip openssh-client sed tar tzdata unzip'

package=$(realpath "$1")
kind=${2:-server}
here=$(realpath "$(dirname "$0")")
node=$(realpath "${NODE:-$(command -v node)}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
umask 022
mkdir -p "$work/debs/partial" "$root"
apt() { apt-get -qq -o APT::Sandbox::User=root "$@" >&2; }

case $kind in
server)
  user=10001 tar=$here/rootfs.tar
  (cd "$work/debs" && apt download $PACKAGES)
  ;;
agent)
  user=1000 tar=$here/rootfs-agent.tar
  # As if nothing were installed.
  apt -y --no-install-recommends --download-only -o Dir::State::status=/dev/null -o Debug::NoLocking=1 \
    -o Dir::Cache::archives="$work/debs" install $PACKAGES $TOOLS
  # For `git add --patch` and mail alone, or for installing.
  for name in perl libperl liberror-perl git-man debconf adduser passwd dpkg libpam; do rm -f "$work/debs/$name"*; done
  ;;
*)
  echo "rootfs.sh PACKAGE.tgz [server|agent]: there is no $kind" >&2
  exit 2
  ;;
esac

# Debian's packages, unpacked and not installed; what scanners know them by is kept.
mkdir -p "$root/var/lib/dpkg/status.d"
for deb in "$work"/debs/*.deb; do
  dpkg-deb -x "$deb" "$root"
  dpkg-deb -f "$deb" >"$root/var/lib/dpkg/status.d/$(dpkg-deb -f "$deb" Package)"
done
mkdir -p "$root/etc/ssl/certs"
find "$root/usr/share/ca-certificates" -name '*.crt' | LC_ALL=C sort | xargs cat >"$root/etc/ssl/certs/ca-certificates.crt"
# What installs and explains them, and converts character sets.
rm -rf "$root/usr/sbin" "$root/usr/share/man" "$root/usr/share/lintian" "$root/usr/share/ca-certificates" "$root/usr/share/doc/ca-certificates" \
  "$root/usr/share/gdb" "$root/usr/share/gcc" "$root/usr/share/locale" "$root/etc/ca-certificates" "$root/etc/ld.so.conf.d" \
  "$root"/usr/lib/*/gconv "$root"/usr/lib/*/audit
# Nothing in it becomes root, or anybody else.
find "$root" -type f -perm /6000 -exec chmod ug-s {} +

# Who it runs as, and how names are looked up.
printf 'root:x:0:0:root:/:/nonexistent\nlockkeeper:x:%s:%s::/data:/nonexistent\n' "$user" "$user" >"$root/etc/passwd"
printf 'root:x:0:\nlockkeeper:x:%s:\n' "$user" >"$root/etc/group"
printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
mkdir -p "$root/etc/lockkeeper" "$root/proc" "$root/sys" "$root/dev" "$root/run"

mkdir -p "$root/usr/bin" "$root/usr/lib/lockkeeper"
cp "$node" "$root/usr/bin/node"
tar -xzf "$package" -C "$root/usr/lib/lockkeeper" --strip-components=1 --no-same-owner
# Nothing looks for a program by its name in an image without `env`.
sed -i '1s|.*|#!/usr/bin/node|' "$root/usr/lib/lockkeeper/dist/main.js"
rm -f "$root/usr/lib/lockkeeper/dist/credentials-helper.js"
chmod 755 "$root/usr/lib/lockkeeper/dist/main.js" "$root/usr/bin/node"
ln -s ../lib/lockkeeper/dist/main.js "$root/usr/bin/lockkeeper"

plain="--sort=name --mtime=@${SOURCE_DATE_EPOCH:-0} --numeric-owner --format=gnu"
tar -cf "$tar" $plain --owner=0 --group=0 --exclude=./tmp --exclude=./data -C "$root" .
mkdir -m 1777 "$work/tmp"
tar -rf "$tar" $plain --owner=0 --group=0 -C "$work" tmp
mkdir -m 700 "$work/data"
tar -rf "$tar" $plain --owner="$user" --group="$user" -C "$work" data
