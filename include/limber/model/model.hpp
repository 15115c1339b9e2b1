#pragma once
// Model: the immutable numbers of one robot, ready for the recursions; shared freely between
// threads.
//
// Body 0 is the world and parent[i] < i, so boundary conditions are array entries. Bodies are
// numbered depth first, children in the order of the file. Fixed joints are merged away; their
// links stay as frames. A mimic joint is a body of its own in the *tree*, whose variables are the
// unfolded ones (tree_nq, tree_nv); the user's q and v leave it out (nq, nv), and `fold` says where
// it belongs.
//
// Canonical frames: inside, body frames are chosen for cheapness ([RDA] §8.2.1, [McM] app. A): z
// along the axis of a joint with one axis, x along the common normal to the first child's axis. The
// step from parent to body is then a constant screw about z (none for the first child), a constant
// screw about x, and a screw about z that holds the joint variable. (The common normal of axes that
// are parallel but for rounding lies far away; there a tilt about y takes the place of the exact
// normal.) The user never sees these frames: body_placement leads back to his own.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <limber/model/column_groups.hpp>
#include <limber/model/spec.hpp>
#include <limber/spatial/screw.hpp>

namespace limber {

/// How a joint enters the recursions: which transform and which columns it has.
enum class JointForm : std::uint8_t {
  revolute,   ///< screw step, one column: turn about z
  prismatic,  ///< screw step, one column: slide along z
  screw,      ///< screw step, general columns: helical, cylindrical
  free,       ///< general step, six unit columns
  spherical,  ///< general step, three unit columns: turns about x, y, z
  general     ///< general step, general columns: planar, universal, translation, custom
};

/// A named place: pose in its body's canonical frame.
template <class T>
struct BasicFrame {
  std::string name;
  int body = 0;
  Transform<T> placement;  ///< pose of the frame in the body's canonical frame
};

/// What closes a loop: see LoopSpec, whose bodies and joints it gives by their numbers.
template <class T>
struct BasicLoop {
  std::string name;
  LoopSpec::Kind kind = LoopSpec::Kind::connect;
  int body_a = 0, body_b = 0;
  Transform<T> placement_a, placement_b;  ///< of the two frames, in canonical frames
  T distance = T(0);
  int joint = -1, leader = -1;  ///< couplings: the bodies whose joints are tied; −1: none
  T joint_reference = T(0), leader_reference = T(0);
  std::vector<T> polynomial;  ///< five coefficients
  JointKind joint_kind = JointKind::fixed;
  Vec3<T> axis, axis2;  ///< of a joint, a slot or a surface: unit vectors in frame a
  T pitch = T(0);
  T radius = T(0), rim = T(0);
  std::vector<DofSpec> dofs;  ///< of a joint that closes the loop; empty, or one for each freedom
};

/// A named state of the robot, see KeyframeSpec.
struct Keyframe {
  std::string name;
  double time = 0;
  std::vector<double> q, v;
  std::vector<double> control;  ///< of each actuator of the Spec
};

/// The constant part of the step from a parent's canonical frame to a body's.
template <class T>
struct StepConstants {
  bool has_z0 = false;  ///< the step begins with z0: further children of a body
  bool has_y = false;   ///< the step has y: axes that are parallel, but not exactly
  Screw<0, T> x;        ///< along the common normal
  T slide = T(0);       ///< displacement of the screw that holds the joint variable, at q = 0 [m]
  Vec3<T> origin;       ///< body origin in the parent's frame at zero displacement [m]
  Vec3<T> direction;    ///< joint axis in the parent's frame
  Screw<2, T> z0;       ///< to the foot of the common normal
  Screw<1, T> y;        ///< a tilt without displacement
  Transform<T> placement;  ///< general steps: pose of the joint's inner frame in the parent
};

/// Where an unfolded variable belongs: value = ratio · user's value [+ offset for positions].
template <class T>
struct Fold {
  int index = 0;  ///< into the user's q or v
  T ratio = T(1), offset = T(0);
};

/// Which build() a model comes from. Copies and casts share it; a model that was moved away, or
/// that no build() made, has none. Workspaces carry that of the model they were made for.
class ModelIdentity {
 public:
  ModelIdentity() = default;
  ModelIdentity(const ModelIdentity&) = default;
  ModelIdentity& operator=(const ModelIdentity&) = default;
  ModelIdentity(ModelIdentity&& from) noexcept : number_(std::exchange(from.number_, 0)) {}
  ModelIdentity& operator=(ModelIdentity&& from) noexcept {
    number_ = std::exchange(from.number_, 0);
    return *this;
  }
  static ModelIdentity next();  ///< one that no other model has

  bool exists() const { return number_ != 0; }
  /// True if both are of one build().
  bool is(const ModelIdentity& other) const { return number_ == other.number_ && exists(); }

 private:
  std::uint64_t number_ = 0;
};

template <class T>
struct BasicModel {
  std::string name;
  ModelIdentity identity;
  int nq = 0, nv = 0;            ///< sizes of the user's q and v
  int tree_nq = 0, tree_nv = 0;  ///< sizes with mimic joints unfolded
  Vec3<T> gravity;               ///< in world axes [m/s²]
  std::vector<std::string> warnings;

