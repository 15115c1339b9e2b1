// The object that a team of arms holds, and singular arms. [McM] table 1, step 2, and ch. IV
#include <limber/constraint/arm_team.hpp>

#include <fmt/format.h>

#include "constraint/arm_object.hpp"
#include "dynamics/fold.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

void check_object(const Inertia<double>& object) {
  const InertiaDefect defect = physical_defect(object);
  const bool is_sound = defect == InertiaDefect::none && object.m > 0 &&
                        eigenvalues(object.rotational_about_com()).x > 0;
  if (!is_sound)
    throw Error(
        "team of arms: the object needs a mass and a moment of inertia about every axis, of a body "
        "that can exist; give a small object the inertia of a small sphere");
}

template <class T>
void check_arm(const BasicArm<T>& arm, int number, const BasicArm<T>& first) {
  if (!arm.model || !arm.model->identity.exists())
    throw Error(fmt::format("team of arms: arm {} has no model that build() has made", number));
  const BasicModel<T>& m = *arm.model;
  if (arm.grasp.frame < 0 || arm.grasp.frame >= m.frames.count())
    throw Error(
        fmt::format("team of arms: arm {} grasps with frame {}, but robot '{}' has frames 0 to {}; "
                    "model.frame(NAME) gives the number of one",
                    number, arm.grasp.frame, m.name, m.frames.count() - 1));
  if (arm.grasp.freedoms.rows() == 0)
    throw Error(
        fmt::format("team of arms: the grasp of arm {}, robot '{}', prevents nothing; leave "
                    "the arm out, or take a freedom from its grasp",
                    number, m.name));
  const Vec3<T> difference = m.gravity - first.model->gravity;
  if (!(dot(difference, difference) < T(1e-18)))
    throw Error(
        fmt::format("team of arms: arm {}, robot '{}', has another gravity than the first "
                    "one; all models stand in one world, mount() turns a robot in it",
                    number, m.name));
}

/// The forces of singular arms: (A + CᵀK⁻¹C) λ + … = c − CᵀK⁻¹g, (4.20)-(4.23), of which (4.9) and
/// (4.16) are those for one and two. K⁻¹: of all others with the object.
template <class T>
void solve_singular(std::span<const BasicArmMotion<T>> arms, const Small6<T>& K_inverse,
                    const std::array<T, 6>& g, BasicReferenceMember<T>& out) {
  const int stride = 6 * static_cast<int>(arms.size());
  const std::array<T, 6> a0 = times(K_inverse, 6, g);
  for (int s = 0; s < out.singular.count(); ++s) {
    const BasicArmMotion<T>& arm = arms[at_index(out.singular[s])];
    const std::array<T, 6> known = rows_of(arm.C, arm.rows, a0);
    for (int i = 0; i < arm.rows; ++i)
      out.lambda[out.first_row[s] + i] = arm.c[at_index(i)] - known[at_index(i)];
    for (int t = 0; t <= s; ++t) {
      const BasicArmMotion<T>& other = arms[at_index(out.singular[t])];
      const Small6<T> block = arm.is_projected || other.is_projected
                                  ? inner_product(arm.C, arm.rows, K_inverse, other.C, other.rows)
                                  : full(K_inverse);
      for (int i = 0; i < arm.rows; ++i)
        for (int j = 0; j < other.rows; ++j) {
          const int row = out.first_row[s] + i, column = out.first_row[t] + j;
          T& entry = out.B[row * stride + column];
          entry = block(i, j);
          if (s == t) entry += symmetric(arm.A, i, j);
        }
    }
  }
  const PivotedSystem<T> system{out.B.data(), stride, out.unknowns, out.order.data(),
                                out.scale.data()};
  out.rank = system.factorize(T(dependent_rows<T>));
  out.mismatch = system.solve(out.rank, out.lambda.data());
}

}  // namespace

template <class T>
BasicArmTeam<T>::BasicArmTeam(std::vector<BasicArm<T>> members, const Inertia<double>& object)
    : arms(std::move(members)) {
  if (arms.empty()) throw Error("team of arms: there is no arm");
  check_object(object);
  for (int k = 0; k < arms.count(); ++k) check_arm(arms[k], k, arms[0]);
  mass = T(object.m);
  com = cast<T>(object.com());
  central = cast<T>(object.rotational_about_com());
}

template <class T>
BasicReferenceMember<T>::BasicReferenceMember(const BasicArmTeam<T>& team) {
  const auto arms = team.arms.size();
  singular.reserve(arms);
  first_row.reserve(arms);
  lambda.resize(6 * arms);
  scale.resize(6 * arms);
  null.resize(6 * arms);
  order.resize(6 * arms);
  B.resize(36 * arms * arms);
}

