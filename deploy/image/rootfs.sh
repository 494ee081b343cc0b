#!/bin/sh
# Builds the root file system of an image, on a Debian system with Node.js: rootfs.sh PACKAGE.tgz [server|agent].
# Writes rootfs.tar, or rootfs-agent.tar, beside this file. The server's file system contains only Node.js, its
# libraries and Lockkeeper: no shell, no package manager. The agent's also has git, ssh, bubblewrap and a shell. Builds
# are reproducible: the same packages give the same bytes.
set -eu

# Node.js is linked to these libraries. The last package is for NODE_USE_SYSTEM_CA=1, which trusts the system's CAs.
PACKAGES='libc6 libgcc-s1 libstdc++6 ca-certificates'
# Programs that configurations and their provisioners expect, with their dependencies.
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
  # Resolve all dependencies, as if no package were installed.
  apt -y --no-install-recommends --download-only -o Dir::State::status=/dev/null -o Debug::NoLocking=1 \
    -o Dir::Cache::archives="$work/debs" install $PACKAGES $TOOLS
  # Packages that are needed only for `git add --patch`, for mail or for installing.
  for name in perl libperl liberror-perl git-man debconf adduser passwd dpkg libpam; do rm -f "$work/debs/$name"*; done
  ;;
*)
  echo "rootfs.sh PACKAGE.tgz [server|agent]: there is no $kind" >&2
  exit 2
  ;;
esac

# Debian packages are unpacked, not installed. The package database stays, so that scanners identify the packages.
mkdir -p "$root/var/lib/dpkg/status.d"
for deb in "$work"/debs/*.deb; do
  dpkg-deb -x "$deb" "$root"
  dpkg-deb -f "$deb" >"$root/var/lib/dpkg/status.d/$(dpkg-deb -f "$deb" Package)"
done
mkdir -p "$root/etc/ssl/certs"
find "$root/usr/share/ca-certificates" -name '*.crt' | LC_ALL=C sort | xargs cat >"$root/etc/ssl/certs/ca-certificates.crt"
# Remove package tools, documentation and character set conversion.
rm -rf "$root/usr/sbin" "$root/usr/share/man" "$root/usr/share/lintian" "$root/usr/share/ca-certificates" "$root/usr/share/doc/ca-certificates" \
  "$root/usr/share/gdb" "$root/usr/share/gcc" "$root/usr/share/locale" "$root/etc/ca-certificates" "$root/etc/ld.so.conf.d" \
  "$root"/usr/lib/*/gconv "$root"/usr/lib/*/audit
# No setuid programs: nothing in the image can become root or another user.
find "$root" -type f -perm /6000 -exec chmod ug-s {} +

# The user of the image, and the configuration of name lookups.
printf 'root:x:0:0:root:/:/nonexistent\nlockkeeper:x:%s:%s::/data:/nonexistent\n' "$user" "$user" >"$root/etc/passwd"
printf 'root:x:0:\nlockkeeper:x:%s:\n' "$user" >"$root/etc/group"
printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
mkdir -p "$root/etc/lockkeeper" "$root/proc" "$root/sys" "$root/dev" "$root/run"

mkdir -p "$root/usr/bin" "$root/usr/lib/lockkeeper"
cp "$node" "$root/usr/bin/node"
tar -xzf "$package" -C "$root/usr/lib/lockkeeper" --strip-components=1 --no-same-owner
# An image without `env` cannot look up an interpreter by name, so the script gets its absolute path.
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
