// Bodies in blocks of eight.
#include <limber/dynamics/fluid_load.hpp>

#include <algorithm>

#include "index.hpp"

namespace limber {

namespace {

constexpr int block_width = FluidBlock::width;

/// Writes the numbers of one body to its lane, from the `at`-th on; returns how many they are.
template <class Numbers>
std::size_t put_lane(FluidBlock& block, std::size_t at, int lane, Numbers numbers) {
  std::size_t count = 0;
  for_fluid_numbers(numbers, [&](double x) {
    const std::size_t place = at_index(block_width) * (at + count++) + at_index(lane);
    block.numbers.resize(std::max(block.numbers.size(), place + 1));
    block.numbers[place] = x;
  });
  return count;
}

void put_body(FluidBlock& block, int lane, const FluidBody<double>& body) {
  std::size_t at = put_lane<FluidMass<double>>(block, 0, lane, body);
  for (int k = 0; k < block.strips; ++k)
    at += put_lane(block, at, lane, k < body.strips.count() ? body.strips[k] : StripDrag<double>{});
}

}  // namespace

List<FluidBlock> fluid_blocks(const List<FluidBody<double>>& bodies) {
  List<FluidBlock> blocks;
  for (int i = 1; i < bodies.count(); ++i) {
    if (blocks.empty() || blocks.back().count == block_width) blocks.emplace_back();
    FluidBlock& block = blocks.back();
    for (int lane = block.count; lane < block_width; ++lane) block.body[at_index(lane)] = i;
    ++block.count;
    block.strips = std::max(block.strips, bodies[i].strips.count());
    if (bodies[i].has_others) block.others.push_back(i);
  }
  for (FluidBlock& block : blocks)
    for (int lane = 0; lane < block_width; ++lane)
      put_body(block, lane,
               lane < block.count ? bodies[block.body[at_index(lane)]] : FluidBody<double>{});
  return blocks;
}

}  // namespace limber
