#pragma once
// The parts of the MJCF reader. MuJoCo's rules are those of its XML reference; what is taken over
// and what is not stands in docs/robot-files.md.
//
//   mjcf_files     the file and what it includes, as one tree of elements
//   mjcf_settings  <compiler> and <option>
//   mjcf_defaults  default classes, and elements that are read through them
//   mjcf_pose      positions and the five spellings of an orientation
//   mjcf_geom      geoms: shapes and masses
//   mjcf_mesh      meshes, and what MuJoCo says that they weigh
//   mjcf_joint     joints
//   mjcf_unfold    what is in a body: frames, replicated parts and attached models unfolded
//   mjcf_body      the tree of bodies
//   mjcf_inertia   inertias of bodies from <inertial> or from geoms, and their corrections
//   mjcf_fluid     the fluid of <option>, and the drag of bodies in it
//   mjcf_model     model files with their settings: the main one and those that it attaches
//   mjcf_attach    what comes along with an attached body
//   mjcf_equality  loops
//   mjcf_actuator  actuators and sensors
//   mjcf           the file as a whole, states, contact
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <limber/io/load.hpp>
#include <limber/io/mesh_files.hpp>
#include <limber/math/quat.hpp>
#include <limber/model/spec.hpp>

#include "io/fresh_names.hpp"
#include "io/xml.hpp"

namespace limber {

/// The text of a file, which may include others that lie in its folder.
Spec parse_mjcf_of_file(std::string_view text, const std::string& file, const LoadOptions& options);

/// The main file and the files that it includes. Elements live as long as this object.
class MjcfFiles {
 public:
  enum class Includes { refused, allowed };
  MjcfFiles(std::string_view text, const std::string& file, Includes includes);

  XmlElement root() const;
  /// Child elements; those of an included file stand where <include> does.
  std::vector<XmlElement> children(const XmlElement& element);

  const std::string& main_file() const { return main_; }
  Includes includes() const { return includes_; }
  /// Of all files, the main one first.
  std::vector<std::string> warnings() const;
  std::vector<std::string> ignored() const;

 private:
  struct File;
  File& open(std::string_view text, const std::string& file);
  XmlElement include(const XmlElement& element);
  void add_children(const XmlElement& element, std::vector<XmlElement>& found);

  std::string main_;
  Includes includes_;
  std::deque<std::shared_ptr<File>> files_;
  std::map<const void*, File*> included_;  // by the element that includes it
};

/// The path of the file that an element of `from` names. Throws Error unless it lies in the folder
/// of `from` or below.
std::string mjcf_path(const XmlElement& element, const std::string& from);

/// What <compiler> says. All of them count, a later one before an earlier, wherever they stand.
struct MjcfCompiler {
  enum class FromGeom { never, always, where_missing };
  bool degrees = true;
  std::string euler_sequence = "xyz";
  bool auto_limits = true;
  FromGeom inertia_from_geom = FromGeom::where_missing;
  int least_group = 0, greatest_group = 5;  ///< of geoms whose mass counts
  double least_mass = 0, least_inertia = 0;
  double total_mass = -1;  ///< ≤ 0: as described
  bool balance_inertia = false;
  bool fit_to_box = false;  ///< primitives are fitted to the box around a mesh
  std::string mesh_folder;
  bool strip_path = false;  ///< the folders in names of mesh files do not count

  double angle(double value) const;  ///< [rad]
};
void read_mjcf_compiler(const XmlElement& compiler, MjcfCompiler& settings);
/// What <option> says of the fluid around the robot; zero: there is none.
struct MjcfFluid {
  double density = 0, viscosity = 0;  ///< [kg/m³, Pa s]
  /// Something that a robot is under water in, and no gas, whose drag is nothing there.
  bool is_liquid() const;
};
void read_mjcf_fluid(const XmlElement& option, MjcfFluid& fluid);
/// <option>: gravity, time step and the fluid.
void read_mjcf_option(const XmlElement& option, MjcfFiles& files, Spec& spec, MjcfFluid& fluid);

/// An element and the defaults behind it: what it does not say itself, they say.
class MjcfElement {
 public:
  MjcfElement(XmlElement element, std::vector<XmlElement> defaults)
      : element_(std::move(element)), defaults_(std::move(defaults)) {}

  std::string_view tag() const { return element_.tag(); }
  const XmlElement& own() const { return element_; }
  /// The defaults, nearest last: the order in which they are applied.
  const std::vector<XmlElement>& defaults() const { return defaults_; }
  Source source() const { return element_.source(); }
  Error error(const std::string& text) const { return element_.error(text); }
  void warn(const std::string& text) const { element_.warn(text); }
  MjcfElement owned_by(std::string owner) const {
    return {element_.owned_by(std::move(owner)), defaults_};
  }

