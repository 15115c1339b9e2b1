#pragma once
// What the integrators' study finds.
#include <optional>
#include <string>
#include <vector>

#include <limber/sim/integrator.hpp>

namespace limber::app::study_integrators {

/// One way through a benchmark.
struct Run {
  double setting = 0;   ///< step [s], or relative tolerance of methods with error control
  IntegratorCost cost;  ///< of one way
  double seconds = 0;   ///< processor time of one thread, the best of several
  double error = 0;     ///< of the hand at the end [m]
};

/// A method, coarse to fine; settings with which it fails or ends more than 1 m off are left out.
struct Series {
  const IntegratorMethod* method;
  std::vector<Run> runs;

  /// The cheapest run whose error is at most this, by evaluations.
  const Run* cheapest(double error) const;
};

struct BenchmarkResult {
  std::string key, title;
  double duration = 0;            ///< [s]
  double reference_doubt = 0;     ///< difference of two methods with tight tolerances [m]
  double evaluation_seconds = 0;  ///< of the derivative, once
  std::vector<Series> series;
};

/// [McM] tables 4, 5 and 6: a block method with as long a step as the required error allows.
struct BlockRow {
  int block = 1, threads = 1;
  long steps = 0;
  double error = 0;    ///< [m]
  double seconds = 0;  ///< T: wall clock, the best of several
  double parallel_gain = 1, algorithm_gain = 1, total_gain = 1;  ///< S_p, S_a, S_T
};

/// The block methods at one required error.
struct BlockTable {
  double required_error = 0;  ///< [m]
  std::vector<BlockRow> rows;

  /// Throws Error if there is none.
  const BlockRow& row(int block, int threads) const;
};

/// What the thesis measured on a CRAY Y-MP8 with its closed chains.
struct ThesisRow {
  int chain_parts, threads, block;  ///< m~, p~, B
  double seconds, parallel_gain, algorithm_gain, total_gain;
};
std::span<const ThesisRow> thesis_rows();
/// The thesis's row without partition of the chains.
const ThesisRow* thesis_row(int block, int threads);

struct Claim {
  std::string text;   ///< what the thesis says, in our words
  std::string found;  ///< the numbers that decide
  bool holds = false;
};

struct Study {
  bool quick = false;
  unsigned cores = 1;  ///< that this program may use
  std::vector<BenchmarkResult> benchmarks;
  std::vector<BlockTable> block_tables;  ///< the thesis's error first, then a smaller one
  std::vector<Claim> claims;
};

}  // namespace limber::app::study_integrators
