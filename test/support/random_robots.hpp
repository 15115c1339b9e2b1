#pragma once
// Random robots of every sort, each with its Model, Workspace, a random state and its plain
// reference.
#include <cstdlib>
#include <memory>

#include <limber/model/generate.hpp>

#include "support/near.hpp"
#include "support/plain_robot.hpp"
#include "support/random.hpp"

namespace limber::test {

/// generate_state() with unit quaternions in custom joints too, of which it knows nothing.
RandomState random_state(const Model& model, std::uint64_t seed);

/// A robot at a random state.
struct Robot {
  Spec spec;
  Model model;
  Workspace ws;
  PlainRobot plain;
  VectorXd q, v, a, tau;

  explicit Robot(const Spec& description, std::uint64_t seed = 1);
  /// Moves the plain reference to the state.
  void move_plain() { plain.move(q, v, a); }
  VectorXd zero() const;  ///< nv zeros
};

/// Moving bodies of the Spec: all but the world and the rotors.
inline std::vector<int> moving_bodies(const Model& model) {
  std::vector<int> bodies;
  for (int i = 1; i < model.bodies(); ++i)
    if (!model.is_rotor[static_cast<std::size_t>(i)]) bodies.push_back(i);
  return bodies;
}

/// How near forward dynamics can come to the acceleration that needs tau: what rounding of tau (and
/// of the forces that cancel in it) makes of the acceleration, through the inverse of the inertia
/// matrix.
double solve_tolerance(Robot& r, const VectorXd& tau);

/// Gives some joints of a tree what generate_tree() leaves out: moved child frames, functions of
/// their own, rotors that differ within a joint, axes of any length; adds fixed links and frames;
/// shuffles.
void roughen(Spec& spec, Random& random);

/// Mounts rotors of some joints on bodies anywhere in the tree.
void mount_some_rotors(Spec& spec, Random& random);

/// Number `seed` of the random robots: 1 to 40 bodies, every joint kind, chains and bushes, on a
/// fixed or a floating base, every third with mimic joints (nested, and masters later in the
/// file), every fifth with mounted rotors.
Spec random_spec(std::uint64_t seed);

/// Whether long tests take a tenth of their robots: in builds with assertions, and where
/// LIMBER_FEWER_ROBOTS is set. Those watch over memory, and take ten times as long.
inline bool takes_fewer_robots() {
#ifdef NDEBUG
  static const bool fewer = std::getenv("LIMBER_FEWER_ROBOTS") != nullptr;
  return fewer;
#else
  return true;
#endif
}
/// How many of `count` robots a long test takes.
inline int share_of(int count) { return takes_fewer_robots() ? count / 10 : count; }

/// Calls f(robot) for the first `count` random robots; stops at the first that fails.
template <class F>
void for_random_robots(int count, F&& f) {
  for (int seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE("random robot " + std::to_string(seed));
    const auto number = static_cast<std::uint64_t>(seed);
    const auto robot = std::make_unique<Robot>(random_spec(number), 1000 + number);
    f(*robot);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace limber::test
