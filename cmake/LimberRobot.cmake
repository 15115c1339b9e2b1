# limber_add_robot(TARGET MODEL model [NAME name] [FUNCTIONS …] [TARGETS …] [FRAMES …] [PARAMETERS …]
#                  [METHOD euler|rk4] [PASSIVE] [FLOATING])
#
# Gives TARGET, a library or program of this folder, straight-line code for one robot: `limber compile` runs
# while TARGET is built, and again whenever the robot's file or the command has changed.
#
#   MODEL       a robot file (from the present source folder), or the name of a robot that ships with Limber
#   NAME        namespace, prefix of functions and name of the files; without it the name of the file. A word
#               that C, C++, CUDA or their libraries use (sin, example) is refused: give another one
#   FUNCTIONS   inverse_dynamics and so on, as `limber compile --help` lists them; without it all
#   TARGETS     cpp (without it), lanes, c, cuda
#   FRAMES      links or frames of kinematics and jacobians; without it all links
#   PARAMETERS  gravity, payload:FRAME, gear:JOINT: numbers that stay free
#   PASSIVE     with damping, friction and springs of the joints
#   FLOATING    with a free base
#
#   add_executable(controller controller.c)
#   limber_add_robot(controller MODEL puma560 FUNCTIONS inverse_dynamics TARGETS c)
#
# then `#include "puma560.h"`. The .c file is compiled into TARGET; the project needs the language C for it.
function(limber_add_robot target)
  cmake_parse_arguments(PARSE_ARGV 1 robot "PASSIVE;FLOATING" "MODEL;NAME;METHOD"
    "FUNCTIONS;TARGETS;FRAMES;PARAMETERS")
  if(robot_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "limber_add_robot(${target}): unknown: ${robot_UNPARSED_ARGUMENTS}")
  elseif(NOT TARGET ${target})
    message(FATAL_ERROR "limber_add_robot: there is no target '${target}'; add it before")
  elseif(NOT robot_MODEL)
    message(FATAL_ERROR "limber_add_robot(${target}): MODEL is missing: a robot file or a shipped robot")
  elseif(NOT TARGET limber::workbench)
    message(FATAL_ERROR "limber_add_robot(${target}): the program limber-workbench is not there; build or install Limber "
      "with LIMBER_BUILD_APP and LIMBER_BUILD_SIMULATOR set to ON")
  endif()

  set(model ${robot_MODEL})
  set(depends limber::workbench)
  get_filename_component(file ${robot_MODEL} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  if(EXISTS ${file})
    set(model ${file})
    list(APPEND depends ${file})
  endif()
  if(NOT robot_NAME)
    get_filename_component(robot_NAME ${robot_MODEL} NAME_WE)
  endif()
  # as the command does it
  string(REGEX REPLACE "[^A-Za-z0-9]+" "_" name "${robot_NAME}")
  string(REGEX REPLACE "^_|_$" "" name "${name}")
  if(name MATCHES "^[0-9]")
    string(PREPEND name r_)
  endif()
  if(NOT robot_TARGETS)
    set(robot_TARGETS cpp)
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/limber_robots/${target}/${name})
  set(cpp_files ${name}.hpp)
  set(lanes_files ${name}_lanes.hpp pack.hpp pack_sincos.hpp)
  set(c_files ${name}.h ${name}.c)
  set(cuda_files ${name}.cuh)
  set(outputs)
  foreach(kind ${robot_TARGETS})
    if(NOT DEFINED ${kind}_files)
      message(FATAL_ERROR "limber_add_robot(${target}): TARGETS: '${kind}' found, expected cpp, lanes, c or cuda")
    endif()
    list(TRANSFORM ${kind}_files PREPEND ${folder}/ OUTPUT_VARIABLE files)
    list(APPEND outputs ${files})
  endforeach()

  list(JOIN robot_TARGETS "," targets)
  set(arguments compile ${model} --quiet --output ${folder} --name ${name} --exact-name
    --targets ${targets})
  if(robot_FUNCTIONS)
    list(JOIN robot_FUNCTIONS "," functions)
    list(APPEND arguments --functions ${functions})
  endif()
  foreach(frame ${robot_FRAMES})
    list(APPEND arguments --frame ${frame})
  endforeach()
  foreach(parameter ${robot_PARAMETERS})
    list(APPEND arguments --parameter ${parameter})
  endforeach()
  if(robot_METHOD)
    list(APPEND arguments --method ${robot_METHOD})
  endif()
  if(robot_PASSIVE)
    list(APPEND arguments --passive)
  endif()
  if(robot_FLOATING)
    list(APPEND arguments --floating)
  endif()

  add_custom_command(OUTPUT ${outputs} COMMAND limber::workbench ${arguments} DEPENDS ${depends} VERBATIM
    COMMENT "Compiling robot ${robot_MODEL}")
  target_sources(${target} PRIVATE ${outputs})
  target_include_directories(${target} PRIVATE ${folder})
  if(UNIX AND c IN_LIST robot_TARGETS)
    target_link_libraries(${target} PRIVATE m)
  endif()
endfunction()
