#pragma once
// The parts of the SDF reader. SDF's rules are those of its specification, versions 1.4 to 1.11;
// what is taken over and what is not stands in docs/robot-files.md.
//
// Names and poses may refer to what stands later in the file, in nested models or in other files.
// So reading has three steps:
//
//   1. sdf_files, sdf_tree    all that has a name and a pose is listed: models, links, joints and
//                             frames, those of nested and included models too, with their full
//                             names ("arm::gripper::finger")
//   2. sdf_frames             two graphs are resolved. `attached_to` ends at a link or the world
//                             and tells on which body something is; `relative_to` ends at the world
//                             and tells where it is while all joints are at zero
//   3. sdf_link, sdf_shape,   links and joints are read; the tree is chosen among the joints, the
//      sdf_joint, sdf_loops,  others close loops; what plug-ins say about links in water
//      sdf_water
//
//   sdf                       the file as a whole, frames, settings of the world
//   sdf_values                numbers, flags and poses as SDF writes them
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <limber/io/load.hpp>
#include <limber/io/mesh_files.hpp>
#include <limber/model/spec.hpp>

#include "io/xml.hpp"

namespace limber {

/// The text of a file, which may include others that lie in its folder or in folders that the
/// environment names.
Spec parse_sdf_of_file(std::string_view text, const std::string& file, const LoadOptions& options);

/// The main file and the files that it includes. Elements live as long as this object.
class SdfFiles {
 public:
  enum class Includes { refused, allowed };
  /// The root element of a file and the version that it is written in: 6 stands for 1.6.
  struct Root {
    XmlElement element;
    int version;
    std::string path;
  };
  SdfFiles(std::string_view text, const std::string& file, Includes includes, MeshSearch meshes);

  Root main() const { return root_of(*files_.front()); }
  /// The file that <uri> names.
  Root include(const XmlElement& uri);
  /// The name of a mesh file as one that is relative to the main file's folder.
  std::string beside_main(const std::string& uri, const std::string& including) const;
  /// Where meshes are looked for.
  const MeshSearch& meshes() const { return meshes_; }

  /// Of all files, the main one first.
  std::vector<std::string> warnings() const;
  std::vector<std::string> ignored() const;

 private:
  struct File;
  static Root root_of(File& file);
  File& open(std::string_view text, const std::string& file);
  std::string find(const XmlElement& uri) const;

  std::string main_;
  Includes includes_;
  MeshSearch meshes_;
  std::deque<std::shared_ptr<File>> files_;
  std::map<std::string, File*> by_path_;
  std::size_t includes_so_far_ = 0;
};

/// What <pose> says: the offset, and what it is relative to ("": the default of its element).
struct SdfPose {
  Transform<double> offset;
  std::string relative_to;
};
/// The pose from the child <pose>; identity without one.
SdfPose sdf_pose(const XmlElement& parent);
/// `count` finite numbers between the tags.
std::vector<double> sdf_numbers(const XmlElement& element, std::size_t count);
/// The number, vector, flag or text between the tags of the child, or the fallback without it.
double sdf_number(const XmlElement& parent, const char* tag, double fallback);
Vec3<double> sdf_vec3(const XmlElement& parent, const char* tag, const Vec3<double>& fallback);
bool sdf_flag(const XmlElement& parent, const char* tag, bool fallback);
std::string sdf_text(const XmlElement& parent, const char* tag, const std::string& fallback);
/// A number that may be infinite; 1e16 and more, which old files write, is infinite too.
double sdf_limit(const XmlElement& parent, const char* tag, double fallback);

/// The content of a model, or of the world: where names in it are looked up.
struct SdfScope {
  std::string prefix;  ///< of full names: "arm::"; of the world ""
  int model = 0;       ///< the node that `__model__` stands for; the world: 0
  int version = 11;
  bool is_static = false;
  int family = 0;         ///< of its bodies, see BodySpec
  bool collides = false;  ///< what <self_collide> says, here or further out
};

/// Something with a name and a pose: a node of both graphs.
struct SdfNode {
  enum class Kind { world, model, link, joint, frame };
  Kind kind = Kind::world;
  std::string name;                     ///< full
  std::optional<XmlElement> element{};  ///< none: the world
  int scope = 0;                        ///< in which its names are looked up
  Transform<double> offset{};           ///< against `relative_to`
  int relative_to = -1, attached_to = -1;
  std::string relative_name{}, attached_name{};  ///< as written; "": the default

  // of models
  int inner = -1;  ///< the scope of its content
  std::string placement_frame{};
  std::optional<XmlElement> include{};  ///< that brings it in; may have plug-ins of its own
};

/// Step 1: everything listed. Node 0 is the world.
struct SdfTree {
  std::vector<SdfNode> nodes;
  std::vector<SdfScope> scopes;
  std::map<std::string, int, std::less<>> by_name;
  int models = 0;          ///< at the top
  std::string only_model;  ///< the name of the only one at the top, with "::"; "" if there are more

  /// The node that a name stands for in a scope. Throws Error unless it exists.
  int find(const XmlElement& element, int scope, const std::string& name) const;
  /// The name for the Spec: full, but without the model's if there is only one.
  std::string shown(const std::string& name) const;
  const SdfScope& scope_of(const SdfNode& node) const {
    return scopes[static_cast<std::size_t>(node.scope)];
  }
};
SdfTree list_sdf(SdfFiles& files, const XmlElement& root, int version);

/// Step 2: the body that each node is on (a link, or 0 for the world), and its pose in the world.
struct SdfFrames {
  std::vector<int> body;
  std::vector<Transform<double>> pose;

  Transform<double> in_body(int node) const {
    const auto n = static_cast<std::size_t>(node);
    return apply_inverse(pose[static_cast<std::size_t>(body[n])], pose[n]);
  }
};
SdfFrames resolve_sdf(SdfTree& tree);

/// <link>: inertia, shapes, sensors.
BodySpec read_sdf_link(int node, const SdfTree& tree, const SdfFrames& frames,
                       const SdfFiles& files, Spec& spec);
/// <visual> or <collision>; nothing for shapes that are left out.
std::optional<ShapeSpec> read_sdf_shape(const XmlElement& element, ShapeSpec::Role role,
                                        const Transform<double>& placement, const SdfFiles& files);
/// <sensor> of a link or joint.
void read_sdf_sensors(const XmlElement& element, const char* kind, const std::string& name,
                      Spec& spec);

/// <plugin> of models and of the world, as far as it is about links in water. `bodies`: where the
/// bodies of links, by their nodes, stand in the Spec.
void read_sdf_water(const std::optional<XmlElement>& world, const SdfTree& tree,
                    const std::map<int, std::size_t>& bodies, Spec& spec);

/// <joint>, and what the choice of the tree needs.
struct SdfJoint {
  JointSpec joint;
  int node = 0, parent = 0, child = 0;  ///< bodies as nodes
  /// Two turns about axes that are not perpendicular: the second joint, to be put in series.
  std::optional<JointSpec> second{};
  /// A gearbox: no joint of its own, but a coupling of two others.
  bool is_gearbox = false;
  int reference = 0;  ///< the body against which both angles are measured
  double ratio = 1;
};
SdfJoint read_sdf_joint(int node, const SdfTree& tree, const SdfFrames& frames, Spec& spec);

/// The joints of the tree, in the order of the file; those that close loops; free joints for what
/// nothing carries.
void connect_sdf(const SdfTree& tree, const SdfFrames& frames, const std::vector<SdfJoint>& joints,
                 Spec& spec);

}  // namespace limber
