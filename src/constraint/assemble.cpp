#include <limber/constraint/assemble.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/model/joint_space.hpp>
#include <limber/model/variables.hpp>

#include "constraint/position_rows.hpp"
#include "dynamics/checks.hpp"

namespace limber {

namespace {

class Assembler {
 public:
  Assembler(const Mechanism& m, double t, const AssemblySettings& settings)
      : m_(m),
        t_(t),
        settings_(settings),
        rows_(m, t),
        all_{std::vector<char>(at_index(m.tree.nv), 1), settings.tolerance, settings.iterations},
        free_(all_) {
    for (const std::string& name : settings.held) {
      held_.push_back(joint_place(m.tree, name));
      for (int k = 0; k < held_.back().v_count; ++k)
        free_.may_move[at_index(held_.back().v + k)] = 0;
    }
  }

  Assembly solve(std::span<double> q) {
    const Numbers guess(q.begin(), q.end());
    Numbers near = guess;
    double gap = rows_.close(free_, near, result_.iterations);
    Numbers found = near;
    result_.keeps_branch = gap <= settings_.tolerance && distance(guess, near) <= settings_.nearby;
    if (!result_.keeps_branch) {
      Numbers followed = guess;
      const double followed_gap = follow(followed);
      if (result_.keeps_branch || followed_gap < gap) found = followed, gap = followed_gap;
    }
    for (int round = 1; round <= most_nudges && !(gap <= settings_.tolerance); ++round) {
      Numbers nudged = guess;
      nudge(round, nudged);
      const double nudged_gap = rows_.close(free_, nudged, result_.iterations);
      if (nudged_gap < gap) found = nudged, gap = nudged_gap;
    }
    std::copy(found.begin(), found.end(), q.begin());
    report(guess, found);
    return result_;
  }

 private:
  static constexpr int most_nudges = 6;

  /// Away from a guess where no small displacement makes the gaps smaller, as where all links lie
  /// on one line: every freedom by another amount.
  void nudge(int round, Numbers& q) const {
    constexpr double most = 0.5, irrational = 0.6180339887498949;  // [rad or m]
    const Model& tree = m_.tree;
    Numbers step(at_index(tree.nv));
    for (int k = 0; k < tree.nv; ++k) {
      const double share = irrational * (round * (tree.nv + 1) + k + 1);
      if (free_.may_move[at_index(k)])
        step[at_index(k)] = most * round / most_nudges * (2 * (share - std::floor(share)) - 1);
    }
    const Numbers before = q;
    integrate<double>(tree, before, step, 1.0, q);
    for (int k = 0; k < tree.nv; ++k)
      if (const int place = tree.dof_q[k]; place >= 0)
        q[at_index(place)] =
            std::clamp(q[at_index(place)], std::min(tree.dof[k].lower, before[at_index(place)]),
                       std::max(tree.dof[k].upper, before[at_index(place)]));
  }

  Numbers between(const Numbers& from, const Numbers& to) const {
    Numbers step(at_index(m_.tree.nv));
    difference<double>(m_.tree, from, to, step);
    return step;
  }
  double distance(const Numbers& from, const Numbers& to) const {
    return largest_of(between(from, to));
  }

  /// From the model's pose towards the guess; q is the guess on entry. The gap that is left.
  double follow(Numbers& q) {
    constexpr double longest_correction = 0.5;  // [rad or m]: further is a jump
    const Numbers guess = q;
    const Numbers from = settings_.from.empty() ? model_pose(m_, t_) : settings_.from;
    Numbers now = from;
    const Numbers way = between(from, guess);
    if (!(rows_.close(all_, now, result_.iterations) <= settings_.tolerance))
      return rows_.close(free_, q, result_.iterations);
    const double shortest = 1.0 / (64 * settings_.displacements);
    double share = 1.0 / settings_.displacements, done = 0;
    const int most = result_.iterations + 20 * settings_.iterations;
    while (done < 1 && share >= shortest && result_.iterations < most) {
      const double next = std::min(1.0, done + share);
      Numbers trial(guess.size());
      integrate<double>(m_.tree, now, way, next - done, trial);
      Numbers target(guess.size());
      integrate<double>(m_.tree, from, way, next, target);
      put_held(next < 1 ? target : guess, trial);
      const Numbers predicted = trial;
      const double gap = rows_.close(free_, trial, result_.iterations);
      if (gap <= settings_.tolerance && distance(predicted, trial) <= longest_correction) {
        now = trial;
        done = next;
        share = std::min(2 * share, 1.0 / settings_.displacements);
      } else {
        share /= 2;
      }
    }
    result_.keeps_branch = done >= 1;
    q = now;
    put_held(guess, q);
    return rows_.close(free_, q, result_.iterations);
  }

