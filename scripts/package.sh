#!/usr/bin/env bash
# Makes a Debian package of Limber: command, library, headers, CMake files, robots, scenarios, manual pages.
# It runs on any x86-64. The library is in it twice, for any of them and for those with AVX2 and FMA, and the loader
# chooses; batches choose their SIMD lanes besides, up to AVX-512.
#
#   scripts/package.sh                 builds, checks and packs: build/package/limber_VERSION_ARCHITECTURE.deb
#   scripts/package.sh --try FILE.deb  as root on a machine of its own: installs FILE.deb as a user would and runs
#                                      the demo with it; needs no compiler, and nothing of this folder but scripts/
set -euo pipefail

build() {
  cd "$(dirname "$0")/.."
  scripts/deps.sh --package
  cmake --preset package >/dev/null
  cmake --build --preset package
  test/package/portable.sh build/package/liblimber.so
  rm -rf build/package/wide
  if [ "$(uname -m)" = x86_64 ]; then
    cmake --preset package-v3 >/dev/null
    cmake --build --preset package-v3 --target limber
    library=$(basename "$(echo build/package-v3/liblimber.so.?.?)")
    mkdir build/package/wide
    strip --strip-unneeded -o "build/package/wide/$library" "build/package-v3/$library"
  fi
  rm -f build/package/*.deb
  (cd build/package && cpack >cpack.log) || { tail -n 20 build/package/cpack.log >&2; exit 1; }
  file=$(echo build/package/limber_*.deb)
  echo "$file: $(($(stat -c %s "$file") / 1024)) kB, ready after $SECONDS s"
  echo "install it with: sudo apt-get install ./$file"
}

try() {
  file=$(realpath "$1")
  cd "$(dirname "$0")/.."
  export DEBIAN_FRONTEND=noninteractive
  apt-get -q update >/dev/null
  apt-get -q -y install --no-install-recommends "$file" >/dev/null
  echo "installed after $SECONDS s: $(limber --version)"
  for compiler in c++ g++ gcc clang++ cmake; do
    if command -v "$compiler" >/dev/null; then echo "note: this machine has $compiler"; fi
  done
  rm -rf out
  scripts/demo.sh --installed
  [ -s out/report.html ]
  echo "out/report.html is there $SECONDS s after the start"
}

case ${1-} in
  '') build ;;
  --try) [ $# -eq 2 ] || { echo "package.sh: --try needs one FILE.deb" >&2; exit 2; }; try "$2" ;;
  *) sed -n '2,8s/^# \{0,1\}//p' "$0"; [ "$1" = --help ] && exit 0 || exit 2 ;;
esac
