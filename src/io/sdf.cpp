// SDF: the file as a whole, frames, settings of the world.
#include "io/sdf.hpp"

#include <fmt/format.h>

#include <limber/io/load.hpp>

#include "index.hpp"
#include "io/text_file.hpp"

namespace limber {

namespace {

constexpr std::size_t most_sdf_shapes = 500'000;

// gravity and time step; a file without a world has Limber's own
void read_sdf_world(const XmlElement& world, Spec& spec) {
  world.expect_attributes({"name"});
  world.expect_children({"model", "include", "frame", "joint", "gravity", "physics", "plugin"},
                        {"light", "scene", "gui", "atmosphere", "magnetic_field", "wind", "audio",
                         "spherical_coordinates", "state", "actor", "road"});
  if (world.child("population"))
    throw world.error("<population> makes models that Limber does not make; write them out");
  spec.gravity = sdf_vec3(world, "gravity", {0, 0, -9.8});
  const std::vector<XmlElement> physics = world.children("physics");
  for (const XmlElement& one : physics) {
    const bool is_default = one.attribute("default").value_or("false") == "true";
    if (one.id() == physics.front().id() || is_default) {
      spec.timestep = sdf_number(one, "max_step_size", 0.001);
      if (!(spec.timestep > 0)) {
        one.warn("<max_step_size> is not positive: no time step is taken");
        spec.timestep = 0;
      }
    }
    one.ignore("<physics>, but for its <max_step_size>");
  }
}

void add_sdf_frames(const SdfTree& tree, const SdfFrames& frames, Spec& spec) {
  for (int n = 1; n < static_cast<int>(tree.nodes.size()); ++n) {
    const SdfNode& node = tree.nodes[at_index(n)];
    if (node.kind != SdfNode::Kind::frame) continue;
    const int body = frames.body[at_index(n)];
    FrameSpec frame;
    frame.name = tree.shown(node.name);
    frame.body = body == 0 ? "" : tree.shown(tree.nodes[at_index(body)].name);
    frame.placement = frames.in_body(n);
    frame.source = node.element->source();
    spec.frames.push_back(std::move(frame));
  }
}

void read_sdf_bodies(const std::optional<XmlElement>& world, SdfTree& tree, const SdfFiles& files,
                     Spec& spec) {
  const SdfFrames frames = resolve_sdf(tree);
  std::vector<SdfJoint> joints;
  std::map<int, std::size_t> bodies;
  std::size_t shapes = 0;
  for (int n = 1; n < static_cast<int>(tree.nodes.size()); ++n) {
    const SdfNode& node = tree.nodes[at_index(n)];
    if (node.kind == SdfNode::Kind::link) {
      bodies.emplace(n, spec.bodies.size());
      spec.bodies.push_back(read_sdf_link(n, tree, frames, files, spec));
      shapes += spec.bodies.back().shapes.size();
      if (shapes > most_sdf_shapes)
        throw node.element->error(fmt::format(
            "more than {} shapes, counting those of included files; such a file is not read",
            most_sdf_shapes));
    }
    if (node.kind != SdfNode::Kind::joint) continue;
    if (tree.scope_of(node).is_static) node.element->ignore("<joint> of a static model");
    else joints.push_back(read_sdf_joint(n, tree, frames, spec));
  }
  read_sdf_water(world, tree, bodies, spec);
  connect_sdf(tree, frames, joints, spec);
  add_sdf_frames(tree, frames, spec);
}

Spec read_sdf_text(std::string_view text, const std::string& file, SdfFiles::Includes includes,
                   const MeshSearch& meshes) {
  SdfFiles files(text, file, includes, meshes);
  const SdfFiles::Root root = files.main();
  Spec spec;
  const std::vector<XmlElement> worlds = root.element.children("world");
  std::optional<XmlElement> world;
  if (!worlds.empty()) world = worlds[0].owned_by("world '" + worlds[0].optional_name() + "'");
  SdfTree tree = list_sdf(files, root.element, root.version);
  if (!tree.only_model.empty()) spec.name = tree.only_model.substr(0, tree.only_model.size() - 2);
  else if (world) spec.name = world->optional_name();
  if (spec.name.empty()) spec.name = stem(file);
  spec.source = {file, root.element.source().line, "robot '" + spec.name + "'"};
  if (world) read_sdf_world(*world, spec);
  read_sdf_bodies(world, tree, files, spec);
  if (spec.bodies.empty())
    throw Error(spec.source, "there is no <link> in this file; a robot needs at least one");
  spec.warnings = files.warnings();
  spec.ignored = files.ignored();
  spec.format = fmt::format("SDF 1.{}", root.version);
  return spec;
}

}  // namespace

Spec parse_sdf(std::string_view text, const std::string& file) {
  return read_sdf_text(text, file, SdfFiles::Includes::refused, {});
}

Spec parse_sdf_of_file(std::string_view text, const std::string& file, const LoadOptions& options) {
  return read_sdf_text(text, file, SdfFiles::Includes::allowed,
                       mesh_search(file, options.mesh_folders));
}

Spec read_sdf(const std::string& file) {
  return read_or_explain(file, [&] { return parse_sdf_of_file(read_text_file(file), file, {}); });
}

}  // namespace limber