template <class T>
BasicTeamMotion<T>::BasicTeamMotion(const BasicArmTeam<T>& team) : object(team) {
  arms.reserve(team.arms.size());
  for (const BasicArm<T>& arm : team.arms) arms.emplace_back(arm);
}

template <class T>
void reference_member(const BasicArmTeam<T>& team, const ObjectState<T>& object,
                      std::span<const BasicArmMotion<T>> arms, BasicReferenceMember<T>& out) {
  Small6<T> K;
  std::array<T, 6> g;
  start_object(team, object, K, g);
  out.singular.clear();
  out.first_row.clear();
  out.unknowns = out.rank = 0;
  out.mismatch = T(0);
  for (std::size_t k = 0; k < arms.size(); ++k) {  // (2.8), singular arms apart: (4.4), (4.5)
    const BasicArmMotion<T>& arm = arms[k];
    if (!arm.is_regular) {
      out.singular.push_back(static_cast<int>(k));
      out.first_row.push_back(out.unknowns);
      out.unknowns += arm.rows;
      continue;
    }
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j <= i; ++j) K(i, j) += arm.Lambda(i, j);
      g[at_index(i)] += arm.g[at_index(i)];
    }
  }
  factorize_small(K, 6, {});
  if (out.singular.empty()) {
    solve_small(K, 6, g);
    out.a = g;
  } else {
    const Small6<T> K_inverse = inverse_small(K, 6);
    solve_singular<T>(arms, K_inverse, g, out);
    for (int s = 0; s < out.singular.count(); ++s) {
      const BasicArmMotion<T>& arm = arms[at_index(out.singular[s])];
      const std::array<T, 6> f = columns_of(arm.C, arm.rows, out.lambda.data() + out.first_row[s]);
      for (int i = 0; i < 6; ++i) g[at_index(i)] += f[at_index(i)];
    }
    out.a = times(K_inverse, 6, g);  // (4.10)
  }
  out.acceleration = object_acceleration(team, object, team.arms[0].model->gravity, out.a);
}

template <class T>
void team_dynamics(const BasicArmTeam<T>& team, std::span<const ArmState<T>> states,
                   const ObjectState<T>& object, BasicTeamMotion<T>& out) {
  check_states("team_dynamics", team, states);
  for (int k = 0; k < team.arms.count(); ++k)
    open_chain(team, k, states[at_index(k)], object, out.arms[k]);
  reference_member<T>(team, object, out.arms, out.object);
  for (int k = 0; k < team.arms.count(); ++k) close_chain(k, out.object, out.arms[k]);
  for (const T& x : out.object.a)
    if (!finite(x))
      throw Error(
          "team_dynamics: the acceleration of the object is not finite; check the state of "
          "the object, the positions, velocities and drives of the arms");
}

template <class T>
void null_forces(BasicTeamMotion<T>& motion, int which, Out<Force<T>> out) {
  BasicReferenceMember<T>& object = motion.object;
  if (which < 0 || which >= object.indeterminate())
    throw Error(fmt::format("null_forces: number {} of {}", which, object.indeterminate()));
  if (out.size() != motion.arms.size())
    throw Error(fmt::format("null_forces: room for {} forces, but there are {} arms", out.size(),
                            motion.arms.size()));
  const PivotedSystem<T> system{object.B.data(), 6 * motion.arms.count(), object.unknowns,
                                object.order.data(), object.scale.data()};
  system.null_vector(object.rank, which, object.null.data());
  for (Force<T>& f : out) f = {};
  for (int s = 0; s < object.singular.count(); ++s) {
    const BasicArmMotion<T>& arm = motion.arms[object.singular[s]];
    const auto f = columns_of(arm.C, arm.rows, object.null.data() + object.first_row[s]);
    out[at_index(object.singular[s])] = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
  }
}

#define LIMBER_ARM_TEAM(T)                                                                      \
  template BasicArmTeam<T>::BasicArmTeam(std::vector<BasicArm<T>>, const Inertia<double>&);     \
  template BasicReferenceMember<T>::BasicReferenceMember(const BasicArmTeam<T>&);               \
  template BasicTeamMotion<T>::BasicTeamMotion(const BasicArmTeam<T>&);                         \
  template void reference_member(const BasicArmTeam<T>&, const ObjectState<T>&,                 \
                                 std::span<const BasicArmMotion<T>>, BasicReferenceMember<T>&); \
  template void team_dynamics(const BasicArmTeam<T>&, std::span<const ArmState<T>>,             \
                              const ObjectState<T>&, BasicTeamMotion<T>&);                      \
  template void null_forces(BasicTeamMotion<T>&, int, Out<Force<T>>);
LIMBER_FOR_EACH_SCALAR(LIMBER_ARM_TEAM)

}  // namespace limber
