#pragma once
// Height fields of a scenario: from a table in the file, a table in a file beside it, or an image.
#include <limber/collision/shape.hpp>

#include "scenario/read.hpp"

namespace limber {

/// size: width, depth, factor of the heights. Throws Error with the place.
HeightField read_height_field(const YamlMap& map, const std::vector<double>& size,
                              const Reading& reading);

/// Heights from 0 to 1, each by itself, the same for the same seed on every machine.
HeightField random_height_field(int columns, int rows, std::uint64_t seed);

/// Grey values from 0 to 1 of an image (PGM, P2 or P5), the upper row last. Throws Error.
HeightField parse_pgm(std::string_view content, const std::string& file);
/// Numbers in lines, separated by commas, semicolons or spaces; the first line is the one of least
/// y. Throws Error with the line.
HeightField parse_height_table(std::string_view content, const std::string& file);

}  // namespace limber
