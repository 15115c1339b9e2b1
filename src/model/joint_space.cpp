#include "model/joint_space.ipp"

#include "scalars.hpp"

namespace limber {

#define LIMBER_JOINT_SPACE(T)                                                               \
  template std::vector<T> neutral_position(const BasicModel<T>&);                           \
  template void integrate(const BasicModel<T>&, std::span<const T>, std::span<const T>, T,  \
                          std::span<T>);                                                    \
  template void difference(const BasicModel<T>&, std::span<const T>, std::span<const T>,    \
                           std::span<T>);                                                   \
  template void normalize(const BasicModel<T>&, std::span<T>);                              \
  template void position_rate(const BasicModel<T>&, std::span<const T>, std::span<const T>, \
                              std::span<T>);
LIMBER_FOR_EACH_SCALAR(LIMBER_JOINT_SPACE)

}  // namespace limber
