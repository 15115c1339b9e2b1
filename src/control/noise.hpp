#pragma once
// Random numbers that depend on nothing but where they are used: the same in every run, in every
// thread, in any order of asking.
#include <cstdint>
#include <string_view>

namespace limber {

/// A number for a name, so that each part has its own noise (FNV-1a).
std::uint64_t stream_of(std::string_view name);

/// Normal with mean 0 and deviation 1, for one channel of one sample.
double gaussian(std::uint64_t seed, std::uint64_t stream, std::uint64_t sample,
                std::uint64_t channel);

}  // namespace limber
