#pragma once
// Tables that a program renews in a page that people write.
#include <string>

namespace limber::bench {

/// Replaces what is between the markers `<!-- NAME:begin -->` and `<!-- NAME:end -->` of a file.
/// Throws Error if the file cannot be read or written or lacks the markers.
void write_between_markers(const std::string& file, const std::string& name,
                           const std::string& text);

/// All of a file. Throws Error.
std::string read_text(const std::string& file);

}  // namespace limber::bench
