# cmake -DPROGRAM=… -DEXPECTED=… -P compare.cmake: the program must print exactly the expected text.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE found RESULT_VARIABLE status)
file(READ ${EXPECTED} expected)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}")
elseif(NOT found STREQUAL expected)
  message(FATAL_ERROR "printed:\n${found}\nexpected (${EXPECTED}):\n${expected}")
endif()
