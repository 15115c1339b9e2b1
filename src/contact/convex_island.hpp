#pragma once
// Convex problems over the freedoms of an island: min of an augmented Lagrangian by Newton's
// method. Included by the files that pose them (cone_convex.cpp, share_loads.cpp).
#include "contact/cone_block.hpp"
#include "contact/cone_convex.hpp"
#include "contact/cone_newton.hpp"
#include "dynamics/tree_factor.ipp"
#include "index.hpp"

namespace limber {

constexpr double dependent = 1e-10;  // of a row: what others do not replace of its square

/// Derivative of the projection on the cone; symmetric.
inline Sym3<double> projection_slope(const Vec3<double>& y, double mu) {
  const double t = length_of(y.y, y.z);
  if (!(mu > 0)) return Sym3<double>::diagonal(y.x > 0 ? 1 : 0, 0, 0);  // no cone but a ray
  if (t <= mu * y.x) return Sym3<double>::identity();
  if (mu * t <= -y.x) return {};
  const double share = 1 / (1 + mu * mu), n = (y.x + mu * t) * share;
  const double dy = y.y / t, dz = y.z / t, turn = mu * n / t, along = mu * mu * share - turn;
  return {share,           turn + along * dy * dy, turn + along * dz * dz,
          mu * share * dy, mu * share * dz,        along * dy * dz};
}

/// Of what bears at most a radius; (y, z) of a symmetric matrix whose x is separate.
inline Sym3<double> disk_slope(const Vec3<double>& y, double radius) {
  const double t = length_of(y.y, y.z);
  if (t <= radius) return Sym3<double>::diagonal(0, 1, 1);
  const double dy = y.y / t, dz = y.z / t, turn = radius / t;
  return {0, turn * (1 - dy * dy), turn * (1 - dz * dz), 0, 0, -turn * dy * dz};
}
inline Vec3<double> project_on_disk(double x, const Vec3<double>& y, double radius) {
  const double t = length_of(y.y, y.z), share = t > radius ? radius / t : 1;
  return {x, y.y * share, y.z * share};
}

/// The cone without the part below a least normal impulse.
inline Vec3<double> project_on_blunt_cone(const Vec3<double>& y, double mu, double least) {
  const Vec3<double> l = project_on_cone(y, mu);
  return l.x >= least ? l : project_on_disk(least, y, mu * least);
}
inline Sym3<double> blunt_cone_slope(const Vec3<double>& y, double mu, double least) {
  return least > 0 && project_on_cone(y, mu).x < least ? disk_slope(y, mu * least)
                                                       : projection_slope(y, mu);
}

/// Moments about the normal and the tangents, within what they can be.
inline Vec3<double> project_turning(const Vec3<double>& y, double torsion, double rolling) {
  return project_on_disk(std::clamp(y.x, -torsion, torsion), y, rolling);
}
inline Sym3<double> turning_slope(const Vec3<double>& y, double torsion, double rolling) {
  Sym3<double> slope = disk_slope(y, rolling);
  slope.xx = std::abs(y.x) < torsion ? 1 : 0;
  return slope;
}

/// freedom: the numbers of z that the island has, as they come; local of each is 0.
inline void mark_freedoms(const ContactProblem& problem, const ContactIsland& island,
                          ConeSolver& s) {
  if (s.local.count() < problem.size) s.local.resize(at_index(problem.size), -1);
  s.freedom.clear();
  for (int i = island.first; i < island.first + island.contacts; ++i) {
    const int c = problem.order[i];
    for (int e = problem.first[c]; e < problem.first[c + 1]; ++e)
      if (int& at = s.local[problem.place[e]]; at < 0) {
        at = 0;
        s.freedom.push_back(problem.place[e]);
      }
  }
}
inline void unmark_freedoms(ConeSolver& s) {
  for (const int k : s.freedom) s.local[k] = -1;
}

/// On a ray: friction that is given with the normal force.
inline Vec3<double> project_on_ray(const Vec3<double>& y, const Vec3<double>& ray) {
  return ray * std::max(dot(y, ray), 0.0);
}
inline Sym3<double> ray_slope(const Vec3<double>& y, const Vec3<double>& ray) {
  return dot(y, ray) > 0 ? square(ray) : Sym3<double>{};
}

struct ConvexIsland {
  using Rows = ConeSolver::Rows;
  ContactProblem& problem;
  const ContactIsland& island;
  ConeSolver& s;
  double softness;     ///< R in units of A_nn
  double inertia = 1;  ///< the factor of ½ |z|²
  int n = 0, stride = 0;
  bool has_root = false;
  bool is_regular = true;  ///< of find_root(): no row depends on others

