#include "control/banded_system.hpp"

#include <algorithm>
#include <cmath>

#include <limber/error.hpp>

namespace limber {

BandedSystem::BandedSystem(int rows, int band, int sides)
    : count_(rows),
      band_(band),
      sides_(sides),
      rows_(static_cast<std::size_t>(rows * (3 * band + 1))),
      right_(static_cast<std::size_t>(rows * sides)) {}

/// From column `row` on: before it there is nothing left of either.
void BandedSystem::exchange(int row, int other) {
  if (row == other) return;
  for (int column = row; column < std::min(count_, row + 2 * band_ + 1); ++column)
    std::swap(entry(row, column), entry(other, column));
  for (int side = 0; side < sides_; ++side) std::swap(right(row, side), right(other, side));
}

/// row −= factor · other, from column `other` on.
void BandedSystem::subtract(int row, double factor, int other) {
  if (factor == 0) return;
  for (int column = other; column < std::min(count_, other + 2 * band_ + 1); ++column)
    entry(row, column) -= factor * entry(other, column);
  for (int side = 0; side < sides_; ++side) right(row, side) -= factor * right(other, side);
}

void BandedSystem::solve() {
  for (int k = 0; k < count_; ++k) {
    const int end = std::min(count_, k + band_ + 1);
    int pivot = k;
    for (int row = k + 1; row < end; ++row)
      if (std::abs(entry(row, k)) > std::abs(entry(pivot, k))) pivot = row;
    if (!(std::abs(entry(pivot, k)) > 0))
      throw Error("a system of equations has no unique solution: its matrix is singular");
    exchange(k, pivot);
    for (int row = k + 1; row < end; ++row) subtract(row, entry(row, k) / entry(k, k), k);
  }
  for (int k = count_ - 1; k >= 0; --k)
    for (int side = 0; side < sides_; ++side) {
      double sum = right(k, side);
      for (int column = k + 1; column < std::min(count_, k + 2 * band_ + 1); ++column)
        sum -= entry(k, column) * right(column, side);
      right(k, side) = sum / entry(k, k);
    }
}

}  // namespace limber
