#pragma once
// Teams of revolute chains with general geometry and inertia, for any scalar, at one state.
#include <memory>
#include <vector>

#include <limber/constraint/arm_rivals.hpp>
#include <limber/constraint/closed_dynamics.hpp>
#include <limber/limber.hpp>

#include "study_arms/results.hpp"

namespace limber::app::study_arms {

/// A number as a value known only when the algorithm runs.
template <class T>
T running(double x) {
  if constexpr (std::is_same_v<T, Counted>) return Counted::variable(x);
  else return x;
}

/// All arms and the object in one tree, with the grasps as welds.
struct ClosedTeam {
  Model model;
  std::unique_ptr<Mechanism> mechanism;
  std::unique_ptr<ClosedDynamics> closed;
  std::vector<double> q, v, tau;
};
/// The chains of generate_chain() with 1, 2, … as seeds, each welded to the object where its hand
/// is.
ClosedTeam closed_team(int joints, const std::vector<Model>& models, const Inertia<double>& object,
                       const std::vector<std::vector<double>>& values,
                       const ObjectState<double>& state);

template <class T>
struct ChainTeam {
  explicit ChainTeam(int joints) {
    for (int k = 0; k < arms; ++k) {
      const auto seed = static_cast<std::uint64_t>(k + 1);
      const Model model = build(generate_chain(joints, JointKind::revolute, seed));
      const RandomState s = generate_state(model, seed);
      for (const auto* x : {&s.q, &s.v, &s.tau}) {
        values.emplace_back();
        for (const double number : *x) values.back().push_back(running<T>(number));
      }
      if constexpr (std::is_same_v<T, double>) models.push_back(model);
      else models.push_back(cast<T>(model));
    }
    std::vector<BasicArm<T>> held;
    for (std::size_t k = 0; k < models.size(); ++k) {
      held.push_back({&models[k], {models[k].frame(models[k].body_name.back())}});
      states.push_back({values[3 * k], values[3 * k + 1], values[3 * k + 2], {}});
    }
    // principal axes, as the thesis has them
    const auto load = Inertia<double>::from_com(4, {}, Sym3<double>::diagonal(0.02, 0.03, 0.04));
    team = {held, load};
    motion = std::make_unique<BasicTeamMotion<T>>(team);
    const Mat3<double> R = rotation_from_rpy(0.3, -0.4, 0.5);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) entry(object.pose.R, i, j) = running<T>(entry(R, i, j));
      object.pose.p[i] = running<T>(0.3 + 0.1 * i);
      object.velocity.angular[i] = running<T>(1 + i);
      object.velocity.linear[i] = running<T>(2 - i);
    }
    if constexpr (std::is_same_v<T, double>)
      closed = closed_team(joints, models, load, values, object);
  }
  void compute(Way way) {
    if (way == Way::operational_space) team_dynamics<T>(team, states, object, *motion);
    if (way == Way::articulated) articulated_team_dynamics<T>(team, states, object, *motion);
    if (way == Way::augmented) augmented_team_dynamics<T>(team, states, object, *motion);
    if constexpr (std::is_same_v<T, double>) {
      if (way == Way::general)
        closed_forward_dynamics<double>(*closed.mechanism, 0, closed.q, closed.v, closed.tau,
                                        *closed.closed);
    }
  }

  std::vector<BasicModel<T>> models;
  std::vector<std::vector<T>> values;
  std::vector<ArmState<T>> states;
  BasicArmTeam<T> team;
  ObjectState<T> object;
  std::unique_ptr<BasicTeamMotion<T>> motion;
  ClosedTeam closed;

 private:
  template <class M>
  static auto& entry(M& A, int i, int j) {
    return i == 0   ? (j == 0   ? A.xx
                       : j == 1 ? A.xy
                                : A.xz)
           : i == 1 ? (j == 0   ? A.yx
                       : j == 1 ? A.yy
                                : A.yz)
                    : (j == 0   ? A.zx
                       : j == 1 ? A.zy
                                : A.zz);
  }
};

}  // namespace limber::app::study_arms