  /// Three rows for the force of each contact that can move, three more for what turns.
  void find_rows() {
    s.convex_rows.clear();
    for (int i = island.first; i < island.first + island.contacts; ++i) {
      const int c = problem.order[i];
      const ConeSolver::Block& block = s.blocks[c];
      if (!(block.weight > 0)) {
        problem.impulse[c] = problem.turn_impulse[c] = {};
        continue;
      }
      s.convex_rows.push_back({c, problem.W.data() + problem.first[c], softness * block.weight});
      if (problem.turns(c) && block.turn_weight > 0)
        s.convex_rows.push_back(
            {c, problem.W_turn.data() + problem.turn[c], softness * block.turn_weight, true});
    }
  }
  /// Fewer rows than freedoms: instead of z a root of W Wᵀ, of which u and λ know no difference.
  void find_root() {
    const int all = 3 * count();
    n = all;
    stride = (n + 7) / 8 * 8;
    if (s.H.size() < at_index(n * stride)) s.H.resize(at_index(n * stride));
    if (s.spread.count() < problem.size) s.spread.resize(at_index(problem.size));
    double largest = 0;
    for (int i = 0; i < count(); ++i) {
      const Rows& rows = s.convex_rows[i];
      for_own_entries(rows, [&](const Vec3<double>& W, int place) { s.spread[place] = W; });
      for (int j = 0; j <= i; ++j) {
        Mat3<double> block;
        for_own_entries(s.convex_rows[j], [&](const Vec3<double>& W, int place) {
          block += outer(s.spread[place], W);
        });
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) s.H[(3 * i + k) * stride + 3 * j + l] = block.row(k)[l];
      }
      for (int k = 0; k < 3; ++k)
        largest = std::max(largest, s.H[(3 * i + k) * stride + 3 * i + k]);
      for_own_entries(rows, [&](const Vec3<double>&, int place) { s.spread[place] = {}; });
    }
    s.diagonal.resize(at_index(n));
    for (int k = 0; k < n; ++k) s.diagonal[k] = s.H[k * stride + k];
    is_regular = true;
    for (int k = 0; k < n; ++k) {  // Cholesky's, without the columns that depend on others
      const double pivot = s.H[k * stride + k];
      if (!(pivot > dependent * s.diagonal[k])) is_regular = false;
      const double scale = pivot > 1e-14 * largest ? 1 / std::sqrt(pivot) : 0;
      for (int i = k; i < n; ++i) s.H[i * stride + k] *= scale;
      for (int i = k + 1; i < n; ++i)
        for (int j = k + 1; j <= i; ++j)
          s.H[i * stride + j] -= s.H[i * stride + k] * s.H[j * stride + k];
    }
    s.root.resize(at_index(count() * n));
    for (int i = 0; i < count(); ++i) {
      Vec3<double>* W = s.root.data() + i * n;
      for (int k = 0; k < n; ++k)
        for (int l = 0; l < 3; ++l) W[k][l] = k <= 3 * i + l ? s.H[(3 * i + l) * stride + k] : 0;
      s.convex_rows[i].W = W;
      s.convex_rows[i].last = 3 * i + 2;
    }
  }
  void make_room() {
    find_rows();
    make_room_for_rows();
  }
  void make_room_for_rows() {
    mark_freedoms(problem, island, s);
    std::sort(s.freedom.begin(), s.freedom.end());
    n = s.freedom.count();
    has_root = 3 * count() < n;
    if (has_root) find_root();
    else
      for (int k = 0; k < n; ++k) s.local[s.freedom[k]] = k;
    stride = (n + 7) / 8 * 8;
    const std::size_t size = at_index(n) * at_index(stride), rows = s.convex_rows.size();
    if (s.H.size() < size) s.H.resize(size);
    if (s.z.count() < n) {
      for (List<double>* list : {&s.z, &s.gradient, &s.d, &s.linear}) list->resize(at_index(n));
      s.last.resize(at_index(n));
    }
    std::fill(s.linear.begin(), s.linear.end(), 0.0);
    if (s.y.size() < rows)
      for (List<Vec3<double>>* list : {&s.y, &s.Wd, &s.best}) list->resize(rows);
  }
  int count() const { return s.convex_rows.count(); }
  Vec3<double>& impulse(const Rows& rows) {
    return rows.turns ? problem.turn_impulse[rows.contact] : problem.impulse[rows.contact];
  }
  /// Where the impulses and slips are now: λ̄, De Saxcé's s, and what friction of turning bears.
  void begin_round() {
    std::fill(s.z.begin(), s.z.begin() + n, 0.0);
    if (!has_root)
      for (int k = 0; k < n; ++k) s.z[k] = problem.z[s.freedom[k]];
    for (int i = 0; i < count() && has_root; ++i)
      for (int k = 0; k < n; ++k) s.z[k] += dot(s.convex_rows[i].W[k], impulse(s.convex_rows[i]));
    for (Rows& rows : s.convex_rows) {
      const ContactLaw& law = problem.law[rows.contact];
      rows.center = impulse(rows);
      if (rows.turns) {
        rows.b = problem.b_turn[rows.contact];
        rows.torsion = law.torsion * problem.impulse[rows.contact].x;
        rows.rolling = law.rolling * problem.impulse[rows.contact].x;
        continue;
      }
      const Vec3<double> u = problem.velocity(rows.contact);
      rows.b = problem.b[rows.contact];
      rows.least = law.least;
      rows.b.x += law.friction * length_of(u.y, u.z) + law.compliance * rows.center.x;
    }
  }
  template <class F>
  void for_own_entries(const Rows& rows, F&& f) const {
    const int* place = problem.place.data() + problem.first[rows.contact];
    const int entries = problem.first[rows.contact + 1] - problem.first[rows.contact];
    for (int e = 0; e < entries; ++e) f(rows.W[e], place[e]);
  }
  template <class F>
  void for_entries(const Rows& rows, F&& f) const {
    if (has_root) {
      const int last = rows.last;
      for (int k = 0; k <= last; ++k) f(rows.W[k], k);
    } else {
      for_own_entries(rows, [&](const Vec3<double>& W, int place) { f(W, s.local[place]); });
    }
  }
  /// y = λ̄ − u / R at z.
  void find_places() {
    for (int i = 0; i < count(); ++i) {
      const Rows& rows = s.convex_rows[i];
      Vec3<double> u = rows.b;
      for_entries(rows, [&](const Vec3<double>& W, int k) { u += W * s.z[k]; });
      s.y[i] = rows.center - u / rows.R;
    }
  }
  Vec3<double> project(const Rows& rows, const Vec3<double>& y) const {
    const ContactLaw& law = problem.law[rows.contact];
    if (rows.ray.x > 0) return project_on_ray(y, rows.ray);
    return rows.turns ? project_turning(y, rows.torsion, rows.rolling)
                      : project_on_blunt_cone(y, law.friction, rows.least);
  }
  Sym3<double> slope(const Rows& rows, const Vec3<double>& y) const {
    const ContactLaw& law = problem.law[rows.contact];
    if (rows.ray.x > 0) return ray_slope(y, rows.ray);
    return rows.turns ? turning_slope(y, rows.torsion, rows.rolling)
                      : blunt_cone_slope(y, law.friction, rows.least);
  }
  /// inertia · z + the linear term − Wᵀ λ; returns its length.
  double find_gradient() {
    for (int k = 0; k < n; ++k) s.gradient[k] = inertia * s.z[k] + s.linear[k];
    for (int i = 0; i < count(); ++i) {
      const Rows& rows = s.convex_rows[i];
      const Vec3<double> l = project(rows, s.y[i]);
      if (dot(l, l) == 0) continue;
      for_entries(rows, [&](const Vec3<double>& W, int k) { s.gradient[k] -= dot(W, l); });
    }
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += s.gradient[k] * s.gradient[k];
    return std::sqrt(sum);
  }

