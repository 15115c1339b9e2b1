#pragma once
// Custom joints of many robots at once: their functions know double and float, so they are called
// for one lane after the other.
#include <array>
#include <span>
#include <type_traits>

#include <limber/model/custom_joint.hpp>
#include <limber/scalar/pack.hpp>

namespace limber {

/// Partial derivatives in tangent space, outer axes, component by component.
template <class T>
struct JointPartials {
  std::array<std::array<Motion<T>, 6>, 6> S;  ///< S[l][k] = ∂S_l/∂q_k
  std::array<Motion<T>, 6> bias_q, bias_v;    ///< ∂(Ṡ v)/∂q_k, ∂(Ṡ v)/∂v_k
};

template <class T>
inline constexpr bool is_pack = false;
template <class T, int N>
inline constexpr bool is_pack<Pack<T, N>> = true;

// Numbers in lanes: number k of lane i is x[k * lanes + i]. `out` are the numbers of a
// JointKinematics or JointPartials, one after the other as these structs hold them.
void custom_kinematics_of_lanes(const CustomJoint& joint, int lanes, const double* q,
                                const double* v, double* out);
void custom_kinematics_of_lanes(const CustomJoint& joint, int lanes, const float* q, const float* v,
                                float* out);
void custom_partials_of_lanes(const CustomJoint& joint, int lanes, const double* q, const double* v,
                              double* out);
void custom_partials_of_lanes(const CustomJoint& joint, int lanes, const float* q, const float* v,
                              float* out);

/// The joint's own function in every lane.
template <class T, int N>
void kinematics_in_lanes(const CustomJoint& joint, const Pack<T, N>* q, const Pack<T, N>* v,
                         JointKinematics<Pack<T, N>>& out) {
  custom_kinematics_of_lanes(joint, N, reinterpret_cast<const T*>(q), reinterpret_cast<const T*>(v),
                             reinterpret_cast<T*>(&out));
}
/// Its partial derivatives in every lane.
template <class T, int N>
void custom_partials(const CustomJoint& joint, std::span<const Pack<T, N>> q,
                     std::span<const Pack<T, N>> v, JointPartials<Pack<T, N>>& out) {
  custom_partials_of_lanes(joint, N, reinterpret_cast<const T*>(q.data()),
                           reinterpret_cast<const T*>(v.data()), reinterpret_cast<T*>(&out));
}

}  // namespace limber
