// Plug-ins of Gazebo about water: which they are, and gz::sim::systems::Hydrodynamics and Buoyancy.
#include "io/gazebo_water.hpp"

#include <set>

#include <fmt/format.h>

#include "io/hydrodynamics.hpp"
#include "io/sdf.hpp"
#include "model/names.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

bool is_plugin(const XmlElement& plugin, std::string_view file, std::string_view name) {
  return plugin.attribute("filename").value_or("").find(file) != std::string::npos ||
         plugin.attribute("name").value_or("").ends_with(name);
}

void add_to(std::optional<MarineMatrix>& sum, const MarineMatrix& more) {
  if (!sum) sum.emplace();
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) (*sum)[i][j] += more[i][j];
}

// the plug-in's numbers are derivatives of the force on the link: xU = ∂X/∂u, negative where water
// resists; ours are the negative of these
class DerivativeReader {
 public:
  explicit DerivativeReader(const XmlElement& plugin) : plugin_(plugin) {}

  void read(BodySpec& body) {
    std::set<std::string, std::less<>> seen;
    for (const XmlElement& child : plugin_.children()) {
      const std::string tag(child.tag());
      if (!seen.insert(tag).second)
        throw child.error(fmt::format("a second <{}>; remove one of them", printable(tag)));
      if (!read_derivative(child, tag)) read_other(child, tag);
    }
    put(body);
  }

 private:
  enum class Kind { added_mass, linear, quadratic };
  static constexpr std::string_view velocities = "UVWPQR";

  // xDotU, xU, xUabsU and xUU
  bool read_derivative(const XmlElement& child, std::string_view tag) {
    const std::size_t i =
        tag.empty() ? std::string_view::npos : std::string_view("xyzkmn").find(tag[0]);
    if (i == std::string_view::npos || tag.size() < 2) return false;
    std::string_view rest = tag.substr(1);
    const bool is_mass = rest.starts_with("Dot");
    if (is_mass) rest.remove_prefix(3);
    const std::size_t j = rest.empty() ? rest.npos : velocities.find(rest[0]);
    if (j == rest.npos) return false;
    rest.remove_prefix(1);
    if (rest.empty()) {
      take(child, is_mass ? Kind::added_mass : Kind::linear, i, j);
      return true;
    }
    const bool is_absolute = rest.starts_with("abs");
    if (is_absolute) rest.remove_prefix(3);
    const std::size_t k = rest.size() == 1 ? velocities.find(rest[0]) : rest.npos;
    if (is_mass || k == rest.npos) return false;
    take_quadratic(child, i, j, k, is_absolute ? Sign::of_motion : Sign::fixed);
    return true;
  }

  enum class Sign { of_motion, fixed };
  void take_quadratic(const XmlElement& child, std::size_t i, std::size_t j, std::size_t k,
                      Sign sign) {
    if (sign == Sign::of_motion && j == k) return take(child, Kind::quadratic, i, j);
    if (child.text_number() == 0) return;
    if (sign == Sign::of_motion)
      return child.warn(
          fmt::format("<{}> is not read: damping by the product of two different velocities has no "
                      "place here",
                      child.tag()));
    const std::string plain = quadratic_derivative(i, j);
    if (i != j || j != k || plugin_.child(plain.c_str()))
      return child.warn(fmt::format(
          "<{}> is not read: it does not change its sign with the velocity, so it drives; write "
          "<{}> for drag",
          child.tag(), quadratic_derivative(i, k)));
    child.warn(
        fmt::format("<{}> is taken as <{}>, which it was in older versions of the plug-in; newer "
                    "ones push one way whatever the velocity: rename it",
                    child.tag(), plain));
    take(child, Kind::quadratic, i, j);
  }

  void take(const XmlElement& child, Kind kind, std::size_t i, std::size_t j) {
    const double value = child.text_number();
    std::optional<MarineMatrix>& matrix = kind == Kind::added_mass ? added_mass_
                                          : kind == Kind::linear   ? linear_
                                                                   : quadratic_;
    if (!matrix) matrix.emplace();
    (*matrix)[i][j] = 0 - value;
    if (i == j && value > 0)
      child.warn(fmt::format(
          "<{}> is positive: the plug-in has derivatives of forces, which are negative where water "
          "resists; {} it would drive the link. Turn the sign unless that is meant",
          child.tag(), kind == Kind::added_mass ? "as a mass of −" + child.text() + " kg" : "so"));
  }

