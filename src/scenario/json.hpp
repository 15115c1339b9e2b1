#pragma once
// JSON that came from outside: parsed within limits, with errors that name file, line and column.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <limber/error.hpp>

namespace limber {

/// Limits of one JSON text: what is larger or nested more deeply was not written for Limber.
inline constexpr std::size_t most_json_bytes = std::size_t{64} << 20;
inline constexpr int most_json_depth = 64;

/// The value of a JSON text. `place` is where the text begins: its file and, if the file has more
/// before it, the line. Throws Error with file, line and column for text that is no JSON, for a key
/// that an object has twice, for a number that no double holds, and beyond the limits above.
nlohmann::ordered_json parse_json(std::string_view text, const Source& place);

// Members of an object. All throw Error that names the key, what was found and what is expected.

/// Throws Error unless `object` is one and has no keys but these.
void expect_keys(const nlohmann::ordered_json& object, std::initializer_list<const char*> keys,
                 const Source& place);
/// The member called `key`; it must be there.
const nlohmann::ordered_json& member(const nlohmann::ordered_json& object, const char* key,
                                     const Source& place);
double number_of(const nlohmann::ordered_json& object, const char* key, const Source& place);
/// A whole number that is not negative.
long count_of(const nlohmann::ordered_json& object, const char* key, const Source& place);
/// A whole number of 64 bits that is not negative.
std::uint64_t bits_of(const nlohmann::ordered_json& object, const char* key, const Source& place);
std::string text_of(const nlohmann::ordered_json& object, const char* key, const Source& place);
std::vector<double> numbers_of(const nlohmann::ordered_json& object, const char* key,
                               const Source& place);
std::vector<long> counts_of(const nlohmann::ordered_json& object, const char* key,
                            const Source& place);
std::vector<std::string> texts_of(const nlohmann::ordered_json& object, const char* key,
                                  const Source& place);

/// A value as a message shows it: its text, shortened.
std::string shown(const nlohmann::ordered_json& value);

/// A JSON text with its quotes; what is not UTF-8 is replaced.
std::string json_text(const std::string& text);
/// The same text as valid UTF-8.
std::string clean_utf8(const std::string& text);

}  // namespace limber
