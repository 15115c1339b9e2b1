#pragma once
// Calls timed in turn, round after round, so that what disturbs the machine disturbs all of them.
#include <functional>
#include <optional>
#include <vector>

namespace limber::app::study {

class Rounds {
 public:
  /// run(n) makes n calls; `result` gets the processor time of one [ns].
  void add(std::function<void(int)> run, std::optional<double>& result);
  /// In about `seconds`, with at least three rounds: of each the 5 % quantile of its rounds, next
  /// to the fastest, without lone outliers. `progress` gets the part done, 0 to 1.
  void measure(double seconds, const std::function<void(double)>& progress);

 private:
  struct Runner {
    std::function<void(int)> run;
    std::optional<double>* result;
    int calls = 1;
    std::vector<double> rounds{};  // nanoseconds per call
    double seconds() const;
  };
  std::vector<Runner> all_;
};

}  // namespace limber::app::study
