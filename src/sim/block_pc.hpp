#pragma once
// BlockPc: the sliding-block predictor-corrector methods B1PC5 to B4PC5 of [McM] chapter 3. From
// the five last derivatives on an equidistant grid, B new points are predicted independently of
// each other, their derivatives taken, the points corrected, their derivatives taken again. B = 1
// is Adams' predictor-corrector of fifth order in the mode PECE.
//
// All blocks use the same past, so that a limit within a block is met by a shorter block.
// Beginning: the first four steps after start() are Runge-Kutta steps of fifth order (Dormand and
// Prince). The error of each is of sixth order in h, and there are four of them whatever h is: the
// whole stays of the order that it has with an exact past.
#include <atomic>
#include <exception>
#include <memory>

#include "sim/block_coefficients.hpp"
#include "sim/dormand_prince.hpp"
#include "sim/step_grid.hpp"
#include "sim/stepper.hpp"
#include "parallel/thread_team.hpp"

namespace limber {

class BlockPc final : public Stepper {
 public:
  BlockPc(double h, int block, int threads);

  void start(Ode& ode, double t, std::span<const double> x) override;
  StepStatus step(double limit) override;
  void interpolate(double t, std::span<double> x) override;
  bool may_reach(double t) override { return grid_.at(block_) >= t - grid_.resolution(); }
  std::vector<double> save() const override;
  void resume(Ode& ode, double t, std::span<const double> x,
              std::span<const double> saved) override;
  std::unique_ptr<Integrator> clone(Ode& ode, const RootFunctions& functions) const override;

 private:
  using Weights = std::array<double, adams_points>;
  enum class Last : std::uint8_t { none, block, runge_kutta };

  void set_problem(Ode& ode);
  bool know_first_rate();
  bool runge_kutta(double h);
  bool stabilise(double t, std::span<const double> x);
  bool startup_step();
  bool side_step(double limit);
  bool block_step(int points);
  bool tell_failure(int points);
  void work(int member);
  template <class Compute>
  void phase(int member, Compute&& compute);
  void slide();
  void hand_out(double t, std::span<const double> x);

  std::span<double> point(int k) { return row(points_, k); }
  std::span<double> row(std::vector<double>& rows, int k) {
    return {rows.data() + static_cast<std::size_t>(k) * size(), size()};
  }

  int block_;
  StepGrid grid_;
  DormandPrince pair_;
  Last last_ = Last::none;
  int known_ = 0;                  ///< derivatives in the past, up to 5
  int taken_ = 0;                  ///< points of the present or last block
  std::vector<double> points_;     ///< x at the block's beginning and at its points
  std::vector<double> past_;       ///< five derivatives, the last at the grid's present instant
  std::vector<double> corrected_;  ///< derivatives at the corrected points
  std::vector<double> front_;      ///< x at the grid's present instant, which t() may be ahead of
  std::array<Weights, 4> predictor_;                 ///< by target, 1 to 4
  std::array<std::array<Weights, 4>, 4> corrector_;  ///< by block and target
  std::vector<std::unique_ptr<Ode>> clones_;         ///< for all members but the first
  std::vector<Ode*> odes_;                           ///< by member
  std::atomic<bool> failed_{false};
  std::exception_ptr thrown_;  ///< by the first member that threw in this block
  std::atomic_flag throwing_;
  ThreadTeam team_;  ///< last: its threads use all of the above
};

}  // namespace limber
