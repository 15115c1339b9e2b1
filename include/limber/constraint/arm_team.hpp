#pragma once
// Arms that hold one object together, in operational space. [McM] ch. II and IV
//
// Each arm is a Model of its own, its base placed in the common world (model/mount.hpp does that);
// arms may differ in everything. A grasp ties the hand, a frame of the arm, to the object: rigidly,
// or by an unpowered contact that leaves some relative motions free. With the rows C of what a
// grasp prevents, one arm alone is
//   A λ + Cᵀ a = Cᵀ ẍ,   A = Cᵀ Λ⁻¹ C,   Λ⁻¹ = J H⁻¹ Jᵀ,
// ẍ: what the hand would do without the object, a: what the object does. (2.5), (2.6)
// Then I a = f + Σ C λ of the object closes all of them. (2.7)-(2.11)
//
// The thesis gives a contact joint a fictitious massless link, which makes the augmented H
// singular. Here the free directions are projected away instead: no force acts along them, so only
// the rows C of the others are written, and A stays regular wherever the arm can move along them.
//
// All arms are brought to one point, the object's mass centre, in world axes: J is O(N) there, and
// Λ needs no transform (the thesis spends XᵀΛX on it). With H = LᵀDL and Y = L⁻ᵀJᵀ
//   Λ⁻¹ = Yᵀ D⁻¹ Y,   ẍ = J̇ q̇ + Yᵀ D⁻¹ u,   q̈ = L⁻¹ D⁻¹ (u − Y f),   u = L⁻ᵀ(τ − b).
// Accelerations are classical and carry −g until the end, so that weights cost nothing. (2.24)
//
// An arm whose A is singular or nearly so (at a singular position, or with less than six freedoms)
// is not inverted: its forces are unknowns beside the object's acceleration, ch. IV. The
// accelerations are unique in any case; ReferenceMember says which hand forces are not.
#include <array>
#include <cstdint>
#include <span>

#include <limber/dynamics/kinematics.hpp>
#include <limber/dynamics/tree_factor.hpp>

namespace limber {

/// The motions of a hand relative to the object that a grasp leaves free: turns about and slides
/// along the axes x, y, z of its contact frame, of which z is the normal. A grasp neither opens nor
/// slips in the others: what a contact with friction can bear is not looked at.
struct GraspFreedoms {
  std::array<bool, 6> free{};  ///< turns about x, y, z, then slides along x, y, z

  static constexpr GraspFreedoms rigid() { return {}; }
  /// Point contact with friction: three forces.
  static constexpr GraspFreedoms point() { return {{true, true, true, false, false, false}}; }
  /// Three forces and the couple about the normal.
  static constexpr GraspFreedoms soft_finger() {
    return {{true, true, false, false, false, false}};
  }
  /// A point that slides on a face: the normal force.
  static constexpr GraspFreedoms sliding_point() { return {{true, true, true, true, true, false}}; }
  /// Face on face: the normal force and the couples across it.
  static constexpr GraspFreedoms sliding_face() {
    return {{false, false, true, true, true, false}};
  }

  constexpr int rows() const {
    int n = 0;
    for (const bool is_free : free) n += is_free ? 0 : 1;
    return n;
  }
};

/// How an arm holds the object.
struct ArmGrasp {
  int frame = 0;                ///< of the arm: the hand; forces act at its origin
  GraspFreedoms freedoms{};     ///< rigid, if nothing else is said
  Transform<double> contact{};  ///< pose of the contact frame in the object's; of a rigid
                                ///< grasp it is not needed
};

/// One arm. The model must live as long as the team is used.
template <class T>
struct BasicArm {
  const BasicModel<T>* model = nullptr;
  ArmGrasp grasp;
};

/// Arms and the object that they hold.
template <class T>
struct BasicArmTeam {
  BasicArmTeam() = default;
  /// Throws Error unless there is an arm, all have the same gravity and the frames that they grasp
  /// with, and the object has mass and inertia about every axis.
  BasicArmTeam(std::vector<BasicArm<T>> arms, const Inertia<double>& object);

  List<BasicArm<T>> arms;
  // of the object
  T mass = T(0);
  Vec3<T> com;      ///< mass centre in its frame [m]
  Sym3<T> central;  ///< rotational inertia about the mass centre, axes of its frame [kg m²]
};
/// In double precision.
using ArmTeam = BasicArmTeam<double>;

/// Pose and velocity of the object's frame; the velocity in its own axes, as that of a free joint.
template <class T>
struct ObjectState {
  Transform<T> pose;
  Motion<T> velocity;
};

/// State and drives of an arm.
template <class T>
struct ArmState {
  std::span<const T> q, v, tau;
  Loads<T> loads{};
};

/// A matrix of up to 6 × 6 numbers.
template <class T>
struct Small6 {
  std::array<T, 36> entries{};
  T& operator()(int i, int j) { return entries[static_cast<std::size_t>(6 * i + j)]; }
  const T& operator()(int i, int j) const { return entries[static_cast<std::size_t>(6 * i + j)]; }
};

/// One arm with its hand free, and what becomes of it: scratch and results.
template <class T>
struct BasicArmMotion {
  explicit BasicArmMotion(const BasicArm<T>& arm);