  bool has(const char* name) const { return holder(name).attribute(name).has_value(); }
  /// Where the attribute stands: the element itself or one of its defaults.
  const XmlElement& holder(const char* name) const;
  std::string text(const char* name, const std::string& fallback = "") const;
  double number(const char* name, double fallback) const {
    return holder(name).number(name, fallback);
  }
  int integer(const char* name, int fallback) const;
  Vec3<double> vec3(const char* name, const Vec3<double>& fallback) const {
    return holder(name).vec3(name, fallback);
  }
  /// Whether a list must have all of its numbers.
  enum class Count { all, or_less };
  /// A list replaces the first of `values`, defaults before own.
  void fill(const char* name, std::span<double> values, Count count = Count::or_less) const;
  /// One of `words`; their number. `fallback` without the attribute.
  std::size_t choice(const char* name, const std::vector<std::string>& words,
                     std::size_t fallback) const;
  bool flag(const char* name, bool fallback) const {
    return choice(name, {"false", "true"}, fallback ? 1 : 0) == 1;
  }

 private:
  XmlElement element_;
  std::vector<XmlElement> defaults_;
};

/// Says that a range whose first number is the greater one is no limit.
void warn_of_falling_range(const MjcfElement& element, const char* name);
/// The numbers of a list of one to `most` of them.
std::vector<double> mjcf_numbers(const XmlElement& element, const char* name, std::size_t most);

/// The default classes.
class MjcfDefaults {
 public:
  /// A <default> at the top of the file.
  void read(const XmlElement& element, MjcfFiles& files);
  /// The element with the defaults of its `class`, else of `childclass`, else of the top. Actuators
  /// share theirs: `tag` is "actuator" for all of them.
  MjcfElement resolve(const XmlElement& element, const std::string& childclass,
                      std::string_view tag) const;
  MjcfElement resolve(const XmlElement& element, const std::string& childclass = "") const {
    return resolve(element, childclass, element.tag());
  }
  /// Throws Error unless the class exists.
  void expect(const XmlElement& element, const std::string& name) const;

 private:
  struct Class {
    std::string parent;
    std::vector<XmlElement> elements;
  };
  void read_class(const XmlElement& element, const std::string& name, MjcfFiles& files);
  const std::vector<XmlElement>& with_tag(const std::string& name, std::string_view tag) const;

