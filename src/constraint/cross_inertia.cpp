#include <limber/constraint/cross_inertia.hpp>

#include <algorithm>
#include <cmath>

#include "constraint/cross_recursion.ipp"
#include "dynamics/checks.hpp"
#include "dynamics/passive.hpp"

namespace limber {

namespace {

constexpr int most_corrections = 40, most_probings = 20;

/// Adds the forces −Kᵀ z of all rows to p.
void add_row_forces(const CrossPass& c, const List<double>& z) {
  for (int k = 0; k < c.m.loops.count(); ++k)
    for (int row = c.m.closures[k].first_row, r = 0; r < c.m.closures[k].rows; ++r, ++row)
      for (std::size_t i = 0; i < 4 && c.plan.bodies[k][i] > 0; ++i)
        c.d.p[c.plan.bodies[k][i]] -= c.d.K[row][i] * z[row];
}

/// Calls f(row, Σ K a).
template <class F>
void for_row_accelerations(const CrossPass& c, const List<Motion<double>>& a, F&& f) {
  for (int k = 0; k < c.m.loops.count(); ++k)
    for (int row = c.m.closures[k].first_row, r = 0; r < c.m.closures[k].rows; ++r, ++row) {
      double sum = 0;
      for (std::size_t i = 0; i < 4 && c.plan.bodies[k][i] > 0; ++i)
        sum += dot(a[c.plan.bodies[k][i]], c.d.K[row][i]);
      f(row, sum);
    }
}

double largest(std::span<const double> x) {
  double most = 0;
  for (const double entry : x) most = std::max(most, std::abs(entry));
  return most;
}

/// What is left of the equation of motion with the forces z of the rows, as p and u.
void put_residual(const CrossPass& c, std::span<const double> qdd, const List<double>& z,
                  const ArticulatedTree<double, Extras::any>& of) {
  CrossInertia& d = c.d;
  for (int i = 1; i < c.tree.bodies(); ++i) {
    ArticulatedInertia<double> I(of.inertia[i]);
    if (c.loads.adds_to_bodies()) I += body_load(c.tree, c.loads, i);
    d.p[i] = c.ws.p[i] + I * d.a[i];
  }
  for (int k = 0; k < c.tree.nv; ++k)
    d.u[k] = d.tau[k] - eliminated_inertia(c.tree, c.loads, of, k, c.ws) * qdd[at_index(k)];
  add_row_forces(c, z);
}

/// Corrections until the accelerations stay: λ −= stiffness · what is left of the rows, then what
/// that and rounding in the springs change.
bool correct(const CrossPass& c, std::span<double> qdd,
             const ArticulatedTree<double, Extras::any>& of) {
  CrossInertia& d = c.d;
  std::fill(d.force.begin(), d.force.end(), 0.0);
  // what accelerations are small against, also where nothing can move
  const double size = largest(qdd) + largest(d.bias) + norm(d.a[0].linear);
  double before = 0, change_before = 0;
  for (d.iterations = 0;; ++d.iterations) {
    for_row_accelerations(c, d.a, [&](int row, double sum) { d.left[row] = sum + d.bias[row]; });
    double change = 0, most = 0;
    for (std::size_t row = 0; row < d.left.size(); ++row) {
      const double more = -d.weight[row] * d.left[row];
      d.force[row] += more;
      d.probe[row] = d.force[row] + more;
      change = std::max(change, std::abs(more)), most = std::max(most, std::abs(d.force[row]));
    }
    if (d.iterations == most_corrections) return before < 1e-9 * size;
    put_residual(c, qdd, d.probe, of);
    respond(c);
    for (std::size_t k = 0; k < qdd.size(); ++k) qdd[k] += d.x[k];
    for (std::size_t i = 1; i < d.a.size(); ++i) d.a[i] += d.change[i];
    const double now = largest(d.x);
    if (!std::isfinite(now)) return false;
    // what rounding leaves does not become smaller
    const bool stays =
        now <= 1e-14 * size || (d.iterations > 0 && now < 1e-10 * size && now > 0.1 * before);
    // forces follow a geometric series at the worst
    const double ratio = d.iterations > 0 ? change / change_before : 1;
    if (stays && change * ratio <= 1e-6 * most * std::max(1 - ratio, 1e-3)) return true;
    before = now, change_before = change;
  }
}

/// Looks for forces without effect, one after the other: (1 + stiffness · A)⁻¹
/// leaves them alone and makes the others small.
bool find_null_forces(const CrossPass& c, int most) {
  CrossInertia& d = c.d;
  const auto rows = at_index(c.m.rows);
  d.null.clear();
  d.rank = c.m.rows;
  std::uint32_t random = 12345;
  const auto product = [&](const double* x, const double* y) {
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += x[i] * y[i];
    return sum;
  };
  const auto remove_known = [&](int count) {
    for (int n = 0; n < count; ++n) {
      const double* known = d.null.data() + at_index(n) * rows;
      const double share = product(known, d.probe.data());
      for (std::size_t i = 0; i < rows; ++i) d.probe[i] -= share * known[i];
    }
  };
  for (int count = 0;; ++count) {
    // probe: forces in units of √stiffness
    for (double& x : d.probe) {
      random = random * 1664525u + 1013904223u;
      x = static_cast<double>(random >> 8) / (1 << 23) - 1;
    }
    remove_known(count);
    const double first = std::sqrt(product(d.probe.data(), d.probe.data()));
    double size = first;
    bool is_null = false;
    for (int probing = 0; !is_null && size > 1e-9 * first; ++probing) {
      if (probing == most_probings) return false;
      for (std::size_t i = 0; i < rows; ++i) d.left[i] = d.probe[i] * std::sqrt(d.weight[i]);
      std::fill(d.p.begin(), d.p.end(), Force<double>{});
      std::fill(d.u.begin(), d.u.end(), 0.0);
      add_row_forces(c, d.left);
      respond(c);
      for_row_accelerations(c, d.change, [&](int row, double sum) {
        d.probe[row] -= sum * std::sqrt(d.weight[row]);
      });
      remove_known(count);
      const double next = std::sqrt(product(d.probe.data(), d.probe.data()));
      is_null = next > (1 - 1e-6) * size && next > 1e-7 * first;
      size = next;
    }
    if (!is_null) return true;
    if (count == most) return false;
    for (double& x : d.probe) x /= size;
    d.null.insert(d.null.end(), d.probe.begin(), d.probe.end());
    --d.rank;
  }
}

/// Of all forces with the same effect those of the smallest norm.
void choose_forces(const CrossPass& c) {
  CrossInertia& d = c.d;
  const auto rows = at_index(c.m.rows);
  const std::size_t count = rows == 0 ? 0 : d.null.size() / rows;
  std::fill(d.probe.begin(), d.probe.end(), 0.0);  // what each row has of them
  for (std::size_t n = 0; n < count; ++n) {
    double* const z = d.null.data() + n * rows;
    for (std::size_t i = 0; i < rows; ++i) z[i] *= std::sqrt(d.weight[i]);
  }
  for (std::size_t n = 0; n < count; ++n) {
    double* const z = d.null.data() + n * rows;
    for (std::size_t b = 0; b <= n; ++b) {  // the others, then its own length
      const double* const other = d.null.data() + b * rows;
      double sum = 0;
      for (std::size_t i = 0; i < rows; ++i) sum += z[i] * other[i];
      for (std::size_t i = 0; i < rows; ++i)
        z[i] = b < n ? z[i] - sum * other[i] : z[i] / std::sqrt(sum);
    }
    double share = 0;
    for (std::size_t i = 0; i < rows; ++i) share += z[i] * d.force[i];
    for (std::size_t i = 0; i < rows; ++i) d.force[i] -= share * z[i], d.probe[i] += z[i] * z[i];
  }
  d.inconsistency = 0;
  d.inconsistent_row = -1;
  for (std::size_t i = 0; i < rows; ++i) {
    d.is_determinate[i] = d.probe[i] < 1e-10 ? 1 : 0;
    if (d.is_determinate[i]) continue;
    const double open = std::abs(d.open[i]);
    if (d.inconsistent_row < 0 || open > d.inconsistency)
      d.inconsistency = open, d.inconsistent_row = static_cast<int>(i);
  }
}

}  // namespace

CrossInertia::CrossInertia(const Mechanism& m) : plan(m), motion(m.tree) {
  const auto bodies = at_index(m.tree.bodies()), rows = at_index(m.rows), nv = at_index(m.tree.nv);
  IA.resize(bodies), p.resize(bodies), a.resize(bodies), change.resize(bodies);
  E.resize(at_index(plan.blocks));
  y.resize(at_index(plan.products));
  U.resize(nv);
  for (List<double>* list : {&D_inverse, &u, &tau, &x}) list->resize(nv);
  K.resize(rows);
  for (List<double>* list : {&force, &bias, &weight, &left, &open, &probe}) list->resize(rows);
  zeros.resize(nv);
  is_determinate.assign(rows, 1);
}

bool cross_inertia_dynamics(const Mechanism& m, double t, std::span<const double> q,
                            std::span<const double> v, std::span<const double> tau,
                            std::span<const double> wanted, Workspace& ws, CrossInertia& d,
                            std::span<double> a, int most_null, const Loads<double>& loads) {
  const char* name = "cross_inertia_dynamics";
  check_workspace(name, m.tree, ws);
  if (!d.plan.reason.empty()) refuse_articulated_loops(m.tree.name, d.plan.reason);
  check_regular(m.tree.name, m.tree.singular_reason);
  check_size(name, "q", q.size(), m.tree.nq, m.tree.name);
  check_size(name, "v", v.size(), m.tree.nv, m.tree.name);
  check_size(name, "tau", tau.size(), m.tree.nv, m.tree.name);
  check_size(name, "wanted", wanted.size(), m.rows, m.tree.name);
  check_size(name, "a", a.size(), m.tree.nv, m.tree.name);
  const CrossPass c{m, d, ws, loads};
  std::copy(tau.begin(), tau.end(), d.tau.begin());
  if (loads.passive == Passive::included)
    add_passive_forces<double>(m.tree, q, v, -1.0, d.tau.data());
  forward_kinematics<double>(m.tree, q, v, d.zeros, ws, d.motion);
  const auto of = articulated_tree<Extras::any>(m.tree, loads, nullptr, false, ws);
  start_articulated_bodies(m.tree, q.data(), v.data(), ws, loads, of);
  for (int i = 1; i < m.tree.bodies(); ++i) {
    d.p[i] = ws.p[i];
    d.IA[i] = ArticulatedInertia<double>(of.inertia[i]);
    if (loads.adds_to_bodies()) d.IA[i] += body_load(m.tree, loads, i);
  }
  std::fill(d.E.begin(), d.E.end(), CrossBlock{});
  std::fill(d.K.begin(), d.K.end(), std::array<Force<double>, 4>{});
  for (std::size_t i = 0; i < wanted.size(); ++i) d.bias[i] = -wanted[i];
  for_moving_targets(
      m, t, [&](int row, double, double, double acceleration) { d.bias[row] -= acceleration; });
  for (int k = 0; k < m.loops.count(); ++k) {
    if (m.loops[k].kind == LoopSpec::Kind::coupling) start_coupling(c, k, q, v);
    else start_rows(c, k);
    add_springs(c, k);
  }
  for (int n = 0; n < d.plan.order.count(); ++n) eliminate_body(c, n, of);
  d.a[0] = ws.a[0];
  accelerate(c, d.a, d.x, [&](const Motion<double>& own, int i) { return own + ws.c[i]; });
  std::copy(d.x.begin(), d.x.end(), a.begin());
  if (!correct(c, a, of)) return false;
  for_row_accelerations(c, d.a, [&](int row, double sum) { d.open[row] = sum + d.bias[row]; });
  if (!find_null_forces(c, most_null)) return false;
  choose_forces(c);
  check_result<double>(m.tree, "dynamics with closed loops", q, v, "tau", tau, a);
  return true;
}

}  // namespace limber
