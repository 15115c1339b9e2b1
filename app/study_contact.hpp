#pragma once
// limber study contact: how stiff ground may be for each integrator.
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace limber::app::study_contact {

/// What one method can do on the ground of one stiffness.
struct Limit {
  double step = 0;            ///< the largest stable one, or the mean of error control [s]
  bool is_unlimited = false;  ///< the longest step that was tried is stable
};
struct Row {
  std::string method;
  bool error_control = false;
  std::vector<Limit> limits;  ///< one for each stiffness
};
struct Study {
  std::vector<double> stiffness;  ///< [N/m]
  double mass = 0, damping_ratio = 0;
  std::vector<Row> rows;
};

Study examine(const std::function<void(double)>& progress);
std::string to_text(const Study& study);
nlohmann::ordered_json to_json(const Study& study);

}  // namespace limber::app::study_contact
