// The loops of a System: which are closed, where a run begins, what an event that closes one does.
#include <limber/sim/system.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/model/joint_space.hpp>
#include <limber/model/variables.hpp>

#include "index.hpp"
#include "sim/part_error.hpp"

namespace limber {

namespace {

// changes of the initial state that are not worth a notice: digits of a file
constexpr double unnoticed = 1e-9;

double largest_change(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void System::keep_loops(const LoopSettings& settings) {
  if (!loops_) return;
  loops_->settings = settings;
  evaluated_ = false;
}

void System::lay_out_loops() {
  closing_.clear();
  std::vector<LoopSpec> of_parts;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const std::vector<LoopSpec> own = guarded(*parts_[k], [&] { return parts_[k]->loops(); });
    if (own.empty()) continue;
    closing_.push_back({k, of_parts.size(), own.size()});
    of_parts.insert(of_parts.end(), own.begin(), own.end());
  }
  if (!loops_ && of_parts.empty()) return;
  if (!loops_) loops_ = std::make_unique<LoopSet>(Mechanism(*model_));
  loops_->reset(*model_, of_parts);
  placed_.assign(loops_->described().begin(), loops_->described().end());
  is_closed_.assign(placed_.size(), 0);
}

// what parts close with the present discrete states
void System::find_closed_loops() {
  if (closing_.empty()) return;
  const std::span<const BasicLoop<double>> described = loops_->described();
  for (std::size_t k = 0; k < placed_.size(); ++k) {
    placed_[k].placement_a = described[k].placement_a;
    placed_[k].placement_b = described[k].placement_b;
  }
  for (const Closing& own : closing_)
    guarded(*parts_[own.part], [&] {
      parts_[own.part]->close_loops(instant(own.part, 0),
                                    std::span(placed_).subspan(own.begin, own.count),
                                    std::span(is_closed_).subspan(own.begin, own.count));
    });
  loops_->close(placed_, is_closed_);
}

std::string System::project_onto_loops(double t, std::span<double> q, std::span<double> v,
                                       const Loads<double>& loads) {
  const bool any_known = !prescribing_.empty() && std::find(known_.begin(), known_.end(),
                                                            Known::acceleration) != known_.end();
  return loops_->project(t, q, v, any_known ? std::span<const Known>(known_) : std::span<Known>(),
                         loads);
}

// after a step; prescribe() has been called
Evaluated System::hold_loops(double t, std::span<double> q, std::span<double> v) {
  if (!loops_->any_closed()) return Evaluated::ok;
  std::string failure = project_onto_loops(t, q, v, {});
  if (failure.empty()) return Evaluated::ok;
  failure_ = std::move(failure);
  part_threw_ = false;
  evaluated_ = false;
  return Evaluated::failed;
}

// Rows of redundant loops depend on each other only where the loops are closed: within a step,
// where they are slightly open, the rank would seem to be higher, and forces would be enormous.
// True: the position is another one now.
bool System::close_redundant_loops(double t) {
  const Drift drift = loops_->settings.drift;
  if (drift != Drift::project || !loops_->any_closed() || !loops_->is_dependent()) return false;
  if (loops_->largest_gap(t, q_).size <= loops_->settings.tolerance) return false;
  if (hold_loops(t, q_, v_) == Evaluated::failed) throw Error(failure_);
  at_->placed_ = at_->accelerated_ = false;
  return true;
}

// the start as the joints prescribe it; the others are assembled around them
void System::assemble_start(const LoopSet::Gap& gap, std::span<double> q) {
  const LoopSettings& settings = loops_->settings;
  const Mechanism& closed = loops_->closed();
  const std::string open = loops_->describe(gap);
  if (settings.start == LoopStart::as_given)
    throw Error(fmt::format(
        "where the run begins, {}, more than the {:.3g} that are closed without asking; begin with "
        "a position that closes it (`limber assemble` or assemble() finds one), let the run "
        "assemble it (`start: assemble`), leave it open (`loops: open`), or allow more "
        "(largest_gap)",
        open, settings.largest_gap));
  AssemblySettings how;
  how.tolerance = settings.tolerance;
  const std::vector<Variable> freedoms = velocity_variables(*model_);
  for (std::size_t k = 0; k < freedoms.size() && !prescribing_.empty(); ++k)
    if (known_[k] == Known::acceleration && !holds(how.held, freedoms[k].joint))
      how.held.push_back(freedoms[k].joint);
  for (const std::string& joint : settings.chosen_positions)
    if (!holds(how.held, joint)) how.preferred.push_back(joint);
  Assembly found = assemble(closed, 0, q, how);
  if (!found.is_closed)
    throw Error(fmt::format(
        "where the run begins, {}, and no position was found that closes all loops: {}{}; begin "
        "nearer to such a position, or leave the loops open (`loops: open`)",
        open, limber::describe(found),
        how.held.empty() ? "" : "; joints whose motion is prescribed may prevent it"));
  std::stable_sort(found.moved.begin(), found.moved.end(), [](const auto& a, const auto& b) {
    return std::abs(a.distance) > std::abs(b.distance);
  });
  std::string text = fmt::format("where the run begins, {}: assembled by moving {}", open,
                                 describe_moves(found.moved, 6));
  if (!found.freed.empty())
    text += fmt::format("; with the given positions of {} the loops do not close",
                        fmt::join(found.freed, ", "));
  if (!found.keeps_branch)
    text += "; the branch may be another one than that of the robot's own pose";
  notices_.push_back(std::move(text));
  start_assembly_ = std::move(found);
}

// As project_onto_loops() for the loads of the start. Velocities that somebody has chosen stay
// where that is possible and others would have to change.
std::string System::project_start(std::span<double> q, std::span<double> v) {
  const std::vector<double> q0(q.begin(), q.end()), v0(v.begin(), v.end());
  std::string failure = project_onto_loops(0, q, v, {});
  const std::vector<std::string>& chosen = loops_->settings.chosen_velocities;
  if (!failure.empty() || chosen.empty() || largest_change(v, v0) <= unnoticed) return failure;
  std::vector<Known> held(v.size(), Known::force);
  const std::vector<Variable> freedoms = velocity_variables(*model_);
  for (std::size_t k = 0; k < held.size(); ++k)
    if ((!prescribing_.empty() && known_[k] == Known::acceleration) ||
        holds(chosen, freedoms[k].joint))
      held[k] = Known::acceleration;
  std::vector<double> q1 = q0, v1 = v0;
  if (loops_->project(0, q1, v1, held, {}).empty()) {
    std::copy(q1.begin(), q1.end(), q.begin());
    std::copy(v1.begin(), v1.end(), v.begin());
  }
  return failure;
}

// the state where a run begins: small gaps are closed, larger ones assembled
System::Begun System::begin_on_loops(std::span<double> x) {
  if (!loops_) {
    project(0, x);
    return Begun::as_given;
  }
  const std::span<double> q = x.first(q_.size()), v = x.subspan(q_.size(), v_.size());
  if (any_quaternion_) normalize(*model_, q);
  prescribe(0, {q, v, known_, given_});
  if (!loops_->any_closed()) return Begun::as_given;
  const LoopSet::Gap gap = loops_->largest_gap(0, q);
  const bool is_far = !(gap.size <= loops_->settings.largest_gap);
  if (is_far) assemble_start(gap, q);
  const std::vector<double> given(x.begin(), x.begin() + static_cast<long>(place_.size()));
  if (const std::string failure = project_start(q, v); !failure.empty())
    throw Error("where the run begins, " + failure);
  const std::span<const double> old(given);
  if (gap.size > unnoticed && !is_far)
    notices_.push_back(
        fmt::format("where the run begins, {}: closed, which changes positions by up to {:.3g}",
                    loops_->describe(gap), largest_change(q, old.first(q.size()))));
  const double change = largest_change(v, old.subspan(q.size()));
  if (change > unnoticed)
    notices_.push_back(fmt::format(
        "the initial velocities do not keep the loops closed: changed by up to {:.3g}", change));
  return is_far ? Begun::assembled : Begun::as_given;
}

// what the event of a part does to velocities where it closed loops
void System::close_at_event(std::size_t part, double t, std::span<double> x) {
  const std::span<double> q = x.first(q_.size()), v = x.subspan(q_.size(), v_.size());
  const std::vector<std::uint8_t> before = is_closed_;
  prescribe(t, {q, v, known_, given_});
  std::vector<int> closed_now;
  for (const Closing& own : closing_)
    for (std::size_t k = own.begin; k < own.begin + own.count && own.part == part; ++k)
      if (is_closed_[k] && !before[k])
        closed_now.push_back(loops_->robot_loops() + static_cast<int>(k));
  if (loops_->any_closed() && !closed_now.empty()) {
    const LoopSet::Gap gap = loops_->largest_gap(t, q);
    if (!(gap.size <= loops_->settings.largest_gap))
      throw Error(fmt::format("{}, more than the {:.3g} that an event may close",
                              loops_->describe(gap), loops_->settings.largest_gap));
    Loads<double> loads;
    if (inertia_added_) loads.joint_inertia = at_->inertia;
    loads.body_inertia = body_inertia();
    if (const std::string failure = project_onto_loops(t, q, v, loads); !failure.empty())
      throw Error(failure);
    double force = 0, moment = 0;
    const Mechanism& all = loops_->all();
    for (const int k : closed_now)
      for (int i = 0; i < all.closures[k].rows; ++i) {
        const int row = all.closures[k].first_row + i;
        const double impulse = loops_->impulses()[at_index(row)];
        (std::string_view(all.row_unit(row)) == "N" ? force : moment) += impulse * impulse;
      }
    event_note_ =
        fmt::format("impulse {:.3g} N s, {:.3g} N m s", std::sqrt(force), std::sqrt(moment));
  }
  if (evaluate(t, x) == Evaluated::failed) throw Error(failure_);
}

void System::add_loop_forces(std::span<Force<double>> bodies) const {
  if (loops_ && loops_->any_closed()) loops_->add_forces(at_->t, q_, bodies);
}

double System::loop_gap() const {
  return loops_ && loops_->any_closed() ? loops_->largest_gap(at_->t, q_).size : 0;
}

}  // namespace limber
