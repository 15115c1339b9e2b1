#!/usr/bin/env bash
# debian.sh SOURCE BUILD
# Packs a build folder by CPack and uses the package as its files lie, unpacked in a temporary folder: what is in
# it, what it depends on, the demo's report, a C++ program. Exit status 77: a tool of Debian is missing.
set -euo pipefail
source=$1 build=$2
for tool in dpkg-deb dpkg-shlibdeps file; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not here; scripts/deps.sh --package installs it"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "debian.sh: $*" >&2; exit 1; }

cpack --config "$build/CPackConfig.cmake" -B "$folder/made" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
package=$(echo "$folder"/made/limber_*.deb)
root=$folder/root
dpkg-deb -x "$package" "$root"
limber=$root/usr/bin/limber

# everything is there, and a manual page for every subcommand
for path in share/limber/robots/puma560.yaml share/limber/scenarios/puma_pick_and_place.yaml \
  share/man/man1/limber.1.gz share/doc/limber/copyright share/doc/limber/examples/01_first.cpp \
  include/limber/limber.hpp; do
  [ -s "$root/usr/$path" ] || fail "the package has no /usr/$path"
done
"$limber" --help | awk '/^Subcommands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' >"$folder/subcommands"
[ "$(wc -l <"$folder/subcommands")" -gt 5 ] || fail "limber --help lists no subcommands"
while read -r name; do
  "$limber" "$name" --help >"$folder/help"
  zcat "$root/usr/share/man/man1/limber-$name.1.gz" >"$folder/page" || fail "no manual page of $name"
  # every option of the help has its paragraph
  grep -oE '^  (-[a-z],)?--[a-z-]+' "$folder/help" | tr -d ' ' | while read -r option; do
    grep -qF "\\fB${option//-/\\-}" "$folder/page" || fail "the manual page of $name does not have $option"
  done
done <"$folder/subcommands"

# the packages of every library that the command needs
depends=$(dpkg-deb -f "$package" Depends)
for library in libc6 libstdc++6 libfmt libtinyxml2 libyaml-cpp libhdf5 libsundials libassimp libmeshoptimizer; do
  [[ $depends == *"$library"* ]] || fail "Depends has no $library: $depends"
done

# the demo's report, and a program with the library
cd "$folder"
"$limber" simulate puma_pick_and_place --set duration=0.2 -o out >/dev/null
[ ! -s "$build/viewer/report.html" ] || [ -s out/report.html ] || fail "no report"
mkdir first
cat >first/CMakeLists.txt <<TEXT
cmake_minimum_required(VERSION 3.25)
project(first LANGUAGES CXX)
find_package(limber REQUIRED)
add_executable(first $root/usr/share/doc/limber/examples/01_first.cpp)
target_link_libraries(first PRIVATE limber::limber)
TEXT
cmake -S first -B made/first -G Ninja -DCMAKE_PREFIX_PATH="$root/usr" >log 2>&1 || { cat log >&2; exit 1; }
cmake --build made/first >log 2>&1 || { cat log >&2; exit 1; }
made/first/first >printed
diff "$source/examples/01_first.expected" printed
