#pragma once
// Many random states of one robot, in both layouts, and a batch's results state by state.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include <limber/batch/batch.hpp>

#include "support/random_robots.hpp"

namespace limber::test {

inline constexpr Layout every_layout[] = {Layout::by_state, Layout::by_variable};

/// Number j of state i in an array of `width` numbers for each of `count` states.
inline std::size_t place(Layout layout, long count, int width, long i, int j) {
  return static_cast<std::size_t>(layout == Layout::by_state ? i * width + j : j * count + i);
}

/// `count` random states, state after state.
struct States {
  States(const Model& model, long number) : count(number), nq(model.nq), nv(model.nv) {
    for (long i = 0; i < count; ++i) {
      const RandomState s = random_state(model, static_cast<std::uint64_t>(i) + 1);
      q.insert(q.end(), s.q.begin(), s.q.end());
      v.insert(v.end(), s.v.begin(), s.v.end());
      a.insert(a.end(), s.a.begin(), s.a.end());
      tau.insert(tau.end(), s.tau.begin(), s.tau.end());
    }
  }
  long count;
  int nq, nv;
  std::vector<double> q, v, a, tau;

  /// The numbers of state i.
  std::span<const double> of(const std::vector<double>& x, int width, long i) const {
    return {x.data() + i * width, static_cast<std::size_t>(width)};
  }
};

template <class T>
std::vector<T> arranged(const std::vector<double>& by_state, int width, long count, Layout layout) {
  std::vector<T> x(by_state.size());
  for (long i = 0; i < count; ++i)
    for (int j = 0; j < width; ++j)
      x[place(layout, count, width, i, j)] =
          static_cast<T>(by_state[static_cast<std::size_t>(i * width + j)]);
  return x;
}

/// The numbers of state i of a result.
template <class T>
VectorXd state_of(const std::vector<T>& x, int width, long count, Layout layout, long i) {
  VectorXd r(width);
  for (int j = 0; j < width; ++j) r[j] = static_cast<double>(x[place(layout, count, width, i, j)]);
  return r;
}

/// A matrix row by row.
inline VectorXd flat(const MatrixXd& A) {
  const MatrixXd transposed = A.transpose();
  return transposed.reshaped();
}

/// A test that compiles: into a folder of its own, which goes with it.
class WithOwnCache : public testing::Test {
 protected:
  WithOwnCache() : cache_(testing::TempDir() + "limber_batch_cache_" + std::to_string(getpid())) {
    setenv("LIMBER_CACHE", cache_.c_str(), 1);
  }
  ~WithOwnCache() override {
    unsetenv("LIMBER_CACHE");
    std::filesystem::remove_all(cache_);
  }

 private:
  std::string cache_;
};

}  // namespace limber::test
