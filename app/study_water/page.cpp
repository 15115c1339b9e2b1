#include "study_water/page.hpp"

#include "study/page.hpp"
#include "study_integrators/page.hpp"
#include "study_water/report.hpp"

namespace limber::app::study_water {

std::string to_page(const Study& study) {
  return study::assemble_page(page_html, to_json(study),
                              {study::chart_js, study_integrators::cost_chart_js, page_js});
}

}  // namespace limber::app::study_water
