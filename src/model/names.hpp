#pragma once
// What a name may contain. Names come from untrusted files and go into messages, tables, recordings
// and generated code, so they are checked once, where they come in: any text in UTF-8 without
// control characters. Quotes, blanks, slashes and all scripts are allowed.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <limber/error.hpp>

namespace limber {

/// Longest name, in bytes.
inline constexpr std::size_t longest_name = 1000;

/// Why `text` is not clean: "byte 0xff is not UTF-8", "a control character, U+001B"; empty: it is.
/// `allowed`: control characters that are, for instance "\n\t".
std::string text_defect(std::string_view text, std::string_view allowed = "");

/// The text with control characters and bytes that are not UTF-8 written as \x1b, so that it can be
/// shown.
std::string printable(std::string_view text);

/// True if `name` is clean and not too long.
bool is_name(std::string_view name);

/// Throws Error unless `name` is clean and not too long. `what`: "name of a joint", for the
/// message.
void expect_name(const Source& source, std::string_view what, std::string_view name);

/// "1 loop", "3 loops"
std::string count_of(std::size_t count, const char* what);

/// "'a', 'b'"; of many names the first ten and "…".
std::string quoted_names(const std::vector<std::string>& names);

}  // namespace limber
