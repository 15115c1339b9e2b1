#include "io/text_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

void expect_file(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw Error({file, 0, ""}, "no such file; check the name and the folder");
  if (std::filesystem::is_directory(file, ignored))
    throw Error({file, 0, ""}, "is a folder; name the file in it");
}

std::string read_text_file(const std::string& file) {
  expect_file(file);
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw Error({file, 0, ""}, "cannot be read; check its permissions");
  return text;
}

void expect_text(std::string_view text, const std::string& file, std::string_view format) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Error({file, 0, ""}, fmt::format("is empty; a {} file is expected", format));
  if (text.find('\0') != std::string_view::npos)
    throw Error({file, 0, ""},
                fmt::format("is binary or UTF-16; a {} file in UTF-8 is expected", format));
}

std::string stem(const std::string& file) { return std::filesystem::path(file).stem().string(); }

}  // namespace limber