  std::string top_ = "main";
  std::map<std::string, Class> classes_{{"main", {}}};
  // elements of a class and all above it, by tag
  mutable std::map<std::pair<std::string, std::string>, std::vector<XmlElement>> resolved_;
};

/// Warns of attributes of a geom, joint, site or actuator, or of its defaults, that do not exist,
/// and notes those that are passed over.
void expect_mjcf_attributes(const XmlElement& element);

/// The tags of actuators, which share their defaults.
bool is_mjcf_actuator(std::string_view tag);

/// Pose from pos and one of quat, axisangle, xyaxes, zaxis, euler; identity where nothing is said.
Transform<double> mjcf_pose(const MjcfElement& element, const MjcfCompiler& compiler);
/// The rotation that takes z to a direction by the shortest way.
Mat3<double> mjcf_rotation_to(const Vec3<double>& direction);
/// The rotation of angles [rad] about the axes of the compiler's eulerseq.
Mat3<double> mjcf_euler(const std::vector<double>& angles, const std::string& sequence);
/// w, x, y, z as a unit quaternion. Throws Error for zero.
Quat<double> mjcf_quaternion(const XmlElement& element, std::span<const double> wxyz);

/// Meshes and materials by name.
struct MjcfAssets {
  /// Whose volume it has, by MuJoCo's words: of its convex hull; its own; the sum of pyramids over
  /// its faces, all counted as positive; none, all mass is in the surface.
  enum class Rule { convex, exact, legacy, shell };
  struct Mesh {
    std::string name, file;  ///< without a file: given by `vertices` and `faces`
    Vec3<double> scale{1, 1, 1};
    Transform<double> reference;  ///< taken off before the scale
    Rule rule = Rule::legacy;
    std::vector<double> vertices{}, faces{};  ///< three numbers each
    std::string not_read{};                   ///< what keeps its inertia from being computed
    std::optional<XmlElement> element{};
    mutable std::optional<Inertia<double>> moments{};  ///< computed when it is needed
  };
  std::map<std::string, Mesh, std::less<>> meshes;
  std::map<std::string, std::array<double, 4>, std::less<>> materials;
  MeshSearch search;  ///< where mesh files lie; a text has none
};
/// <mesh>.
MjcfAssets::Mesh read_mjcf_mesh(const MjcfElement& element, const MjcfCompiler& compiler);
/// What a geom of density 1 (per volume, of a shell per area) with this mesh weighs, about the
/// origin and in the axes of the geom. Throws Error if the mesh cannot be read or has no volume.
const Inertia<double>& mjcf_mesh_moments(const MjcfAssets::Mesh& mesh, const MeshSearch& search);
/// The half sizes, as MuJoCo counts them, and the place in the geom of a primitive that is fitted
/// to the mesh: to the box of equal inertia. Throws Error if that is not known.
struct MjcfFit {
  std::array<double, 3> half;
  Transform<double> placement;
};
MjcfFit mjcf_fit(const MjcfAssets::Mesh& mesh, ShapeSpec::Kind kind, const MeshSearch& search);

void read_mjcf_asset(const XmlElement& asset, MjcfFiles& files, const MjcfDefaults& defaults,
                     const MjcfCompiler& compiler, MjcfAssets& assets);

/// A geom as a shape, and what it adds to the inertia of its body.
struct MjcfGeom {
  ShapeSpec shape;
  bool is_drawn = true;         ///< false: its shape is not known (a primitive fitted to a mesh)
  Transform<double> placement;  ///< of the geom; a mesh may be moved against it
  Inertia<double> inertia;
  /// Why its inertia is not known; empty: it is.
  std::string unknown_inertia;
  /// Its inertia is that of a mesh, which is read if it is needed.
  const MjcfAssets::Mesh* mesh = nullptr;
  bool has_mass = false;               ///< `mass_or_density` is a mass
  double mass_or_density = 0;          ///< of a mesh
  bool is_ellipsoid_in_fluid = false;  ///< fluidshape
};
MjcfGeom read_mjcf_geom(const MjcfElement& element, const Transform<double>& frame,
                        const MjcfCompiler& compiler, const MjcfAssets& assets);
/// The pose of a geom or site by fromto, else by pos and orientation; `length` of a fromto, else
/// −1.
Transform<double> mjcf_placement(const MjcfElement& element, const MjcfCompiler& compiler,
                                 double& length);

/// A joint of a body, and its position in MuJoCo's reference state, in Limber's order.
struct MjcfJoint {
  JointSpec joint;  ///< without its bodies; pose relative to the body's frame
  std::vector<double> reference;
};
MjcfJoint read_mjcf_joint(const MjcfElement& element, const Transform<double>& frame,
                          const MjcfCompiler& compiler);

/// A body's inertia: explicit, or of its geoms, with the compiler's bounds. `place`: where the body
/// stands in its parent.
Inertia<double> mjcf_body_inertia(const Source& body, const Vec3<double>& place,
                                  const std::optional<XmlElement>& inertial,
                                  const std::vector<MjcfGeom>& geoms, const MjcfCompiler& compiler,
                                  const MeshSearch& meshes);
/// The drag of a liquid on the body, whose inertia is known, by MuJoCo's box of equal inertia; none
/// if one of its geoms is an ellipsoid in the fluid, for which MuJoCo has other forces.
void damp_in_fluid(const MjcfFluid& fluid, const std::optional<XmlElement>& inertial,
                   const std::vector<MjcfGeom>& geoms, const MjcfCompiler& compiler,
                   BodySpec& body);
/// settotalmass.
void scale_mjcf_masses(const MjcfCompiler& compiler, Spec& spec);

struct MjcfReader;

/// A model file with its settings: the main one, or one whose bodies are attached.
struct MjcfModel {
  MjcfModel(std::string_view text, const std::string& file, MjcfFiles::Includes includes)
      : files(text, file, includes) {}

  MjcfFiles files;
  std::string folder{};  ///< that of the file, seen from the folder of the main file
  std::string name{};
  std::vector<XmlElement> sections{};
  MjcfCompiler compiler{};
  MjcfDefaults defaults{};
  MjcfAssets assets{};
  std::map<std::string, MjcfModel*, std::less<>> models{};  ///< that it can attach
  std::map<const void*, std::size_t> attach_number{};       ///< of <attach>, in the file's order
  std::shared_ptr<const MjcfReader> whole{};  ///< read by itself, where its states are needed

  std::vector<XmlElement> sections_of(std::string_view tag) const;
};

/// The main model and all that are attached, each file read once.
class MjcfModels {
 public:
  MjcfModels(std::string_view text, const std::string& file, MjcfFiles::Includes includes,
             const MeshSearch& meshes);
  MjcfModel& main() const { return *models_.front(); }
  std::vector<std::string> warnings() const;
  std::vector<std::string> ignored() const;

