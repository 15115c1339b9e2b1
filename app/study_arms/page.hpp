#pragma once
// The parts of the arms' HTML page, defined in a file that the build writes from the files of these
// names.
#include <string_view>

namespace limber::app::study_arms {

extern const std::string_view page_html;  ///< with places for style, study and scripts
extern const std::string_view page_js;    ///< what stands on it

}  // namespace limber::app::study_arms
