#pragma once
// The page of a report, carried by the library itself: built from the folder viewer/.
#include <string_view>

namespace limber {

/// A whole HTML page in which the text `/* REPORT */` stands where the report's JSON goes; in it
/// every `<` must be written as `\u003c`. Empty when Limber was built without npm: there are no
/// reports then. Defined in a file that the build writes.
extern const std::string_view report_template;

}  // namespace limber
