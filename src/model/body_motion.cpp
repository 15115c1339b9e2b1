#include <limber/model/body_motion.hpp>

#include "model/checks.hpp"
#include "scalars.hpp"

namespace limber {

template <class T>
BasicPoses<T>::BasicPoses(const BasicModel<T>& m) : model(m.identity) {
  check_built("Poses", m);
  X_W.resize(m.parent.size());
}

template <class T>
BasicVelocities<T>::BasicVelocities(const BasicModel<T>& m) : BasicPoses<T>(m) {
  v.resize(m.parent.size());
}

template <class T>
BasicAccelerations<T>::BasicAccelerations(const BasicModel<T>& m) : BasicVelocities<T>(m) {
  a.resize(m.parent.size());
}

#define LIMBER_BODY_MOTION(T)         \
  template struct BasicPoses<T>;      \
  template struct BasicVelocities<T>; \
  template struct BasicAccelerations<T>;
LIMBER_FOR_EACH_SCALAR(LIMBER_BODY_MOTION)

}  // namespace limber
