cmake_minimum_required(VERSION 3.25)
# cmake -DNM=nm -DWIDE=objects -DNAMES=pattern -DSET_UP=objects -P symbols.cmake
# The linker keeps one of all weak functions of the same name, from whatever file comes first. A
# function in WIDE, compiled for wide registers, must therefore
# - have a name that fits NAMES, that is Pack or a width of registers (src/scalar/registers.hpp):
#   otherwise a program on an older processor could be given it;
# - not be in SET_UP, compiled for any processor, too: Packs are returned in other registers there.
function(weak_functions output)
  set(names)
  foreach(object ${ARGN})
    execute_process(COMMAND ${NM} ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL " W [^\n]+" weak "${symbols}")
    list(APPEND names ${weak})
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(${output} ${names} PARENT_SCOPE)
endfunction()

weak_functions(wide ${WIDE})
weak_functions(set_up ${SET_UP})
list(LENGTH wide count)
message(STATUS "${count} weak functions")
if(count EQUAL 0)
  message(FATAL_ERROR "no weak function found in ${WIDE}: does ${NM} work?")
endif()
foreach(name ${wide})
  if(NOT name MATCHES "${NAMES}")
    message(SEND_ERROR "compiled for wide registers, but its name does not say so (src/scalar/registers.hpp): ${name}")
  elseif(name IN_LIST set_up)
    message(SEND_ERROR "in the set-up too: ${name}")
  endif()
endforeach()
