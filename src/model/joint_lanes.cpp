#include "model/joint_lanes.hpp"

#include <cstring>

#include "model/joint_partials.ipp"

namespace limber {

namespace {

/// The `count` numbers of one lane.
template <class U, class T>
std::array<U, CustomJoint::most_positions> lane_of(const T* x, int lanes, int lane, int count) {
  std::array<U, CustomJoint::most_positions> numbers{};
  for (int k = 0; k < count; ++k)
    numbers[static_cast<std::size_t>(k)] = static_cast<U>(x[k * lanes + lane]);
  return numbers;
}

/// Puts the numbers of a struct of U into one lane.
template <class U, class Struct, class T>
void put_lane(const Struct& from, int lanes, int lane, T* to) {
  constexpr std::size_t count = sizeof(Struct) / sizeof(U);
  static_assert(sizeof(Struct) == count * sizeof(U) && std::is_trivially_copyable_v<Struct>);
  U numbers[count];
  std::memcpy(numbers, &from, sizeof from);
  for (std::size_t k = 0; k < count; ++k)
    to[k * static_cast<std::size_t>(lanes) + static_cast<std::size_t>(lane)] =
        static_cast<T>(numbers[k]);
}

template <class T>
void kinematics(const CustomJoint& joint, CustomJoint::Kinematics<T> function, int lanes,
                const T* q, const T* v, T* out) {
  for (int lane = 0; lane < lanes; ++lane) {
    const auto position = lane_of<T>(q, lanes, lane, joint.nq);
    const auto rate = lane_of<T>(v, lanes, lane, joint.nv);
    JointKinematics<T> result;
    function(joint.parameters, {position.data(), static_cast<std::size_t>(joint.nq)},
             {rate.data(), static_cast<std::size_t>(joint.nv)}, result);
    put_lane<T>(result, lanes, lane, out);
  }
}

template <class T>
void partials(const CustomJoint& joint, int lanes, const T* q, const T* v, T* out) {
  for (int lane = 0; lane < lanes; ++lane) {
    const auto position = lane_of<double>(q, lanes, lane, joint.nq);
    const auto rate = lane_of<double>(v, lanes, lane, joint.nv);
    JointPartials<double> result;
    custom_partials(joint, {position.data(), static_cast<std::size_t>(joint.nq)},
                    {rate.data(), static_cast<std::size_t>(joint.nv)}, result);
    put_lane<double>(result, lanes, lane, out);
  }
}

}  // namespace

void custom_kinematics_of_lanes(const CustomJoint& joint, int lanes, const double* q,
                                const double* v, double* out) {
  kinematics(joint, joint.kinematics_double, lanes, q, v, out);
}
void custom_kinematics_of_lanes(const CustomJoint& joint, int lanes, const float* q, const float* v,
                                float* out) {
  kinematics(joint, joint.kinematics_float, lanes, q, v, out);
}
void custom_partials_of_lanes(const CustomJoint& joint, int lanes, const double* q, const double* v,
                              double* out) {
  partials(joint, lanes, q, v, out);
}
void custom_partials_of_lanes(const CustomJoint& joint, int lanes, const float* q, const float* v,
                              float* out) {
  partials(joint, lanes, q, v, out);
}

}  // namespace limber
