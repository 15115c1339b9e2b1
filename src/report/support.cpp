#include <limber/report/support.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/sim/contacts.hpp>

#include "index.hpp"

namespace limber {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double resting_gap = 1e-4;  // [m], of hard contact: shapes that touch are as close
constexpr std::size_t most_margins = 1000, most_polygons = 6;
const std::string section = "Support";

// twice the area of a, b, c; positive where they turn left
double turn(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double distance_to_edge(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& p) {
  const double x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
  const double part =
      square > 0 ? std::clamp(((p.x - a.x) * x + (p.y - a.y) * y) / square, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - part * x, p.y - a.y - part * y);
}

// a link, and the columns of its contacts with what stands in the world
struct Footing {
  std::string name;
  std::vector<std::size_t> states;
};

bool touches(const Footing& foot, std::span<const double> row) {
  return std::any_of(foot.states.begin(), foot.states.end(),
                     [&](std::size_t column) { return row[column] > 0; });
}

// whether a shape stands in the world
bool is_scenery(const SceneShape& shape) { return shape.body == 0; }

// links that touch scenery at some instant, in the order of the recording
std::vector<Footing> footings(const Contacts& contacts, const Recording& recording) {
  std::vector<Footing> all;
  for (const std::string& pair : contacts.recorded_pairs()) {
    for (const SceneShape& shape : contacts.scene().shapes()) {
      const std::string end = "-" + shape.name;
      if (!is_scenery(shape) || !pair.ends_with(end)) continue;
      const std::string name = pair.substr(0, pair.size() - end.size());
      const std::size_t column = recording.column(pair + ".state");
      const auto found = std::find_if(all.begin(), all.end(),
                                      [&](const Footing& foot) { return foot.name == name; });
      if (found == all.end()) all.push_back({name, {column}});
      else found->states.push_back(column);
      break;
    }
  }
  std::erase_if(all, [&](const Footing& foot) {
    for (std::size_t row = 0; row < recording.rows(); ++row)
      if (touches(foot, recording.row(row))) return false;
    return true;
  });
  return all;
}

Diagram gait_diagram(const std::vector<Footing>& feet, const Recording& recording) {
  Diagram gait{"Gait: what is on the ground when", "time", "s", "link", "", "", {}, section};
  gait.note = "A bar while the link touches the ground or what stands on it.";
  for (std::size_t k = 0; k < feet.size(); ++k) {
    Diagram::Curve bar{feet[k].name, Diagram::Curve::Kind::bar, {}, {}};
    for (std::size_t row = 0; row < recording.rows(); ++row) {
      bar.x.push_back(recording.row(row)[0]);
      bar.y.push_back(touches(feet[k], recording.row(row)) ? static_cast<double>(feet.size() - k)
                                                           : nothing);
    }
    gait.curves.push_back(std::move(bar));
  }
  return gait;
}

// where the robot touches the world at an instant of the recording
class ContactPoints {
 public:
  ContactPoints(const Scenario& scenario, const Recording& recording)
      : model_(scenario.model),
        recording_(recording),
        scene_(scenario.contacts->scene()),
        margin_(scenario.contacts->settings().method == ContactMethod::stepping ? resting_gap : 0),
        ws_(scenario.model) {}

  std::vector<Vec3<double>> at(std::size_t row) {
    const Poses& bodies = forward_kinematics<double>(
        model_, recording_.row(row).subspan(1, at_index(model_.nq)), ws_);
    std::vector<Vec3<double>> points;
    for (const SceneContact& contact : scene_.find(bodies, margin_))
      if ((contact.body_a == 0) != (contact.body_b == 0)) points.push_back(contact.at.point);
    return points;
  }

 private:
  const Model& model_;
  const Recording& recording_;
  CollisionScene scene_;
  double margin_;
  Workspace ws_;
};

// at most `count` rows, evenly spread, the last one among them
std::vector<std::size_t> spread_rows(std::size_t rows, std::size_t count) {
  std::vector<std::size_t> some;
  const std::size_t used = std::min(rows, count);
  for (std::size_t i = 1; i <= used; ++i) some.push_back(i * rows / used - 1);
  return some;
}

}  // namespace

std::vector<Vec3<double>> support_polygon(std::vector<Vec3<double>> points) {
  // Andrew's chain: below from left to right, above back again
  std::sort(points.begin(), points.end(), [](const Vec3<double>& a, const Vec3<double>& b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
  });
  points.erase(std::unique(points.begin(), points.end(),
                           [](const Vec3<double>& a, const Vec3<double>& b) {
                             return a.x == b.x && a.y == b.y;
                           }),
               points.end());
  if (points.size() < 3) return points;
  std::vector<Vec3<double>> hull;
  for (const int way : {1, -1}) {
    const std::size_t begin = hull.size();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3<double>& p = points[way > 0 ? i : points.size() - 1 - i];
      while (hull.size() >= begin + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();  // the other chain begins with it
  }
  return hull;
}

double support_margin(std::span<const Vec3<double>> polygon, const Vec3<double>& point) {
  if (polygon.empty()) return nothing;
  double nearest = HUGE_VAL;
  bool inside = polygon.size() > 2;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3<double>&a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    nearest = std::min(nearest, distance_to_edge(a, b, point));
    inside = inside && turn(a, b, point) >= 0;
  }
  return inside ? nearest : -nearest;
}

std::vector<Diagram> support_diagrams(const Scenario& scenario, const Recording& recording) {
  const auto com = std::find_if(recording.columns.begin(), recording.columns.end(),
                                [](const Column& one) { return one.name == "center_of_mass.x"; });
  if (!scenario.contacts || com == recording.columns.end() || recording.rows() == 0) return {};
  const std::vector<Footing> feet = footings(*scenario.contacts, recording);
  if (feet.empty()) return {};
  const auto column = static_cast<std::size_t>(com - recording.columns.begin());
  const auto center = [&](std::size_t row) {
    const std::span<const double> values = recording.row(row);
    return Vec3<double>{values[column], values[column + 1], values[column + 2]};
  };
  ContactPoints points(scenario, recording);

  Diagram above{"Support polygons, from above", "x", "m", "y", "m", "", {}, section};
  above.note =
      "What spans the contacts with the ground at some instants, and the way of the centre of "
      "mass.";
  Diagram::Curve way{"centre of mass", Diagram::Curve::Kind::line, {}, {}};
  Diagram margin{"Centre of mass inside its support", "time", "s", "margin", "m", "", {}, section};
  margin.note =
      "Distance from the nearest edge of the support polygon, seen from above; negative outside.";
  Diagram::Curve inside{"margin", Diagram::Curve::Kind::line, {}, {}};
  for (const std::size_t row : spread_rows(recording.rows(), most_margins)) {
    const Vec3<double> at = center(row);
    way.x.push_back(at.x), way.y.push_back(at.y);
    inside.x.push_back(recording.row(row)[0]);
    inside.y.push_back(support_margin(support_polygon(points.at(row)), at));
  }
  above.curves.push_back(std::move(way)), margin.curves.push_back(std::move(inside));
  for (const std::size_t row : spread_rows(recording.rows(), most_polygons)) {
    std::vector<Vec3<double>> polygon = support_polygon(points.at(row));
    if (polygon.empty()) continue;
    polygon.push_back(polygon.front());
    Diagram::Curve edges{
        fmt::format("{:.3g} s", recording.row(row)[0]), Diagram::Curve::Kind::line, {}, {}};
    for (const Vec3<double>& corner : polygon)
      edges.x.push_back(corner.x), edges.y.push_back(corner.y);
    above.curves.push_back(std::move(edges));
  }
  return {gait_diagram(feet, recording), std::move(above), std::move(margin)};
}

}  // namespace limber
