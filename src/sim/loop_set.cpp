#include <limber/sim/loop_set.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/constraint/independent_freedoms.hpp>

#include "dynamics/fold.hpp"
#include "index.hpp"
#include "model/loops.hpp"

namespace limber {

namespace {

// a projection that leaves more than this many tolerances has failed
constexpr double tolerances_accepted = 1000;
// of what dependent rows may demand beyond the others [m/s or rad/s], beside the largest velocity
constexpr double inconsistency_accepted = 1e-5;

bool same_place(const Transform<double>& a, const Transform<double>& b) {
  bool same = a.p.x == b.p.x && a.p.y == b.p.y && a.p.z == b.p.z;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) same = same && a.R.row(i)[j] == b.R.row(i)[j];
  return same;
}

const char* gap_unit(const Mechanism& m, int row) {
  const std::string_view force = m.row_unit(row);
  return force == "N" ? " m" : force == "N m" ? " rad" : "";
}

}  // namespace

LoopSet::LoopSet(Mechanism robot)
    : robot_(std::move(robot)), all_(robot_), closed_(robot_), dynamics_(closed_) {
  rebuild();
}

void LoopSet::reset(const Model& tree, const std::vector<LoopSpec>& of_parts) {
  robot_.tree = tree;
  described_.clear();
  for (const LoopSpec& loop : of_parts) described_.push_back(resolve_loop(loop, tree));
  placed_ = described_;
  is_closed_.assign(at_index(robot_loops()) + placed_.size(), 1);
  std::fill(is_closed_.begin() + robot_loops(), is_closed_.end(), std::uint8_t(0));
  rebuild();
}

void LoopSet::set_tree(const Model& tree) {
  robot_.tree = tree;
  for (Mechanism* one : {&all_, &closed_}) one->tree = tree;
}

void LoopSet::close(std::span<const BasicLoop<double>> loops,
                    std::span<const std::uint8_t> is_closed) {
  bool same = true;
  for (std::size_t k = 0; k < loops.size(); ++k)
    same = same && is_closed[k] == is_closed_[at_index(robot_loops()) + k] &&
           same_place(loops[k].placement_a, placed_[k].placement_a) &&
           same_place(loops[k].placement_b, placed_[k].placement_b);
  if (same) return;
  std::copy(loops.begin(), loops.end(), placed_.begin());
  std::copy(is_closed.begin(), is_closed.end(), is_closed_.begin() + robot_loops());
  rebuild();
}

// mechanisms and room for their dynamics, for the loops that are closed
void LoopSet::rebuild() {
  is_closed_.resize(at_index(robot_loops()) + placed_.size(), 1);
  const auto gather = [&](bool open_too) {
    Mechanism m(robot_.tree);
    for (const BasicLoop<double>& loop : robot_.loops) m.add(loop);
    for (std::size_t k = 0; k < placed_.size(); ++k)
      if (open_too || is_closed_[at_index(robot_loops()) + k]) m.add(placed_[k]);
    for (const CustomConstraint& one : robot_.custom) m.add(one);
    for (const LoopMotion& one : robot_.motions) m.add(one);
    return m;
  };
  all_ = gather(true);
  closed_ = gather(false);
  dynamics_ = ClosedDynamics(closed_);
  row_in_all_.clear();
  for (int k = 0; k < all_.loops.count(); ++k)
    for (int i = 0; i < all_.closures[k].rows && is_closed(k); ++i)
      row_in_all_.push_back(all_.closures[k].first_row + i);
  for (int row = all_.rows - (closed_.rows - static_cast<int>(row_in_all_.size())); row < all_.rows;
       ++row)
    row_in_all_.push_back(row);  // of constraints that programs give
  const auto nv = at_index(closed_.tree.nv), rows = at_index(all_.rows);
  independent_.assign(nv, Known::force);
  a_.assign(nv, 0);
  tau_.assign(nv, 0);
  forces_.assign(rows, 0);
  impulses_.assign(rows, 0);
  is_determinate_.assign(rows, 1);
  pulls_.assign(all_.loops.size(), {});
}

LoopSet::Gap LoopSet::largest_gap(double t, std::span<const double> q) {
  const std::span<const double> gaps =
      loop_gaps<double>(closed_, t, q, dynamics_.ws, dynamics_.rows);
  Gap largest;
  for (std::size_t i = 0; i < gaps.size(); ++i)
    if (const double size = std::abs(gaps[i]); !(size <= largest.size) || largest.row < 0)
      largest = {size, static_cast<int>(i)};
  return largest;
}

