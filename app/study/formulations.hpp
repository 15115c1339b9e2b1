#pragma once
// Every formulation that Limber has of the three classical problems, ready to be counted and timed.
#include <span>
#include <string>
#include <vector>

#include "study/chain.hpp"

namespace limber::app::study {

enum class Task {
  inverse_dynamics,  ///< q, v, a → tau
  bias_forces,       ///< q, v → tau for a = 0
  mass_matrix,       ///< q → H
  forward_dynamics   ///< q, v, tau → a
};
struct TaskFacts {
  Task task;
  const char* key;    ///< in JSON
  const char* title;  ///< for people
};
std::span<const TaskFacts> all_tasks();
const TaskFacts& facts(Task task);

/// Computes and returns the results, which lie in the chain.
template <class T>
using Compute = std::span<const T> (*)(Chain<T>&, const State<T>&);

struct Formulation {
  const char* key;  ///< in JSON, unique
  Task task;
  const char* title;   ///< for people, without the task
  const char* source;  ///< equations
  const char* room;    ///< dynamics or reference: the folder whose code runs
  int timed_up_to;     ///< links; beyond that a call takes too long to be timed with the others
  Compute<double> compute;
  Compute<Counted> count;
};

std::span<const Formulation> all_formulations();

}  // namespace limber::app::study
