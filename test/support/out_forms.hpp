#pragma once
// Every function of dynamics/ that writes into the caller's memory, beside the form that returns
// its result.
#include <functional>

#include <limber/limber.hpp>

#include "support/random_robots.hpp"

namespace limber::test {

/// 40 bodies on a floating base: every joint kind is there with near certainty. `mimic`: the chance
/// that a joint follows another.
inline Spec every_kind(double mimic) {
  RandomTreeOptions options;
  options.mimic = mimic;
  options.floating_base = true;
  Spec spec = generate_tree(40, 77, options);
  spec.add_body("tool", 1);
  spec.add_joint("weld", JointKind::fixed, "body7", "tool");
  for (std::size_t j = 1; j < spec.joints.size(); ++j) {  // one root; actuators where they are easy
    if (spec.joints[j].parent.empty()) spec.joints[j].parent = "body1";
    if (spec.joints[j].kind == JointKind::revolute && !spec.joints[j].mimic)
      spec.joints[j].actuation = {{spec.joints[j].axis * 2.0, {1, 2, 3}}};
  }
  return spec;
}

using Outputs = std::vector<std::span<double>>;

struct OutForm {
  const char* name;
  std::vector<std::pair<const char*, int>> outputs;  ///< names and sizes
  std::function<std::vector<double>()> returned;     ///< all outputs, one after the other
  std::function<void(const Outputs&)> written;
};

/// Numbers of a result, row by row.
inline std::vector<double> numbers(std::span<const double> x) { return {x.begin(), x.end()}; }
inline std::vector<double> numbers(const MatrixView<double>& A) {
  std::vector<double> all;
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) all.push_back(A(i, j));
  return all;
}
template <class Symmetric>
std::vector<double> square_numbers(const Symmetric& A) {
  std::vector<double> all;
  for (int i = 0; i < A.size; ++i)
    for (int j = 0; j < A.size; ++j) all.push_back(A(i, j));
  return all;
}
inline std::vector<double> joined(std::initializer_list<std::vector<double>> parts) {
  std::vector<double> all;
  for (const std::vector<double>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Those of an every_kind() robot, at its state, with the loads (without added inertia).
class OutForms {
 public:
  OutForms(Robot& robot, const Loads<double>& with)
      : r(robot), loads(with), mw(r.model), os(r.model, 1), known(count(r.model.nv)) {
    for (std::size_t k = 0; k < known.size(); ++k)
      known[k] = k % 2 == 0 ? Known::force : Known::acceleration;
    frames = {r.model.frame("tool")};
  }
  OutForms(const OutForms&) = delete;
  OutForms& operator=(const OutForms&) = delete;

  std::vector<OutForm> all() {
    std::vector<OutForm> forms = vectors();
    for (auto&& more : {matrices(), derivatives(), operational_space()})
      forms.insert(forms.end(), more.begin(), more.end());
    return forms;
  }

 private:
  static std::size_t count(int n) { return static_cast<std::size_t>(n); }

  std::vector<OutForm> vectors() {
    const Model& m = r.model;
    Workspace& ws = r.ws;
    const int nv = m.nv;
    const auto q = in(r.q), v = in(r.v), a = in(r.a), tau = in(r.tau);
    const auto joint_a = a.subspan(6);
    const Force<double> push{{1, 2, 3}, {4, 5, 6}};
    return {
        {"inverse_dynamics",
         {{"out", nv}},
         [=, this, &m, &ws] { return numbers(inverse_dynamics(m, q, v, a, ws, loads)); },
         [=, this, &m, &ws](const Outputs& x) { inverse_dynamics(m, q, v, a, ws, x[0], loads); }},
        {"bias_forces",
         {{"out", nv}},
         [=, this, &m, &ws] { return numbers(bias_forces(m, q, v, ws, loads)); },
         [=, this, &m, &ws](const Outputs& x) { bias_forces(m, q, v, ws, x[0], loads); }},
        {"gravity_forces",
         {{"out", nv}},
         [=, &m, &ws] { return numbers(gravity_forces(m, q, ws)); },
         [=, &m, &ws](const Outputs& x) { gravity_forces(m, q, ws, x[0]); }},
        {"bias_forces",
         {{"out", nv}},
         [=, this, &m, &ws] { return numbers(static_forces(m, q, ws, loads)); },
         [=, this, &m, &ws](const Outputs& x) { static_forces(m, q, ws, x[0], loads); }},
        {"forward_dynamics",
         {{"out", nv}},
         [=, this, &m, &ws] { return numbers(forward_dynamics(m, q, v, tau, ws, loads)); },
         [=, this, &m, &ws](const Outputs& x) { forward_dynamics(m, q, v, tau, ws, x[0], loads); }},
        {"forward_dynamics_by_mass_matrix",
         {{"out", nv}},
         [=, this, &m, &ws] {
           return numbers(forward_dynamics_by_mass_matrix(m, q, v, tau, ws, loads));
         },
         [=, this, &m, &ws](const Outputs& x) {
           forward_dynamics_by_mass_matrix(m, q, v, tau, ws, x[0], loads);
         }},
        {"hybrid_dynamics",
         {{"a", nv}, {"tau", nv}},
         [=, this, &m, &ws] {
           const auto h = hybrid_dynamics(m, q, v, known, tau, ws, loads);
           return joined({numbers(h.a), numbers(h.tau)});
         },
         [=, this, &m, &ws](const Outputs& x) {
           hybrid_dynamics(m, q, v, known, tau, ws, x[0], x[1], loads);
         }},
        {"hybrid_dynamics_by_mass_matrix",
         {{"a", nv}, {"tau", nv}},
         [=, this, &m, &ws] {
           const auto h = hybrid_dynamics_by_mass_matrix(m, q, v, known, tau, ws, loads);
           return joined({numbers(h.a), numbers(h.tau)});
         },
         [=, this, &m, &ws](const Outputs& x) {
           hybrid_dynamics_by_mass_matrix(m, q, v, known, tau, ws, x[0], x[1], loads);
         }},
        {"floating_base_inverse_dynamics",
         {{"a", nv}, {"tau", nv}},
         [=, this, &m, &ws] {
           const auto f = floating_base_inverse_dynamics(m, q, v, joint_a, push, ws, loads);
           return joined({numbers(f.a), numbers(f.tau)});
         },
         [=, this, &m, &ws](const Outputs& x) {
           floating_base_inverse_dynamics(m, q, v, joint_a, push, ws, x[0], x[1], loads);
         }},
        {"inertial_parameters",
         {{"out", 10 * (m.bodies() - 1)}},
         [&m] { return inertial_parameters(m); },
         [&m](const Outputs& x) { inertial_parameters(m, x[0]); }},
    };
  }

  std::vector<OutForm> matrices() {
    const Model& m = r.model;
    Workspace& ws = r.ws;
    const int nv = m.nv;
    const auto q = in(r.q), v = in(r.v);
    return {
        {"mass_matrix",
         {{"out", nv * nv}},
         [=, this, &m, &ws] { return square_numbers(mass_matrix(m, q, ws, loads)); },
         [=, this, &m, &ws](const Outputs& x) { mass_matrix(m, q, ws, x[0], loads); }},
        {"jacobian",
         {{"out", 6 * nv}},
         [=, this, &m, &ws] { return numbers(jacobian(m, q, frames[0], Reference::body, ws)); },
         [=, this, &m, &ws](const Outputs& x) {
           jacobian(m, q, frames[0], Reference::body, ws, x[0]);
         }},
        {"centroidal_momentum_matrix",
         {{"out", 6 * nv}},
         [=, &m, &ws] { return numbers(centroidal_momentum_matrix(m, q, ws)); },
         [=, &m, &ws](const Outputs& x) { centroidal_momentum_matrix(m, q, ws, x[0]); }},
        {"coriolis_matrix",
         {{"out", nv * nv}},
         [=, this, &m, &ws] { return numbers(coriolis_matrix(m, q, v, ws, mw)); },
         [=, this, &m, &ws](const Outputs& x) { coriolis_matrix(m, q, v, ws, mw, x[0]); }},
        {"inverse_mass_matrix",
         {{"out", nv * nv}},
         [=, this, &m, &ws] { return numbers(inverse_mass_matrix(m, q, ws, mw)); },
         [=, this, &m, &ws](const Outputs& x) { inverse_mass_matrix(m, q, ws, mw, x[0]); }},
    };
  }

  std::vector<OutForm> derivatives() {
    const Model& m = r.model;
    Workspace& ws = r.ws;
    const int nv = m.nv, square = nv * nv;
    const auto q = in(r.q), v = in(r.v), a = in(r.a), tau = in(r.tau);
    return {
        {"inverse_dynamics_tangent_derivatives",
         {{"tau_q", square}, {"tau_v", square}, {"tau_a", square}},
         [=, this, &m, &ws] {
           const auto d = inverse_dynamics_tangent_derivatives(m, q, v, a, ws, mw, loads);
           return joined({numbers(d.tau_q), numbers(d.tau_v), square_numbers(d.tau_a)});
         },
         [=, this, &m, &ws](const Outputs& x) {
           inverse_dynamics_tangent_derivatives(m, q, v, a, ws, mw, x[0], x[1], x[2], loads);
         }},
        {"forward_dynamics_tangent_derivatives",
         {{"a", nv}, {"a_q", square}, {"a_v", square}, {"a_tau", square}},
         [=, this, &m, &ws] {
           const auto d = forward_dynamics_tangent_derivatives(m, q, v, tau, ws, mw, loads);
           return joined({numbers(d.a), numbers(d.a_q), numbers(d.a_v), numbers(d.a_tau)});
         },
         [=, this, &m, &ws](const Outputs& x) {
           forward_dynamics_tangent_derivatives(m, q, v, tau, ws, mw, x[0], x[1], x[2], x[3],
                                                loads);
         }},
        {"linearize",
         {{"A", 4 * square}, {"B", 2 * square}, {"a", nv}},
         [=, this, &m, &ws] {
           std::vector<double> A(count(4 * square)), B(count(2 * square));
           const auto found = numbers(linearize(m, q, v, tau, ws, mw, A, B, loads));
           return joined({A, B, found});
         },
         [=, this, &m, &ws](const Outputs& x) {
           linearize(m, q, v, tau, ws, mw, x[0], x[1], x[2], loads);
         }},
    };
  }

  std::vector<OutForm> operational_space() {
    const Model& m = r.model;
    Workspace& ws = r.ws;
    const auto q = in(r.q), v = in(r.v);
    constexpr auto world = Reference::world_aligned;
    return {
        {"operational_space_inverse_inertia",
         {{"out", 36}},
         [=, this, &m, &ws] {
           return numbers(operational_space_inverse_inertia(m, q, frames, world, ws, os));
         },
         [=, this, &m, &ws](const Outputs& x) {
           operational_space_inverse_inertia(m, q, frames, world, ws, os, x[0]);
         }},
        {"operational_space_inertia",
         {{"out", 36}},
         [=, this, &m, &ws] {
           return numbers(operational_space_inertia(m, q, frames, world, ws, os));
         },
         [=, this, &m, &ws](const Outputs& x) {
           operational_space_inertia(m, q, frames, world, ws, os, x[0]);
         }},
        {"dynamically_consistent_inverse",
         {{"out", 6 * m.nv}},
         [=, this, &m, &ws] {
           return numbers(dynamically_consistent_inverse(m, q, frames, world, ws, os));
         },
         [=, this, &m, &ws](const Outputs& x) {
           dynamically_consistent_inverse(m, q, frames, world, ws, os, x[0]);
         }},
        {"operational_space_bias",
         {{"out", 6}},
         [=, this, &m, &ws] {
           return numbers(operational_space_bias(m, q, v, frames, world, ws, os));
         },
         [=, this, &m, &ws](const Outputs& x) {
           operational_space_bias(m, q, v, frames, world, ws, os, x[0]);
         }},
    };
  }

  Robot& r;
  Loads<double> loads;
  MatrixWorkspace mw;
  OperationalSpace os;
  std::vector<Known> known;
  std::vector<int> frames;
};

/// Memory for the outputs of a form, one number more than they need in all.
struct OutputMemory {
  explicit OutputMemory(const OutForm& form) {
    std::size_t all = 0;
    for (const auto& [name, size] : form.outputs) all += static_cast<std::size_t>(size);
    memory.assign(all + 1, NAN);
    for (std::size_t start = 0; const auto& [name, size] : form.outputs) {
      spans.push_back({memory.data() + start, static_cast<std::size_t>(size)});
      start += static_cast<std::size_t>(size);
    }
  }
  std::vector<double> memory;
  Outputs spans;
};

}  // namespace limber::test