  /// H = inertia + Σ Wᵀ DΠ W / R and d = −H⁻¹ gradient.
  void find_direction() {
    std::fill(s.H.begin(), s.H.begin() + n * stride, 0.0);
    for (int k = 0; k < n; ++k) {
      s.H[k * stride + k] = inertia;
      s.last[k] = k;
      s.d[k] = -s.gradient[k];
    }
    for (int i = 0; i < count(); ++i) {
      const Rows& rows = s.convex_rows[i];
      const Sym3<double> bends = slope(rows, s.y[i]) * (1 / rows.R);
      if (!(trace(bends) > 0)) continue;
      for_entries(rows, [&](const Vec3<double>& W, int k) {
        const Vec3<double> left = bends * W;
        double* row = s.H.data() + k * stride;
        for_entries(rows, [&](const Vec3<double>& V, int l) {
          if (l < k) return;
          row[l] += dot(left, V);
          if (l > s.last[k]) s.last[k] = l;
        });
      });
    }
    constexpr int lanes = lane_count<double>;
    for (int k = 0; k < n; ++k) {
      const double* row = s.H.data() + k * stride;
      const double inverse = 1 / row[k];
      for (int i = k + 1; i <= s.last[k]; ++i) {
        if (row[i] == 0) continue;
        const double factor = row[i] * inverse;
        const int first = i / lanes * lanes;
        subtract_scaled(s.H.data() + i * stride + first, row + first, factor,
                        s.last[k] + 1 - first);
        if (s.last[k] > s.last[i]) s.last[i] = s.last[k];
        s.d[i] -= factor * s.d[k];
      }
    }
    for (int k = n - 1; k >= 0; --k) {
      const double* row = s.H.data() + k * stride;
      double sum = s.d[k];
      for (int i = k + 1; i <= s.last[k]; ++i) sum -= row[i] * s.d[i];
      s.d[k] = sum / row[k];
    }
  }

