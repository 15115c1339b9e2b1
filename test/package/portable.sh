#!/usr/bin/env bash
# portable.sh LIBRARY
# Fails where a function of the library (not stripped) has instructions that a plain x86-64 lacks, unless it is
# one of the sets of wide lanes, which are called only after the processor was asked (src/scalar/instruction_set.cpp).
set -euo pipefail
[ "$(uname -m)" = x86_64 ] || { echo "portable.sh: nothing to check on $(uname -m)"; exit 0; }
# AVX and later write three operands, mnemonics with v; of BMI and its like compilers use those below on scalars
# (tzcnt runs as bsf on older processors, with the same result where compilers choose it)
objdump -d --no-show-raw-insn "$1" | awk '
  /^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3); functions++ }
  $2 ~ /^(v[a-z0-9]+|andn|bextr|blsi|blsr|blsmsk|lzcnt|mulx|pdep|pext|rorx|sarx|shlx|shrx|popcnt)$/ {
    if ($2 == "verr" || $2 == "verw") next
    if (name ~ /4PackI[df]Li(4|8|16)E|registers_(32|64)|MatrixFunctionsI[df]Li(32|64)E|lanes/) wide[name]++
    else if (!(name in wrong)) { wrong[name] = $0; bad++ }
  }
  END {
    for (name in wide) lanes++
    printf "%d functions, %d of them for wide lanes, %d others that a plain x86-64 cannot run\n", functions, lanes, bad
    for (name in wrong) print "  " name ": " wrong[name]
    exit functions < 1000 || lanes == 0 || bad > 0
  }'