  BasicWorkspace<T> ws;
  BasicPoses<T> poses;
  BasicTreeFactor<T> tree;  ///< of H
  int last = -1;            ///< the freedom furthest out that moves the hand; −1: none
  int path = 0;             ///< how many freedoms move the hand

  // --- open_chain(): world axes, moments and accelerations about the object's mass centre ---
  List<T> J;                  ///< of the freedoms that move the hand, from the base (path × 6)
  List<T> Y;                  ///< L⁻ᵀ Jᵀ (path × 6)
  List<T> u;                  ///< L⁻ᵀ (τ − b) (nv)
  Small6<T> mobility;         ///< Λ⁻¹
  std::array<T, 6> x_open;    ///< ẍ − g
  int rows = 6;               ///< of the grasp
  bool is_projected = false;  ///< C is not the identity
  Small6<T> C;                ///< one column for each row of the grasp
  Small6<T> A;                ///< Cᵀ Λ⁻¹ C; lower triangle
  std::array<T, 6> c;         ///< Cᵀ (ẍ − g) less what the contact's own motion takes
  bool is_regular = true;     ///< A was inverted
  Small6<T> A_inverse;        ///< lower triangle
  std::array<T, 6> g;         ///< C A⁻¹ c
  Small6<T> Lambda;           ///< C A⁻¹ Cᵀ; lower triangle

  // --- close_chain() ---
  Force<T> force;        ///< of the hand on the object [N m, N]
  List<T> acceleration;  ///< q̈ (nv)
};

/// The object, and the forces of the arms that are singular. [McM] ch. IV
template <class T>
struct BasicReferenceMember {
  explicit BasicReferenceMember(const BasicArmTeam<T>& team);

  /// Acceleration of the object's mass centre less g, classical, world axes.
  std::array<T, 6> a;
  /// Derivative of ObjectState::velocity, as the q̈ of a free joint.
  Motion<T> acceleration;

  List<int> singular;   ///< arms that were not inverted, in order
  List<int> first_row;  ///< of each of them among the unknowns
  int unknowns = 0;     ///< rows of all of them
  int rank = 0;         ///< of their equations; unknowns − rank forces are indeterminate
  T mismatch = T(0);    ///< largest acceleration by which equations of dropped rows fail: zero
                        ///< but for rounding where position and velocity fit the constraints
  List<T> lambda;       ///< their forces along the rows; indeterminate ones are chosen zero
  List<T> B;            ///< their equations, factorised (6 m × 6 m)
  List<int> order;      ///< of the pivots
  List<T> scale;        ///< scratch
  List<T> null;         ///< scratch of null_forces()

  int indeterminate() const { return unknowns - rank; }
};

/// What a team does: room for all of it, made once.
template <class T>
struct BasicTeamMotion {
  explicit BasicTeamMotion(const BasicArmTeam<T>& team);

  List<BasicArmMotion<T>> arms;
  BasicReferenceMember<T> object;
};
/// In double precision.
using TeamMotion = BasicTeamMotion<double>;

/// An arm counts as nearly singular, and is not inverted, when a pivot of A is not above this part
/// of the diagonal entry that it came from: f = Λ (ẍ − a) loses twice as many digits as 1/this has.
template <class T>
inline constexpr double near_singular = std::is_same_v<T, float> ? 3e-2 : 1e-3;
/// The same when a pivot is not above this part of the largest entry of Λ⁻¹, turns and slides
/// compared by the object's radius of gyration: it is nothing but rounding.
template <class T>
inline constexpr double no_mobility = std::is_same_v<T, float> ? 1e-5 : 1e-10;
/// Equations of singular arms are taken as dependent when a pivot is not above this part of the
/// diagonal entry that it came from.
template <class T>
inline constexpr double dependent_rows = std::is_same_v<T, float> ? 1e-5 : 1e-12;

/// The accelerations of all arms and of the object, and the forces of the hands. [McM] table 1;
/// singular arms: (4.9)-(4.23). O(m N³), no allocation. Velocities that the grasps do not allow
/// are not refused; rigid grasps then take the hand's.
template <class T>
void team_dynamics(const BasicArmTeam<T>& team, std::span<const ArmState<T>> arms,
                   const ObjectState<T>& object, BasicTeamMotion<T>& out);

// Its three steps; the first and the last for each arm on its own. [McM] figures 6 and 7
/// Open-chain dynamics of one arm.
template <class T>
void open_chain(const BasicArmTeam<T>& team, int arm, const ArmState<T>& state,
                const ObjectState<T>& object, BasicArmMotion<T>& out);
/// Dynamics of the object with what all arms put against it.
template <class T>
void reference_member(const BasicArmTeam<T>& team, const ObjectState<T>& object,
                      std::span<const BasicArmMotion<T>> arms, BasicReferenceMember<T>& out);
/// Closed-chain dynamics of one arm.
template <class T>
void close_chain(int arm, const BasicReferenceMember<T>& object, BasicArmMotion<T>& out);

/// A change of hand forces that no acceleration feels: number `which` < indeterminate() of an
/// independent set, one force for each arm, zero for regular ones. Each lies in the null space of
/// its arm's CᵀJᵀ, and their sum is zero: these two conditions, for all singular arms together,
/// decide (for three arms and more the thesis looks at pairs only, which is not enough).
template <class T>
void null_forces(BasicTeamMotion<T>& motion, int which, Out<Force<T>> out);

}  // namespace limber
