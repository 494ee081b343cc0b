#!/bin/sh
# Puts together what the image of the server is made of, on a Debian that has Node.js: rootfs.sh PACKAGE.tgz
# Makes rootfs.tar beside this file. Nothing is in it but Node.js, the libraries that it needs and Lockkeeper: no shell, no package
# manager. The same packages make the same bytes.
set -eu

# Node.js is linked to these; whoever lets it trust the authorities of the system (NODE_USE_SYSTEM_CA=1) needs the last one.
PACKAGES='libc6 libgcc-s1 libstdc++6 ca-certificates'

package=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
node=$(realpath "${NODE:-$(command -v node)}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
umask 022
mkdir -p "$work/debs" "$root"

# Debian's packages, unpacked and not installed; what scanners know them by is kept.
(cd "$work/debs" && apt-get -qq -o APT::Sandbox::User=root download $PACKAGES)
mkdir -p "$root/var/lib/dpkg/status.d"
for deb in "$work"/debs/*.deb; do
  dpkg-deb -x "$deb" "$root"
  dpkg-deb -f "$deb" >"$root/var/lib/dpkg/status.d/$(dpkg-deb -f "$deb" Package)"
done
mkdir -p "$root/etc/ssl/certs"
find "$root/usr/share/ca-certificates" -name '*.crt' | LC_ALL=C sort | xargs cat >"$root/etc/ssl/certs/ca-certificates.crt"
# What installs and explains them, and converts character sets.
rm -rf "$root/usr/sbin" "$root/usr/share/man" "$root/usr/share/lintian" "$root/usr/share/ca-certificates" "$root/usr/share/doc/ca-certificates" \
  "$root/usr/share/gdb" "$root/usr/share/gcc" "$root/etc/ca-certificates" "$root/etc/ld.so.conf.d" "$root"/usr/lib/*/gconv "$root"/usr/lib/*/audit

# Who it runs as, and how names are looked up.
printf 'root:x:0:0:root:/:/nonexistent\nlockkeeper:x:10001:10001::/data:/nonexistent\n' >"$root/etc/passwd"
printf 'root:x:0:\nlockkeeper:x:10001:\n' >"$root/etc/group"
printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
mkdir -p "$root/etc/lockkeeper" "$root/proc" "$root/sys" "$root/dev" "$root/run"

mkdir -p "$root/usr/bin" "$root/usr/lib/lockkeeper"
cp "$node" "$root/usr/bin/node"
tar -xzf "$package" -C "$root/usr/lib/lockkeeper" --strip-components=1 --no-same-owner
# Nothing looks for a program by its name here.
sed -i '1s|.*|#!/usr/bin/node|' "$root/usr/lib/lockkeeper/dist/main.js"
rm -f "$root/usr/lib/lockkeeper/dist/credentials-helper.js"
chmod 755 "$root/usr/lib/lockkeeper/dist/main.js" "$root/usr/bin/node"
ln -s ../lib/lockkeeper/dist/main.js "$root/usr/bin/lockkeeper"

plain="--sort=name --mtime=@${SOURCE_DATE_EPOCH:-0} --numeric-owner --format=gnu"
tar -cf "$here/rootfs.tar" $plain --owner=0 --group=0 -C "$root" .
mkdir -m 1777 "$work/tmp"
tar -rf "$here/rootfs.tar" $plain --owner=0 --group=0 -C "$work" tmp
mkdir -m 700 "$work/data"
tar -rf "$here/rootfs.tar" $plain --owner=10001 --group=10001 -C "$work" data
