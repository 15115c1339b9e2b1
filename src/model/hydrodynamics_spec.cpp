// Matrices of marine craft, and what cannot be among the numbers of a link in a fluid.
#include "model/hydrodynamics_spec.hpp"

#include <cmath>

#include <fmt/format.h>

namespace limber {

namespace {

// numbers of one body, named in messages
struct SpecNumbers {
  const Source& source;

  void finite(const char* what, double x) const {
    if (!std::isfinite(x))
      throw Error(source, fmt::format("hydrodynamics: {} is {}; give a finite number", what, x));
  }
  void finite(const char* what, const Vec3<double>& x) const {
    for (int k = 0; k < 3; ++k) finite(what, x[k]);
  }
  void finite(const char* what, const std::optional<MarineMatrix>& matrix) const {
    if (!matrix) return;
    for (const double x : numbers_of(*matrix)) finite(what, x);
  }
  void magnitude(const char* what, double x) const {
    finite(what, x);
    if (x < 0)
      throw Error(source, fmt::format("hydrodynamics: {} is {}; it must not be negative", what, x));
  }
  void positive(const char* what, double x) const {
    magnitude(what, x);
    if (x == 0)
      throw Error(source, fmt::format("hydrodynamics: {} is zero; it must be positive", what));
  }
};

}  // namespace

MarineMatrix diagonal_matrix(const std::array<double, 6>& diagonal) {
  MarineMatrix matrix{};
  for (std::size_t k = 0; k < 6; ++k) matrix[k][k] = diagonal[k];
  return matrix;
}

std::vector<double> numbers_of(const MarineMatrix& matrix) {
  std::vector<double> numbers;
  for (const auto& row : matrix) numbers.insert(numbers.end(), row.begin(), row.end());
  return numbers;
}

bool is_diagonal(const MarineMatrix& matrix) {
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      if (i != j && matrix[i][j] != 0) return false;
  return true;
}

bool is_symmetric(const MarineMatrix& matrix) {
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (matrix[i][j] != matrix[j][i]) return false;
  return true;
}

MarineMatrix symmetric_part(const MarineMatrix& matrix) {
  MarineMatrix result = matrix;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (matrix[i][j] != matrix[j][i])
        result[i][j] = result[j][i] = matrix[i][j] / 2 + matrix[j][i] / 2;
  return result;
}

void check_hydrodynamics_spec(const BodySpec& body) {
  if (!body.hydrodynamics) return;
  const HydrodynamicsSpec& water = *body.hydrodynamics;
  const SpecNumbers check{body.source};
  check.finite("an entry of the added mass", water.added_mass);
  check.finite("an entry of the linear damping", water.linear_damping);
  check.finite("an entry of the quadratic damping", water.quadratic_damping);
  if (water.volume) check.magnitude("the displaced volume", *water.volume);
  if (water.center_of_buoyancy) check.finite("the centre of buoyancy", *water.center_of_buoyancy);
  if (water.drag_coefficient) check.magnitude("the drag coefficient", *water.drag_coefficient);
  for (const CylinderDragSpec& c : water.cylinders) {
    check.finite("the start of a cylinder", c.start);
    check.finite("the end of a cylinder", c.end);
    check.positive("the radius of a cylinder", c.radius);
    check.positive("the length of a cylinder", norm(c.end - c.start));
    check.magnitude("the drag coefficient of a cylinder", c.drag_coefficient);
    check.magnitude("the coefficient of a cylinder's ends", c.end_coefficient);
    check.magnitude("the friction coefficient of a cylinder", c.skin_coefficient);
  }
}

}  // namespace limber
