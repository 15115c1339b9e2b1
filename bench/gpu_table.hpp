#pragma once
// What the GPU benchmark prints, in the form of the page.
#include <string>

namespace limber::bench {

/// The rows "| robot | function | precision | rate | bytes | % of copy | % of arithmetic | error
/// |", one for each precision, as one row for both with rates, shares of the copy bandwidth and
/// errors; other lines stay as they are. Throws Error where a row has no partner.
std::string gpu_table(const std::string& printed);

}  // namespace limber::bench
