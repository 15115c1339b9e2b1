# What .ci/run and .ci/nightly share: steps one after the other, ending at the first failure, each with the processor
# time it took and what it may take. The script that includes this file defines `steps` and a function for each.

# Processor time of a fixed piece of work, in ms: machines have more than one speed, and change it. Budgets are in
# seconds of a machine that does it in 1000.
work='#include <functional>
#include <map>
#include <regex>
int main(int n, char** a) { std::map<std::string, std::function<int()>> f; std::regex r(a[0]); return n + f.size(); }'
speed() {
  local begin=$processor
  g++ -std=c++20 -O1 -x c++ -c - -o /dev/null <<<"$work"
  take_processor_time
  echo "$((processor - begin))" >>"$speeds"
}

# sets `processor` to the processor time of all that has ended, in ms (a subshell would see its own alone)
take_processor_time() {
  times >"$times_file"
  processor=$(awk 'NR == 2 { split($1 $2, t, /[ms]/); printf "%d", 1000 * (60 * (t[1] + t[3]) + t[2] + t[4]) }' "$times_file")
}

report() {
  local status=$?
  rm -f "$times_file" "$speeds"
  [ $status -eq 0 ] || echo "ci: step '$current' FAILED with status $status after $SECONDS s in all"
}

# run_steps [STEP…]: these, or all
run_steps() {
  local step started before own slow scaled budget
  for step in "$@"; do
    [[ " ${steps[*]} " == *" $step "* ]] || { echo "ci: no step '$step'; there are: ${steps[*]}"; exit 2; }
  done
  [ $# -eq 0 ] || steps=("$@")
  current=start
  times_file=$(mktemp) speeds=$(mktemp)
  trap report EXIT
  local summary=('| step | wall clock [s] | processor [s] | at reference speed [s] | budget [s] |' '|---|---:|---:|---:|---:|')
  for current in "${steps[@]}"; do
    : >"$speeds"
    command -v g++ >/dev/null && { take_processor_time; speed; }
    take_processor_time
    started=$SECONDS before=$processor
    echo "ci: $current"
    "step_$current"
    take_processor_time
    own=$((processor - before))
    speed
    slow=$(awk '{ sum += $1 } END { print sum / NR }' "$speeds")
    scaled=$(awk -v own="$own" -v slow="$slow" 'BEGIN { printf "%d", own / slow }')
    budget=$(awk -v step="$current" '$1 == step { print $2 }' .ci/budgets)
    summary+=("| $current | $((SECONDS - started)) | $((own / 1000)) | $scaled | ${budget:-none} |")
    echo "ci: $current passed in $((SECONDS - started)) s, $((own / 1000)) s of processor time, $scaled s at reference speed"
    # a compiler cache only makes it less
    if [ -z "${unlimited-}" ] && { [ -z "$budget" ] || [ "$scaled" -gt $((budget * 13 / 10)) ]; }; then
      echo "ci: $current may take ${budget:-no time} s and 30 % more. Make it cheaper, or decide that it may grow: .ci/budgets"
      false
    fi
  done
  printf '%s\n' "${summary[@]}"
  echo "ci: all passed in $SECONDS s"
}
