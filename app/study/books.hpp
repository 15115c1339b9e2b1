#pragma once
// Operation counts that the books and their rivals publish, for n revolute links.
#include <cmath>
#include <optional>
#include <span>

#include "study/formulations.hpp"

namespace limber::app::study {

/// c₃ n³ + c₂ n² + c₁ n + c₀, whole numbers although the coefficients may be sixths
struct Polynomial {
  double c3, c2, c1, c0;
  double operator()(int n) const { return std::round(((c3 * n + c2) * n + c1) * n + c0); }
};

struct BookFormula {
  const char* key;  ///< in JSON, unique
  Task task;
  const char* title;   ///< for people, without the task
  const char* source;  ///< table or section
  Polynomial multiplications, additions;
  std::optional<int> only_for;  ///< published for this n alone
};

std::span<const BookFormula> all_book_formulas();
/// Throws Error if there is none with this key.
const BookFormula& book_formula(std::string_view key);

}  // namespace limber::app::study
