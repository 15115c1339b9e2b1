#include "report/skeleton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include <limber/model/joint_kind.hpp>

#include "index.hpp"
#include "report/skeleton_parts.hpp"

namespace limber {

namespace bones {
namespace {

using Point = Vec3<double>;

// thickness, as parts of the robot's reach; and of a link's longest capsule
constexpr double thinnest = 0.006, thickest = 0.055, stoutest = 0.42;
constexpr double usual_density = 1400;  // of a link with its motors [kg/m³]
// what is nearer than this part of the reach counts as the same place
constexpr double near_by = 0.004;
// a branch of at least this part of the reach is a limb of its own
constexpr double limb_size = 0.22;
// and one below this part is a finger
constexpr double finger_size = 0.12;

bool turns(JointKind kind) { return mobility(kind).turns == 1 && mobility(kind).slides <= 1; }
bool is_ball(JointKind kind) { return mobility(kind).turns > 1 && mobility(kind).slides == 0; }
bool leaves_ground(JointKind kind) { return mobility(kind).slides > 1; }

class SkeletonBuilder {
 public:
  SkeletonBuilder(const Spec& spec, const Model& model, std::span<const std::string> ignored)
      : m_(model), bones_(at_index(model.bodies())), ignored_(ignored) {
    for (std::size_t f = 0; f < m_.frames.size(); ++f) frame_of_.try_emplace(m_.frames[f].name, f);
    for (std::size_t b = 0; b < bones_.size(); ++b) {
      const Inertia<double> inertia = inverse(m_.body_placement[b]) * m_.inertia[b];
      bones_[b].mass = inertia.m;
      if (inertia.m > 0) bones_[b].com = inertia.com();
      bones_[b].inertia = inertia;
    }
    for (const JointSpec& joint : spec.joints) note(joint);
    for (const BodySpec& link : spec.bodies) note(link);
    for (const FrameSpec& frame : spec.frames) note(frame);
  }

  std::vector<std::vector<ShapeSpec>> build() {
    for (Bone& bone : bones_) find_segments(bone);
    find_reaches();
    for (std::size_t b = 1; b < bones_.size(); ++b) find_radius(bones_[b]);
    for (Bone& bone : bones_) taper(bone);
    color_limbs();
    std::vector<std::vector<ShapeSpec>> shapes(bones_.size());
    for (std::size_t b = 1; b < bones_.size(); ++b)
      if (!m_.is_rotor[b]) draw_link(bones_[b], shapes[b]);
    draw_bases(shapes[0]);
    for (std::size_t b = 0; b < bones_.size(); ++b)
      for (const Attachment& child : bones_[b].children) draw_joint(child, shapes[b], shapes);
    return shapes;
  }

 private:
  bool is_ignored(const std::string& name) const {
    return std::find(ignored_.begin(), ignored_.end(), name) != ignored_.end();
  }

  // the body of a link, and the pose of the link in this body's frame; the world's name is empty
  std::pair<std::size_t, Transform<double>> place(const std::string& link) const {
    const auto found = frame_of_.find(link);
    if (link.empty() || found == frame_of_.end()) return {0, {}};
    const BasicFrame<double>& frame = m_.frames[found->second];
    const std::size_t body = at_index(frame.body);
    return {body, inverse(m_.body_placement[body]) * frame.placement};
  }

  void note(const JointSpec& joint) {
    if (joint.kind == JointKind::fixed) return;
    const auto [parent, parent_link] = place(joint.parent);
    const auto [child, child_link] = place(joint.child);
    const Transform<double> outer = parent_link * joint.placement,
                            inner = child_link * inverse(joint.child_placement);
    const double length = norm(joint.axis);
    const Point axis = length > 0 ? joint.axis / length : Point{0, 0, 1};
    Attachment attachment{outer.p, outer.R * axis, joint.kind,
                          child,   parent_link.p,  !joint.parent.empty()};
    if (!joint.dofs.empty()) {
      attachment.lower = joint.dofs.front().lower;
      attachment.upper = joint.dofs.front().upper;
    }
    bones_[parent].children.push_back(attachment);
    Bone& bone = bones_[child];
    bone.origin = inner.p;
    bone.axis = inner.R * axis;
    bone.kind = joint.kind;
    bone.parent = parent;
  }

