// Added mass of primitives, and as matrices.
#include <limber/fluid/added_mass.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/fluid/displacement.hpp>

#include "fluid/box_table.hpp"
#include "fluid/shape_checks.hpp"

namespace limber {

namespace {

constexpr double pi = std::numbers::pi;

// of edges, the most that the table of boxes has
constexpr double box_table_ratio = 8;

// Carlson's R_D(x, y, z) = 3/2 ∫₀^∞ dt / ((t + z) √((t + x)(t + y)(t + z))) by duplication
// (Numerical Algorithms 10, 1995)
double carlson_rd(double x, double y, double z) {
  double sum = 0, factor = 1;
  for (int k = 0; k < 40; ++k) {
    const double mean = (x + y + 3 * z) / 5;
    if (std::max({std::abs(mean - x), std::abs(mean - y), std::abs(mean - z)}) < 1e-3 * mean) break;
    const double rx = std::sqrt(x), ry = std::sqrt(y), rz = std::sqrt(z);
    const double lambda = rx * ry + rx * rz + ry * rz;
    sum += factor / (rz * (z + lambda));
    factor /= 4;
    x = (x + lambda) / 4, y = (y + lambda) / 4, z = (z + lambda) / 4;
  }
  const double mean = (x + y + 3 * z) / 5;
  const double X = (mean - x) / mean, Y = (mean - y) / mean, Z = -(X + Y) / 3;
  const double E2 = X * Y - 6 * Z * Z, E3 = (3 * X * Y - 8 * Z * Z) * Z,
               E4 = 3 * (X * Y - Z * Z) * Z * Z, E5 = X * Y * Z * Z * Z;
  const double series =
      1 - 3 * E2 / 14 + E3 / 6 + 9 * E2 * E2 / 88 - 3 * E4 / 22 - 9 * E2 * E3 / 52 + 3 * E5 / 26;
  return 3 * sum + factor * series / (mean * std::sqrt(mean));
}

ArticulatedInertia<double> diagonal_inertia(const Vec3<double>& turn, const Vec3<double>& move) {
  return {Sym3<double>::diagonal(turn.x, turn.y, turn.z),
          {},
          Sym3<double>::diagonal(move.x, move.y, move.z)};
}

void check_density(double density) {
  if (!(density >= 0) || !std::isfinite(density))
    throw Error(fmt::format("added mass: the density is {}; it must not be negative", density));
}

}  // namespace

Vec3<double> ellipsoid_integrals(const Vec3<double>& s) {
  for (int k = 0; k < 3; ++k) check_extent("ellipsoid", "a semi-axis", s[k]);
  const double x = s.x * s.x, y = s.y * s.y, z = s.z * s.z, abc = s.x * s.y * s.z * 2 / 3;
  return {abc * carlson_rd(y, z, x), abc * carlson_rd(x, z, y), abc * carlson_rd(x, y, z)};
}

ArticulatedInertia<double> ellipsoid_added_mass(const Vec3<double>& s, double density) {
  check_density(density);
  const Vec3<double> kappa = ellipsoid_integrals(s);
  const double mass = density * 4 * pi / 3 * s.x * s.y * s.z;
  Vec3<double> turn, move;
  for (int k = 0; k < 3; ++k) {
    move[k] = mass * kappa[k] / (2 - kappa[k]);
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double b = s[i] * s[i], c = s[j] * s[j];
    // about an axis of revolution nothing is moved
    if (b == c) continue;
    const double K = (kappa[j] - kappa[i]) / (b - c);
    turn[k] = mass / 5 * (b - c) * (b - c) * K / (2 - (b + c) * K);
  }
  return diagonal_inertia(turn, move);
}

ArticulatedInertia<double> cylinder_added_mass(double radius, double length, CylinderEnds ends,
                                               double density) {
  check_density(density);
  check_extent("cylinder", "the radius", radius);
  if (ends != CylinderEnds::round || length != 0) check_extent("cylinder", "the length", length);
  const double r = radius, r3 = r * r * r, per_length = density * pi * r * r;
  double across = per_length * length, turn = per_length * length * length * length / 12, along = 0;
  if (ends == CylinderEnds::flat) {
    along = density * 8 / 3 * r3;
    turn += density * 16 / 45 * r3 * r * r;
  } else if (ends == CylinderEnds::round) {
    // half of the mass that each hemisphere displaces, at its centre; a sphere's turns for nothing
    const double half = density * pi * r3 / 3;
    along = 2 * half;
    across += 2 * half;
    turn += 2 * half * (length * length / 4 + 3 * r * length / 8);
  }
  return diagonal_inertia({turn, turn, 0}, {across, across, along});
}

namespace {

// Entry of the table for a box whose logarithms of edges differ by whole steps: x against y and z.
// what: 0 mass along x, 1 inertia about x; as logarithms of what has no unit.
double box_entry(int what, int y, int z) {
  int order[3] = {0, y, z};
  int axis[3] = {0, 1, 2};
  std::sort(axis, axis + 3, [&](int a, int b) { return order[a] < order[b]; });
  const int least = order[axis[0]];
  const int place = static_cast<int>(std::find(axis, axis + 3, 0) - axis);
  const BoxEntry& entry = box_entry_of(order[axis[1]] - least, order[axis[2]] - least);
  // the table's box has the edge 1 along x
  const auto edge = [&](int steps) { return std::exp2(0.5 * (steps - least)); };
  const double lx = edge(0), ly = edge(y), lz = edge(z);
  if (what == 0) return std::log(entry.mass[place] / std::pow(ly * lz, 1.5));
  return std::log(entry.inertia[place] / (lx * std::pow(ly * ly + lz * lz, 2)));
}

// linear in logarithms over triangles, which stay within the ratios that the table has
double box_coefficient(int what, double lx, double ly, double lz) {
  const double u = 2 * std::log2(ly / lx), w = 2 * std::log2(lz / lx);
  const double i = std::floor(u), j = std::floor(w), a = u - i, b = w - j;
  const int y = static_cast<int>(i), z = static_cast<int>(j);
  const auto f = [&](double weight, int dy, int dz) {
    return weight > 0 ? weight * box_entry(what, y + dy, z + dz) : 0;
  };
  const double value = f(1 - std::max(a, b), 0, 0) + f(std::min(a, b), 1, 1) +
                       (a > b ? f(a - b, 1, 0) : f(b - a, 0, 1));
  const double scale = what == 0 ? std::pow(ly * lz, 1.5) : lx * std::pow(ly * ly + lz * lz, 2);
  return scale * std::exp(value);
}

}  // namespace

ArticulatedInertia<double> box_added_mass(const Vec3<double>& edges, double density) {
  check_density(density);
  for (int k = 0; k < 3; ++k) check_extent("box", "an edge", edges[k]);
  const double least = std::min({edges.x, edges.y, edges.z}),
               most = std::max({edges.x, edges.y, edges.z});
  if (most > box_table_ratio * least)
    throw Error(fmt::format(
        "added mass of a box {:g} × {:g} × {:g}: the table ends at edges of ratio 8, these have "
        "{:.3g}; take mesh_added_mass(surface_of(shape), density)",
        edges.x, edges.y, edges.z, most / least));
  Vec3<double> turn, move;
  for (int k = 0; k < 3; ++k) {
    const double x = edges[k], y = edges[(k + 1) % 3], z = edges[(k + 2) % 3];
    move[k] = density * box_coefficient(0, x, y, z);
    turn[k] = density * box_coefficient(1, x, y, z);
  }
  return diagonal_inertia(turn, move);
}

ArticulatedInertia<double> added_mass_of(const ShapeSpec& shape, double density) {
  check_solid("added mass of shape", shape);
  const Vec3<double>& s = shape.size;
  if (shape.kind == ShapeSpec::Kind::box &&
      std::max({s.x, s.y, s.z}) > box_table_ratio * std::min({s.x, s.y, s.z}))
    return mesh_added_mass(surface_of(shape), density).inertia;
  const auto about_center = [&] {
    switch (shape.kind) {
      case ShapeSpec::Kind::box:
        return box_added_mass(s, density);
      case ShapeSpec::Kind::sphere:
        return ellipsoid_added_mass({s.x, s.x, s.x}, density);
      case ShapeSpec::Kind::cylinder:
        return cylinder_added_mass(s.x, s.y, CylinderEnds::flat, density);
      case ShapeSpec::Kind::capsule:
        return cylinder_added_mass(s.x, s.y, CylinderEnds::round, density);
      default:
        return ellipsoid_added_mass(s, density);
    }
  };
  return shape.placement * about_center();
}

MarineMatrix marine_matrix(const ArticulatedInertia<double>& inertia) {
  MarineMatrix result{};
  for (int k = 0; k < 6; ++k) {
    Motion<double> unit;
    (k < 3 ? unit.linear : unit.angular)[k % 3] = 1;
    const Force<double> f = inertia * unit;
    for (int row = 0; row < 6; ++row)
      result[static_cast<std::size_t>(row)][static_cast<std::size_t>(k)] =
          (row < 3 ? f.linear : f.angular)[row % 3];
  }
  return result;
}

std::array<double, 6> eigenvalues(const ArticulatedInertia<double>& inertia) {
  // Jacobi rotations of the dense matrix
  MarineMatrix A = marine_matrix(inertia);
  for (int sweep = 0; sweep < 50; ++sweep)
    for (std::size_t p = 0; p < 6; ++p)
      for (std::size_t q = p + 1; q < 6; ++q) {
        if (A[p][q] == 0) continue;
        const double angle = 0.5 * std::atan2(2 * A[p][q], A[q][q] - A[p][p]);
        const double s = std::sin(angle), c = std::cos(angle);
        for (auto& row : A) {
          const double x = row[p], y = row[q];
          row[p] = c * x - s * y, row[q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < 6; ++k) {
          const double x = A[p][k], y = A[q][k];
          A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
        }
      }
  std::array<double, 6> values{};
  for (std::size_t k = 0; k < 6; ++k) values[k] = A[k][k];
  std::sort(values.begin(), values.end());
  return values;
}

ArticulatedInertia<double> added_mass_from(const MarineMatrix& matrix, const std::string& name,
                                           std::vector<std::string>& warnings) {
  double largest = 0, odd = 0;
  std::size_t row = 0, column = 0;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      if (!std::isfinite(matrix[i][j]))
        throw Error(fmt::format("added mass of '{}': row {}, column {} is {}; give 36 numbers",
                                name, i + 1, j + 1, matrix[i][j]));
      largest = std::max(largest, std::abs(matrix[i][j]));
      if (const double half = std::abs(matrix[i][j] - matrix[j][i]) / 2; half > odd)
        odd = half, row = i, column = j;
    }
  const auto even = [&](std::size_t i, std::size_t j) { return (matrix[i][j] + matrix[j][i]) / 2; };
  // moments are rows 3 to 5 here, and come first in our order
  const ArticulatedInertia<double> result{
      {even(3, 3), even(4, 4), even(5, 5), even(3, 4), even(3, 5), even(4, 5)},
      {even(3, 0), even(3, 1), even(3, 2), even(4, 0), even(4, 1), even(4, 2), even(5, 0),
       even(5, 1), even(5, 2)},
      {even(0, 0), even(1, 1), even(2, 2), even(0, 1), even(0, 2), even(1, 2)}};
  if (odd > 1e-6 * largest)
    warnings.push_back(fmt::format(
        "added mass of '{}' is not symmetric: row {}, column {} is {:g}, the other way {:g}; the "
        "symmetric part is used",
        name, row + 1, column + 1, matrix[row][column], matrix[column][row]));
  if (const double least = eigenvalues(result)[0]; least < -1e-9 * largest)
    warnings.push_back(fmt::format(
        "added mass of '{}' has the negative eigenvalue {:g}: motion could take energy out of "
        "still fluid; are the signs those of hydrodynamic derivatives (X_u̇ = −m)?",
        name, least));
  return result;
}

}  // namespace limber
