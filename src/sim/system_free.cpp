// What steps at velocity level need of a System: its motion without contact, and its power.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <limber/sim/system.hpp>

#include "dynamics/fold.hpp"
#include "index.hpp"

namespace limber {

Evaluated System::free_rate(double t, std::span<const double> x, double h, const Part* left_out,
                            std::span<double> x_dot) {
  evaluated_ = false;
  left_out_ = left_out;
  damped_step_ = h;
  const Evaluated result = derivative(t, x, x_dot);
  left_out_ = nullptr;
  damped_step_ = 0;
  evaluated_ = false;
  return result;
}

System::FreeMotion System::free_motion() const {
  Loads<double> loads;
  if (inertia_added_) loads.joint_inertia = at_->inertia;
  loads.body_inertia = body_inertia();
  const bool any_known =
      std::find(known_.begin(), known_.end(), Known::acceleration) != known_.end();
  return {at_->model,
          q_,
          v_,
          loads,
          any_known ? std::span<const Known>(known_) : std::span<const Known>(),
          at_->tau,
          at_->pushed_ ? std::span<const Force<double>>(body_forces_)
                       : std::span<const Force<double>>()};
}

double System::free_power(std::span<const double> x, std::span<const double> v) {
  check_state("System::free_power", x);
  check_size("System::free_power", "v", v.size(), model_->nv, model_->name);
  evaluated_ = false;
  std::copy(v.begin(), v.end(), v_.begin());
  at_->placed_ = at_->accelerated_ = false;
  return applied_power() + stored(x).rate;
}

std::span<const double> System::discrete_of(const Part& part) const {
  for (std::size_t k = 0; k < parts_.size(); ++k)
    if (parts_[k].get() == &part)
      return std::span(discrete_).subspan(places_[k].d, places_[k].d_count);
  throw Error(fmt::format("part '{}' is none of the system's", part.name()));
}

std::span<double> System::discrete_of(const Part& part) {
  const std::span<const double> found = std::as_const(*this).discrete_of(part);
  evaluated_ = false;
  return std::span(discrete_).subspan(static_cast<std::size_t>(found.data() - discrete_.data()),
                                      found.size());
}

}  // namespace limber
