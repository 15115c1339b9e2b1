#pragma once
// MuJoCo itself, which mujoco.mjs runs in node, and how a tree of joints moves there and here: mass
// matrix, bias and acceleration in random states.
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/fluid/submerged.hpp>
#include <limber/math/quat.hpp>
#include <limber/model/joint_space.hpp>

namespace limber::test::mujoco {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Numbers = std::vector<double>;

inline const fs::path source = LIMBER_SOURCE_DIR;
inline const fs::path collection = source / ".." / "shared" / "robots";

// the folder of the npm package
inline fs::path package() {
  const char* given = std::getenv("LIMBER_MUJOCO");
  return given ? fs::path(given) : source / "build/peers/node_modules/@mujoco/mujoco";
}

inline std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 65536> piece{};
  while (pipe) {
    const std::size_t count = fread(piece.data(), 1, piece.size(), pipe.get());
    if (count == 0) break;
    text.append(piece.data(), count);
  }
  return text;
}

inline Json ask_mujoco(const fs::path& file) {
  const std::string text = output_of("node '" + (source / "test/io/mujoco.mjs").string() + "' '" +
                                     package().string() + "' '" + file.string() + "'");
  return text.empty() ? Json() : Json::parse(text);
}

// largest difference, in units of the largest number
inline double difference(const Numbers& found, const Numbers& expected) {
  if (found.size() != expected.size()) return HUGE_VAL;
  double worst = 0, largest = 1e-300;
  for (std::size_t k = 0; k < found.size(); ++k) {
    worst = std::fmax(worst, std::abs(found[k] - expected[k]));
    largest = std::fmax(largest, std::abs(expected[k]));
  }
  return worst / largest;
}

inline Vec3<double> vec3(const Numbers& x, std::size_t at = 0) {
  return {x[at], x[at + 1], x[at + 2]};
}
// with a 1 beside it, against which differences count
inline Numbers place(const Vec3<double>& p) { return {p.x, p.y, p.z, 1}; }
inline limber::Quat<double> quaternion(const Numbers& x, std::size_t at = 0) {
  return {x[at + 1], x[at + 2], x[at + 3], x[at]};
}
inline void put(const Vec3<double>& value, Numbers& x, int at) {
  for (int k = 0; k < 3; ++k) x[static_cast<std::size_t>(at + k)] = value[k];
}

// --- MuJoCo's variables and Limber's ---
//
// Positions: quaternions have w first there, last here. Velocities of a free body: (linear in world
// axes, angular in body axes) there, (angular, linear) in body axes here, so v = T v′ with v′ those
// of MuJoCo, and a = T a′ + d with d = −ω × v in the linear part.

class Variables {
 public:
  Variables(const limber::Model& model, const Numbers& qpos) : places_(joint_places(model)) {
    q = qpos;
    for (const limber::JointPlace& place : places_) {
      if (place.quaternion < 0) continue;
      const auto k = static_cast<std::size_t>(place.quaternion);
      const limber::Quat<double> turn = quaternion(qpos, k);
      q[k] = turn.x, q[k + 1] = turn.y, q[k + 2] = turn.z, q[k + 3] = turn.w;
      turns_.push_back(to_matrix(turn));
    }
  }

  Numbers q;

  // T x′
  Numbers to_limber(const Numbers& x) const {
    Numbers result = x;
    for_free([&](std::size_t v, const limber::Mat3<double>& R) {
      put(vec3(x, v + 3), result, static_cast<int>(v));
      put(transpose(R) * vec3(x, v), result, static_cast<int>(v) + 3);
    });
    return result;
  }
  // Tᵀ f: forces, which have the same power
  Numbers to_mujoco(const Numbers& f) const {
    Numbers result = f;
    for_free([&](std::size_t v, const limber::Mat3<double>& R) {
      put(R * vec3(f, v + 3), result, static_cast<int>(v));
      put(vec3(f, v), result, static_cast<int>(v) + 3);
    });
    return result;
  }
  // (Tᵀ)⁻¹ f′
  Numbers force_to_limber(const Numbers& f) const { return to_limber(f); }
  // d for Limber's velocity
  Numbers shift(const Numbers& v) const {
    Numbers result(v.size(), 0.0);
    for_free([&](std::size_t k, const limber::Mat3<double>&) {
      put(-cross(vec3(v, k), vec3(v, k + 3)), result, static_cast<int>(k) + 3);
    });
    return result;
  }

 private:
  template <class F>
  void for_free(const F& f) const {
    std::size_t turn = 0;
    for (const limber::JointPlace& place : places_) {
      if (place.quaternion < 0) continue;
      if (place.kind == JointKind::free) f(static_cast<std::size_t>(place.v), turns_[turn]);
      ++turn;
    }
  }
  std::vector<limber::JointPlace> places_;
  std::vector<limber::Mat3<double>> turns_;
};

