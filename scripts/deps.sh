#!/usr/bin/env bash
# Installs the Debian packages that Limber is built and tested with; quick when they are all there.
#
#   scripts/deps.sh            what the library, the command and the tests need
#   scripts/deps.sh --dev      also clang, clang-format, clang-tidy, ccache: what .ci/run needs
#   scripts/deps.sh --peers    also KDL, MuJoCo and DART, which the benchmarks compare with
set -euo pipefail

packages=(g++ cmake ninja-build
  libtinyxml2-dev libyaml-cpp-dev libfmt-dev nlohmann-json3-dev libcli11-dev
  libsundials-dev libeigen3-dev libgtest-dev)
for option in "$@"; do
  case $option in
    --dev) packages+=(clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14 ccache) ;;
    --peers) packages+=(liborocos-kdl-dev libmujoco-dev libdart-dev) ;;
    *) sed -n '2,6s/^# \{0,1\}//p' "$0"; [ "$option" = --help ] && exit 0 || exit 2 ;;
  esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "deps.sh: this is not a Debian system, so nothing was installed. Limber is developed on Debian 12;" >&2
  echo "elsewhere install a C++20 compiler (g++ 12 or clang 14, or later), CMake 3.25 or later, and the" >&2
  echo "equivalents of: ${packages[*]}" >&2
  echo "Then: cmake --preset release && cmake --build --preset release && ctest --preset release" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "deps.sh: to install packages, run as root or install sudo: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

# apt-get talks much: its words are shown only when it fails
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    echo "deps.sh: 'apt-get $*' failed; its last lines are above" >&2
    exit 1
  }
}
echo "installing ${missing[*]}"
apt update
apt install --no-install-recommends "${missing[@]}"
