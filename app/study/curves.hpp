#pragma once
// A cost against the number of links, whatever it is measured in, and where two of them cross.
#include <optional>
#include <span>
#include <vector>

#include "study/books.hpp"
#include "study/results.hpp"

namespace limber::app::study {

enum class Measure {
  multiplications,
  additions,
  operations,  ///< multiplications and additions alike
  weighted,    ///< 11 and 3: microseconds on the machine that [RDA] §8.4.2 has in mind
  time         ///< measured here [ns]
};
struct MeasureFacts {
  Measure measure;
  const char* key;    ///< in JSON
  const char* title;  ///< for people
};
std::span<const MeasureFacts> all_measures();

/// Entry n − 1 is the cost for n links; none where it is not known.
using Curve = std::vector<std::optional<double>>;

Curve curve(const Series& series, Measure measure);
/// Empty entries where the polynomial does not apply (it is not positive for very short chains);
/// empty altogether for Measure::time.
Curve curve(const BookFormula& formula, Measure measure);

/// The smallest n from which on `second` is cheaper than `first` as far as both are known; none if
/// `first` is cheaper or equal at the end.
std::optional<int> crossover(const Curve& first, const Curve& second);

/// second / first where both are known.
Curve ratio(const Curve& second, const Curve& first);

}  // namespace limber::app::study