std::string LoopSet::describe(const Gap& gap) const {
  return fmt::format("{} is open by {:.3g}{}", closed_.owner_name(closed_.owner(gap.row)), gap.size,
                     gap_unit(closed_, gap.row));
}

Hybrid<double> LoopSet::dynamics(double t, std::span<const double> q, std::span<const double> v,
                                 std::span<const Known> known, std::span<const double> given,
                                 const Loads<double>& loads) {
  dynamics_.decay_rate = settings.drift == Drift::baumgarte ? settings.rate : 0;
  Hybrid<double> result;
  if (known.empty())
    result = {closed_forward_dynamics<double>(closed_, t, q, v, given, dynamics_, loads), given};
  else result = closed_hybrid_dynamics<double>(closed_, t, q, v, known, given, dynamics_, loads);
  // kept apart: project() uses the same room
  std::copy(result.a.begin(), result.a.end(), a_.begin());
  std::copy(result.tau.begin(), result.tau.end(), tau_.begin());
  rank_ = dynamics_.solver.rank;
  power_ = 0;
  for (int i = 0; i < closed_.rows; ++i) {
    const std::size_t row = at_index(row_in_all_[at_index(i)]);
    forces_[row] = dynamics_.solver.force[i];
    is_determinate_[row] = dynamics_.solver.is_determinate[i];
    power_ -= dynamics_.solver.force[i] * dynamics_.rows.drift[i];
  }
  find_pulls();
  return {a_, tau_};
}

// the rows are those of the last dynamics
void LoopSet::find_pulls() {
  int closed = 0;
  for (int k = 0; k < all_.loops.count(); ++k) {
    if (!is_closed(k)) continue;
    const auto& closure = closed_.closures[closed];
    Vec3<double>& sum = pulls_[at_index(k)];
    sum = {};
    if (closed_.loops[closed++].kind == LoopSpec::Kind::coupling) continue;
    for (int i = closure.first_row; i < closure.first_row + closure.rows; ++i)
      sum += dynamics_.rows.F[i].linear * dynamics_.solver.force[i];
  }
}

std::string LoopSet::project(double t, std::span<double> q, std::span<double> v,
                             std::span<const Known> known, const Loads<double>& loads) {
  std::span<const Known> held = known;
  if (settings.drift == Drift::independent) {
    choose_independent(closed_, t, q, known, dynamics_, independent_);
    held = independent_;
  }
  const ClosedPosition found =
      close_loops<double>(closed_, t, q, dynamics_, settings.tolerance, held);
  const char* why = known.empty() ? "" : "; a motion that is prescribed may contradict it";
  if (!(found.gap <= tolerances_accepted * settings.tolerance))
    return fmt::format("{} and cannot be closed{}", describe({found.gap, found.row}), why);
  const std::span<const double> closed =
      closed_velocity<double>(closed_, t, q, v, dynamics_, loads, held);
  double most = 1;
  for (const double rate : closed) most = std::max(most, std::abs(rate));
  if (!(dynamics_.solver.inconsistency <= inconsistency_accepted * most))
    return fmt::format("no velocity keeps {} closed{}",
                       closed_.owner_name(closed_.owner(dynamics_.solver.inconsistent_row)), why);
  std::copy(closed.begin(), closed.end(), v.begin());
  for (int i = 0; i < closed_.rows; ++i)
    impulses_[at_index(row_in_all_[at_index(i)])] = dynamics_.solver.force[i];
  return {};
}

void LoopSet::add_forces(double t, std::span<const double> q, std::span<Force<double>> bodies) {
  loop_jacobian<double>(closed_, t, q, dynamics_.ws, dynamics_.rows);
  const LoopRows& rows = dynamics_.rows;
  const Model& m = closed_.tree;
  for (int k = 0; k < closed_.loops.count(); ++k) {
    const BasicLoop<double>& loop = closed_.loops[k];
    if (loop.kind == LoopSpec::Kind::coupling) continue;  // acts on the joints themselves
    Force<double> sum;
    const auto& closure = closed_.closures[k];
    for (int i = closure.first_row; i < closure.first_row + closure.rows; ++i)
      sum += rows.F[i] * forces_[at_index(row_in_all_[at_index(i)])];
    sum.angular += cross(rows.point[k], sum.linear);  // about the world's origin
    const auto add = [&](int body, const Force<double>& f) {
      if (body == 0) return;
      bodies[at_index(body)] +=
          inverse(m.body_placement[body]) * (inverse(rows.motion.X_W[body]) * f);
    };
    add(loop.body_b, sum);
    add(loop.body_a, sum * -1.0);
  }
}

}  // namespace limber
