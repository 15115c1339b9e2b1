#pragma once
// A floating body with legs of revolute joints, for any scalar, at one state: the thesis's robots,
// with general parameters.
#include <string>
#include <vector>

#include <limber/limber.hpp>
#include <limber/reference/mdh.hpp>

#include "study_legs/results.hpp"

namespace limber::app::study_legs {

/// m equal legs of a table of MDH parameters, each at its own screw about z of the body, which is
/// in its principal axes. [McM] figure 17
inline Spec walker_spec(int legs, int joints) {
  Spec spec;
  spec.name = "walker";
  spec.add_body("body", 0).inertia = {10, {}, Sym3<double>::diagonal(1, 2, 3)};
  spec.add_joint("float", JointKind::free, "", "body");
  const reference::MdhChain chain = reference::mdh_test_chain(joints);
  const Vec3<double> x{1, 0, 0}, z{0, 0, 1};
  for (int k = 0; k < legs; ++k) {
    std::string parent = "body";
    for (std::size_t i = 0; i < chain.links.size(); ++i) {
      const reference::MdhLink& link = chain.links[i];
      const std::string number = std::to_string(k + 1) + "_" + std::to_string(i + 1);
      Transform<double> place = Transform<double>{rotation(x, link.alpha), x * link.a} *
                                Transform<double>{rotation(z, link.theta), z * link.d};
      if (i == 0) place = Transform<double>{rotation(z, 0.1 + k), z * (0.1 + 0.05 * k)} * place;
      spec.add_body("link" + number, 0).inertia = link.inertia;
      spec.add_joint("joint" + number, link.kind, parent, "link" + number, z, place);
      parent = "link" + number;
    }
  }
  return spec;
}

template <class T>
struct Walker {
  explicit Walker(const Model& plain)
      : model(model_of(plain)), ws(model), star(model), a(static_cast<std::size_t>(model.nv)) {
    const RandomState s = generate_state(plain, 1);
    for (const double x : s.q) q.push_back(running(x));
    for (const double x : s.v) v.push_back(running(x));
    for (std::size_t k = 0; k < s.tau.size(); ++k)  // a walker has no thrusters
      tau.push_back(k < 6 ? T(0) : running(s.tau[k]));
  }
  void compute(Way way) {
    if (way == Way::general) return forward_dynamics<T>(model, q, v, tau, ws, a);
    star_dynamics<T>(
        model, q, v, tau,
        way == Way::composite ? StarMethod::composite_bodies : StarMethod::articulated_bodies, ws,
        star, a);
  }

  BasicModel<T> model;
  BasicWorkspace<T> ws;
  BasicStar<T> star;
  std::vector<T> q, v, tau, a;

 protected:
  /// A number as a value known only when the algorithm runs.
  static T running(double x) {
    if constexpr (std::is_same_v<T, Counted>) return Counted::variable(x);
    else return x;
  }
  static BasicModel<T> model_of(const Model& plain) {
    if constexpr (std::is_same_v<T, double>) return plain;
    else return cast<T>(plain);
  }
};

}  // namespace limber::app::study_legs
