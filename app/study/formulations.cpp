#include "study/formulations.hpp"

#include <array>

#include <limber/limber.hpp>
#include <limber/reference/reference.hpp>

namespace limber::app::study {

namespace {

constexpr std::array<TaskFacts, 4> tasks{{
    {Task::inverse_dynamics, "inverse_dynamics", "inverse dynamics"},
    {Task::bias_forces, "bias_forces", "bias forces"},
    {Task::mass_matrix, "mass_matrix", "mass matrix"},
    {Task::forward_dynamics, "forward_dynamics", "forward dynamics"},
}};

template <class T>
std::span<const T> keep(Chain<T>& chain, std::vector<T> values) {
  chain.result = std::move(values);
  return chain.result;
}

// the tree in absolute coordinates: its set-up belongs to the cost
template <class T>
reference::Tree<T> tree(const Chain<T>& c, const State<T>& s) {
  return reference::tree_at<T>(c.model, s.q, s.v);
}

// one generic lambda for both scalars
template <class F>
Formulation entry(const char* key, Task task, const char* title, const char* source,
                  const char* room, int timed_up_to, F f) {
  return {key, task, title, source, room, timed_up_to, f, f};
}

// clang-format off: one column of lambdas
std::vector<Formulation> of_inverse_dynamics() {
  return {
      entry("limber_inverse_dynamics", Task::inverse_dynamics, "Limber", "[RDA] (4.11)-(4.15)",
            "dynamics", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return limber::inverse_dynamics(c.model, s.q, s.v, s.a, c.ws);
            }),
      entry("mcmillan_inverse_dynamics", Task::inverse_dynamics, "McMillan", "[McM] table 25",
            "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::mdh_inverse_dynamics<T>(c.mdh, s.q, s.v, s.a));
            }),
      entry("absolute_inverse_dynamics", Task::inverse_dynamics, "absolute", "[RDA] (4.6)-(4.10)",
            "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::absolute_inverse_dynamics<T>(tree(c, s), s.a));
            }),
      entry("absolute_inverse_dynamics_weights", Task::inverse_dynamics,
            "absolute, weights as forces", "[RDA] §4.4", "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              const auto heavy =
                  reference::tree_at<T>(c.model, s.q, s.v, {}, reference::Gravity::force);
              return keep(c, reference::absolute_inverse_dynamics<T>(heavy, s.a));
            }),
      entry("explicit_form", Task::inverse_dynamics, "explicit H, C, g", "[RDA] (4.1)", "reference",
            16,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::inverse_dynamics<T>(
                                 reference::explicit_form<T>(c.model, s.q), s.v, s.a));
            }),
      entry("handbook_inverse_dynamics", Task::inverse_dynamics, "handbook H, h",
            "[HB] (20.23)-(20.60)", "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::inverse_dynamics<T>(
                                 reference::handbook_model<T>(c.handbook, s.q, s.v), s.a));
            }),
      entry("stacked_inverse_dynamics", Task::inverse_dynamics, "stacked", "[SC] (15)-(20)",
            "reference", 10,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(
                  c, reference::inverse_dynamics<T>(reference::stacked_form<T>(tree(c, s)), s.a));
            }),
      entry("limber_bias_forces", Task::bias_forces, "Limber", "[RDA] (5.3)", "dynamics", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return limber::bias_forces(c.model, s.q, s.v, c.ws);
            }),
      entry("mcmillan_bias_forces", Task::bias_forces, "McMillan", "[McM] §B.2", "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::mdh_inverse_dynamics<T>(c.mdh, s.q, s.v, c.zero));
            }),
      entry("absolute_bias_forces", Task::bias_forces, "absolute", "[RDA] (5.3)", "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::absolute_inverse_dynamics<T>(tree(c, s), c.zero));
            }),
  };
}

