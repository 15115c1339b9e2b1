#include "study/results.hpp"

#include <limber/error.hpp>

namespace limber::app::study {

const Series& Results::named(std::string_view key) const {
  for (const Series& series : this->series)
    if (series.formulation->key == key) return series;
  throw Error("no formulation has the key '" + std::string(key) + "'");
}

}  // namespace limber::app::study
