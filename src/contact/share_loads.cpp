// Loads that nothing decides: of all forces with the same effect those of least Σ softness |λ|².
#include "contact/convex_island.hpp"

namespace limber {

namespace {

/// Which forces of a solution its velocities leave open: contacts that stick may have any in their
/// cones, those that slide any along a ray, those that leave none.
class LoadSharing {
 public:
  LoadSharing(ContactProblem& problem, const ContactIsland& island, double tolerance,
              ConeSolver& solver)
      : convex_{problem, island, solver, 1}, tolerance_(tolerance), s_(solver) {}

  /// Whether there is a choice. All that follows needs it.
  bool has_choice() {
    const ContactProblem& problem = convex_.problem;
    double weights = 0;
    s_.convex_rows.clear();
    for (int i = convex_.island.first; i < convex_.island.first + convex_.island.contacts; ++i) {
      const int c = problem.order[i];
      const ContactLaw& law = problem.law[c];
      const double weight = s_.blocks[c].weight;
      const Vec3<double>& l = problem.impulse[c];
      const Vec3<double> u = problem.velocity(c);
      if (!(weight > 0) || (!(l.x > 0) && u.x > most_velocity())) continue;
      ConeSolver::Rows rows{c, problem.W.data() + problem.first[c], 1};
      if (const double slip = length_of(u.y, u.z); law.friction > 0 && slip > most_velocity()) {
        const Vec3<double> ray{1, -law.friction * u.y / slip, -law.friction * u.z / slip};
        rows.ray = ray / norm(ray);
      }
      if (problem.turns(c)) {  // what moments need stays
        const Vec3<double>& m = problem.turn_impulse[c];
        if (m.x != 0) rows.least = std::abs(m.x) / law.torsion;
        if (m.y != 0 || m.z != 0)
          rows.least = std::max(rows.least, length_of(m.y, m.z) / law.rolling);
        if (rows.least > 0 && rows.ray.x > 0) return false;
      }
      weights += weight;
      s_.convex_rows.push_back(rows);
    }
    if (s_.convex_rows.count() < 2) return false;
    for (ConeSolver::Rows& rows : s_.convex_rows)
      rows.R = problem.law[rows.contact].softness * weights / s_.convex_rows.count();
    convex_.make_room_for_rows();
    return !convex_.has_root || !convex_.is_regular;
  }

  /// The forces with the same effect for which Σ softness · |λ|² is smallest: λ = Π(W y / R) with
  /// Wᵀ λ as it is. Returns the number of steps.
  int share() {
    ContactProblem& problem = convex_.problem;
    const int n = convex_.n;
    s_.kept.resize(problem.law.size());
    std::fill(s_.z.begin(), s_.z.begin() + n, 0.0);
    double size = 0;
    for (ConeSolver::Rows& rows : s_.convex_rows) {
      const Vec3<double>& l = s_.kept[rows.contact] = problem.impulse[rows.contact];
      convex_.for_entries(rows, [&](const Vec3<double>& W, int k) { s_.linear[k] += dot(W, l); });
      rows.center = rows.b = {};
    }
    for (int k = 0; k < n; ++k) size = std::max(size, std::abs(s_.linear[k]));
    s_.goal.assign(s_.linear.begin(), s_.linear.begin() + n);
    convex_.inertia = proximal;
    const double before = residual();
    int steps = 0;
    for (int round = 0; round < rounds; ++round) {
      steps += convex_.minimise(accuracy * size);
      double left = 0;  // of Wᵀ λ
      for (int k = 0; k < n; ++k) {
        left = std::max(left,
                        std::abs(s_.gradient[k] - proximal * s_.z[k] - s_.linear[k] + s_.goal[k]));
        s_.linear[k] = s_.goal[k] - proximal * s_.z[k];
      }
      if (left <= accuracy * size) break;
    }
    double largest = 0, moved = 0;
    for (int i = 0; i < convex_.count(); ++i) {
      const int c = s_.convex_rows[i].contact;
      problem.impulse[c] = convex_.project(s_.convex_rows[i], s_.y[i]);
      largest = std::max(largest, norm(problem.impulse[c]));
      moved = std::max(moved, norm(problem.impulse[c] - s_.kept[c]));
    }
    problem.fill_response(convex_.island);
    // what was shared already stays as it is, to the last bit
    if (moved <= same * largest || !(residual() <= std::max(before, tolerance_))) {
      for (const ConeSolver::Rows& rows : s_.convex_rows)
        problem.impulse[rows.contact] = s_.kept[rows.contact];
      problem.fill_response(convex_.island);
    }
    return steps;
  }

  void end() { unmark_freedoms(s_); }

 private:
  static constexpr double proximal = 1e-9, accuracy = 1e-13, same = 1e-8;
  static constexpr int rounds = 5;
  ConvexIsland convex_;
  double tolerance_;
  ConeSolver& s_;

  double most_velocity() const { return 10 * tolerance_; }
  double residual() {
    return island_residual(convex_.problem, convex_.island, FrictionShape::cone, s_.blocks)
        .residual;
  }
};

}  // namespace

int share_loads(ContactProblem& problem, const ContactIsland& island, double tolerance,
                ConeSolver& solver) {
  LoadSharing sharing(problem, island, tolerance, solver);
  const bool has_choice = sharing.has_choice();
  const int steps = has_choice ? sharing.share() : 0;
  for (int i = island.first; i < island.first + island.contacts; ++i)
    problem.shared[problem.order[i]] = has_choice && problem.impulse[problem.order[i]].x > 0;
  sharing.end();
  return steps;
}

}  // namespace limber
