#include "scenario/json.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "model/nearest.hpp"

namespace limber {

namespace {

using Json = nlohmann::ordered_json;

/// Reads a text and says how far the reading has come.
class ReadCharacter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  ReadCharacter(const char* at, const char*& furthest) : at_(at), furthest_(&furthest) {}
  reference operator*() const { return *at_; }
  ReadCharacter& operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  bool operator==(const ReadCharacter& other) const { return at_ == other.at_; }
  bool operator!=(const ReadCharacter& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

/// Where the character before `end` stands.
Source place_of(std::string_view text, const char* end, const Source& begin) {
  const std::string_view before = text.substr(0, static_cast<std::size_t>(end - text.data()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.find_last_of('\n') + 1;  // 0 where there is none
  return {begin.file, std::max(begin.line, 1) + static_cast<int>(lines),
          fmt::format("column {}", std::max<std::size_t>(before.size() - line_start, 1))};
}

/// nlohmann's message without its number and its own idea of the place.
std::string reason(const Json::exception& error) {
  const std::string_view all = error.what();
  const std::size_t column = all.find(", column ");
  const std::size_t begin =
      column == std::string_view::npos ? all.find("] ") : all.find(": ", column);
  return std::string(begin == std::string_view::npos ? all : all.substr(begin + 2));
}

/// The keys that each object around the present place has had so far.
class Keys {
 public:
  /// Throws Error, without a place, for a key that is there twice.
  void check(Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start) open_.emplace_back();
    if (event == Event::object_end) open_.pop_back();
    if (event == Event::key && !open_.back().insert(parsed.get<std::string>()).second)
      throw Error(
          fmt::format("the key '{}' is there twice; keep one of them", parsed.get<std::string>()));
  }

 private:
  std::vector<std::set<std::string>> open_;
};

std::string place_of_key(const char* key) { return fmt::format("key '{}'", key); }

[[noreturn]] void refuse(const Source& place, const char* key, const Json& found,
                         const char* expected) {
  throw Error({place.file, place.line, place_of_key(key)},
              fmt::format("found {}, expected {}", shown(found), expected));
}

bool is_count(const Json& value) {
  // what every reader of JSON can hold, and what can be counted on from
  constexpr long most = 1L << 53;
  return value.is_number_integer() && value >= 0 && value <= most;
}

template <class T>
std::vector<T> list_of(const Json& object, const char* key, const Source& place,
                       bool (*fits)(const Json&), const char* expected) {
  const Json& list = member(object, key, place);
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), fits))
    refuse(place, key, list, expected);
  return list.get<std::vector<T>>();
}

}  // namespace

Json parse_json(std::string_view text, const Source& place) {
  if (text.size() > most_json_bytes)
    throw Error(place, fmt::format("the JSON text has {} bytes; at most {} are read", text.size(),
                                   most_json_bytes));
  const char* furthest = text.data();
  Keys keys;
  const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > most_json_depth)
      throw Error(fmt::format("brackets are nested more than {} deep", most_json_depth));
    keys.check(event, parsed);
    return true;
  };
  try {
    return Json::parse(ReadCharacter(text.data(), furthest),
                       ReadCharacter(text.data() + text.size(), furthest), check);
  } catch (const Json::exception& error) {
    throw Error(place_of(text, furthest, place), reason(error));
  } catch (const Error& error) {
    throw Error(place_of(text, furthest, place), error.what());
  }
}

void expect_keys(const Json& object, std::initializer_list<const char*> keys, const Source& place) {
  if (!object.is_object())
    throw Error(place, fmt::format("found {}, expected an object with the keys {}", shown(object),
                                   fmt::join(keys, ", ")));
  const std::vector<std::string> known(keys.begin(), keys.end());
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw Error(place, fmt::format("unknown key '{}', expected {}{}", key, fmt::join(known, ", "),
                                     did_you_mean(key, known)));
}

const Json& member(const Json& object, const char* key, const Source& place) {
  if (object.is_object())
    if (const auto found = object.find(key); found != object.end()) return *found;
  throw Error(place, fmt::format("key '{}' is missing", key));
}

double number_of(const Json& object, const char* key, const Source& place) {
  const Json& value = member(object, key, place);
  if (!value.is_number()) refuse(place, key, value, "a number");
  return value.get<double>();
}

long count_of(const Json& object, const char* key, const Source& place) {
  const Json& value = member(object, key, place);
  if (!is_count(value)) refuse(place, key, value, "a whole number from 0 to 2^53");
  return value.get<long>();
}

std::uint64_t bits_of(const Json& object, const char* key, const Source& place) {
  const Json& value = member(object, key, place);
  if (!value.is_number_unsigned()) refuse(place, key, value, "a whole number, at least 0");
  return value.get<std::uint64_t>();
}

std::string text_of(const Json& object, const char* key, const Source& place) {
  const Json& value = member(object, key, place);
  if (!value.is_string()) refuse(place, key, value, "a text");
  return value.get<std::string>();
}

std::vector<double> numbers_of(const Json& object, const char* key, const Source& place) {
  return list_of<double>(
      object, key, place, [](const Json& x) { return x.is_number(); }, "a list of numbers");
}

std::vector<long> counts_of(const Json& object, const char* key, const Source& place) {
  return list_of<long>(object, key, place, is_count, "a list of whole numbers from 0 to 2^53");
}

std::vector<std::string> texts_of(const Json& object, const char* key, const Source& place) {
  return list_of<std::string>(
      object, key, place, [](const Json& x) { return x.is_string(); }, "a list of texts");
}

std::string shown(const Json& value) {
  constexpr std::size_t longest = 60;
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > longest) {
    std::size_t end = longest;
    while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // no character is cut in two
    text = text.substr(0, end) + "…";
  }
  return text;
}

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}
std::string clean_utf8(const std::string& text) { return nlohmann::json::parse(json_text(text)); }

}  // namespace limber