  void read_other(const XmlElement& child, const std::string& tag) {
    if (tag == "link_name") return;
    if (tag == "disable_added_mass" || tag == "disable_coriolis") {
      (tag == "disable_coriolis" ? without_coriolis_ : without_mass_) =
          sdf_flag(plugin_, tag.c_str(), false);
    } else if (tag == "default_current") {
      const std::vector<double> current = sdf_numbers(child, 3);
      if (current[0] != 0 || current[1] != 0 || current[2] != 0)
        child.warn(
            "<default_current> is not read: the current belongs to the water, not to the "
            "robot");
    } else if (tag.starts_with("lookup_current_")) {
      child.warn(fmt::format("<{}> is not read: the current belongs to the water", tag));
    } else if (tag == "water_density" || tag == "waterDensity") {
      child.ignore(fmt::format("<{}>, which belongs to the water", tag));
    } else if (tag == "namespace") {
      child.ignore("<namespace> of the plug-in Hydrodynamics");
    } else {
      child.warn(fmt::format(
          "unknown element <{}> of the plug-in Hydrodynamics is not read{}", printable(tag),
          did_you_mean(tag, {"link_name", "default_current", "disable_added_mass",
                             "disable_coriolis", "xDotU", "xU", "xUabsU"})));
    }
  }

  void put(BodySpec& body) {
    HydrodynamicsSpec& water =
        body.hydrodynamics ? *body.hydrodynamics : body.hydrodynamics.emplace();
    const bool has_mass = added_mass_ && *added_mass_ != MarineMatrix{};
    if (has_mass && without_mass_ && !without_coriolis_)
      plugin_.warn("<disable_added_mass> leaves out the Coriolis forces of the added mass as well");
    if (has_mass && !without_mass_ && without_coriolis_)
      plugin_.warn("<disable_coriolis> is not read: an added mass has its Coriolis forces");
    if (without_mass_) {
      if (!water.added_mass) water.added_mass.emplace();
    } else if (added_mass_) {
      if (has_mass && water.added_mass && *water.added_mass != MarineMatrix{})
        plugin_.warn("the link has an added mass of its own; Gazebo adds both, and so does Limber");
      if (const std::string text = make_symmetric(*added_mass_); !text.empty()) plugin_.warn(text);
      add_to(water.added_mass, *added_mass_);
    }
    if (linear_) add_to(water.linear_damping, *linear_);
    if (quadratic_) add_to(water.quadratic_damping, *quadratic_);
  }

  const XmlElement& plugin_;
  std::optional<MarineMatrix> added_mass_, linear_, quadratic_;
  bool without_mass_ = false, without_coriolis_ = false;
};

void read_gz_hydrodynamics(const XmlElement& plugin, const FindBody& find) {
  const std::optional<XmlElement> link = plugin.child("link_name");
  if (!link || link->text().empty())
    throw plugin.error(
        "the plug-in Hydrodynamics has no <link_name>; add <link_name>LINK</link_name>");
  DerivativeReader(plugin).read(find(*link, link->text()));
}

}  // namespace

bool read_water_plugin(const XmlElement& plugin, const FindBody& find) {
  const XmlElement owner =
      plugin.owned_by("plugin '" + printable(plugin.attribute("name").value_or("")) + "'");
  if (is_plugin(plugin, "hydrodynamics-system", "systems::Hydrodynamics")) {
    read_gz_hydrodynamics(owner, find);
    return true;
  }
  bool has_model = is_plugin(plugin, "underwater_object", "underwater_object") ||
                   is_plugin(plugin, "libBuoyancyPlugin", "BuoyancyPlugin");
  for (const XmlElement& link : plugin.children("link"))
    has_model = has_model || link.child("hydrodynamic_model");
  if (has_model) read_uuv_links(owner, find);
  return has_model;
}

bool is_buoyancy_plugin(const XmlElement& plugin) {
  return is_plugin(plugin, "buoyancy-system", "systems::Buoyancy");
}

std::vector<std::string> read_buoyancy_plugin(const XmlElement& plugin) {
  const XmlElement owner = plugin.owned_by("plugin 'Buoyancy'");
  owner.expect_children({"uniform_fluid_density", "graded_buoyancy", "enable"});
  std::vector<std::string> enabled;
  for (const XmlElement& enable : owner.children("enable")) enabled.push_back(enable.text());
  if (owner.child("uniform_fluid_density"))
    owner.ignore("<uniform_fluid_density>, which belongs to the water");
  if (owner.child("graded_buoyancy"))
    owner.warn("<graded_buoyancy> is not read: layers of density belong to the water");
  return enabled;
}

}  // namespace limber
