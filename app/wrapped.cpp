#include "wrapped.hpp"

#include <algorithm>
#include <string_view>

namespace limber::app {

namespace {

// whether a line may end at this blank: not inside "n = 6", "1 : 2" or "5 %"
bool breakable(const std::string& text, std::size_t blank) {
  const auto binds = [&](std::size_t k, std::string_view signs) {
    return k < text.size() && signs.find(text[k]) != std::string_view::npos;
  };
  return !binds(blank + 1, "=:>%") && !binds(blank - 1, "=:>");
}

}  // namespace

std::string wrapped(const std::string& text, const std::string& indent, std::size_t width) {
  std::string result, line = indent;
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t end = text.find(' ', start);
    while (end < text.size() && !breakable(text, end)) end = text.find(' ', end + 1);
    end = std::min(end, text.size());
    const std::string word = text.substr(start, end - start);
    if (line.size() > indent.size() && line.size() + 1 + word.size() > width) {
      result += line + "\n";
      line = indent;
    }
    line += (line.size() > indent.size() ? " " : "") + word;
    start = end + 1;
  }
  return result + line + "\n";
}

}  // namespace limber::app