  // --- per body; entry 0 is the world ---
  List<int> parent;      ///< parent[i] < i; parent[0] is 0
  List<JointKind> kind;  ///< of the joint that carries the body
  List<JointForm> form;
  List<int> q_index, q_count;  ///< tree variables of the joint
  List<int> v_index, v_count;
  List<int> master;  ///< mimic joints: the body whose joint is followed; −1: independent
  List<StepConstants<T>> step;
  List<T> pitch;                      ///< helical joints [m/rad]
  List<int> custom_index;             ///< into `custom`; −1 for the built-in kinds
  List<Inertia<T>> inertia;           ///< canonical frame; entry 0: what is welded to the world
  List<Transform<T>> body_placement;  ///< pose of the user's body frame in the canonical frame
  List<int> subtree_end;              ///< bodies i … subtree_end[i] − 1 are the subtree of i
  List<std::uint8_t> branching;       ///< see Branching
  List<int> columns_end;  ///< velocity variables v_index[i] … columns_end[i] − 1 move i's subtree
  /// 1: the rotor of a motor, which build put on its carrier; its joint follows the driven freedom.
  /// Rotors are no frames and have no variables, but count among bodies().
  List<std::uint8_t> is_rotor;
  List<std::uint8_t> has_actuation;  ///< 1: the joint's actuators are in `actuation`
  List<std::string> body_name, joint_name;
  List<CustomJoint> custom;
  List<T> rest_angle;  ///< screw steps: angle of the last screw at q = 0 [rad]

  // --- lists of bodies ---
  List<int> turning;    ///< whose joint turns about z: revolute, helical, cylindrical
  List<int> turning_q;  ///< the angle of each among the tree's positions
  List<int> placed;     ///< all but the revolute ones: those that place() has work for

  // --- per tree velocity variable ---
  List<int> column_body;     ///< the body that the column moves
  List<int> column_parent;   ///< next column towards the world in the tree; −1: none
  List<T> armature;          ///< reflected inertia of rotors without mount, gear² · rotor
  List<DofSpec> column_dof;  ///< the joint's own limits, friction, rotor, spring
  List<int> column_q;        ///< tree position of a one-variable freedom, else −1
  List<Force<T>> actuation;  ///< force of a unit effort on the body, canonical frame
  List<Fold<T>> v_fold;
  List<Fold<T>> q_fold;  ///< per tree position variable

  // --- per user velocity variable ---
  List<int> dof_parent;  ///< elimination tree of the mass matrix; −1: none
  List<DofSpec> dof;     ///< limits, friction, rotor, spring
  List<int> dof_q;       ///< position variable of a one-variable freedom, else −1

  List<BasicFrame<T>> frames;           ///< every link and every frame of the Spec, in order
  List<int> frames_by_name;             ///< their indices in the order of names, for look-up
  List<std::vector<ShapeSpec>> shapes;  ///< per frame, as in the Spec
  ColumnGroups<T> together;             ///< columns that move together: mimic joints and rotors
  List<BasicLoop<T>> loops;             ///< the active ones, in the order of the Spec
  List<Keyframe> keyframes;             ///< in the order of the Spec
  std::string singular_reason;          ///< why forward dynamics cannot be asked for; empty: it can

  int bodies() const { return parent.count(); }     ///< with world and rotors
  bool has_mimic() const { return tree_nv != nv; }  ///< mimic joints or rotors
  /// False: groups of columns lie so that only the factor of the mass matrix solves for them.
  bool has_local_groups() const { return !has_mimic() || !together.empty(); }
  std::vector<int> children(int body) const;  ///< throws Error for a body that does not exist
  /// Bodies from the world (not listed) to `body`: those that carry it, itself included. Throws
  /// Error for a body that does not exist.
  std::vector<int> support(int body) const;
  /// True if `ancestor` carries `body` or is it.
  bool supports(int ancestor, int body) const {
    return 0 <= ancestor && ancestor <= body && body < bodies() && body < subtree_end[ancestor];
  }
  /// Armature as the freedoms see it, those that follow with them (nv) [kg m² or kg].
  std::vector<T> reflected_inertias() const;
  T mass() const;  ///< of everything, the part welded to the world included [kg]

  // --- look-up by name; freedoms and positions by name: model/variables.hpp ---
  std::optional<int> find_body(std::string_view name) const;
  /// The body that a joint carries: the index of its entries kind, q_index, v_index, …
  std::optional<int> find_body_of_joint(std::string_view joint) const;
  std::optional<int> find_frame(std::string_view name) const;
  int body(std::string_view name) const;            ///< throws Error with the nearest name
  int body_of_joint(std::string_view joint) const;  ///< throws Error with the nearest name
  int frame(std::string_view name) const;           ///< throws Error with the nearest name
};

using Model = BasicModel<double>;

/// Checks a Spec and turns it into a Model. Throws Error with the place, the reason and the remedy.
Model build(const Spec& spec);

/// The same robot for another scalar type (float, Dual, Counted).
template <class T>
BasicModel<T> cast(const Model& model);

}  // namespace limber
