#pragma once
// Spec: the editable description of a robot: named bodies, joints, frames and shapes, in the user's
// own frames. build(spec) checks it and turns it into a Model. SI units, right-handed frames, z up.
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <limber/error.hpp>
#include <limber/model/custom_joint.hpp>
#include <limber/model/hydrodynamics_spec.hpp>
#include <limber/spatial/transform.hpp>

namespace limber {

/// What a joint lets its child do. The position and velocity variables of each kind are listed in
/// docs/conventions.md; `axis` is in the joint frame.
enum class JointKind : std::uint8_t {
  fixed,        ///< nothing; the child is merged into its parent and stays as a frame
  revolute,     ///< turn about axis: q = angle [rad]; also URDF's continuous
  prismatic,    ///< slide along axis: q = displacement [m]
  helical,      ///< screw: q = angle [rad], slides pitch · q [m]
  cylindrical,  ///< turn about and slide along axis: q = (angle, displacement)
  planar,  ///< plane normal to axis: q = (x, y, θ), v = (ẋ, ẏ, θ̇), ẋ and ẏ along the fixed axes
  universal,    ///< turn about axis, then about axis2 (perpendicular): q = (angle 1, angle 2)
  spherical,    ///< ball: q = quaternion (x, y, z, w), v = ω in the moved joint frame
  translation,  ///< three slides along the joint frame's axes: q = (x, y, z)
  free,   ///< six freedoms: q = (x, y, z, qx, qy, qz, qw), v = (ω, linear velocity) in the moved
          ///< joint frame
  custom  ///< given by functions, see CustomJoint
};

/// "revolute", "prismatic", …
const char* name(JointKind kind);
/// Number of position variables (custom: 0; CustomJoint has it).
int position_count(JointKind kind);
/// Number of velocity variables (custom: 0; CustomJoint has it).
int velocity_count(JointKind kind);

/// A visual or collision shape; mesh files are named, not read.
struct ShapeSpec {
  enum class Kind : std::uint8_t {
    box,
    sphere,
    cylinder,
    capsule,
    ellipsoid,
    mesh,
    plane,        ///< z is its normal
    height_field  ///< named, not read
  };
  enum class Role : std::uint8_t { visual, collision, both };
  Kind kind = Kind::box;
  Role role = Role::visual;
  std::string name;
  /// box: edge lengths; sphere: (radius, –, –); cylinder, capsule: (radius, length along z, –);
  /// ellipsoid: semi-axes; mesh, height field: scale factors; plane: edge lengths, 0: without end
  /// [m, mesh: 1]
  Vec3<double> size{1, 1, 1};
  std::string mesh_file;                            ///< as written in the robot file
  Transform<double> placement;                      ///< pose of the shape in the body frame
  std::array<double, 4> color{0.7, 0.7, 0.7, 1.0};  ///< red, green, blue, opacity, each 0 to 1
  std::string material{};                           ///< its name in the robot file
  /// Coulomb coefficients: sliding [1], spinning about the normal and rolling [m]
  Vec3<double> friction{1, 0.005, 0.0001};
  /// Bits: two shapes may collide if one's `collides_as` and the other's `collides_with` share one.
  int collides_as = 1, collides_with = 1;
  int group = 0;  ///< of the robot file, for showing and hiding
};

/// One rigid body: mass and inertia, and what it looks like.
struct BodySpec {
  std::string name;
  Inertia<double> inertia;  ///< about the origin and in the axes of the body frame
  std::vector<ShapeSpec> shapes;
  Source source;
  /// True of the massless bodies between the joints of a body that has several: nothing to warn of.
  bool is_between_joints = false;
  /// Bodies of the same family do not collide with each other; 0: of none.
  int family = 0;
  /// What the file says about the body in a fluid; the rest is computed from its shapes.
  std::optional<HydrodynamicsSpec> hydrodynamics{};
};

/// What one degree of freedom has besides its geometry. Units are N and m for slides, N m and rad
/// for turns.
struct DofSpec {
  double lower = -HUGE_VAL, upper = HUGE_VAL;  ///< position limits [rad or m]
  double velocity_limit = HUGE_VAL;            ///< |v| limit
  double effort_limit = HUGE_VAL;              ///< |tau| limit
  double damping = 0;                          ///< viscous friction [N s/m or N m s/rad]
  double friction_positive = 0;                ///< Coulomb friction while v > 0, ≥ 0 [N or N m]
  double friction_negative = 0;                ///< Coulomb friction while v < 0, ≥ 0 [N or N m]
  double rotor_inertia = 0;                    ///< motor side [kg m² or kg]
  double gear_ratio = 1;  ///< motor turns per joint turn; inertia seen is ratio² · rotor
  /// The body that carries the motor ("world": the world). With a mount the rotor's gyroscopic
  /// effect is computed too: build makes it a body that spins on its carrier with gear_ratio times
  /// this freedom's rate. The carrier's own inertia is the one with the rotor locked, as drawn.
  /// Empty: only ratio² · rotor on the diagonal of the mass matrix.
  std::string rotor_mount{};
  Vec3<double> rotor_axis{0, 0, 1};  ///< spin axis in the carrier's frame; normalised by build
  double stiffness = 0;              ///< spring [N/m or N m/rad]
  double spring_reference = 0;       ///< position of the relaxed spring [rad or m]
};

/// This joint follows another: q = multiplier · q(joint) + offset. Both joints have one freedom.
struct MimicSpec {
  std::string joint;
  double multiplier = 1;
  double offset = 0;  ///< [rad or m]
};

/// One joint between two bodies: where it is, what it lets the child do, and its numbers for each
/// degree of freedom.
struct JointSpec {
  std::string name;
  JointKind kind = JointKind::fixed;
  std::string parent;                 ///< body name; empty: the world
  std::string child;                  ///< body name
  Transform<double> placement;        ///< pose of the joint frame in the parent body's frame
  Transform<double> child_placement;  ///< pose of the child body's frame in the moved joint frame
  Vec3<double> axis{0, 0, 1};         ///< in the joint frame; normalised by build
  Vec3<double> axis2{0, 1, 0};        ///< second axis of a universal joint
  double pitch = 0;                   ///< helical: advance [m/rad]
  std::vector<DofSpec>
      dofs;  ///< none, one for every degree of freedom alike, or one per degree of freedom
  std::optional<MimicSpec> mimic;
  /// The force on the child (and its opposite on the parent) for a unit effort of each actuator, in
  /// the moved joint frame: as many as the joint has freedoms. [RDA] (7.12). Empty: S (Sᵀ S)⁻¹, so
  /// that efforts are the joint's generalised forces. See limber/dynamics/actuation.hpp.
  std::vector<Force<double>> actuation;
  CustomJoint custom;  ///< for JointKind::custom
  Source source;

