#include "study_legs/page.hpp"

#include "study/page.hpp"
#include "study_legs/report.hpp"

namespace limber::app::study_legs {

std::string to_page(const Study& study) {
  return study::assemble_page(page_html, to_json(study), {study::chart_js, page_js});
}

}  // namespace limber::app::study_legs
