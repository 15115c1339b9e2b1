#pragma once
// Whole text files, with errors that say what is wrong with the file.
#include <string>
#include <string_view>

namespace limber {

/// Throws Error if `file` is missing or a folder.
void expect_file(const std::string& file);

/// The text of `file`. Throws Error if it is missing, a folder or cannot be read.
std::string read_text_file(const std::string& file);

/// Throws Error if `text` is empty or binary. `format`: what was expected, for the message.
void expect_text(std::string_view text, const std::string& file, std::string_view format);

/// File name without folders and extension: "robots/arm.urdf" gives "arm".
std::string stem(const std::string& file);

}  // namespace limber