std::vector<Formulation> of_mass_matrix() {
  return {
      entry("limber_mass_matrix", Task::mass_matrix, "Limber", "[RDA] (5.11)-(5.14)", "dynamics",
            30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              c.result.resize(static_cast<std::size_t>(c.n * c.n));
              limber::mass_matrix(c.model, s.q, c.ws, c.result);
              return c.result;
            }),
      entry("mcmillan_mass_matrix", Task::mass_matrix, "McMillan", "[McM] table 27", "reference",
            30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::mdh_mass_matrix<T>(c.mdh, s.q).data);
            }),
      entry("walker_orin_3", Task::mass_matrix, "absolute, method 3", "[RDA] (5.7)-(5.10)",
            "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::walker_orin_3(tree(c, s)).data);
            }),
      entry("walker_orin_2", Task::mass_matrix, "absolute, method 2", "[RDA] §5.2", "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::walker_orin_2(tree(c, s)).data);
            }),
      entry("walker_orin_1", Task::mass_matrix, "absolute, method 1", "[RDA] (5.5)", "reference",
            30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::walker_orin_1(tree(c, s)).data);
            }),
  };
}

std::vector<Formulation> of_forward_dynamics() {
  return {
      entry("limber_articulated_bodies", Task::forward_dynamics, "Limber, articulated",
            "[RDA] (6.56)-(6.65)", "dynamics", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return limber::forward_dynamics(c.model, s.q, s.v, s.tau, c.ws);
            }),
      entry("limber_by_mass_matrix", Task::forward_dynamics, "Limber, composite",
            "[RDA] (5.6), (5.11)-(5.14)", "dynamics", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return limber::forward_dynamics_by_mass_matrix(c.model, s.q, s.v, s.tau, c.ws);
            }),
      entry("mcmillan_articulated_bodies", Task::forward_dynamics, "McMillan, articulated",
            "[McM] table 29", "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::mdh_forward_dynamics<T>(c.mdh, s.q, s.v, s.tau));
            }),
      entry("mcmillan_by_mass_matrix", Task::forward_dynamics, "McMillan, composite",
            "[McM] tables 25 and 27, §2.4", "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              std::vector<T> x = reference::mdh_inverse_dynamics<T>(c.mdh, s.q, s.v, c.zero);
              for (std::size_t i = 0; i < x.size(); ++i) x[i] = s.tau[i] - x[i];
              reference::Ldlt<T>(reference::mdh_mass_matrix<T>(c.mdh, s.q), "the mass matrix")
                  .solve(x);
              return keep(c, std::move(x));
            }),
      entry("absolute_articulated_bodies", Task::forward_dynamics, "absolute, articulated",
            "[RDA] (6.46)-(6.55)", "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::absolute_articulated_bodies<T>(tree(c, s), s.tau));
            }),
      entry("absolute_articulated_bodies_without_sharing", Task::forward_dynamics,
            "absolute, nothing shared", "[RDA] (6.37)-(6.45)", "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(
                  c, reference::absolute_articulated_bodies_without_sharing<T>(tree(c, s), s.tau));
            }),
      entry("absolute_by_mass_matrix", Task::forward_dynamics, "absolute, composite",
            "[RDA] (5.6)-(5.10)", "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::forward_dynamics_by_mass_matrix<T>(tree(c, s), s.tau));
            }),
      entry("walker_orin_4", Task::forward_dynamics, "absolute, method 4", "[RDA] §5.2",
            "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::walker_orin_4<T>(tree(c, s), s.tau).a);
            }),
      entry("handbook_forward_dynamics", Task::forward_dynamics, "handbook H, h", "[HB] (20.61)",
            "reference", 30,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(c, reference::forward_dynamics<T>(
                                 reference::handbook_model<T>(c.handbook, s.q, s.v), s.tau));
            }),
      entry("stacked_forward_dynamics", Task::forward_dynamics, "stacked", "[SC] (1), (15)-(20)",
            "reference", 10,
            []<class T>(Chain<T>& c, const State<T>& s) -> std::span<const T> {
              return keep(
                  c, reference::forward_dynamics<T>(reference::stacked_form<T>(tree(c, s)), s.tau));
            }),
  };
}
// clang-format on

std::vector<Formulation> collect() {
  std::vector<Formulation> all = of_inverse_dynamics();
  for (const auto& more : {of_mass_matrix(), of_forward_dynamics()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

std::span<const TaskFacts> all_tasks() { return tasks; }
const TaskFacts& facts(Task task) { return tasks[static_cast<std::size_t>(task)]; }

std::span<const Formulation> all_formulations() {
  static const std::vector<Formulation> all = collect();
  return all;
}

}  // namespace limber::app::study
