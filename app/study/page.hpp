#pragma once
// The parts of the HTML page, defined in a file that the build writes from the files of these
// names.
#include <string_view>

namespace limber::app::study {

extern const std::string_view page_html;  ///< with places for style, study and scripts
extern const std::string_view page_css;
extern const std::string_view chart_js;  ///< draws one chart
extern const std::string_view data_js;   ///< reads the embedded JSON
extern const std::string_view plots_js;  ///< which charts there are
extern const std::string_view page_js;   ///< everything else

}  // namespace limber::app::study
