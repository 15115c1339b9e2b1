#include "model/memory.hpp"

#include <charconv>
#include <climits>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

namespace {

double limit_in_gb() {
  const char* setting = std::getenv("LIMBER_MEMORY");
  if (!setting) return memory_limit_gb;
  const std::string_view text = setting;
  double limit = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc{} || rest != text.data() + text.size() || !(limit > 0))
    throw Error(
        fmt::format("LIMBER_MEMORY is '{}'; set it to the memory in GB that one robot may "
                    "take, for example 16",
                    text));
  return limit;
}

}  // namespace

void expect_memory(const char* what, const std::string& robot, int freedoms, double numbers,
                   double bytes) {
  const std::string needs = fmt::format("robot '{}': {} for {} freedoms needs {:.3g} GB", robot,
                                        what, freedoms, bytes / 1e9);
  if (numbers > INT_MAX)
    throw Error(
        fmt::format("{}, a matrix of {:.3g} numbers, of which at most {:.3g} can be "
                    "addressed; describe the robot with fewer joints",
                    needs, numbers, static_cast<double>(INT_MAX)));
  const double limit = limit_in_gb();
  if (bytes / 1e9 > limit)
    throw Error(
        fmt::format("{}, the limit is {:.3g} GB; describe the robot with fewer joints, or "
                    "set the environment variable LIMBER_MEMORY to the GB that it may take",
                    needs, limit));
}

}  // namespace limber
