// Matrices of marine craft as robot files have them.
#include "io/hydrodynamics.hpp"

#include <cmath>

#include <fmt/format.h>

namespace limber {

MarineMatrix marine_matrix_of(std::span<const double> numbers) {
  MarineMatrix matrix{};
  std::size_t k = 0;
  const bool is_triangle = numbers.size() == 21;
  for (std::size_t i = 0; i < 6; ++i) {
    if (numbers.size() == 6) matrix[i][i] = numbers[i];
    else
      for (std::size_t j = is_triangle ? i : 0; j < 6; ++j) {
        matrix[i][j] = numbers[k++];
        if (is_triangle) matrix[j][i] = matrix[i][j];
      }
  }
  return matrix;
}

namespace {

constexpr std::string_view forces = "xyzkmn", velocities = "UVWPQR";

}  // namespace

std::string added_mass_name(std::size_t i, std::size_t j) {
  constexpr std::string_view axes = "xyzpqr";
  return {axes[i], axes[j]};
}

std::string added_mass_derivative(std::size_t i, std::size_t j) {
  return {forces[i], 'D', 'o', 't', velocities[j]};
}

std::string linear_derivative(std::size_t i, std::size_t j) { return {forces[i], velocities[j]}; }

std::string quadratic_derivative(std::size_t i, std::size_t j) {
  return {forces[i], velocities[j], 'a', 'b', 's', velocities[j]};
}

std::string make_symmetric(MarineMatrix& added_mass) {
  if (is_symmetric(added_mass)) return "";
  // the pair that differs most
  std::size_t row = 0, column = 0;
  double most = -1;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = i + 1; j < 6; ++j)
      if (const double gap = std::abs(added_mass[i][j] - added_mass[j][i]); gap > most)
        most = gap, row = i, column = j;
  std::string text = fmt::format(
      "the added mass is not symmetric: row {}, column {} is {} and its mirror image {}; the "
      "symmetric part is taken, as the energy of the fluid has no other",
      row + 1, column + 1, added_mass[row][column], added_mass[column][row]);
  added_mass = symmetric_part(added_mass);
  return text;
}

}  // namespace limber
