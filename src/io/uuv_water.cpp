// Links in water as uuv_simulator describes them, and BuoyancyPlugin of Gazebo classic.
#include <fmt/format.h>

#include "io/gazebo_water.hpp"
#include "io/hydrodynamics.hpp"
#include "io/numbers.hpp"
#include "io/sdf.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

// uuv_simulator's own, where the file has none [kg/m³]
constexpr double uuv_density = 1028;

// its matrices are in axes x forward, y right, z down; the link's are x forward, y left, z up
MarineMatrix from_down_axes(const MarineMatrix& matrix) {
  constexpr std::array<double, 6> sign{1, -1, -1, 1, -1, -1};
  MarineMatrix result{};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) result[i][j] = sign[i] * sign[j] * matrix[i][j];
  return result;
}

// 6 numbers of a diagonal, or 36
MarineMatrix uuv_matrix(const XmlElement& element) {
  const std::string text = element.text();
  const std::size_t count = split_words(text).size();
  return marine_matrix_of(sdf_numbers(element, count == 6 ? 6 : 36));
}

// where buoyancy acts if the file does not say: uuv_simulator has the origin, BuoyancyPlugin the
// centre of shapes
enum class UsualCenter { origin, of_shapes };

class UuvLink {
 public:
  UuvLink(const XmlElement& link, double density, UsualCenter center, BodySpec& body)
      : link_(link),
        density_(density),
        center_(center),
        body_(body),
        water_(body.hydrodynamics ? *body.hydrodynamics : body.hydrodynamics.emplace()) {}

  void read() {
    link_.expect_attributes({"name"});
    link_.expect_children({"neutrally_buoyant", "volume", "center_of_buoyancy", "center_of_volume",
                           "hydrodynamic_model"},
                          {"box", "width", "length", "height", "metacentric_width",
                           "metacentric_length", "water_level_plane_area", "submerged_height"});
    read_displacement();
    if (const std::optional<XmlElement> model = link_.child("hydrodynamic_model"))
      read_model(*model);
    if (center_ == UsualCenter::origin && body_.inertia.m != 0 && norm(body_.inertia.com()) > 1e-9)
      link_.warn(
          "the centre of mass is not the link's origin: uuv_simulator then puts the forces of "
          "water at the centre of mass, Limber takes all numbers about the link's origin");
  }

 private:
  void read_displacement() {
    if (const std::optional<XmlElement> volume = link_.child("volume")) {
      water_.volume = volume->text_number();
      if (*water_.volume < 0) throw volume->error("<volume> is negative; give cubic metres");
    }
    if (sdf_flag(link_, "neutrally_buoyant", false)) water_.volume = body_.inertia.m / density_;
    for (const char* tag : {"center_of_buoyancy", "center_of_volume"})
      if (link_.child(tag)) water_.center_of_buoyancy = sdf_vec3(link_, tag, {});
    if (center_ == UsualCenter::origin && water_.volume && !water_.center_of_buoyancy)
      water_.center_of_buoyancy.emplace();
  }

  void read_model(const XmlElement& model) {
    const std::string type = sdf_text(model, "type", model.attribute("type").value_or("fossen"));
    if (type != "fossen")
      return model.warn(fmt::format(
          "<hydrodynamic_model> of type '{}' is not read: added mass and drag come from the link's "
          "shapes; of the types of uuv_simulator, 'fossen' is read",
          printable(type)));
    model.expect_attributes({"type"});
    model.expect_children({"type", "added_mass", "linear_damping", "linear_damping_forward_speed",
                           "quadratic_damping"});
    if (const std::optional<XmlElement> mass = model.child("added_mass")) {
      MarineMatrix matrix = from_down_axes(marine_matrix_of(sdf_numbers(*mass, 36)));
      if (const std::string text = make_symmetric(matrix); !text.empty()) mass->warn(text);
      water_.added_mass = matrix;
    }
    if (const std::optional<XmlElement> linear = model.child("linear_damping"))
      water_.linear_damping = negative(from_down_axes(uuv_matrix(*linear)), *linear);
    if (const std::optional<XmlElement> quadratic = model.child("quadratic_damping"))
      water_.quadratic_damping = negative(diagonal_of(*quadratic), *quadratic);
    if (const std::optional<XmlElement> forward = model.child("linear_damping_forward_speed"))
      if (uuv_matrix(*forward) != MarineMatrix{})
        forward->warn(
            "<linear_damping_forward_speed> is not read: damping that grows with the forward speed "
            "alone has no place here");
  }

  // uuv_simulator takes no more of it
  static MarineMatrix diagonal_of(const XmlElement& element) {
    const MarineMatrix all = uuv_matrix(element);
    MarineMatrix matrix{};
    for (std::size_t k = 0; k < 6; ++k) matrix[k][k] = all[k][k];
    if (all != matrix)
      element.warn(fmt::format(
          "of <{}> the diagonal is taken, as uuv_simulator does; the other numbers do nothing",
          element.tag()));
    return matrix;
  }

  // derivatives of forces: negative where water resists
  static MarineMatrix negative(const MarineMatrix& derivatives, const XmlElement& element) {
    MarineMatrix damping{};
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) damping[i][j] = 0 - derivatives[i][j];
      if (derivatives[i][i] > 0)
        element.warn(fmt::format(
            "<{}> has a positive number on its diagonal: there are derivatives of forces, which "
            "are negative where water resists; turn the sign unless water is to drive the link",
            element.tag()));
    }
    return damping;
  }

  const XmlElement& link_;
  double density_;
  UsualCenter center_;
  BodySpec& body_;
  HydrodynamicsSpec& water_;
};

}  // namespace

void read_uuv_links(const XmlElement& plugin, const FindBody& find) {
  const double density = sdf_number(plugin, "fluid_density", uuv_density);
  if (!(density > 0))
    throw plugin.error(fmt::format("<fluid_density> is {}; it must be positive", density));
  if (plugin.child("fluid_density")) plugin.ignore("<fluid_density>, which belongs to the water");
  plugin.expect_children({"link", "fluid_density"},
                         {"flow_velocity_topic", "use_global_current", "debug", "namespace"});
  const bool is_classic =
      plugin.attribute("filename").value_or("").find("BuoyancyPlugin") != std::string::npos;
  const UsualCenter center = is_classic ? UsualCenter::of_shapes : UsualCenter::origin;
  for (const XmlElement& link : plugin.children("link")) {
    BodySpec& body = find(link, link.name());
    UuvLink(link.owned_by("link '" + body.name + "' of a plug-in"), density, center, body).read();
  }
}

}  // namespace limber