 private:
  void read_settings(MjcfModel& model, const MeshSearch& meshes);
  MjcfModel& open(const XmlElement& element, const MjcfModel& from, const MeshSearch& meshes);

  std::deque<std::unique_ptr<MjcfModel>> models_;
  std::vector<std::string> opening_;  // files, each attached by the one before
};

/// The main model, or one attachment of another: its names get a prefix.
struct MjcfScope {
  MjcfModel& model;
  MjcfScope* around = nullptr;  ///< null: the main model
  std::string prefix{};
  std::string body{};                ///< that is attached; empty: all that is in the world
  bool is_replicated = false;        ///< it stands in <replicate>
  std::vector<std::size_t> order{};  ///< numbers of <attach>, from the main file inwards
  std::set<std::string, std::less<>> names{};  ///< what is attached: "joint l_elbow"

  std::string full(const std::string& name) const { return name.empty() ? name : prefix + name; }
};

/// What the reader of the tree leaves for the other sections.
struct MjcfTree {
  /// Pose of each body in the world in the reference state; "world" is the world.
  std::map<std::string, Transform<double>, std::less<>> body_pose;
  struct Site {
    std::string body, frame;  ///< the name of its frame in the Spec
    Transform<double> placement;
  };
  std::map<std::string, Site, std::less<>> sites;
  struct Joint {
    std::string name;
    JointKind kind;
    std::vector<double> reference;
    const MjcfScope* scope;
  };
  std::vector<Joint> joints;  ///< in MuJoCo's order
  std::map<std::string, std::size_t, std::less<>> joint_index;
  /// Of each body: the first joint in it and below it, and the one after the last.
  std::map<std::string, std::array<std::size_t, 2>, std::less<>> joints_below;
  std::set<std::string, std::less<>> replicated;  ///< names as written, of what was replicated
};

/// An attribute that refers to something, and the kind of this.
struct MjcfReference {
  const char* attribute;
  const char* kind;
  const char* always = "";  ///< a name of something that needs no attaching
};

/// The whole reader: what its parts share.
struct MjcfReader {
  explicit MjcfReader(MjcfModel& model) { scopes.push_back(MjcfScope{model}); }

  Spec spec{};
  MjcfFluid fluid{};
  std::deque<MjcfScope> scopes{};
  std::vector<MjcfScope*> in_order{};  ///< the main model first, then as the files attach them
  MjcfTree tree{};

  MjcfScope& main() { return scopes.front(); }
  void read_tree();
  void read_equality(const XmlElement& equality, MjcfScope& scope);
  /// Names that actuators give themselves are for no others.
  void reserve_actuator_names(const XmlElement& section, MjcfScope& scope);
  void read_actuators(const XmlElement& section, MjcfScope& scope);
  void read_sensors(const XmlElement& section, MjcfScope& scope);
  void read_contact(const XmlElement& contact, MjcfScope& scope);
  void read_contact_pair(const XmlElement& element, const MjcfScope& scope);
  void name_tendons(const XmlElement& section, MjcfScope& scope);
  /// All sections with one tag, those of the main model first.
  void each(std::string_view tag,
            void (MjcfReader::*read)(const XmlElement& section, MjcfScope& scope));
  void add_reference_state();
  void read_keyframes(const XmlElement& section);
  /// The states of an attached model, for the joints of it that are attached.
  void add_attached_keyframes(MjcfScope& scope);

  /// A name that an element gives itself, with the prefix. Throws Error if another has it.
  std::string claim(const XmlElement& element, const char* kind, const MjcfScope& scope);
  /// Notes what is attached, for references to it.
  static void attached(MjcfScope& scope, const std::string& kind, const std::string& full_name);
  /// False for an element of an attached model that refers to what is not attached.
  bool comes_along(const MjcfElement& element, const MjcfScope& scope,
                   std::span<const MjcfReference> references) const;

  /// The error for a name that does not exist; says so if it was replicated. The caller throws it.
  Error unknown(const XmlElement& element, const std::string& what, const std::string& name,
                const std::vector<std::string>& known) const;

 private:
  std::set<std::string> claimed_;                      // kinds and names
  std::set<std::string> resting_keys_;                 // states that give no positions
  std::map<std::string, std::string> actuator_names_;  // of attached models: as if alone, final
  FreshNames fresh_, fresh_there_;                     // of all actuators; of these, as if alone
};

}  // namespace limber
