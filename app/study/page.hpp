#pragma once
// The parts of the HTML page, defined in a file that the build writes from the files of these
// names.
#include <string_view>

namespace limber::app::study {

extern const std::string_view page_html;  ///< with places for the others
extern const std::string_view page_css;
extern const std::string_view chart_js;  ///< draws one chart
extern const std::string_view page_js;   ///< decides on charts and words from the embedded JSON

}  // namespace limber::app::study
