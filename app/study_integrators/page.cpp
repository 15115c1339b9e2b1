#include "study_integrators/page.hpp"

#include "study/page.hpp"
#include "study_integrators/report.hpp"

namespace limber::app::study_integrators {

std::string to_page(const Study& study) {
  return study::assemble_page(page_html, to_json(study), {study::chart_js, cost_chart_js, page_js});
}

}  // namespace limber::app::study_integrators
