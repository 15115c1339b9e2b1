// Simulations as values: copies, changes between two steps, and changes that are made again.
#include <limber/sim/simulation.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "index.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// the place of a name among those of x and of the inputs, which follow
std::size_t place_of(std::string_view name, const std::vector<std::string>& variables,
                     const std::vector<InputSpec>& inputs) {
  const auto variable = std::find(variables.begin(), variables.end(), name);
  if (variable != variables.end()) return static_cast<std::size_t>(variable - variables.begin());
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (inputs[k].name == name) return variables.size() + k;
  std::vector<std::string> known = variables;
  for (const InputSpec& input : inputs) known.push_back(input.name);
  throw Error(fmt::format(
      "nothing called '{}' can be changed{}; there are positions and velocities of the robot, and "
      "inputs and continuous states of parts",
      name, did_you_mean(std::string(name), known)));
}

}  // namespace

Simulation::Simulation(const Simulation& other)
    : RunState(other.expect_between_steps("copied")),
      system_(std::make_unique<System>(*other.system_)),
      integrator_(other.integrator_->clone(*system_, root_functions())) {}

Simulation& Simulation::operator=(const Simulation& other) {
  if (this == &other) return *this;
  if (in_hook_) throw Error("a simulation is assigned to by one of its own hooks; return from it");
  Simulation copy(other);
  copy.on_record = std::move(on_record);
  copy.go_on = std::move(go_on);
  copy.on_save = std::move(on_save);
  return *this = std::move(copy);
}

const Simulation& Simulation::expect_between_steps(const char* what) const {
  if (in_round_)
    throw Error(
        fmt::format("a simulation is {} within on_record or on_save, where a step is half done; do "
                    "it after step() or advance(), or in go_on",
                    what));
  return *this;
}

void Simulation::check_input(const InputSpec& input, double value) const {
  if (std::isfinite(value) && input.lower <= value && value <= input.upper) return;
  const std::string unit = input.unit.empty() ? "" : " " + input.unit;
  throw Error(fmt::format("input '{}': {}{} found, a finite number from {} to {} is needed",
                          input.name, value, unit, input.lower, input.upper));
}

double Simulation::input(std::string_view name) const {
  return system().inputs()[place_of(name, {}, system().input_specs())];
}

void Simulation::change(std::string_view name, double value) {
  change([&](StateEdit& edit) { edit.set(name, value); });
}

void Simulation::change(const std::function<void(StateEdit& edit)>& edit) {
  expect_between_steps("changed");
  if (status_ != RunStatus::running)
    throw Error(
        fmt::format("the run has ended ({}) and cannot be changed; copy it before its end, "
                    "or begin another one",
                    name(status_)));
  const std::vector<std::string> variables = system_->variable_names();
  const std::vector<InputSpec>& specs = system_->input_specs();
  // x without the work, then the inputs
  std::vector<double> now(x().begin(), x().end() - 1);
  const std::span<const double> inputs = system().inputs();
  now.insert(now.end(), inputs.begin(), inputs.end());
  std::vector<double> edited = now;
  const std::span<double> all(edited);
  const std::size_t nq = at_index(system_->positions()), nv = at_index(system_->velocities());
  StateEdit handed_out(t(), all.first(nq), all.subspan(nq, nv), [&](std::string_view name) {
    return &edited[place_of(name, variables, specs)];
  });
  edit(handed_out);
  Change done{t(), rounds_, {}};
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (same_bits(now[k], edited[k])) continue;
    const bool is_input = k >= variables.size();
    const std::string& name = is_input ? specs[k - variables.size()].name : variables[k];
    if (is_input) check_input(specs[k - variables.size()], edited[k]);
    else if (!std::isfinite(edited[k]))
      throw Error(
          fmt::format("'{}' cannot be changed to {}; give a finite number", name, edited[k]));
    done.values.push_back({name, edited[k]});
  }
  if (done.values.empty()) return;
  std::vector<double> after(edited.begin(), edited.begin() + static_cast<long>(variables.size()));
  after.push_back(x().back());
  after = changed_state(std::move(after), all.subspan(variables.size()));
  integrator_->start(*system_, t(), after);
  changes_.push_back(std::move(done));
  to_resume_.reset();
  if (!begun_) return;
  // as begun by step(), also within go_on
  const bool in_go_on = std::exchange(in_hook_, false);
  try {
    attempt([&] { act_on_standing_events(); });
  } catch (...) {
    in_hook_ = in_go_on;
    throw;
  }
  in_hook_ = in_go_on;
}

// x on its manifold with these inputs, which the system has then, and with the work that the change
// is. Throws Error, and leaves the system as it was, where that is no state to go on from.
std::vector<double> Simulation::changed_state(std::vector<double> x,
                                              std::span<const double> inputs) {
  const auto energy = [&](std::span<const double> state) {
    if (system_->evaluate(t(), state) == Evaluated::failed)
      throw Error(fmt::format("the state cannot be changed so: {}", system_->failure()));
    return system_->energy(state).total();
  };
  const double before = energy(this->x());
  const std::vector<double> old(system_->inputs().begin(), system_->inputs().end());
  std::copy(inputs.begin(), inputs.end(), system_->inputs().begin());
  try {
    if (system_->stabilise(t(), x) == Evaluated::failed)
      throw Error(fmt::format("the state cannot be changed so: {}", system_->failure()));
    if (const System::Speed* most = fastest(x);
        most && std::abs(most->ratio * x[most->index]) > settings_.speed_limit)
      throw Error(fmt::format(
          "{} cannot be changed to {:.3g} rad/s or m/s, more than the speed limit of {:.3g}; raise "
          "speed_limit",
          most->name, std::abs(most->ratio * x[most->index]), settings_.speed_limit));
    x.back() += energy(x) - before;
  } catch (...) {
    std::copy(old.begin(), old.end(), system_->inputs().begin());
    system_->forget_failure();
    throw;
  }
  return x;
}

RunStatus Simulation::replay(std::span<const Change> changes) {
  for (const Change& one : changes) {
    attempt([&] {
      while (status_ == RunStatus::running && rounds_ < one.step) {
        if (begun_) round();
        else begin();
      }
    });
    if (status_ != RunStatus::running) return status_;
    if (rounds_ != one.step || !same_bits(t(), one.t))
      throw Error(fmt::format(
          "the change after {} steps was made at t = {:.9g} s, and this run is at t = {:.9g} s "
          "after {}; replay changes with the system, settings and initial state, and with the "
          "build, that they were made with",
          one.step, one.t, t(), rounds_));
    change([&](StateEdit& edit) {
      for (const Change::Value& value : one.values) edit.set(value.name, value.value);
    });
  }
  return status_;
}

}  // namespace limber
