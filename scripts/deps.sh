#!/usr/bin/env bash
# Installs the Debian packages that Limber is built and tested with; quick when they are all there.
#
#   scripts/deps.sh            what the library, the command and the tests need
#   scripts/deps.sh --test     also clang, which compiles the tests in a third of the time that g++ takes
#   scripts/deps.sh --dev      also clang, clang-format, clang-tidy, ccache: what .ci/run and scripts/mutate.py need
#   scripts/deps.sh --browser  also Chromium, in which the test viewer.browser opens reports
#   scripts/deps.sh --package  also what CPack makes a Debian package with
#   scripts/deps.sh --docs     also Doxygen and Python-Markdown, which scripts/site.sh makes the site of documents with
#   scripts/deps.sh --peers    also KDL, MuJoCo and DART, which the benchmarks compare with, and MuJoCo for node
#                              (build/peers), which a test compares MJCF files with; Siconos, which a test
#                              compares friction problems with
set -euo pipefail

packages=(g++ cmake ninja-build
  libtinyxml2-dev libyaml-cpp-dev libfmt-dev nlohmann-json3-dev libcli11-dev
  libsundials-dev libhdf5-dev libeigen3-dev libassimp-dev libmeshoptimizer-dev libgtest-dev)
# npm builds the report page; some packages of nodejs bring it along, and refuse Debian's own beside them
command -v npm >/dev/null || packages+=(nodejs)
node_peers=()
for option in "$@"; do
  case $option in
    --test) packages+=(clang-14) ;;
    --dev) packages+=(clang-14 libclang-rt-14-dev libomp-14-dev clang-format-14 clang-tidy-14 ccache python3) ;;
    --browser) packages+=(chromium) ;;
    --package) packages+=(dpkg-dev file) ;;
    --docs) packages+=(doxygen python3-markdown python3-pygments) ;;
    --peers) packages+=(liborocos-kdl-dev libmujoco-dev libdart-dev libsiconos-numerics-dev); node_peers=(@mujoco/mujoco@3.14.0) ;;
    *) sed -n '2,12s/^# \{0,1\}//p' "$0"; [ "$option" = --help ] && exit 0 || exit 2 ;;
  esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "deps.sh: this is not a Debian system, so nothing was installed. Limber is developed on Debian 12;" >&2
  echo "elsewhere install a C++20 compiler (g++ 12 or clang 14, or later), CMake 3.25 or later, and the" >&2
  echo "equivalents of: ${packages[*]}" >&2
  echo "Then: cmake --preset release && cmake --build --preset release && ctest --preset release" >&2
  exit 1
fi

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# apt-get talks much: its words are shown only when it fails
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    echo "deps.sh: 'apt-get $*' failed; its last lines are above" >&2
    exit 1
  }
}

install_missing() {
  local missing=() package
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "deps.sh: to install packages, run as root or install sudo: apt-get install ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  echo "installing ${missing[*]}"
  apt update
  apt install --no-install-recommends "${missing[@]}"
}

install_missing "${packages[@]}"
command -v npm >/dev/null || install_missing npm
if [ ${#node_peers[@]} -gt 0 ]; then
  folder=$(dirname "$0")/../build/peers
  mkdir -p "$folder"
  [ -e "$folder/node_modules/@mujoco/mujoco" ] || npm install --silent --no-save --prefix "$folder" "${node_peers[@]}"
fi