  void note(const BodySpec& link) {
    const auto [body, pose] = place(link.name);
    if (body == 0 || is_ignored(link.name)) return;
    Bone& bone = bones_[body];
    if (link.name != m_.body_name[body]) {
      bone.ends.push_back(pose.p);
      if (link.inertia.m > 0)
        bone.welded.push_back({transform_point(pose, link.inertia.com()), link.inertia.m});
    }
    for (const ShapeSpec& shape : link.shapes)
      if (shape.role != ShapeSpec::Role::visual && shape.kind == ShapeSpec::Kind::sphere)
        bone.contacts.push_back({(pose * shape.placement).p, shape.size.x});
  }

  void note(const FrameSpec& frame) {
    const auto [body, pose] = place(frame.name);
    if (body > 0) bones_[body].ends.push_back(pose.p);
  }

  // where the body's capsules run
  void find_segments(Bone& bone) {
    const bool world = &bone == bones_.data();
    for (const Attachment& child : bone.children) {
      const Point from = world ? child.base : bone.origin;
      if (world && (!child.has_base || leaves_ground(child.kind))) continue;
      const Point along = child.origin - from;
      const double length = norm(along), aside = std::abs(dot(along, child.axis));
      const double across = std::sqrt(std::max(0.0, length * length - aside * aside));
      if (turns(child.kind) && aside > 0.12 * length && across > 0.12 * length) {
        const Point corner = child.origin - child.axis * dot(along, child.axis);
        bone.segments.push_back({from, corner});
        bone.segments.push_back({corner, child.origin});
      } else {
        bone.segments.push_back({from, child.origin});
      }
    }
    if (!bone.children.empty() || world) return;
    Point end = bone.com * 2.0 - bone.origin;
    double farthest = 0;
    for (const Point& point : bone.ends)
      if (const double distance = norm(point - bone.origin); distance > farthest) {
        farthest = distance;
        end = point;
      }
    if (bone.mass > 0 || farthest > 0) bone.segments.push_back({bone.origin, end});
  }

  // for each body the reach of its whole robot, and that of what it carries
  void find_reaches() {
    std::vector<double> from_root(bones_.size(), 0), whole(bones_.size(), 0);
    std::vector<std::size_t> root(bones_.size(), 0);
    for (std::size_t b = bones_.size(); b-- > 1;) {
      Bone& bone = bones_[b];
      for (const Segment& segment : bone.segments)
        if (bone.children.empty()) bone.carried = std::max(bone.carried, segment.length());
      for (const Attachment& child : bone.children)
        bone.carried =
            std::max(bone.carried, norm(child.origin - bone.origin) + bones_[child.body].carried);
    }
    for (std::size_t b = 1; b < bones_.size(); ++b) {
      Bone& bone = bones_[b];
      root[b] = bone.parent == 0 ? b : root[bone.parent];
      whole[root[b]] = std::max(whole[root[b]], bone.parent == 0 ? bone.carried : 0);
    }
    for (const Attachment& child : bones_[0].children)
      if (child.has_base && !leaves_ground(child.kind))
        whole[child.body] += norm(child.origin - child.base);
    for (std::size_t b = 1; b < bones_.size(); ++b) {
      bones_[b].reach = whole[root[b]];
      if (bones_[b].reach <= 0) bones_[b].reach = gyration(bones_[b]);
      if (bones_[b].reach <= 0) bones_[b].reach = 0.1;
    }
  }

  static double gyration(const Bone& bone) {
    if (!(bone.mass > 0)) return 0;
    const Sym3<double> I = bone.inertia.rotational_about_com();
    return std::sqrt(std::max(0.0, trace(I) / bone.mass));
  }

  void find_radius(Bone& bone) {
    double sum = 0, longest = 0;
    for (const Segment& segment : bone.segments) {
      sum += segment.length();
      longest = std::max(longest, segment.length());
    }
    bone.longest = longest;
    // what carries much is thick; masses of files are not always to be believed
    const double usual = 0.045 * bone.reach * std::pow(bone.carried / bone.reach, 0.6);
    double radius = usual;
    if (bone.mass > 0 && sum > 0)
      radius = std::clamp(std::sqrt(bone.mass / (std::numbers::pi * usual_density * sum)),
                          0.75 * usual, 1.9 * usual);
    radius = std::clamp(radius, thinnest * bone.reach, thickest * bone.reach);
    if (longest > near_by * bone.reach) radius = std::min(radius, stoutest * longest);
    bone.radius = std::max(radius, 0.3 * thinnest * bone.reach);
  }

