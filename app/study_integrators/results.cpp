#include "study_integrators/results.hpp"

#include <array>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber::app::study_integrators {

namespace {
// [McM] tables 5 (one processor) and 6
constexpr std::array<ThesisRow, 12> rows{{
    {1, 1, 1, 0.117, 1, 1, 1},
    {1, 1, 2, 0.152, 1, 0.770, 0.770},
    {1, 1, 4, 0.241, 1, 0.485, 0.485},
    {1, 4, 4, 0.0637, 3.78, 0.485, 1.83},
    {2, 2, 4, 0.0668, 3.61, 0.485, 1.75},
    {2, 2, 2, 0.0444, 3.42, 0.770, 2.63},
    {4, 1, 4, 0.0731, 3.30, 0.485, 1.60},
    {4, 1, 2, 0.0463, 3.28, 0.770, 2.53},
    {4, 1, 1, 0.0377, 3.10, 1.000, 3.10},
    {2, 4, 4, 0.0390, 6.18, 0.485, 3.00},
    {4, 2, 4, 0.0417, 5.78, 0.485, 2.80},
    {4, 2, 2, 0.0295, 5.15, 0.770, 3.97},
}};
}  // namespace

const Run* Series::cheapest(double error) const {
  const Run* best = nullptr;
  for (const Run& run : runs)
    if (run.error <= error && (!best || run.cost.evaluations < best->cost.evaluations)) best = &run;
  return best;
}

const BlockRow& BlockTable::row(int block, int threads) const {
  for (const BlockRow& one : rows)
    if (one.block == block && one.threads == threads) return one;
  throw Error(fmt::format("no row for blocks of {} on {} threads", block, threads));
}

std::span<const ThesisRow> thesis_rows() { return rows; }

const ThesisRow* thesis_row(int block, int threads) {
  for (const ThesisRow& row : rows)
    if (row.chain_parts == 1 && row.block == block && row.threads == threads) return &row;
  return nullptr;
}

}  // namespace limber::app::study_integrators