  /// Derivative of the function along d.
  double slope_at(double share) const {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += s.d[k] * (inertia * (s.z[k] + share * s.d[k]) + s.linear[k]);
    for (int i = 0; i < count(); ++i) {
      const Rows& rows = s.convex_rows[i];
      sum -= dot(s.Wd[i], project(rows, s.y[i] - s.Wd[i] * (share / rows.R)));
    }
    return sum;
  }
  /// How far to go along d: where the slope is a tenth of what it was, at most the whole way.
  double search() {
    for (int i = 0; i < count(); ++i) {
      s.Wd[i] = {};
      for_entries(s.convex_rows[i], [&](const Vec3<double>& W, int k) { s.Wd[i] += W * s.d[k]; });
    }
    double low = 0, high = 1, low_slope = slope_at(0), high_slope = slope_at(1);
    const double enough = 0.1 * std::abs(low_slope);
    if (!(high_slope > enough)) return 1;
    for (int i = 0; i < 30; ++i) {
      const double share = i % 3 == 2 ? 0.5 * (low + high)
                                      : low - low_slope * (high - low) / (high_slope - low_slope);
      const double found = slope_at(share);
      if (std::abs(found) <= enough) return share;
      if (found < 0) low = share, low_slope = found;
      else high = share, high_slope = found;
    }
    return low;
  }

  /// The minimum for the λ̄ and s that are there. Returns the number of steps.
  int minimise(double accuracy) {
    int steps = 0;
    find_places();
    while (find_gradient() > accuracy && steps < 15) {
      find_direction();
      const double share = search();
      for (int k = 0; k < n; ++k) s.z[k] += share * s.d[k];
      find_places();
      ++steps;
      if (!(share > 1e-9)) break;
    }
    return steps;
  }
};

}  // namespace limber