  // towards fingers and the like a body gets thinner, so that it does not hide them
  void taper(Bone& bone) const {
    const auto is_small = [&](const Attachment& child) {
      const Bone& carried = bones_[child.body];
      return carried.carried < finger_size * carried.reach;
    };
    if (std::count_if(bone.children.begin(), bone.children.end(), is_small) < 2) return;
    for (Segment& segment : bone.segments) {
      double most = 0;
      for (const Attachment& child : bone.children) {
        const Bone& carried = bones_[child.body];
        if (norm(child.origin - segment.to) > near_by * carried.reach) continue;
        most = std::max(
            most, is_small(child) ? std::max(1.6 * carried.radius, 0.6 * bone.radius) : HUGE_VAL);
      }
      if (most > 0) segment.most_radius = most;
    }
  }

  bool is_big(const Attachment& child) const {
    const Bone& bone = bones_[child.body];
    return bone.carried > limb_size * bone.reach;
  }
  std::size_t big_children(const Bone& bone) const {
    return static_cast<std::size_t>(
        std::count_if(bone.children.begin(), bone.children.end(),
                      [&](const Attachment& child) { return is_big(child); }));
  }

  // a trunk branches into limbs, or leads to what does
  void color_limbs() {
    std::vector<bool> trunk(bones_.size(), false);
    for (std::size_t b = bones_.size(); b-- > 1;) {
      const std::size_t big = big_children(bones_[b]);
      trunk[b] = big > 1;
      if (big == 1)
        for (const Attachment& child : bones_[b].children)
          if (is_big(child)) trunk[b] = trunk[child.body];
    }
    int limbs = 0;
    std::vector<int> depth(bones_.size(), 0);
    for (std::size_t b = 1; b < bones_.size(); ++b) {
      if (m_.is_rotor[b]) continue;
      Bone& bone = bones_[b];
      const std::size_t parent = bone.parent;
      const bool begins =
          parent == 0 || (trunk[parent] && !trunk[b] && bone.carried > limb_size * bone.reach);
      bone.limb = trunk[b] ? -1 : begins ? limbs++ : bones_[parent].limb;
      depth[b] = begins ? 0 : depth[parent] + 1;
      bone.color = limb_color(bone.limb, depth[b]);
    }
  }

  void draw_link(const Bone& bone, std::vector<ShapeSpec>& shapes) const {
    const double tiny = near_by * bone.reach;
    bool any = false;
    for (const Segment& segment : bone.segments) {
      if (segment.length() < tiny) continue;
      shapes.push_back(capsule(segment, std::min(bone.radius, segment.most_radius), bone.color));
      any = true;
    }
    if (!any && bone.children.empty()) draw_compact(bone, shapes);
    if (const std::optional<ShapeSpec> trunk = trunk_around(bone)) shapes.push_back(*trunk);
    if (bone.contacts.size() > 1) shapes.push_back(plate_around(bone));
    for (const Lump& lump : bone.welded) draw_lump(bone, lump, shapes);
  }

  // a body that reaches nowhere: a wheel is a disc, anything else a ball
  static void draw_compact(const Bone& bone, std::vector<ShapeSpec>& shapes) {
    const double size = gyration(bone);
    if (!(size > 0)) return;
    if (!turns(bone.kind)) {
      shapes.push_back(ball(bone.com, size, bone.color));
      return;
    }
    const Sym3<double> I = bone.inertia.rotational_about_com();
    const double radius = std::sqrt(std::max(0.0, 2 * dot(bone.axis, I * bone.axis) / bone.mass));
    if (radius > 0) shapes.push_back(drum(bone.com, bone.axis, radius, 0.5 * radius, drum_color));
  }

  // around the joints of a body that branches and is not just a stick
  std::optional<ShapeSpec> trunk_around(const Bone& bone) const {
    if (bone.children.size() < 2) return std::nullopt;
    Box box;
    box.add(bone.origin);
    for (const Attachment& child : bone.children) box.add(child.origin);
    const Point edges = box.edges();
    std::array<double, 3> sorted{edges.x, edges.y, edges.z};
    std::sort(sorted.begin(), sorted.end());
    if (sorted[1] < 0.4 * sorted[2] || sorted[1] < 0.03 * bone.reach) return std::nullopt;
    return box.inflated(bone.radius).at_least(0.5 * sorted[1]).shape(bone.color);
  }

