// Why a System cannot be evaluated: found out after it has failed, so that it costs nothing before.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/model/variables.hpp>
#include <limber/sim/system.hpp>

#include "index.hpp"
#include "sim/part_error.hpp"
#include "sim/stepper.hpp"

namespace limber {

namespace {

bool all_inertias_finite(std::span<const ArticulatedInertia<double>> bodies) {
  const Motion<double> ones{{1, 1, 1}, {1, 1, 1}};
  return std::all_of(bodies.begin(), bodies.end(), [&](const ArticulatedInertia<double>& B) {
    const Force<double> sums = B * ones;
    return std::isfinite(dot(ones, sums));
  });
}

}  // namespace

// takes over what the exception says that is being handled
void System::note_exception() {
  evaluated_ = false;
  try {
    throw;
  } catch (const PartError& error) {
    failure_ = error.what();
    part_threw_ = true;
  } catch (...) {
    failure_ = text_of_exception();
    part_threw_ = false;
  }
}

bool System::rates_are_finite(double t, std::span<const double> x, std::span<const double> x_dot) {
  const auto bad =
      std::find_if(x_dot.begin(), x_dot.end(), [](double rate) { return !std::isfinite(rate); });
  if (bad == x_dot.end()) return true;
  const std::string what = describe_rate(static_cast<std::size_t>(bad - x_dot.begin()));
  failure_ = what + " is not a finite number";
  part_threw_ = false;
  blame_part(t, x);
  return false;
}

// names the part where that is what fails the dynamics
void System::blame_part(double t, std::span<const double> x) try {
  if (part_threw_ || x.size() != at_index(size_)) return;
  if (const Part* part = find_bad_part(t, x))
    failure_ =
        fmt::format("part '{}' gives a force, command or inertia that is not a finite number ({})",
                    part->name(), failure_);
} catch (...) {
  note_exception();
}

// the first part whose contribution is not finite; nullptr: all are
const Part* System::find_bad_part(double t, std::span<const double> x) {
  evaluated_ = false;
  set_instant(t, x);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    set_part(k, x);
    guarded(*parts_[k], [&] { parts_[k]->apply(*at_); });
    bool finite = all_finite(contributions_);
    if (at_->pushed_)
      for (const Force<double>& f : body_forces_)
        for (const Vec3<double>& one : {f.angular, f.linear})
          finite = finite && std::isfinite(one.x) && std::isfinite(one.y) && std::isfinite(one.z);
    if (at_->weighted_) finite = finite && all_inertias_finite(body_inertia_);
    if (!finite) return parts_[k].get();
  }
  return nullptr;
}

std::string System::state_name(std::size_t k) const {
  const std::size_t nq = q_.size(), nv = v_.size();
  if (k < nq) return fmt::format("the position of '{}'", position_variables(*model_)[k].name());
  if (k < nq + nv)
    return fmt::format("the velocity of '{}'", velocity_variables(*model_)[k - nq].name());
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (k >= places_[i].z && k < places_[i].z + places_[i].z_count)
      return fmt::format("a state of part '{}'", parts_[i]->name());
  return "the work put into the robot";
}

std::vector<std::string> System::variable_names() const {
  std::vector<std::string> names;
  for (const Variable& one : position_variables(*model_)) names.push_back(one.name() + ".position");
  for (const Variable& one : velocity_variables(*model_)) names.push_back(one.name() + ".velocity");
  for (std::size_t i = 0; i < places_.size(); ++i)
    for (std::size_t k = 0; k < places_[i].z_count; ++k)
      names.push_back(fmt::format("{}.z[{}]", parts_[i]->name(), k));
  return names;
}

std::string System::describe_rate(std::size_t k) const {
  const std::size_t nq = q_.size(), nv = v_.size();
  if (k >= nq && k < nq + nv)
    return fmt::format("the acceleration of '{}'", velocity_variables(*model_)[k - nq].name());
  if (k + 1 == at_index(size_)) return "the power put into the robot";
  return "the rate of " + state_name(k);
}

std::string System::place_of_largest_power() const {
  double most = 0;
  std::size_t place = 0;
  for (std::size_t k = 0; k < v_.size(); ++k)
    if (const double power = std::abs(at_->joint_forces[k] * v_[k]); power > most)
      most = power, place = k;
  if (most == 0) return {};
  for (const auto& part : parts_)
    for (const int freedom : part->driven())
      if (at_index(freedom) == place) return fmt::format("the {}", part->name());
  return fmt::format("joint '{}'", velocity_variables(*model_)[place].joint);
}

std::vector<System::Speed> System::speeds() const {
  std::vector<Speed> all;
  for (std::size_t k = 0; k < model_->v_fold.size(); ++k) {
    const std::size_t body = at_index(model_->column_body[k]);
    if (model_->is_rotor[body]) continue;  // gears let them turn faster
    all.push_back({q_.size() + at_index(model_->v_fold[k].index), model_->v_fold[k].ratio,
                   fmt::format("joint '{}'", model_->joint_name[body])});
  }
  for (std::size_t i = 0; i < parts_.size(); ++i)
    for (const Part::OwnSpeed& own : parts_[i]->speeds())
      all.push_back({places_[i].z + at_index(own.state), own.ratio, own.name});
  return all;
}

}  // namespace limber
