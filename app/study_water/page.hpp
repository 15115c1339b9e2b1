#pragma once
// The parts of the HTML page about water, defined in a file that the build writes from the files of
// these names.
#include <string_view>

namespace limber::app::study_water {

extern const std::string_view page_html;  ///< with places for style, study and scripts
extern const std::string_view page_js;    ///< everything that the charts do not draw

}  // namespace limber::app::study_water