inline Numbers product(const limber::Model& model, const Numbers& q, limber::Workspace& ws,
                       const Numbers& x) {
  const auto M = mass_matrix(model, q, ws);
  Numbers result(x.size(), 0.0);
  for (int i = 0; i < model.nv; ++i)
    for (int j = 0; j < model.nv; ++j)
      result[static_cast<std::size_t>(i)] += M(i, j) * x[static_cast<std::size_t>(j)];
  return result;
}

inline Numbers plus(const Numbers& a, const Numbers& b) {
  Numbers sum = a;
  for (std::size_t k = 0; k < a.size(); ++k) sum[k] += b[k];
  return sum;
}

struct Worst {
  double mass_matrix = 0, bias = 0, acceleration = 0, places = 0;
};

// the tree, without friction of the joints, which MuJoCo counts among the constraints
inline limber::Model open_tree(limber::Spec spec) {
  open_loops(spec);
  for (limber::JointSpec& joint : spec.joints)
    for (limber::DofSpec& dof : joint.dofs) dof.friction_positive = dof.friction_negative = 0;
  return build(spec);
}

// the fluid of MuJoCo: damping of links and nothing else
inline limber::FluidLoad<double> fluid_of(const limber::Spec& spec, const limber::Model& model,
                                          const Numbers& wind) {
  std::vector<limber::LinkHydrodynamics> links;
  for (const limber::BodySpec& body : spec.bodies) {
    if (!body.hydrodynamics) continue;
    limber::Hydrodynamics water;
    water.linear_damping = body.hydrodynamics->linear_damping.value_or(limber::MarineMatrix{});
    water.quadratic_damping =
        body.hydrodynamics->quadratic_damping.value_or(limber::MarineMatrix{});
    water.damping_frame = body.hydrodynamics->damping_frame;
    links.push_back({body.name, water});
  }
  limber::FluidLoad<double> fluid = submerged(model, links);
  fluid.velocity = vec3(wind);
  return fluid;
}

inline Worst compare_states(const limber::Spec& spec, const Json& mujoco) {
  const limber::Model model = open_tree(spec);
  limber::Workspace ws(model);
  const limber::FluidLoad<double> fluid = fluid_of(spec, model, mujoco["wind"]);
  Worst worst;
  const auto note = [](double& at, double found) { at = std::fmax(at, found); };
  for (const Json& state : mujoco["states"]) {
    const Variables variables(model, state["qpos"]);
    const Numbers& q = variables.q;
    const Numbers v = variables.to_limber(state["qvel"]), d = variables.shift(v);
    for (const Json& pair : state["products"]) {
      const Numbers x = variables.to_limber(pair["x"]);
      note(worst.mass_matrix, difference(variables.to_mujoco(product(model, q, ws, x)), pair["y"]));
    }
    const std::span<const double> bias = bias_forces(model, q, v, ws);
    const Numbers held(bias.begin(), bias.end());
    note(worst.bias,
         difference(variables.to_mujoco(plus(held, product(model, q, ws, d))), state["bias"]));
    limber::Loads<double> loads;
    loads.passive = limber::Passive::included;
    loads.fluid = &fluid;
    const std::span<const double> a =
        forward_dynamics(model, q, v, variables.force_to_limber(state["applied"]), ws, loads);
    note(worst.acceleration,
         difference({a.begin(), a.end()}, plus(variables.to_limber(state["acceleration"]), d)));
    const auto& poses = forward_kinematics(model, q, ws);
    for (std::size_t b = 1; b < mujoco["bodies"].size(); ++b) {
      const std::string name = mujoco["bodies"][b];
      if (name.empty()) continue;
      const Vec3<double> p = frame_pose(model, poses, model.frame(name)).p;
      note(worst.places, difference(place(p), place(vec3(state["bodies"][b]))));
    }
    for (std::size_t s = 0; s < mujoco["sites"].size(); ++s) {
      const limber::Transform<double> pose =
          frame_pose(model, poses, model.frame(mujoco["sites"][s].get<std::string>()));
      Numbers found{pose.p.x, pose.p.y, pose.p.z}, expected = state["sites"][s];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) found.push_back(pose.R.row(i)[j]);
      for (const double x : state["site_axes"][s].get<Numbers>()) expected.push_back(x);
      note(worst.places, difference(found, expected));
    }
  }
  return worst;
}

inline bool is_mujoco_there() {
  return fs::exists(package() / "mujoco.js") && output_of("node --version 2>/dev/null") != "";
}

}  // namespace limber::test::mujoco
