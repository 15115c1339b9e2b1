#include "model/actuation.hpp"

#include <cmath>

#include <fmt/format.h>

#include <limber/math/small_solve.hpp>
#include <limber/model/joint_space.hpp>

#include "model/joint_motion.ipp"

namespace limber {

namespace {

// S of body i's joint at its position q, canonical frame
std::vector<Motion<double>> columns_at(const Model& m, int i, std::span<const double> q) {
  const auto b = static_cast<std::size_t>(i);
  std::vector<Motion<double>> S(static_cast<std::size_t>(m.v_count[b]));
  if (m.form[b] == JointForm::revolute) S[0].angular.z = 1;
  else if (m.form[b] == JointForm::prismatic) S[0].linear.z = 1;
  else joint_pose<double>(m, i, q, S.data());
  return S;
}

bool can_power(const std::vector<Motion<double>>& S, const Force<double>* F) {
  std::vector<double> A, b(S.size(), 0.0);
  for (const Motion<double>& s : S)
    for (std::size_t k = 0; k < S.size(); ++k) A.push_back(dot(s, F[k]));
  return solve_small(A.data(), b.data(), static_cast<int>(S.size()));
}

bool finite(const Force<double>& f) {
  for (int k = 0; k < 3; ++k)
    if (!std::isfinite(f.angular[k]) || !std::isfinite(f.linear[k])) return false;
  return true;
}

void check_count(const JointSpec& joint, const Model& m, std::size_t b) {
  if (m.master[b] >= 0)
    throw Error(joint.source,
                fmt::format("follows joint '{}' and has no actuators of its own; give them to that "
                            "joint",
                            m.joint_name[m.master[b]]));
  if (joint.actuation.size() != static_cast<std::size_t>(m.v_count[b]))
    throw Error(joint.source,
                fmt::format("{} actuators for {} freedoms: such a joint is {}; give one force for "
                            "each freedom, or none for the usual ones",
                            joint.actuation.size(), m.v_count[b],
                            static_cast<int>(joint.actuation.size()) < m.v_count[b]
                                ? "not fully powered"
                                : "powered more than once"));
  for (const Force<double>& f : joint.actuation)
    if (!finite(f)) throw Error(joint.source, "a force of the actuators is not finite");
}

}  // namespace

void add_actuation(const Spec& spec, const Structure& structure, Model& m) {
  m.has_actuation.assign(m.parent.size(), 0);
  m.actuation.resize(static_cast<std::size_t>(m.tree_nv));
  const std::vector<double> neutral = neutral_position(m);
  for (int i = 1; i < m.bodies(); ++i) {
    const auto b = static_cast<std::size_t>(i);
    const JointSpec& joint = spec.joints[static_cast<std::size_t>(structure.bodies[b].joint)];
    if (joint.actuation.empty()) continue;
    check_count(joint, m, b);
    const Transform<double> to_canonical = m.body_placement[b] * inverse(joint.child_placement);
    Force<double>* F = m.actuation.data() + m.v_index[b];
    for (std::size_t k = 0; k < joint.actuation.size(); ++k)
      F[k] = to_canonical * joint.actuation[k];
    const int start = m.q_fold[m.q_index[b]].index;
    if (!can_power(
            columns_at(m, i, {neutral.data() + start, static_cast<std::size_t>(m.q_count[b])}), F))
      throw Error(joint.source,
                  "its actuators cannot power it: at the neutral position some motion of the joint "
                  "gets no work from them; give forces that work on every freedom");
    m.has_actuation[b] = 1;
  }
}

}  // namespace limber
