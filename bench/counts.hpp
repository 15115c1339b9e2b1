#pragma once
// Operation counts of the three algorithms, beside the books' tables.
#include <string>
#include <vector>

#include <limber/scalar/counted.hpp>

namespace limber::bench {

struct PublishedCount {
  int multiplications, additions;
};

struct CountRow {
  std::string title;
  OperationCount needed;    ///< products and sums that the results depend on, as the books count
  OperationCount total;     ///< all that was done, with `executed` and `sincos`
  PublishedCount mcmillan;  ///< [McM] tables 26, 28, 30: the best count
  PublishedCount featherstone;  ///< [RDA] table 8-6
};

/// Counts for a chain of six revolute joints with general geometry and inertia.
std::vector<CountRow> count_operations();

}  // namespace limber::bench