  /// The data that all degrees of freedom share; created when missing.
  DofSpec& dof() {
    if (dofs.empty()) dofs.emplace_back();
    return dofs.front();
  }
};

/// A named place on a body: a sensor, a tool, a foot.
struct FrameSpec {
  std::string name;
  std::string body;             ///< empty: the world
  Transform<double> placement;  ///< pose of the frame in the body frame
  Source source;
};

/// "box", "sphere", …: as YAML files call the kinds.
const char* name(ShapeSpec::Kind kind);
inline constexpr int shape_kinds = static_cast<int>(ShapeSpec::Kind::height_field) + 1;

/// What closes a loop, or ties joints together, beyond the tree of joints.
struct LoopSpec {
  enum class Kind : std::uint8_t {
    connect,   ///< the origins of both frames stay together: 3 rows
    weld,      ///< both frames stay together: 6 rows
    distance,  ///< the origins of both frames keep their distance: 1 row
    coupling,  ///< a joint follows a polynomial of another one's position: 1 row
    joint,     ///< frame b moves against frame a as a joint lets it: 6 rows less its freedoms
    slot,      ///< the origin of frame b stays on the line of frame a along `axis`: 2 rows
    surface,   ///< the origin of frame b stays in the plane of frame a across `axis`: 1 row
    /// A wheel rolls without slipping: in frame b its centre and its axle along z, in frame a the
    /// ground, whose normal is z. 3 rows, of which two hold velocities alone.
    rolling
  };
  std::string name;
  Kind kind = Kind::connect;
  std::string body_a, body_b;                  ///< empty: the world
  Transform<double> placement_a, placement_b;  ///< poses of the two frames in these bodies
  double distance = 0;                         ///< [m]
  /// Coupling, of joints with one freedom: with y the position of `joint`, y₀ its reference, x that
  /// of `leader` and x₀ its reference, y − y₀ = Σ cₖ (x − x₀)ᵏ. Without a leader: y − y₀ = c₀.
  std::string joint{}, leader{};
  double joint_reference = 0, leader_reference = 0;
  std::array<double, 5> polynomial{0, 1, 0, 0, 0};
  /// Joint: what it is, in the axes of frame a, and its numbers, as in JointSpec.
  JointKind joint_kind = JointKind::fixed;
  Vec3<double> axis{0, 0, 1}, axis2{0, 1, 0};
  double pitch = 0;
  std::vector<DofSpec> dofs{};
  /// Rolling: radius of the circle of the rim's centres, and of the rim around it; a ball has a
  /// radius of 0, a thin disc a rim of 0. [m]
  double radius = 0, rim = 0;
  bool is_active = true;  ///< false: described, but without effect; no part of the Model
  Source source{};
};

/// What files call it: "connect", "weld", …
const char* name(LoopSpec::Kind kind);
inline constexpr int loop_kinds = static_cast<int>(LoopSpec::Kind::rolling) + 1;

/// What drives a joint, as robot files describe it: force = gain₀ u + bias₀ + bias₁ l + bias₂ l̇ at
/// the actuator, with its control u and its length l = gear · q.
struct ActuatorSpec {
  std::string name;
  std::string kind;      ///< as the file has it: motor, position, velocity, general, …
  std::string joint;     ///< empty: it acts on something else, `target`
  std::string target{};  ///< e.g. "tendon 'split'"
  std::array<double, 6> gear{1, 0, 0, 0, 0, 0};
  double control_lower = -HUGE_VAL, control_upper = HUGE_VAL;
  double force_lower = -HUGE_VAL, force_upper = HUGE_VAL;
  std::array<double, 3> gain{1, 0, 0}, bias{0, 0, 0};
  double time_constant = 0;  ///< of a first-order filter of the control; 0: none [s]
  Source source{};
};

/// What measures something.
struct SensorSpec {
  std::string name;
  std::string kind;         ///< as the file has it: gyro, jointpos, …
  std::string object_kind;  ///< frame, body, joint, actuator, …; empty: of the whole robot
  std::string object;       ///< its name
  double noise = 0;         ///< standard deviation
  double cutoff = 0;        ///< greatest magnitude that it can tell; 0: any
  Source source{};
};

/// A named state. Joints that are not listed are neutral and at rest, controls zero.
struct KeyframeSpec {
  struct Values {
    std::string name;  ///< of the joint or actuator
    std::vector<double> values;
  };
  std::string name;
  double time = 0;                             ///< [s]
  std::vector<Values> position{}, velocity{};  ///< all numbers of a joint
  std::vector<Values> control{};               ///< one number for an actuator
  Source source{};
};

/// Two shapes that collide whatever their bits, families, joints and exclusions say.
struct ContactPairSpec {
  std::array<std::string, 2> bodies{};  ///< that carry them; empty: the world
  std::array<std::string, 2> shapes{};  ///< their names
  /// Coulomb coefficients of this pair instead of those of the shapes, see ShapeSpec.
  std::optional<Vec3<double>> friction{};
};

struct Spec {
  std::string name;
  Vec3<double> gravity{0, 0, -9.81};  ///< in world axes [m/s²]
  std::vector<BodySpec> bodies;       ///< in file order; the world is not listed
  std::vector<JointSpec> joints;      ///< in file order
  std::vector<FrameSpec> frames;
  std::vector<ShapeSpec> world_shapes;  ///< ground, walls: what does not move
  std::vector<LoopSpec> loops;
  std::vector<ActuatorSpec> actuators;
  std::vector<SensorSpec> sensors;
  std::vector<KeyframeSpec> keyframes;
  std::vector<std::array<std::string, 2>> exclusions;  ///< bodies that do not collide
  std::vector<ContactPairSpec> contact_pairs;          ///< shapes that collide in any case
  double timestep = 0;                                 ///< that the file proposes [s]; 0: none
  std::vector<std::string> warnings;  ///< what the reader noticed; build adds its own
  /// What the file has and the reader passed over: one entry for each kind of element, with its
  /// first place and the number of the others.
  std::vector<std::string> ignored;
  std::string format;  ///< of the file, with its version, for instance "URDF 1.0"
  Source source;

  /// Adds a body and returns it. `rotational_inertia` is about the centre of mass, in the body's
  /// axes.
  BodySpec& add_body(std::string name, double mass, Vec3<double> com = {},
                     Sym3<double> rotational_inertia = {});
  /// Adds a joint and returns it for further settings. An empty parent is the world.
  JointSpec& add_joint(std::string name, JointKind kind, std::string parent, std::string child,
                       Vec3<double> axis = {0, 0, 1}, Transform<double> placement = {});
};

/// Frees the base: what is welded to the world (a root body, or a body on a fixed joint from there)
/// gets a free joint, named `root` (`root_BODY` if there are several). A robot with a free joint of
/// its own stays as it is; one held by another joint throws Error. See docs/robot-files.md.
void float_base(Spec& spec);

/// Leaves all loops open, with a warning that names them: the robot is the tree of its joints.
void open_loops(Spec& spec);

/// Turns a rotation given as fixed-axis roll, pitch, yaw [rad] (URDF) into a matrix.
Mat3<double> rotation_from_rpy(double roll, double pitch, double yaw);

}  // namespace limber
