#include <limber/compile/step_contact.hpp>

#include <cmath>

#include <fmt/format.h>

#include <limber/collision/shape.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/error.hpp>
#include <limber/model/joint_space.hpp>

#include "index.hpp"

namespace limber {

namespace {

/// Corners of a box; down: against the normal, in the axes of the link.
void add_corners(const std::string& link, const ShapeSpec& box, BoxCorners which,
                 const Vec3<double>& down, std::vector<ContactCandidate>& to) {
  const Vec3<double> along = transpose_times(box.placement.R, down);
  const Vec3<double> half = box.size * 0.5;
  // the face that looks down most
  int face = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(along[k]) > std::abs(along[face])) face = k;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3<double> p;
    for (int k = 0; k < 3; ++k) p[k] = (corner >> k) % 2 == 0 ? -half[k] : half[k];
    if (which == BoxCorners::sole && p[face] * along[face] < 0) continue;
    to.push_back({link, transform_point(box.placement, p), 0});
  }
}

/// Heights that are found by a number of single precision.
constexpr double most_heights = 1 << 24;

void check_field(const Model& model, const StepContact& contact) {
  const ContactField& field = *contact.field;
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("robot '{}': a compiled step on a height field: {}", model.name, what));
  };
  if (field.columns < 2 || field.rows < 2)
    refuse(fmt::format("{} columns and {} rows of points; it needs two of each", field.columns,
                       field.rows));
  if (static_cast<double>(field.columns) * field.rows > most_heights)
    refuse(fmt::format("{} columns and {} rows are more than the {} points that are offered",
                       field.columns, field.rows, most_heights));
  if (!(field.width > 0 && field.width < HUGE_VAL && field.depth > 0 && field.depth < HUGE_VAL))
    refuse(fmt::format("its extent is {} m by {} m; both must be positive and finite", field.width,
                       field.depth));
  const Mat3<double> off = transpose(field.pose.R) * field.pose.R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (!(std::abs(off.row(i)[j] - (i == j ? 1 : 0)) < 1e-9))
        refuse("the pose of the field has no rotation matrix");
  if (!(determinant(field.pose.R) > 0)) refuse("the pose of the field is a mirror image");
  const Vec3<double>& p = field.pose.p;
  if (!(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)))
    refuse("the position of the field is not finite");
  const Vec3<double> n = contact.normal;
  if (n.x != 0 || n.y != 0 || n.z != 1 || contact.height != 0)
    refuse(
        "a plane is given, too; leave StepContact::normal and height as they are, and turn or "
        "lift the field by ContactField::pose");
}

}  // namespace

ContactField contact_field(const HeightField& field, const Transform<double>& pose) {
  (void)Shape::height_field(field);  // throws for what is no surface
  return {field.columns, field.rows, field.width, field.depth, pose};
}

std::vector<ContactCandidate> contact_candidates(const Model& model,
                                                 std::span<const std::string> links,
                                                 BoxCorners corners, const Vec3<double>& normal) {
  std::vector<int> frames;
  for (const std::string& link : links) frames.push_back(model.frame(link));
  if (links.empty())
    for (int f = 0; f < model.frames.count(); ++f) frames.push_back(f);
  Workspace ws(model);
  const Poses& bodies = forward_kinematics<double>(model, neutral_position(model), ws);
  std::vector<ContactCandidate> found;
  for (const int f : frames) {
    const std::string& link = model.frames[f].name;
    const Vec3<double> down = transpose_times(frame_pose(model, bodies, f).R, -normal);
    const std::size_t before = found.size();
    for (const ShapeSpec& shape : model.shapes[f]) {
      if (shape.role == ShapeSpec::Role::visual) continue;
      if (shape.kind == ShapeSpec::Kind::sphere) {
        found.push_back({link, shape.placement.p, shape.size.x});
      } else if (shape.kind == ShapeSpec::Kind::capsule) {
        for (const double end : {-0.5, 0.5})
          found.push_back(
              {link, transform_point(shape.placement, {0, 0, end * shape.size.y}), shape.size.x});
      } else if (shape.kind == ShapeSpec::Kind::box) {
        add_corners(link, shape, corners, down, found);
      } else {
        throw Error(fmt::format(
            "robot '{}': link '{}' has a {} as collision shape; a compiled step has contact of "
            "spheres, capsules and boxes: name the links that shall touch the ground, or give the "
            "points yourself",
            model.name, link, name(shape.kind)));
      }
    }
    if (!links.empty() && found.size() == before)
      throw Error(
          fmt::format("robot '{}': link '{}' has no collision shape that could touch the ground",
                      model.name, link));
  }
  return found;
}

void check_contact(const Model& model, const StepContact& contact) {
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("robot '{}': a compiled step with contact: {}", model.name, what));
  };
  if (!model.loops.empty())
    refuse("robots with loops are not offered; leave the loops or the contact out");
  const double length2 = dot(contact.normal, contact.normal);
  if (!(std::abs(length2 - 1) < 1e-9))
    refuse(fmt::format("the normal of the ground has the length {}; give a unit vector",
                       std::sqrt(length2)));
  if (!std::isfinite(contact.height)) refuse("the height of the ground is no finite number");
  if (contact.field) check_field(model, contact);
  if (!(contact.friction >= 0 && contact.friction < HUGE_VAL))
    refuse(fmt::format("the friction is {}; give a coefficient of 0 or more", contact.friction));
  if (contact.sweeps < 1) refuse(fmt::format("{} sweeps; give at least one", contact.sweeps));
  if (contact.newton_steps < 0)
    refuse(fmt::format("{} steps of Newton's method; give 0 or more", contact.newton_steps));
  if (!(contact.correction >= 0 && contact.correction <= 1))
    refuse(fmt::format("the correction is {}; give a share, 0 to 1", contact.correction));
  if (!(contact.fastest_push >= 0 && contact.fastest_push < HUGE_VAL))
    refuse(fmt::format("the fastest push is {}; give 0 m/s or more", contact.fastest_push));
  for (const ContactCandidate& candidate : contact.candidates) {
    const int frame = model.frame(candidate.link);
    if (model.frames[frame].body <= 0) refuse(fmt::format("'{}' does not move", candidate.link));
    if (!(candidate.radius >= 0 && candidate.radius < HUGE_VAL))
      refuse(fmt::format("a point of '{}' has the radius {}; give 0 m or more", candidate.link,
                         candidate.radius));
  }
}

}  // namespace limber
