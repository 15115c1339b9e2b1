#!/usr/bin/env bash
# The first five minutes: installs what is missing, builds the `limber` command, shows a robot's dynamics and
# lets it pick and place; the report is out/report.html.
#
#   scripts/demo.sh              from this folder
#   scripts/demo.sh --installed  with the `limber` command that is installed; builds nothing
set -euo pipefail
cd "$(dirname "$0")/.."

# `limber …` as the user would type it
limber() { build/release/app/limber "$@"; }
case ${1-} in
  '')
    scripts/deps.sh
    echo "building the limber command and the part of the library that it needs, in build/release"
    cmake --preset release >/dev/null
    scripts/build.sh release limber_app
    echo "ready after $SECONDS s" ;;
  --installed) unset -f limber ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "$0"; [ "$1" = --help ] && exit 0 || exit 2 ;;
esac

# a command and what it prints
show() { printf '\n$ limber %s\n' "$*"; limber "$@"; }
show_for_state() { printf "\n\$ echo '%s' |\n    limber %s\n" "$1" "${*:2}"; limber "${@:2}" <<<"$1"; }

printf '\n── The default robot: what is in it\n'
show info puma560
echo '(The warnings are right: the Puma was measured by hand, and of its first link only one number is known.)'

printf '\n── Inverse dynamics: the torques that hold it in a position and start a motion\n'
show_for_state '{"q":[0.1,0.8,2.2,0.2,0.7,0.3],"v":[0.1,0.2,0.8,0.2,0.5,1],"a":[1,1,1,1,1,1]}' id puma560

printf '\n── Its mass matrix in that position\n'
show_for_state '{"q":[0.1,0.8,2.2,0.2,0.7,0.3]}' mass puma560

printf '\n── Forward dynamics: how it starts to fall when the drives are off\n'
show_for_state '{"q":[0.1,0.8,2.2,0.2,0.7,0.3]}' fd puma560

printf '\n── A simulation: the arm with its motors picks and places (scenarios/puma_pick_and_place.yaml)\n'
show simulate puma_pick_and_place --output out

cat <<'TEXT'

── Open out/report.html in a browser: the arm in 3-D, linked to its plots

── Next steps
  export PATH="$PWD/build/release/app:$PATH"   makes `limber` a command of this shell (a package does so by itself)
  limber info                      the robots that ship with Limber
  limber info my_robot.urdf        your own robot: joints, masses, what is suspicious in the file
  limber simulate                  the scenarios that ship with Limber; docs/scenario.md: write your own
  limber analyse arm_design        a design report: motors, heat, stresses, what if
  scripts/build.sh release limber_workbench   the rest of the command: limber compile, limber study
  limber id --help                 each subcommand explains itself with examples
  examples/01_first.cpp            the same from C++, in 30 lines; more in examples/
  scripts/test.sh                  builds and runs all tests
  docs/README.md                   conventions, robot files, command line, benchmarks
TEXT
