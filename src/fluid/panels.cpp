// Potential flow around a closed mesh by constant panels.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>

#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/fluid/added_mass.hpp>

#include "fluid/panel.hpp"

namespace limber {

namespace {

Panel panel_of(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  Panel p;
  p.corner = {a, b, c};
  p.center = (a + b + c) / 3.0;
  const Vec3<double> twice = cross(b - a, c - a);
  const double length = norm(twice);
  p.area = length / 2;
  p.normal = twice / length;
  p.edge = {norm(b - a), norm(c - b), norm(a - c)};
  p.longest = std::max({p.edge[0], p.edge[1], p.edge[2]});
  return p;
}

}  // namespace

std::vector<Panel> panels_of(const Mesh& mesh, int least) {
  const auto is_shorter = [](const Panel& a, const Panel& b) { return a.longest < b.longest; };
  std::priority_queue<Panel, std::vector<Panel>, decltype(is_shorter)> queue(is_shorter);
  for (const Mesh::Triangle& t : mesh.triangles) {
    const Panel p = panel_of(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
    if (p.area > 1e-14 * p.longest * p.longest) queue.push(p);
  }
  while (static_cast<int>(queue.size()) < least) {
    const Panel p = queue.top();
    queue.pop();
    const std::size_t k =
        static_cast<std::size_t>(std::max_element(p.edge.begin(), p.edge.end()) - p.edge.begin());
    const Vec3<double>&a = p.corner[k], &b = p.corner[(k + 1) % 3], &c = p.corner[(k + 2) % 3];
    const Vec3<double> middle = (a + b) * 0.5;
    queue.push(panel_of(a, middle, c));
    queue.push(panel_of(middle, b, c));
  }
  std::vector<Panel> panels;
  for (; !queue.empty(); queue.pop()) panels.push_back(queue.top());
  return panels;
}

namespace {

// What panel p does at point x: the solid angle it fills, positive seen from within, and ∫ dA / r
struct PanelInfluence {
  double solid_angle, potential;
};
PanelInfluence influence(const Panel& p, const Vec3<double>& x, bool is_own) {
  const Vec3<double> r[3] = {p.corner[0] - x, p.corner[1] - x, p.corner[2] - x};
  const double R[3] = {norm(r[0]), norm(r[1]), norm(r[2])};
  const double height = dot(r[0], p.normal);
  double omega = 0;
  if (!is_own) {  // van Oosterom and Strackee
    const double triple = dot(r[0], cross(r[1], r[2]));
    const double scale = R[0] * R[1] * R[2] + dot(r[0], r[1]) * R[2] + dot(r[1], r[2]) * R[0] +
                         dot(r[2], r[0]) * R[1];
    omega = 2 * std::atan2(triple, scale);
  }
  // distances of the foot of x from the edges, inside positive, times ∫ dl / R along them
  double sum = -height * omega;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t n = (k + 1) % 3;
    const Vec3<double> along = (r[n] - r[k]) / p.edge[k];
    const double inside = dot(r[k], cross(along, p.normal));
    const double ends = R[k] + R[n];
    if (ends > p.edge[k]) sum += inside * std::log((ends + p.edge[k]) / (ends - p.edge[k]));
  }
  return {omega, sum};
}

using Column = std::vector<double>;

double product(const Column& a, const Column& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
void add(Column& a, double factor, const Column& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}
// A x, A row by row
Column times(const Column& A, const Column& x) {
  const std::size_t n = x.size();
  Column result(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = &A[i * n];
    double even = 0, odd = 0;  // two sums, which do not wait for each other
    std::size_t j = 0;
    for (; j + 1 < n; j += 2) even += row[j] * x[j], odd += row[j + 1] * x[j + 1];
    if (j < n) even += row[j] * x[j];
    result[i] = even + odd;
  }
  return result;
}
// takes the parts along the basis out of w, twice for the sake of rounding; h: how much they were,
// and the length of what is left
Column orthogonalize(const std::vector<Column>& basis, Column& w) {
  Column h(basis.size() + 1);
  for (int twice = 0; twice < 2; ++twice)
    for (std::size_t j = 0; j < basis.size(); ++j) {
      const double part = product(w, basis[j]);
      h[j] += part;
      add(w, -part, basis[j]);
    }
  h.back() = std::sqrt(product(w, w));
  return h;
}

// A x = b by GMRES: the operator is a compact one beside the identity, so a few dozen directions
// suffice. False: no convergence.
bool solve_iteratively(const Column& A, const Column& b, Column& x) {
  constexpr std::size_t most = 200;
  const double size = std::sqrt(product(b, b));
  if (size == 0) return true;
  std::vector<Column> basis(1, Column(b.size())), H;  // H: columns of the triangle
  add(basis[0], 1 / size, b);
  Column sine, cosine, residual{size};
  for (std::size_t k = 0; k < most; ++k) {
    Column w = times(A, basis[k]);
    Column h = orthogonalize(basis, w);
    const double length = h[k + 1];
    for (std::size_t j = 0; j < k; ++j) {
      const double turned = cosine[j] * h[j] + sine[j] * h[j + 1];
      h[j + 1] = cosine[j] * h[j + 1] - sine[j] * h[j];
      h[j] = turned;
    }
    const double pivot = std::hypot(h[k], length);
    if (!(pivot > 0)) return false;
    cosine.push_back(h[k] / pivot), sine.push_back(length / pivot);
    h[k] = pivot;
    H.push_back(std::move(h));
    residual.push_back(-sine[k] * residual[k]);
    residual[k] *= cosine[k];
    if (std::abs(residual[k + 1]) < 1e-12 * size) {
      for (std::size_t j = k + 1; j-- > 0;) {
        for (std::size_t m = j + 1; m <= k; ++m) residual[j] -= H[m][j] * residual[m];
        residual[j] /= H[j][j];
        add(x, residual[j], basis[j]);
      }
      return true;
    }
    for (double& value : w) value /= length;
    basis.push_back(std::move(w));
  }
  return false;
}

}  // namespace

PanelAddedMass mesh_added_mass(const Mesh& mesh, double density, const PanelSettings& settings) {
  const Mesh whole = welded(mesh);
  if (const std::string defect = defect_of(whole); !defect.empty())
    throw Error("added mass of a mesh: " + defect + "; close it, or take convex_hull() of it");
  const std::size_t count =
      std::max(whole.triangles.size(), static_cast<std::size_t>(std::max(settings.panels, 0)));
  if (static_cast<int>(count) > settings.most)
    throw Error(fmt::format(
        "added mass of a mesh: {} panels ({} triangles), the most are {}; thin it out with "
        "simplified(), ask for fewer, or raise PanelSettings::most (memory: 8 bytes times the "
        "square)",
        count, whole.triangles.size(), settings.most));
  // about the middle of the body, where moments are smallest
  const Inertia<double> moments = volume_moments(whole);
  const Vec3<double> middle = moments.com();
  const std::vector<Panel> panels = panels_of(whole, settings.panels);
  const std::size_t n = panels.size();
  std::array<Column, 6> flux, right, phi;  // of the motions, turns first; flux: ∂φ/∂n
  for (std::size_t k = 0; k < 6; ++k) flux[k].resize(n), right[k].resize(n), phi[k].resize(n);
  for (std::size_t j = 0; j < n; ++j) {
    const Vec3<double> turn = cross(panels[j].center - middle, panels[j].normal);
    for (std::size_t k = 0; k < 3; ++k) {
      flux[k][j] = turn[static_cast<int>(k)];
      flux[k + 3][j] = panels[j].normal[static_cast<int>(k)];
    }
  }
  std::vector<double> A(n * n);
  constexpr double whole_angle = 4 * std::numbers::pi;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const PanelInfluence to_i = influence(panels[j], panels[i].center, i == j);
      A[i * n + j] = (i == j ? 0.5 : 0) + to_i.solid_angle / whole_angle;
      for (std::size_t k = 0; k < 6; ++k) right[k][i] -= to_i.potential / whole_angle * flux[k][j];
    }
  for (std::size_t k = 0; k < 6; ++k)
    if (!solve_iteratively(A, right[k], phi[k]))
      throw Error(
          "added mass of a mesh: the potential was not found; the surface cuts or touches itself, "
          "or is thinner than its panels are long (more PanelSettings::panels)");
  double m[6][6] = {}, largest = 0, odd = 0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < 6; ++k)
      for (std::size_t l = 0; l < 6; ++l)
        m[k][l] -= density * panels[j].area * phi[k][j] * flux[l][j];
  // moments and forces are compared over the length of the body
  const double length = std::cbrt(moments.m);
  for (std::size_t k = 0; k < 6; ++k)
    for (std::size_t l = 0; l < 6; ++l) {
      const double scale = (k < 3 ? 1 / length : 1) * (l < 3 ? 1 / length : 1);
      largest = std::max(largest, std::abs(m[k][l]) * scale);
      odd = std::max(odd, std::abs(m[k][l] - m[l][k]) / 2 * scale);
    }
  const auto even = [&](int k, int l) { return (m[k][l] + m[l][k]) / 2; };
  PanelAddedMass result;
  result.inertia = {{even(0, 0), even(1, 1), even(2, 2), even(0, 1), even(0, 2), even(1, 2)},
                    {even(0, 3), even(0, 4), even(0, 5), even(1, 3), even(1, 4), even(1, 5),
                     even(2, 3), even(2, 4), even(2, 5)},
                    {even(3, 3), even(4, 4), even(5, 5), even(3, 4), even(3, 5), even(4, 5)}};
  result.inertia = shifted(result.inertia, middle);
  result.asymmetry = largest > 0 ? odd / largest : 0;
  result.panels = static_cast<int>(n);
  return result;
}

}  // namespace limber
