#pragma once
// StepContact: what a compiled step (RobotFunction::step) has to do with the ground. Of one robot
// on a plane or a height field the list of points that may touch is known before the run, so that
// the step with contact is straight-line code as every other function: all points are rows of one
// problem at every step, those in the air too, and the true Coulomb problem is solved by sweeps and
// steps of Newton's method, whose numbers are fixed when the code is made
// (contact/fixed_sweeps.hpp, contact/fixed_newton.hpp). What is left is a result.
//
// Feet that touch with one point each need a few sweeps. The corners of a sole disturb each other:
// with sweeps = 8, newton_steps = 12 and start = last_forces two soles of four corners have a
// residual below 1e-4 m/s in 99 of 100 steps.
//
//   v_free = v + h a(q, v)                          velocity without contact, free bodies in
//                                                   axes that do not turn
//   u = J (v_free + M⁻¹ Jᵀ λ),  u_n ≥ target        Coulomb's law at the gaps' closing
//   target = −gap / h;  depth: min(correction · depth / h, fastest_push)
//   v_next = v_free + M⁻¹ Jᵀ λ,  q moves by h v_next
//
// By StepMethod::midpoint all this is of the middle of the step, q moves by h/2 with v before and
// after, and points that had a force in the last step hold u = −(h/2) J̇ v, which is none at the
// end.
//
// On a height field the gap and the normal are those of the triangle below the point (collision/
// shape.hpp): below a corner, or below the centre of a sphere. Beside the field there is no ground.
//
// Offered: spheres, ends of capsules and corners of boxes on one plane or height field, for trees
// of all joints. Refused by name: other shapes, robots with loops, the method rk4. Restitution:
// none.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <limber/model/model.hpp>

namespace limber {

struct HeightField;  // limber/collision/shape.hpp

/// A point of the robot that may touch the ground: the centre of a sphere, or a corner.
struct ContactCandidate {
  std::string link;    ///< or any other frame of the robot
  Vec3<double> point;  ///< in the axes of the link [m]
  double radius = 0;   ///< [m]; 0: a corner
};

/// The forces from which a step looks for its own.
enum class ContactStart : std::uint8_t {
  zero,
  /// Those of the last step, an input `last_forces` after q and v (3 for each candidate, world
  /// axes) [N]; zeros to begin with. Rollouts carry them on as they do q and v. What a step
  /// converges to does not depend on them, only how near it comes.
  last_forces
};

/// What code knows of a height field. Its heights are an input of the step, `heights`, after h: a
/// table that all states have in common (rows · columns numbers, x varies first, from −width/2)
/// [m]. So the same code walks on every field of these numbers of points.
struct ContactField {
  int columns = 0, rows = 0;    ///< numbers of points along x and y, each at least 2
  double width = 0, depth = 0;  ///< extent along x and y, centred about the origin [m]
  Transform<double> pose{};     ///< of the field in the world
};
/// Throws Error for sizes and heights that make no surface.
ContactField contact_field(const HeightField& field, const Transform<double>& pose = {});

/// Contact of a compiled step. No candidates: none.
struct StepContact {
  std::vector<ContactCandidate> candidates;
  Vec3<double> normal{0, 0, 1};         ///< of the ground, unit, world axes, out of the ground
  double height = 0;                    ///< the ground is where normal · x = height [m]
  std::optional<ContactField> field{};  ///< the ground instead of this plane
  double friction = 0.8;                ///< Coulomb's coefficient
  int sweeps = 6;                       ///< through all candidates, upward and downward in turn
  int newton_steps = 0;                 ///< after the sweeps, for all candidates at once
  ContactStart start = ContactStart::zero;
  double correction = 0.2;    ///< share of a depth that a step takes away
  double fastest_push = 0.1;  ///< velocity that it may take for this [m/s]
};

/// Which corners of a box may touch.
enum class BoxCorners : std::uint8_t {
  all,
  /// The four of the face that looks down, against the normal, in the neutral position.
  sole
};

/// Candidates of the collision shapes of these links (empty: of all that have some): of a sphere
/// one, of a capsule two, of a box its corners. Throws Error for an unknown link, for a link
/// without collision shapes, and for shapes of other kinds, with their names.
std::vector<ContactCandidate> contact_candidates(const Model& model,
                                                 std::span<const std::string> links = {},
                                                 BoxCorners corners = BoxCorners::all,
                                                 const Vec3<double>& normal = {0, 0, 1});

/// Throws Error for what a compiled step with this contact cannot be: a plane, height field,
/// coefficient or number of sweeps that makes no sense, a frame that the robot does not have,
/// loops.
void check_contact(const Model& model, const StepContact& contact);

}  // namespace limber
