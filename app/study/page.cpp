// The study as one HTML page: style, script and the study's JSON put into their places.
#include "study/page.hpp"

#include <limber/error.hpp>

#include "report/script_text.hpp"
#include "study/report.hpp"

namespace limber::app::study {

namespace {

void put(std::string& page, std::string_view place, std::string_view text) {
  const std::size_t start = page.find(place);
  if (start == std::string::npos) throw Error("the page has no place " + std::string(place));
  page.replace(start, place.size(), text);
}

}  // namespace

std::string assemble_page(std::string_view html, const Json& study,
                          std::initializer_list<std::string_view> scripts) {
  std::string page(html);
  put(page, "/* STYLE */", page_css);
  put(page, "/* STUDY */", safe_in_script(app::to_text(study)));
  std::string script;
  for (const std::string_view part : scripts) script += part;
  put(page, "/* SCRIPT */", script);
  return page;
}

std::string to_page(const Study& study) {
  return assemble_page(page_html, to_json(study), {chart_js, data_js, plots_js, page_js});
}

}  // namespace limber::app::study
