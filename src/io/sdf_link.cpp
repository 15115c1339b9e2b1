// SDF: links, their inertia and sensors.
#include <fmt/format.h>

#include <limber/io/mesh_files.hpp>
#include <limber/mesh/mesh.hpp>

#include "index.hpp"
#include "io/hydrodynamics.hpp"
#include "io/sdf.hpp"
#include "io/solid.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

// what SDF takes for water, where no density is given [kg/m³]
constexpr double sdf_density = 1000;

class LinkReader {
 public:
  LinkReader(int node, const SdfTree& tree, const SdfFrames& frames, const SdfFiles& files)
      : node_(node),
        tree_(tree),
        frames_(frames),
        files_(files),
        link_(*tree.nodes[at_index(node)].element) {}

  BodySpec read(Spec& spec) {
    const SdfNode& node = tree_.nodes[at_index(node_)];
    const SdfScope& scope = tree_.scope_of(node);
    BodySpec body;
    body.name = tree_.shown(node.name);
    body.source = link_.source();
    body.family = sdf_flag(link_, "self_collide", scope.collides) ? 0 : scope.family;
    link_.expect_attributes({"name"}, {"type"});
    link_.expect_children({"pose", "inertial", "visual", "collision", "sensor", "self_collide",
                           "gravity", "kinematic", "velocity_decay"},
                          {"light", "projector", "audio_sink", "audio_source", "battery", "plugin",
                           "particle_emitter", "enable_wind", "must_be_base_link", "frame"});
    for (const XmlElement& visual : link_.children("visual"))
      if (std::optional<ShapeSpec> shape =
              read_sdf_shape(visual, ShapeSpec::Role::visual, pose_of(visual), files_))
        body.shapes.push_back(std::move(*shape));
    for (const XmlElement& collision : link_.children("collision"))
      if (std::optional<ShapeSpec> shape =
              read_sdf_shape(collision, ShapeSpec::Role::collision, pose_of(collision), files_)) {
        collisions_.emplace_back(collision, *shape);
        body.shapes.push_back(std::move(*shape));
      }
    read_inertial(scope, body);
    warn_of_changes(scope);
    read_sdf_sensors(link_, "body", body.name, spec);
    return body;
  }

 private:
  // in the frame of the link
  Transform<double> pose_of(const XmlElement& element) const {
    const SdfPose pose = sdf_pose(element);
    if (pose.relative_to.empty()) return pose.offset;
    const SdfNode& node = tree_.nodes[at_index(node_)];
    const int base = tree_.find(element, node.scope, pose.relative_to);
    return apply_inverse(frames_.pose[at_index(node_)], frames_.pose[at_index(base)] * pose.offset);
  }

  // what changes the motion, and is not read
  void warn_of_changes(const SdfScope& scope) const {
    if (scope.is_static) return;
    if (!sdf_flag(link_, "gravity", true))
      link_.warn("<gravity> is not read: gravity acts on this link in full");
    if (sdf_flag(link_, "kinematic", false))
      link_.warn("<kinematic> is not read: the link moves by its dynamics");
    for (const XmlElement& decay : link_.children("velocity_decay"))
      if (sdf_number(decay, "linear", 0) != 0 || sdf_number(decay, "angular", 0) != 0)
        decay.warn("<velocity_decay> is not read; damping of joints is");
  }

  void read_inertial(const SdfScope& scope, BodySpec& body) const {
    const std::optional<XmlElement> inertial = link_.child("inertial");
    if (!inertial) {
      if (scope.is_static) return;
      link_.warn(
          "<link> has no <inertial>: by the rules of SDF it has a mass of 1 kg and moments of "
          "inertia of 1 kg m²");
      body.inertia = Inertia<double>::from_com(1, {}, {1, 1, 1, 0, 0, 0});
      return;
    }
    inertial->expect_attributes({"auto"});
    inertial->expect_children({"pose", "mass", "inertia", "fluid_added_mass", "density"},
                              {"frame", "auto_inertia_params"});
    const std::string automatic = inertial->attribute("auto").value_or("false");
    if (automatic == "true" || automatic == "1") {
      body.inertia = inertia_of_shapes(*inertial);
    } else {
      const SdfPose pose = sdf_pose(*inertial);
      if (!pose.relative_to.empty())
        throw inertial->error(
            "the <pose> of <inertial> is always in the frame of its link; remove "
            "relative_to");
      if (!inertial->child("mass"))
        inertial->warn("<inertial> has no <mass>: by the rules of SDF it is 1 kg");
      const Sym3<double> about_com = rotational_inertia(*inertial);
      body.inertia = Inertia<double>::from_com(sdf_number(*inertial, "mass", 1), pose.offset.p,
                                               rotated(pose.offset.R, about_com));
    }
    if (const std::optional<XmlElement> added = inertial->child("fluid_added_mass"))
      read_added_mass(*added, body);
  }

