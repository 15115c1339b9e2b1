// Canonical frames, [RDA] §8.2.1 and [McM] app. A, for any tree.
//
// Every joint has an inner frame K fixed in its parent (z along the axis, for a planar joint z
// normal to the plane, for a universal joint x and y along its axes) and an outer frame that
// coincides with K at q = 0. For joints about or along z the canonical frame C of the body is the
// outer frame turned about and moved along z, so that x lies on the common normal to the axis of
// the first child of that sort.
#include "model/canonical.hpp"

#include <cmath>

#include <limber/model/joint_kind.hpp>

namespace limber {

namespace {

// below this sine of the angle between two axes their common normal is too far away to be used
constexpr double nearly_parallel = 0.1;
// below this they are parallel to rounding
constexpr double exactly_parallel = 1e-14;
// constants smaller than this are rounding noise of an intended zero
constexpr double rounding = 1e-14;

JointForm form_of(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
      return JointForm::revolute;
    case JointKind::prismatic:
      return JointForm::prismatic;
    case JointKind::helical:
    case JointKind::cylindrical:
      return JointForm::screw;
    case JointKind::free:
      return JointForm::free;
    case JointKind::spherical:
      return JointForm::spherical;
    default:
      return JointForm::general;
  }
}

bool has_screw_step(JointForm form) {
  return form == JointForm::revolute || form == JointForm::prismatic || form == JointForm::screw;
}

// the rotation whose z is `axis`, nearest to the identity: coordinates in K to the joint frame
Mat3<double> turn_z_to(const Vec3<double>& axis) {
  const Vec3<double> z{0, 0, 1};
  const Vec3<double> n = cross(z, axis);
  const double sine = norm(n);
  if (sine < 1e-15)
    return axis.z > 0 ? Mat3<double>::identity() : Mat3<double>{1, 0, 0, 0, -1, 0, 0, 0, -1};
  return rotation(n / sine, std::atan2(sine, axis.z));
}

template <int A>
Screw<A, double> screw(double angle, double d) {
  return {std::cos(angle), std::sin(angle), d};
}

double clean(double x) { return std::abs(x) < rounding ? 0 : x; }

// a place on the z axis of a frame: at height d, with x turned by angle. Used for the point where
// the normal to a line leaves that axis
struct NormalFoot {
  double angle = 0, d = 0;
};

// the line passes through K's origin along K's z; K is given in the frame whose z axis is meant
NormalFoot normal_foot(const Transform<double>& K) {
  const Vec3<double> u = K.R.column(2), o = K.p;
  const double sine = std::hypot(u.x, u.y);
  if (sine > nearly_parallel) {
    const double t = -(o.x * u.x + o.y * u.y) / (sine * sine);
    // x along z × u: the turn from z to u about it lies between 0 and π
    return {std::atan2(u.x, -u.y), o.z + t * u.z};
  }
  // (nearly) parallel: through K's origin
  return {std::hypot(o.x, o.y) > rounding ? std::atan2(o.y, o.x) : 0.0, o.z};
}

// sets the constant part of the step from a frame to the z line of K; returns where K lies on that
// line
NormalFoot decompose(const Transform<double>& K, StepConstants<double>& step) {
  const NormalFoot foot = normal_foot(K);
  Transform<double> rest = K;  // K seen from the end of the constant part
  step.z0 = screw<2>(clean(foot.angle), clean(foot.d));
  step.has_z0 = step.z0.s != 0 || step.z0.c < 0 || step.z0.d != 0;
  rest = apply_inverse(to_transform(step.z0), rest);
  const Vec3<double> u = rest.R.column(2);
  // the normal meets the line at distance a; parallel lines: K's origin lies on the x axis
  const double sine = std::hypot(u.x, u.y);
  const double t =
      sine > nearly_parallel ? -(rest.p.x * u.x + rest.p.y * u.y) / (sine * sine) : 0.0;
  step.x = screw<0>(std::atan2(-u.y, u.z), clean(rest.p.x + t * u.x));
  step.x.c = clean(step.x.c);
  step.x.s = clean(step.x.s);
  rest = apply_inverse(to_transform(step.x), rest);
  const Vec3<double> tilted = rest.R.column(2);
  step.has_y = std::abs(tilted.x) > exactly_parallel && sine <= nearly_parallel;
  if (step.has_y) {
    step.y = screw<1>(std::atan2(tilted.x, tilted.z), 0.0);
    rest = apply_inverse(to_transform(step.y), rest);
  }
  return {std::atan2(rest.R.yx, rest.R.xx), rest.p.z};
}

Transform<double> constant_part(const StepConstants<double>& step) {
  return to_transform(step.z0) * to_transform(step.x) * to_transform(step.y);
}

}  // namespace

bool has_pitch(JointKind kind) { return kind == JointKind::helical; }

Mat3<double> joint_axes(const JointSpec& joint) {
  const int axes = facts(joint.kind).axes;
  if (axes == 0) return Mat3<double>::identity();
  const Vec3<double> first = joint.axis / norm(joint.axis);
  if (axes == 1) return turn_z_to(first);
  const Vec3<double> along = joint.axis2 - first * dot(first, joint.axis2);
  const Vec3<double> second = along / norm(along);
  return Mat3<double>::from_columns(first, second, cross(first, second));
}

CanonicalFrames choose_canonical_frames(const Spec& spec, const Structure& structure) {
  const std::size_t n = structure.bodies.size();
  CanonicalFrames frames{std::vector<JointForm>(n, JointForm::general),
                         std::vector<StepConstants<double>>(n), std::vector<Transform<double>>(n),
                         std::vector<double>(n, 0.0)};
  auto joint = [&](std::size_t i) -> const JointSpec& {
    return spec.joints[static_cast<std::size_t>(structure.bodies[i].joint)];
  };

  std::vector<Transform<double>> inner(n);  // K in the parent's user frame
  std::vector<Transform<double>> user(n);   // user's body frame in the outer frame
  std::vector<std::size_t> first_child(n, 0);
  for (std::size_t i = 1; i < n; ++i) {
    const auto axes = Transform<double>::rotation(joint_axes(joint(i)));
    inner[i] = structure.bodies[i].joint_placement * axes;
    user[i] = apply_inverse(axes, joint(i).child_placement);
    frames.form[i] = form_of(joint(i).kind);
    const auto p = static_cast<std::size_t>(structure.bodies[i].parent);
    if (has_screw_step(frames.form[i]) && first_child[p] == 0) first_child[p] = i;
  }

  for (std::size_t i = 1; i < n; ++i) {
    const auto p = static_cast<std::size_t>(structure.bodies[i].parent);
    StepConstants<double>& step = frames.step[i];
    const Transform<double> K =
        frames.body_placement[p] * inner[i];  // in the parent's canonical frame
    if (!has_screw_step(frames.form[i])) {
      step.placement = K;
      frames.body_placement[i] = user[i];
      continue;
    }
    const NormalFoot from = decompose(K, step);
    NormalFoot foot;  // from this joint's axis to the first child's
    if (const std::size_t child = first_child[i]) foot = normal_foot(user[i] * inner[child]);
    frames.body_placement[i] = apply_inverse(to_transform(screw<2>(foot.angle, foot.d)), user[i]);
    frames.rest_angle[i] = from.angle + foot.angle;
    step.slide = from.d + foot.d;
    const Transform<double> line = constant_part(step);
    step.origin = line.p + line.R.column(2) * step.slide;
    step.direction = line.R.column(2);
  }
  return frames;
}

}  // namespace limber
