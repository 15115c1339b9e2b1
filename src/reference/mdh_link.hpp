#pragma once
// One link of an MDH chain at its joint variable. [McM] app. A
#include <limber/reference/mdh.hpp>

#include "reference/input.hpp"
#include "reference/planar.hpp"

namespace limber::reference {

/// Link i at its joint variable: ⁱX_{i−1} = X(z, d, θ) X(x, a, α), (A.6)
template <class T>
struct LinkTransform {
  bool turns;      ///< σ: revolute
  Planar<0, T> x;  ///< constant
  Planar<2, T> z;
  Vec3<T> p;  ///< (A.4)

  LinkTransform(const MdhLink& link, const T& q)
      : turns(link.kind == JointKind::revolute),
        x(T(link.alpha), T(link.a)),
        z(turns ? T(link.theta) + q : T(link.theta), turns ? T(link.d) : T(link.d) + q),
        p{x.d, -(z.d * x.s), z.d * x.c} {}

  template <class V>
  V outward(const V& value) const {
    return reference::outward(z, reference::outward(x, value));
  }
  template <class V>
  V inward(const V& value) const {
    return reference::inward(x, reference::inward(z, value));
  }
};

/// φᵀ f
template <class T>
const T& along_joint(const LinkTransform<T>& link, const Force<T>& f) {
  return link.turns ? f.angular.z : f.linear.z;
}

/// Throws Error unless x has one finite entry per link.
template <class T>
void check_rates(const MdhChain& chain, const char* argument, std::span<const T> x) {
  check_input(argument, x, static_cast<int>(chain.links.size()), "mdh_chain");
}

/// All links at q.
template <class T>
std::vector<LinkTransform<T>> link_transforms(const MdhChain& chain, std::span<const T> q) {
  check_rates<T>(chain, "q", q);
  std::vector<LinkTransform<T>> result;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const JointKind kind = chain.links[i].kind;
    if (kind != JointKind::revolute && kind != JointKind::prismatic)
      throw Error("MDH chain: joint " + std::to_string(i + 1) + " is " + name(kind) +
                  "; the joints of such a table are revolute or prismatic");
    result.emplace_back(chain.links[i], q[i]);
  }
  return result;
}
/// (ω × q̇ z, 0) of a revolute, (0, 2 ω × q̇ z) of a prismatic joint, the last terms of (B.2)
template <class T>
Motion<T> velocity_product(const LinkTransform<T>& link, const Vec3<T>& w, const T& rate) {
  const T twice = rate + rate;
  return link.turns ? Motion<T>{{w.y * rate, -(w.x * rate), T(0)}, {}}
                    : Motion<T>{{}, {w.y * twice, -(w.x * twice), T(0)}};
}

}  // namespace limber::reference