  // about the centre of mass, in the axes of the inertial frame
  static Sym3<double> rotational_inertia(const XmlElement& inertial) {
    const std::optional<XmlElement> inertia = inertial.child("inertia");
    if (!inertia) {
      inertial.warn("<inertial> has no <inertia>: by the rules of SDF its moments are 1 kg m²");
      return {1, 1, 1, 0, 0, 0};
    }
    inertia->expect_children({"ixx", "iyy", "izz", "ixy", "ixz", "iyz"});
    return {sdf_number(*inertia, "ixx", 1), sdf_number(*inertia, "iyy", 1),
            sdf_number(*inertia, "izz", 1), sdf_number(*inertia, "ixy", 0),
            sdf_number(*inertia, "ixz", 0), sdf_number(*inertia, "iyz", 0)};
  }

  Inertia<double> inertia_of_shapes(const XmlElement& inertial) const {
    for (const char* tag : {"mass", "inertia", "pose"})
      if (inertial.child(tag))
        inertial.warn(fmt::format("<{}> is not read beside auto=\"true\"", tag));
    const double density = sdf_number(inertial, "density", sdf_density);
    Inertia<double> sum{};
    for (const auto& [collision, shape] : collisions_) {
      const double own = sdf_number(collision, "density", density);
      const Inertia<double> solid = shape.kind == ShapeSpec::Kind::mesh
                                        ? inertia_of_mesh(collision, shape, own)
                                        : solid_inertia(shape, own);
      if (solid.m == 0)
        throw collision.error(
            "auto=\"true\" needs the inertia of this shape, which is computed only of boxes, "
            "spheres, cylinders, capsules, ellipsoids and meshes of some size and density; write "
            "mass and inertia");
      sum += solid;
    }
    if (collisions_.empty())
      throw inertial.error("auto=\"true\" takes the inertia of collision shapes; there is none");
    return sum;
  }

  // of what its surface encloses
  Inertia<double> inertia_of_mesh(const XmlElement& collision, const ShapeSpec& shape,
                                  double density) const {
    const auto refuse = [&](const std::string& why) {
      return collision.error(
          fmt::format("auto=\"true\" needs the inertia of mesh '{}': {}; write mass and inertia",
                      printable(shape.mesh_file), why));
    };
    const std::optional<XmlElement> mesh = collision.child("geometry")->child("mesh");
    if (mesh->child("submesh")) throw refuse("that of a <submesh> is not computed");
    const FoundMesh found = find_mesh(shape.mesh_file, files_.meshes());
    if (found.file.empty()) throw refuse(describe(found));
    try {
      return shape.placement * mass_of_mesh(scaled(load_mesh(found.file), shape.size), density);
    } catch (const Error& error) {
      throw refuse(error.what());
    }
  }

  // about the origin of the link, as Gazebo takes it
  static void read_added_mass(const XmlElement& added, BodySpec& body) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = i; j < 6; ++j)
        numbers.push_back(sdf_number(added, added_mass_name(i, j).c_str(), 0));
    body.hydrodynamics.emplace().added_mass = marine_matrix_of(numbers);
  }

  const int node_;
  const SdfTree& tree_;
  const SdfFrames& frames_;
  const SdfFiles& files_;
  const XmlElement link_;
  std::vector<std::pair<XmlElement, ShapeSpec>> collisions_;
};

}  // namespace

BodySpec read_sdf_link(int node, const SdfTree& tree, const SdfFrames& frames,
                       const SdfFiles& files, Spec& spec) {
  return LinkReader(node, tree, frames, files).read(spec);
}

void read_sdf_sensors(const XmlElement& element, const char* kind, const std::string& name,
                      Spec& spec) {
  for (const XmlElement& child : element.children("sensor")) {
    SensorSpec sensor;
    sensor.name = child.optional_name();
    sensor.kind = child.attribute("type").value_or("");
    sensor.object_kind = kind;
    sensor.object = name;
    sensor.source = child.owned_by("sensor '" + sensor.name + "'").source();
    child.ignore("content of <sensor>");
    spec.sensors.push_back(std::move(sensor));
  }
}

}  // namespace limber