  void put_held(const Numbers& from, Numbers& to) const {
    for (const JointPlace& joint : held_)
      for (int k = 0; k < joint.q_count; ++k)
        to[at_index(joint.q + k)] = from[at_index(joint.q + k)];
  }

  void report(const Numbers& guess, const Numbers& found) {
    const Numbers gap = rows_.gaps(found);
    result_.gap = largest_of(gap);
    result_.is_closed = result_.gap <= settings_.tolerance;
    for (std::size_t i = 0; i < gap.size(); ++i) {
      const int row = rows_.held()[i];
      if (!(std::abs(gap[i]) <= settings_.tolerance))
        result_.open.push_back({row, gap[i], m_.row_name(row), gap_unit(m_, row)});
    }
    std::stable_sort(
        result_.open.begin(), result_.open.end(),
        [](const OpenRow& a, const OpenRow& b) { return std::abs(a.gap) > std::abs(b.gap); });
    const Numbers moved = between(guess, found);
    const std::vector<Variable> variables = velocity_variables(m_.tree);
    for (std::size_t k = 0; k < moved.size(); ++k)
      if (std::abs(moved[k]) > settings_.tolerance)
        result_.moved.push_back({variables[k].name(), moved[k], variables[k].unit});
  }

  const Mechanism& m_;
  double t_;
  const AssemblySettings& settings_;
  PositionRows rows_;
  PositionRows::Search all_, free_;
  std::vector<JointPlace> held_;
  Assembly result_;
};

// Of the preferred joints those that the loops leave free at q, the first ones first: a column of
// the rows that those of all other joints and of later preferred ones span may be held.
std::vector<std::string> joints_to_keep(const Mechanism& m, double t,
                                        const AssemblySettings& settings,
                                        std::span<const double> q) {
  constexpr double least = 1e-7;  // of a row of unit length
  PositionRows rows(m, t);
  Dense J = rows.jacobian(q);
  scale_rows(row_scales(m, rows.held(), J), J);
  std::vector<Numbers> basis;
  const auto adds_direction = [&](int column) {
    Numbers rest = column_of(J, column);
    for (int pass = 0; pass < 2; ++pass)
      for (const Numbers& one : basis) {
        double along = 0;
        for (std::size_t i = 0; i < rest.size(); ++i) along += one[i] * rest[i];
        for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= along * one[i];
      }
    const double length = norm_of(rest);
    if (length <= least) return false;
    for (double& x : rest) x /= length;
    basis.push_back(std::move(rest));
    return true;
  };
  std::vector<char> moves(at_index(m.tree.nv), 1);
  for (const auto* names : {&settings.held, &settings.preferred})
    for (const std::string& name : *names) {
      const JointPlace joint = joint_place(m.tree, name);
      for (int k = 0; k < joint.v_count; ++k) moves[at_index(joint.v + k)] = 0;
    }
  for (int k = 0; k < m.tree.nv; ++k)
    if (moves[at_index(k)]) adds_direction(k);
  std::vector<std::string> kept;
  for (auto name = settings.preferred.rbegin(); name != settings.preferred.rend(); ++name) {
    const JointPlace joint = joint_place(m.tree, *name);
    bool needed = false;
    for (int k = 0; k < joint.v_count; ++k) needed = adds_direction(joint.v + k) || needed;
    if (!needed) kept.push_back(*name);
  }
  return kept;
}

// all preferred joints are held, else some of them, else none
Assembly assemble_preferring(const Mechanism& m, double t, std::span<double> q,
                             const AssemblySettings& settings) {
  const Numbers guess(q.begin(), q.end());
  const auto attempt = [&](const std::vector<std::string>& kept, Numbers from, Numbers& found) {
    AssemblySettings now = settings;
    now.preferred.clear();
    now.held.insert(now.held.end(), kept.begin(), kept.end());
    now.from = std::move(from);
    found = guess;
    return Assembler(m, t, now).solve(found);
  };
  Numbers found, nearer;
  Assembly result = attempt(settings.preferred, settings.from, found);
  if (!result.is_closed) {
    result = attempt({}, settings.from, found);
    const std::vector<std::string> kept =
        result.is_closed ? joints_to_keep(m, t, settings, found) : std::vector<std::string>{};
    if (!kept.empty()) {
      Assembly some = attempt(kept, found, nearer);
      some.keeps_branch = some.keeps_branch && result.keeps_branch;
      if (some.is_closed) result = std::move(some), found = std::move(nearer);
    }
    Numbers moved(at_index(m.tree.nv));
    difference<double>(m.tree, guess, found, moved);
    for (const std::string& name : settings.preferred) {
      const JointPlace joint = joint_place(m.tree, name);
      const auto first = moved.begin() + joint.v;
      if (std::any_of(first, first + joint.v_count,
                      [&](double x) { return std::abs(x) > settings.tolerance; }))
        result.freed.push_back(name);
    }
  }
  std::copy(found.begin(), found.end(), q.begin());
  return result;
}

void check_assembly_position(const Model& tree, const char* argument, std::span<const double> q) {
  check_size("assemble", argument, q.size(), tree.nq, tree.name);
  check_input<double>(tree, "assembling", argument, q, tree.q_count);
}

}  // namespace

Assembly assemble(const Mechanism& m, double t, std::span<double> q,
                  const AssemblySettings& settings) {
  check_assembly_position(m.tree, "q", q);
  if (!settings.from.empty()) check_assembly_position(m.tree, "from", settings.from);
  if (!(settings.tolerance > 0) || settings.iterations < 1 || settings.displacements < 1)
    throw Error("assemble: tolerance, iterations and displacements must be positive");
  normalize<double>(m.tree, q);
  if (!settings.preferred.empty()) return assemble_preferring(m, t, q, settings);
  return Assembler(m, t, settings).solve(q);
}

std::string describe(const Assembly& assembly) {
  if (assembly.is_closed) return "all loops are closed";
  std::string text = "loops do not close: ";
  constexpr std::size_t most = 6;
  for (std::size_t i = 0; i < std::min(most, assembly.open.size()); ++i) {
    const OpenRow& row = assembly.open[i];
    text += fmt::format("{}{}: {:.3g}{}{}", i > 0 ? "; " : "", row.name, row.gap,
                        row.unit.empty() ? "" : " ", row.unit);
  }
  if (assembly.open.size() > most)
    text += fmt::format("; and {} more rows", assembly.open.size() - most);
  return text;
}

std::string describe_moves(std::span<const JointMove> moved, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, moved.size()); ++i)
    text += fmt::format("{}{} by {:.3g}{}{}", i > 0 ? ", " : "", moved[i].name, moved[i].distance,
                        moved[i].unit.empty() ? "" : " ", moved[i].unit);
  if (moved.size() > most) text += fmt::format(" and {} more", moved.size() - most);
  return text;
}

std::vector<double> model_pose(const Mechanism& m, double t) {
  Numbers pose = neutral_position(m.tree);
  if (m.tree.keyframes.empty()) return pose;
  PositionRows rows(m, t);
  const Numbers& named = m.tree.keyframes[0].q;
  return norm_of(rows.gaps(named)) < norm_of(rows.gaps(pose)) ? named : pose;
}

}  // namespace limber
