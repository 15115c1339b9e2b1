// The energy of a System.
#include <algorithm>

#include <limber/dynamics/energy.hpp>
#include <limber/sim/system.hpp>

#include "index.hpp"

namespace limber {

namespace {

double spring_energy(const Model& m, std::span<const double> q) {
  double twice = 0;
  for (std::size_t k = 0; k < m.column_dof.size(); ++k) {
    if (m.column_q[k] < 0 || m.column_dof[k].stiffness == 0) continue;
    const Fold<double>& fold = m.q_fold[at_index(m.column_q[k])];
    const double stretch =
        fold.ratio * q[at_index(fold.index)] + fold.offset - m.column_dof[k].spring_reference;
    twice += m.column_dof[k].stiffness * stretch * stretch;
  }
  return twice / 2;
}

}  // namespace

// what springs between bodies and the like keep
StoredEnergy System::stored(std::span<const double> x) const {
  StoredEnergy sum;
  for (const std::size_t k : storing_) {
    set_part(k, x);
    const StoredEnergy own = guarded(*parts_[k], [&] { return parts_[k]->stored_energy(*at_); });
    sum.energy += own.energy;
    sum.rate += own.rate;
  }
  return sum;
}

double System::energy_at(std::span<const double> x, std::span<const double> q) {
  check_state("System::energy_at", x);
  check_size("System::energy_at", "q", q.size(), model_->nq, model_->name);
  evaluated_ = false;
  std::copy(q.begin(), q.end(), q_.begin());
  at_->placed_ = at_->accelerated_ = false;
  return potential_energy<double>(at_->model, q_, at_->scratch) + spring_energy(at_->model, q_) +
         stored(x).energy;
}

double System::total_energy_at(std::span<const double> x, const Velocities& bodies) {
  check_state("System::total_energy_at", x);
  const std::span<const double> q = x.first(q_.size()), v = x.subspan(q_.size(), v_.size());
  double sum = kinetic_energy<double>(at_->model, v, bodies) +
               potential_energy<double>(at_->model, bodies) + spring_energy(at_->model, q);
  if (storing_.empty()) return sum;
  evaluated_ = false;
  std::copy(q.begin(), q.end(), q_.begin());
  std::copy(v.begin(), v.end(), v_.begin());
  at_->placed_ = at_->accelerated_ = false;
  return sum + stored(x).energy;
}

EnergyBalance System::energy(std::span<const double> x) const {
  check_state("System::energy", x);
  return {kinetic_energy<double>(at_->model, q_, v_, at_->scratch),
          potential_energy<double>(at_->model, q_, at_->scratch) + spring_energy(at_->model, q_) +
              stored(x).energy,
          x.back(), energy_at_start};
}

}  // namespace limber
