#include "fluid/given_water.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace limber {

CylinderDrag cylinder_of(const CylinderDragSpec& c) {
  return {c.start, c.end, c.radius, c.drag_coefficient, c.end_coefficient, c.skin_coefficient};
}

namespace {

// lists what is the file's and what is the shapes', for one note
class GivenWater {
 public:
  GivenWater(const HydrodynamicsSpec& given, const std::string& link, Hydrodynamics& water,
             std::vector<std::string>& notes)
      : given_(given),
        link_(link),
        water_(water),
        notes_(notes),
        has_shape_(!water.hull.triangles.empty()) {}

  std::string take() {
    take_added_mass();
    take_drag();
    take_displacement();
    // where the file says something of all there is nothing to note
    if (of_shapes_.empty()) return "";
    std::string text;
    if (!of_file_.empty()) text += fmt::format("{} as the file says; ", fmt::join(of_file_, ", "));
    return text + fmt::format("{} {}", fmt::join(of_shapes_, ", "),
                              has_shape_ ? "from its shapes" : "zero, as it has no shape");
  }

 private:
  void take_added_mass() {
    (given_.added_mass ? of_file_ : of_shapes_).emplace_back("added mass");
    if (given_.added_mass) water_.added_mass = added_mass_from(*given_.added_mass, link_, notes_);
  }

  // damping and cylinders are the whole drag, unless a coefficient asks for that of shapes as well
  void take_drag() {
    const bool is_given =
        given_.linear_damping || given_.quadratic_damping || !given_.cylinders.empty();
    if (is_given && !given_.drag_coefficient) {
      water_.cylinders.clear();
      water_.surfaces.clear();
    } else {
      of_shapes_.emplace_back(is_given ? "further drag" : "drag");
    }
    if (!is_given) return;
    of_file_.emplace_back("drag");
    water_.linear_damping = given_.linear_damping.value_or(MarineMatrix{});
    water_.quadratic_damping = given_.quadratic_damping.value_or(MarineMatrix{});
    water_.damping_frame = given_.damping_frame;
    for (const CylinderDragSpec& one : given_.cylinders)
      water_.cylinders.push_back(cylinder_of(one));
  }

  void take_displacement() {
    (given_.volume ? of_file_ : of_shapes_).emplace_back("volume");
    (given_.center_of_buoyancy ? of_file_ : of_shapes_).emplace_back("centre of buoyancy");
    if (given_.volume) water_.displacement.volume = *given_.volume;
    if (!given_.center_of_buoyancy) return;
    // the hull goes along, so that buoyancy has no jump where the link goes under
    const Vec3<double> moved = *given_.center_of_buoyancy - water_.displacement.center;
    for (Vec3<double>& vertex : water_.hull.vertices) vertex += moved;
    water_.displacement.center = *given_.center_of_buoyancy;
  }

  const HydrodynamicsSpec& given_;
  const std::string& link_;
  Hydrodynamics& water_;
  std::vector<std::string>& notes_;
  bool has_shape_;
  std::vector<std::string> of_file_, of_shapes_;
};

}  // namespace

std::string take_given_water(const BodySpec& body, Hydrodynamics& water,
                             std::vector<std::string>& notes) {
  if (!body.hydrodynamics) return "";
  return GivenWater(*body.hydrodynamics, body.name, water, notes).take();
}

}  // namespace limber
