#pragma once
// JSON as it may stand within a script element of an HTML page.
#include <string>
#include <string_view>

namespace limber {

/// The same JSON without "<", which may begin what ends or hides a script element; in JSON it
/// stands within texts only.
inline std::string safe_in_script(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') safe += "\\u003c";
    else safe += c;
  }
  return safe;
}

}  // namespace limber
