# How our own code is compiled: warnings, target machine, floating-point policy, sanitizers, ccache.
# The interface targets stay in the build: nothing of them is installed or passed on to consumers.

add_library(limber_warnings INTERFACE)
target_compile_options(limber_warnings INTERFACE
  -Wall -Wextra -Wconversion
  $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
  # g++ cleans its memory as often as if machines had little of it: a tenth of its time
  "$<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=100;--param=ggc-min-heapsize=600000>"
  $<$<BOOL:${LIMBER_WERROR}>:-Werror>)

# Floating point: contraction to fused multiply-add is allowed (-ffp-contract=fast) where the target has
# it; nothing else of -ffast-math is. Results are bit-identical for the same input and the same build.
add_library(limber_compile_options INTERFACE)
target_link_libraries(limber_compile_options INTERFACE limber_warnings)
target_compile_options(limber_compile_options INTERFACE -ffp-contract=fast)
# what is compiled for wider or narrower registers has a level of its own, see lanes.cmake
set(level $<TARGET_PROPERTY:LIMBER_LEVEL>)
target_compile_options(limber_compile_options INTERFACE $<$<BOOL:${level}>:-march=${level}>)
if(LIMBER_ARCH)
  target_compile_options(limber_compile_options INTERFACE $<$<NOT:$<BOOL:${level}>>:-march=${LIMBER_ARCH}>)
endif()
# g++ 12 warns of its own AVX-512 intrinsics wherever Eigen is inlined; clang and the sanitizers watch
target_compile_options(limber_compile_options INTERFACE
  "$<$<AND:$<BOOL:${LIMBER_ARCH}>,$<CXX_COMPILER_ID:GNU>>:-Wno-maybe-uninitialized;-Wno-uninitialized;-Wno-array-bounds>")

if(LIMBER_SANITIZE)
  add_compile_options(-fsanitize=${LIMBER_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LIMBER_SANITIZE})
  if(LIMBER_SANITIZE MATCHES undefined)
    # what the address sanitizer sees too is left to it: a third of the time to compile
    add_compile_options(-fno-sanitize-recover=undefined -fno-sanitize=null,object-size,vptr)
  endif()
endif()
# a compiler cache where there is one
find_program(LIMBER_CCACHE ccache)
mark_as_advanced(LIMBER_CCACHE)
if(PROJECT_IS_TOP_LEVEL AND LIMBER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${LIMBER_CCACHE})
endif()
