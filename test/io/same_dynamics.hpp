#pragma once
// Whether two robots move in the same way: mass matrix and inverse dynamics, friction and springs
// included, in random states. Loops are open on both sides.
#include <gtest/gtest.h>

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/io/load.hpp>
#include <limber/io/write.hpp>

#include "support/near.hpp"
#include "support/random_robots.hpp"

namespace limber::test {

inline void expect_same_dynamics(Spec a, Spec b, double tolerance = 1e-12) {
  open_loops(a);
  open_loops(b);
  const Model first = build(a), second = build(b);
  ASSERT_EQ(first.nq, second.nq);
  ASSERT_EQ(first.nv, second.nv);
  Workspace one(first), other(second);
  Loads<double> loads;
  loads.passive = Passive::included;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const RandomState state = random_state(first, seed);
    EXPECT_TRUE(near(matrix(mass_matrix(second, state.q, other)),
                     matrix(mass_matrix(first, state.q, one)), tolerance));
    EXPECT_TRUE(near(matrix(inverse_dynamics(second, state.q, state.v, state.a, other, loads)),
                     matrix(inverse_dynamics(first, state.q, state.v, state.a, one, loads)),
                     tolerance));
  }
}

/// True if something is listed whose text holds all the words.
inline bool is_listed(const std::vector<Loss>& losses, Loss::Kind kind, const std::string& element,
                      const std::string& word) {
  for (const Loss& loss : losses)
    if (loss.kind == kind && loss.element == element && loss.what.find(word) != std::string::npos)
      return true;
  return false;
}

inline std::string text_of(const std::vector<Loss>& losses) {
  std::string text;
  for (const Loss& loss : losses)
    text += (loss.kind == Loss::Kind::dynamics ? "dynamics: " : "") + loss.element + ": " +
            loss.what + "\n";
  return text;
}

inline bool keeps_dynamics(const std::vector<Loss>& losses) {
  for (const Loss& loss : losses)
    if (loss.kind == Loss::Kind::dynamics) return false;
  return true;
}

/// Random robots of these kinds, with moved child frames and axes of any length, on a fixed base or
/// a floating one; friction, springs and limits at some joints.
inline Spec random_robot(std::uint64_t seed, std::vector<JointKind> kinds) {
  Random random(seed);
  RandomTreeOptions options;
  options.kinds = std::move(kinds);
  options.floating_base = seed % 3 == 0;
  options.branching = 0.2 * static_cast<double>(seed % 4);
  Spec spec = generate_tree(2 + static_cast<int>(seed % 12), seed, options);
  for (JointSpec& joint : spec.joints) {
    if (joint.kind == JointKind::free) {
      joint.dofs.clear();  // no rotors there
      continue;
    }
    if (random.uniform(0, 1) < 0.5) joint.child_placement = random.transform();
    if (random.uniform(0, 1) < 0.3) joint.axis = joint.axis * random.uniform(0.2, 5);
    if (joint.kind == JointKind::spherical)
      joint.dofs.resize(std::min<std::size_t>(1, joint.dofs.size()));
    for (DofSpec& dof : joint.dofs) {
      dof.damping = random.uniform(0, 1);
      dof.friction_positive = dof.friction_negative = random.uniform(0, 1);
    }
  }
  return spec;
}

}  // namespace limber::test
