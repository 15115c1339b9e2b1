#pragma once
// The parts of the HTML page, defined in a file that the build writes from the files of these
// names.
#include <initializer_list>
#include <string>
#include <string_view>

#include "output.hpp"

namespace limber::app::study {

/// Style, scripts and a study's JSON put into their places in the page.
std::string assemble_page(std::string_view html, const Json& study,
                          std::initializer_list<std::string_view> scripts);

extern const std::string_view page_html;  ///< with places for style, study and scripts
extern const std::string_view page_css;
extern const std::string_view chart_js;  ///< draws one chart
extern const std::string_view data_js;   ///< reads the embedded JSON
extern const std::string_view plots_js;  ///< which charts there are
extern const std::string_view page_js;   ///< everything else

}  // namespace limber::app::study
