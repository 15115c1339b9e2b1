#include "markers.hpp"

#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber::bench {

std::string read_text(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw Error({file, 0, ""}, "cannot be read; give an existing file");
  std::stringstream buffer;
  buffer << in.rdbuf();
  return buffer.str();
}

void write_between_markers(const std::string& file, const std::string& name,
                           const std::string& text) {
  const std::string begin = fmt::format("<!-- {}:begin -->\n", name);
  const std::string end = fmt::format("<!-- {}:end -->", name);
  std::string all = read_text(file);
  const std::size_t first = all.find(begin), last = all.find(end);
  if (first == std::string::npos || last == std::string::npos || last < first)
    throw Error({file, 0, ""},
                fmt::format("lacks the lines <!-- {0}:begin --> and <!-- {0}:end -->; add them "
                            "where the tables shall stand",
                            name));
  const std::string tables = text.substr(0, text.find_last_not_of('\n') + 1);
  all.replace(first + begin.size(), last - first - begin.size(), "\n" + tables + "\n\n");
  std::ofstream out(file);
  out << all;
  if (!out.flush()) throw Error({file, 0, ""}, "cannot be written");
}

}  // namespace limber::bench
