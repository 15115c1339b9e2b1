#pragma once
// The parts of the HTML page, defined in a file that the build writes from app/study/page.*.
#include <string_view>

namespace limber::app::study {

extern const std::string_view page_html;  ///< with places for the three others
extern const std::string_view page_css;
extern const std::string_view page_js;  ///< draws the plots from the embedded JSON

}  // namespace limber::app::study
