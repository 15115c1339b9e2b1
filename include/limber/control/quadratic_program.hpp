#pragma once
// QuadraticProgram: small dense convex quadratic programs,
//   minimise ½ xᵀ H x + gᵀ x   with   lower ≤ A x ≤ upper,
// by the dual active-set method of Goldfarb and Idnani (1983). A row whose bounds are equal is an
// equation; a bound that is infinite is none. The method goes from the best point without
// inequalities to the solution, one violated row at a time, and needs no feasible point to begin
// with. Where H is only semidefinite, a proximal term that vanishes at the solution makes it
// definite.
//
// A solver keeps the rows that were active at its last solution and begins with them, if it is told
// to: a controller whose problem changes little from sample to sample then needs few iterations.
#include <cstdint>
#include <span>
#include <vector>

namespace limber {

/// One problem; all matrices row by row. The arrays are only read.
struct QpProblem {
  std::span<const double> H;             ///< n × n, symmetric; the lower triangle is read
  std::span<const double> g;             ///< n
  std::span<const double> A;             ///< m × n
  std::span<const double> lower, upper;  ///< m each; ±HUGE_VAL: none
};

/// What became of a quadratic program.
enum class QpStatus : std::uint8_t {
  solved,
  infeasible,  ///< no x satisfies the rows: QpResult::row is the one that was given up
  not_convex,  ///< H has a negative eigenvalue
  unbounded,   ///< semidefinite H: the objective falls without end along a direction
  iterations   ///< more than the limit: H or rows that are nearly dependent
};
const char* name(QpStatus status);

/// Where the method begins.
enum class QpStart : std::uint8_t { cold, warm };

/// How exactly it is solved.
struct QpOptions {
  QpStart start = QpStart::cold;  ///< warm: with the active rows of the last solution
  /// Rows may be violated by this much times (1 + |bound|) |row|.
  double tolerance = 1e-10;
  int most_iterations = 0;  ///< 0: 10 (n + m) + 100
};

/// Views of the solver's memory: valid until its next call.
struct [[nodiscard]] QpResult {
  QpStatus status = QpStatus::solved;
  int iterations = 0;  ///< rows that came or went
  int row = -1;        ///< infeasible: the row that no x satisfies beside the others
  std::span<const double> x;
  /// Of each row: H x + g = Aᵀ y; positive at the lower bound, negative at the upper one, zero
  /// where the row is not active.
  std::span<const double> y;
  bool solved() const { return status == QpStatus::solved; }
};

/// The solver; its memory is allocated here. One per thread.
class QuadraticProgram {
 public:
  /// Throws Error for less than one variable or a negative number of rows.
  QuadraticProgram(int variables, int rows);

  /// No allocation. Throws Error for arrays of the wrong size and for numbers that are none (bounds
  /// in the wrong order are infeasible).
  QpResult solve(const QpProblem& problem, const QpOptions& options = {});

  /// Of each row at the last solution: 1 active at the lower bound, −1 at the upper one, 0 neither.
  std::span<const std::int8_t> active() const { return last_; }
  /// Sets it, for a warm start: from where a saved run was. Throws Error for another number of
  /// rows.
  void begin_with(std::span<const std::int8_t> active);

  int variables() const { return n_; }
  int rows() const { return m_; }

 private:
  enum class Step : std::uint8_t { done, infeasible, iterations };
  void check(const QpProblem& problem) const;
  bool factorize(const QpProblem& problem, double added);
  void start(const QpProblem& problem, const QpOptions& options);
  void find_free_minimum();
  bool add_row(int row, int side);
  void drop(int place);
  void solve_active();
  void drop_wrong_signs();
  Step add_violated(const QpOptions& options, int limit);
  int most_violated(double tolerance, int& side) const;
  Step bring_in(int row, int side, int limit);
  void project(int row, int side);
  bool is_recession(const QpProblem& problem, double tolerance) const;
  QpResult result(QpStatus status);

  double* column_of_L(int k) { return Lt_.data() + k * n_; }
  double* column_of_J(int k) { return Jt_.data() + k * n_; }
  double value(int row) const;    ///< a · x
  double bound(int place) const;  ///< of an active row, with its sign
  bool is_equation(int row) const;

  int n_, m_;
  const QpProblem* problem_ = nullptr;  ///< the present one
  std::vector<double> g_;               ///< with the proximal term
  /// Lᵀ, Jᵀ and R of H = L Lᵀ, J = L⁻ᵀ Q, JᵀN = R, row by row (n × n each).
  std::vector<double> Lt_, Jt_, R_;
  std::vector<double> row_norm_;
  std::vector<double> x_, x_free_, x_before_, d_, r_, w_;  ///< n each
  std::vector<int> nonzero_;                               ///< places in a row
  std::vector<int> active_, side_;  ///< rows in their order; side: 1 lower, −1 upper bound
  std::vector<double> u_;           ///< their multipliers, ≥ 0 but of equations
  std::vector<std::int8_t> state_;  ///< of each row: side if active, else 0
  std::vector<std::int8_t> last_;   ///< the same at the last solution
  std::vector<double> y_;
  int active_count_ = 0, iterations_ = 0, refused_row_ = -1;
};

}  // namespace limber
