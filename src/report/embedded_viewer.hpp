#pragma once
// The page that viewer/ is built to, carried by the library; empty if it was built without npm.
#include <string_view>

namespace limber {

extern const std::string_view report_template;

}  // namespace limber
