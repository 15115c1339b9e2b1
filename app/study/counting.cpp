#include "study/counting.hpp"

namespace limber::app::study {

namespace {

// a chain of its own for every count: numbers of an earlier one must not be met again
Sample count(const Formulation& formulation, int n) {
  Chain<Counted> chain(n);
  const State<Counted> state = state_of<Counted>(n, 0);
  Counted::start();
  const std::span<const Counted> result = formulation.count(chain, state);
  Sample sample;
  sample.needed = Counted::needed_for(result);
  sample.total = Counted::count();
  Counted::start();  // give the record's memory back
  return sample;
}

}  // namespace

Results count_operations(const std::function<void(double)>& progress) {
  Results results;
  const std::span<const Formulation> all = all_formulations();
  for (const Formulation& formulation : all) {
    Series& series = results.series.emplace_back(Series{&formulation, {}});
    for (int n = 1; n <= most_links; ++n) series.samples.push_back(count(formulation, n));
    progress(static_cast<double>(results.series.size()) / static_cast<double>(all.size()));
  }
  return results;
}

}  // namespace limber::app::study
