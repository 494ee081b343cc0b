#!/bin/sh
# Installs the executable of Lockkeeper on Linux. Needs no root. It verifies the signature of the release and the checksum
# of the executable, and replaces an installed version in one step: after a failure the old one is still there.
#
#   install.sh [--version X.Y.Z] [--into FOLDER] [--from URL|FOLDER] [--key KEY] [--without-signature]
#
#   --version            version to install; default: the one of this script
#   --into               folder; default: ~/.local/bin, for root /usr/local/bin
#   --from               URL or folder with the files of a release
#   --key                public key of the release, as minisign -P takes it
#   --without-signature  trust the checksums of a release that is not signed
set -eu
umask 022

# `npm run release` fills these in.
VERSION=''
RELEASES=''
KEY=''

fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

main() {
  version=$VERSION into='' from='' key=$KEY signed=yes
  while [ $# -gt 0 ]; do
    case $1 in
    --version | --into | --from | --key)
      [ $# -ge 2 ] || fail "$1 needs a value."
      case $1 in
      --version) version=${2#v} ;;
      --into) into=$2 ;;
      --from) from=${2%/} ;;
      --key) key=$2 ;;
      esac
      shift 2
      ;;
    --without-signature) signed=no && shift ;;
    *) fail "there is no option $1. Options: --version, --into, --from, --key, --without-signature." ;;
    esac
  done
  for program in base64 grep gzip mktemp sed sha256sum tail uname; do
    has "$program" || fail "the program $program is missing. Install it, and run this script again."
  done
  choose
  work=$(mktemp -d "$into/.lockkeeper-install.XXXXXX") || fail "$into cannot be written. Choose another folder with --into."
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  get SHA256SUMS
  [ "$signed" = no ] || verify
  install
}

# Sets the names of the executable and of the source, and creates the folder.
choose() {
  [ "$(uname -s)" = Linux ] || fail "there is no executable for $(uname -s). Install the npm package instead."
  case $(uname -m) in
  x86_64 | amd64) arch=x64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no executable for the processor $(uname -m). Install the npm package instead." ;;
  esac
  case $version in
  '') fail 'this script is not part of a release and knows no version. Choose one with --version.' ;;
  *[!0-9A-Za-z.+-]*) fail "$version is not a version, such as 0.2.0." ;;
  esac
  [ -n "$from$RELEASES" ] || fail 'this script does not know where releases are. Give the URL or the folder of one with --from.'
  from=${from:-$RELEASES/v$version}
  if [ "$signed" = yes ] && [ -z "$key" ]; then
    fail 'this script has no key to verify the release with. Give it with --key. For a release that is not signed, use --without-signature.'
  fi
  file=lockkeeper-$version-linux-$arch.gz
  if [ -z "$into" ]; then
    if [ "$(id -u)" = 0 ]; then into=/usr/local/bin; else into=${HOME:?install.sh: HOME is not set. Choose a folder with --into.}/.local/bin; fi
  fi
  mkdir -p "$into" || fail "the folder $into cannot be created. Choose another one with --into."
  into=$(cd "$into" && pwd)
}

# get NAME downloads or copies a file of the release.
get() {
  case $from in
  http://* | https://*)
    if has curl; then
      curl --fail --silent --show-error --location --output "$work/$1" "$from/$1" || absent "$1"
    elif has wget; then
      wget -q -O "$work/$1" "$from/$1" || absent "$1"
    else
      fail 'neither curl nor wget is installed. Install one of them, or copy the release and give its folder with --from.'
    fi
    ;;
  *) cp "$from/$1" "$work/$1" || absent "$1" ;;
  esac
}

absent() { fail "$from/$1 cannot be read. Does the release have this version and processor ($version, $arch)?"; }

# Verifies the signature of SHA256SUMS, and that it is about this version.
verify() {
  get SHA256SUMS.minisig
  comment=$(sed -n 's/^trusted comment: //p' "$work/SHA256SUMS.minisig")
  if has minisign; then
    minisign -V -q -P "$key" -m "$work/SHA256SUMS" -x "$work/SHA256SUMS.minisig" || unsigned
  elif has openssl; then
    verify_with_openssl || unsigned
  else
    fail 'neither minisign nor openssl is installed. Install one of them to verify the signature.'
  fi
  [ "$comment" = "lockkeeper $version" ] || fail "the release is \"$comment\", and not lockkeeper $version. Nothing was installed."
}

unsigned() {
  fail "the signature of SHA256SUMS does not match the key $key. The files were changed, or another key signed them. Nothing was installed."
}

# A minisign signature is an Ed25519 signature of the BLAKE2b hash. Another one also covers the comment.
verify_with_openssl() {
  case $(openssl version) in
  'OpenSSL 0'* | 'OpenSSL 1'* | LibreSSL*) fail 'openssl is too old to verify the signature: version 3 is needed. Install it or minisign.' ;;
  esac
  (
    cd "$work"
    printf '\060\052\060\005\006\003\053\145\160\003\041\000' >key.der
    printf '%s' "$key" | base64 -d | tail -c 32 >>key.der
    sed -n 2p SHA256SUMS.minisig | base64 -d | tail -c 64 >signature
    sed -n 4p SHA256SUMS.minisig | base64 -d >signature-of-all
    openssl dgst -blake2b512 -binary -out hash SHA256SUMS
    { cat signature && printf '%s' "$comment"; } >all
    for pair in hash:signature all:signature-of-all; do
      openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in "${pair%:*}" -sigfile "${pair#*:}" >/dev/null 2>&1 || exit 1
    done
  )
}

# Verifies and unpacks the executable, starts it once, and moves it to its place.
install() {
  get "$file"
  grep -x "[0-9a-f]\{64\}  $file" "$work/SHA256SUMS" >"$work/sum" || fail "SHA256SUMS does not name $file. Nothing was installed."
  (cd "$work" && sha256sum -c sum >/dev/null 2>&1) || fail "the checksum of $file is wrong. The download is damaged, or the file was changed. Nothing was installed."
  gzip -dc "$work/$file" >"$work/lockkeeper" || fail "$file cannot be unpacked into $into. Is the disk full? Nothing was installed."
  chmod 755 "$work/lockkeeper"
  # The program unpacks its files at its first start.
  said=$(XDG_CACHE_HOME="$work" CACHE_DIRECTORY='' "$work/lockkeeper" --version 2>&1) ||
    fail "the executable does not run on this machine. It needs glibc 2.28 or later and libstdc++, and a folder that allows programs. Nothing was installed. It says: $said"
  mv -f "$work/lockkeeper" "$into/lockkeeper"
  ln -sf lockkeeper "$into/terraform-credentials-lockkeeper"
  printf 'Lockkeeper %s is installed: %s\n' "$version" "$into/lockkeeper"
  case :$PATH: in
  *:"$into":*) ;;
  *) printf 'Add its folder to the PATH: export PATH="%s:$PATH"\n' "$into" ;;
  esac
}

main "$@"