  static ShapeSpec plate_around(const Bone& bone) {
    Box box;
    for (const Contact& contact : bone.contacts) {
      box.add(contact.center + Point{1, 1, 1} * contact.radius);
      box.add(contact.center - Point{1, 1, 1} * contact.radius);
    }
    return box.inflated(0.3 * bone.radius).shape(bone.color);
  }

  // a welded link that no capsule comes near: a head
  void draw_lump(const Bone& bone, const Lump& lump, std::vector<ShapeSpec>& shapes) const {
    double distance = HUGE_VAL;
    Point foot = bone.origin;
    for (const Segment& segment : bone.segments)
      if (const Point nearest = segment.nearest(lump.center);
          norm(lump.center - nearest) < distance) {
        distance = norm(lump.center - nearest);
        foot = nearest;
      }
    const double radius = std::min(
        std::cbrt(lump.mass / (4.0 / 3 * std::numbers::pi * 0.7 * usual_density)), 2 * bone.radius);
    if (distance < bone.radius + radius || distance == HUGE_VAL) return;
    if (radius < thinnest * bone.reach) return;
    shapes.push_back(capsule({foot, lump.center}, 0.45 * radius, bone.color));
    shapes.push_back(ball(lump.center, radius, bone.color));
  }

  // drums go to the body that turns, rails to the one that stands
  void draw_joint(const Attachment& child, std::vector<ShapeSpec>& parent_shapes,
                  std::vector<std::vector<ShapeSpec>>& shapes) const {
    const Bone& bone = bones_[child.body];
    const double r = bone.radius;
    if (is_ball(child.kind)) {
      shapes[child.body].push_back(ball(bone.origin, 1.25 * r, drum_color));
    } else if (turns(child.kind)) {
      const bool along = bone.runs_along(bone.axis);
      // not just as thick as the link before it, which would hide the joint between them
      const double thick = std::clamp(bones_[bone.parent].radius, r, 1.35 * r);
      shapes[child.body].push_back(drum(bone.origin, bone.axis, (along ? 1.12 : 1.2) * thick,
                                        (along ? 0.8 : 2.35) * thick, drum_color));
    } else if (child.kind == JointKind::prismatic) {
      const double free_end = 0.1 * bone.reach;
      const double lower = std::isfinite(child.lower) ? child.lower : -free_end;
      const double upper = std::isfinite(child.upper) ? child.upper : free_end;
      // a gripper's jaw is as wide as its hand
      const double width = std::max(1.1 * r, 0.6 * bones_[bone.parent].radius);
      const Segment rail{child.origin + child.axis * (lower - width),
                         child.origin + child.axis * (upper + width)};
      parent_shapes.push_back(bar(rail, child.axis, width, drum_color));
      const Segment slide{bone.origin - bone.axis * r, bone.origin + bone.axis * r};
      shapes[child.body].push_back(bar(slide, bone.axis, 1.6 * r, bone.color));
    }
  }

  // a column from the base to the first joint, on a plate
  void draw_bases(std::vector<ShapeSpec>& shapes) const {
    for (const Attachment& child : bones_[0].children) {
      if (!child.has_base || leaves_ground(child.kind)) continue;
      const Bone& first = bones_[child.body];
      const double r = std::max(1.1 * first.radius, 0.045 * first.reach);
      // upright under the joint, wherever the base has its frame
      const Point along = child.origin - child.base;
      const double height = dot(along, child.axis);
      const bool upright = std::abs(height) > 0.3 * norm(along);
      const Segment column{upright ? child.origin - child.axis * height : child.base, child.origin};
      const bool stands = column.length() > near_by * first.reach;
      const Point up = stands ? (column.to - column.from) / column.length() : child.axis;
      if (stands)
        shapes.push_back(drum((column.from + column.to) * 0.5, up, r, column.length(), base_color));
      shapes.push_back(drum(column.from + up * (0.2 * r), up, 1.6 * r, 0.4 * r, drum_color));
    }
  }

  const Model& m_;
  std::vector<Bone> bones_;
  std::span<const std::string> ignored_;
  std::map<std::string, std::size_t> frame_of_;
};

}  // namespace
}  // namespace bones

std::vector<std::vector<ShapeSpec>> skeleton(const Spec& spec, const Model& model,
                                             std::span<const std::string> ignored) {
  return bones::SkeletonBuilder(spec, model, ignored).build();
}

}  // namespace limber
