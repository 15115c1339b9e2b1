#pragma once
// Numbers from text: strict, finite, and the same in every locale.
#include <optional>
#include <string_view>
#include <vector>

namespace limber {

/// The number that `text` is, whole and finite; nothing for "1,2", "nan", "1e999", "3 m" or "".
std::optional<double> parse_number(std::string_view text);

/// The words of `text`, split at white space.
std::vector<std::string_view> split_words(std::string_view text);

/// The value of an expression without variables (limber/io/expression.hpp), e.g. "-pi/2"; nothing
/// if it is not one, or is not finite.
std::optional<double> parse_expression(std::string_view text);

}  // namespace limber
