# cmake -DSOURCE=… -DWORK=… -DCXX=… -DFLAGS=… -DTESTS=objects -DLIBRARIES=… -P mutation.cmake
# Whether the tests of the simplifier and of lowering would see a wrong rule: each mutant is a copy of a source
# file with one rule changed, linked before the library with the tests, which must fail.
file(MAKE_DIRECTORY ${WORK})
separate_arguments(flags UNIX_COMMAND "${FLAGS}")

# builds the tests with `text` in place of the source file and runs them; sets `result`
function(run_with file text)
  file(WRITE ${WORK}/mutant.cpp "${text}")
  execute_process(COMMAND ${CXX} -std=c++20 -O0 ${flags} -I${SOURCE}/include -I${SOURCE}/src
    -c ${WORK}/mutant.cpp -o ${WORK}/mutant.o COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CXX} ${flags} ${TESTS} ${WORK}/mutant.o ${LIBRARIES} -pthread -o ${WORK}/mutant_tests
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${WORK}/mutant_tests --gtest_brief=1 RESULT_VARIABLE result
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(result ${result} PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_caught file rule from to)
  file(READ ${SOURCE}/src/${file} text)
  string(FIND "${text}" "${from}" first)
  string(FIND "${text}" "${from}" last REVERSE)
  if(first LESS 0 OR NOT first EQUAL last)
    message(FATAL_ERROR "src/${file} has not exactly one place with `${from}`: bring the mutants of "
      "test/compile/mutation.cmake up to date")
  endif()
  string(REPLACE "${from}" "${to}" text "${text}")
  run_with(${file} "${text}")
  # a test that fails says 1; a crash is no answer
  if(NOT result EQUAL 1)
    message(FATAL_ERROR "wrong rule not seen by the tests (they ended with ${result}): ${rule}\n${output}")
  endif()
  message(STATUS "caught: ${rule}")
endfunction()

# unchanged, the tests pass
foreach(file scalar/expr.cpp compile/lower.cpp)
  file(READ ${SOURCE}/src/${file} text)
  run_with(${file} "${text}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "the tests fail with src/${file} as it is:\n${output}")
  endif()
endforeach()

set(expr scalar/expr.cpp)
expect_caught(${expr} "a - b and a + b confused"
  "a.negative_ == b.negative_ ? Op::add : Op::subtract" "a.negative_ != b.negative_ ? Op::add : Op::subtract")
expect_caught(${expr} "b - a taken for a - b" "return a.negative_ ? -sum : sum" "return sum")
expect_caught(${expr} "sign of a product dropped"
  "return a.negative_ != b.negative_ ? -product : product" "return product")
expect_caught(${expr} "sign of a scaled value dropped" "return factor < 0 ? -product : product" "return product")
expect_caught(${expr} "multiples subtracted instead of added"
  "of_a.factor + of_b.factor" "of_a.factor - of_b.factor")
expect_caught(${expr} "sign of a quotient dropped" "return negative ? -quotient : quotient" "return quotient")
expect_caught(${expr} "sin(-x) = sin x" "angle.negative_ ? -s : s" "s")
expect_caught(${expr} "cos(x + pi/2) = sin x" "std::exchange(cosine, -sine)" "std::exchange(cosine, sine)")
expect_caught(${expr} "sign of a sum with a constant dropped"
  "(n.op == Op::subtract) != x.negative()" "(n.op == Op::subtract)")
expect_caught(${expr} "derivative of the cosine with the wrong sign" ": -s * da" ": s * da")
set(lower compile/lower.cpp)
expect_caught(${lower} "a fused difference negates the wrong operand"
  "operand(graph_, product.a), minus && !first)" "operand(graph_, product.a), minus && first)")
expect_caught(${lower} "a fused difference forgets a sign"
  "operand(graph_, first ? n.b : n.a), minus && first)" "operand(graph_, first ? n.b : n.a), false)")
expect_caught(${lower} "the sign of a constant is forgotten" "x.constant = -x.constant" "x.constant = x.constant")
expect_caught(${lower} "a gathered product forgets its sign" "negative != xy.c.negative" "negative")
