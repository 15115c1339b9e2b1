#pragma once
// The parts of the integrators' HTML page, defined in a file that the build writes from the files
// of these names.
#include <string_view>

namespace limber::app::study_integrators {

extern const std::string_view page_html;      ///< with places for style, study and scripts
extern const std::string_view cost_chart_js;  ///< draws error against cost
extern const std::string_view page_js;        ///< everything else

}  // namespace limber::app::study_integrators
