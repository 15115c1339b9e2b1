# Warnings, sanitizers and the floating-point policy, in one interface target that never leaves the build.
#
# Floating point: contraction to fused multiply-add is allowed (-ffp-contract=fast) where the target has
# it; nothing else of -ffast-math is. Results are bit-identical for the same input and the same build.
add_library(limber_compile_options INTERFACE)
target_compile_options(limber_compile_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow=local -ffp-contract=fast
  $<$<BOOL:${LIMBER_WERROR}>:-Werror>)
if(LIMBER_ARCH)
  target_compile_options(limber_compile_options INTERFACE -march=${LIMBER_ARCH})
endif()
if(LIMBER_SANITIZE)
  add_compile_options(-fsanitize=${LIMBER_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LIMBER_SANITIZE})
endif()
