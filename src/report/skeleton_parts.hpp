#pragma once
// What a skeleton is made of: bones, as the robot's description has them, and the shapes they get.
#include <limber/model/model.hpp>

namespace limber::bones {

using ShapeColor = std::array<double, 4>;

inline constexpr ShapeColor drum_color{0.20, 0.23, 0.28, 1.0}, base_color{0.33, 0.38, 0.45, 1.0};
/// Of a limb by its number (−1: the trunk); links alternate between two tones.
ShapeColor limb_color(int limb, int depth);

struct Segment {
  Vec3<double> from, to;
  double most_radius = HUGE_VAL;
  double length() const { return norm(to - from); }
  Vec3<double> nearest(const Vec3<double>& point) const;
};

/// A joint on the body that carries it, in this body's frame.
struct Attachment {
  Vec3<double> origin, axis;
  JointKind kind = JointKind::fixed;
  std::size_t body = 0;   ///< that moves
  Vec3<double> base;      ///< origin of the link that the joint is on
  bool has_base = false;  ///< there is such a link
  double lower = -HUGE_VAL, upper = HUGE_VAL;
};

/// The mass of a link that is welded to the body.
struct Lump {
  Vec3<double> center;
  double mass = 0;
};

struct Contact {
  Vec3<double> center;
  double radius = 0;
};

/// A body, all in its own frame.
struct Bone {
  std::size_t parent = 0;
  Vec3<double> origin, axis{0, 0, 1};  ///< of the joint that carries it
  JointKind kind = JointKind::fixed;
  std::vector<Attachment> children;
  std::vector<Vec3<double>> ends;  ///< frames and welded links
  std::vector<Lump> welded;
  std::vector<Contact> contacts;
  double mass = 0;
  Vec3<double> com;
  Inertia<double> inertia;
  std::vector<Segment> segments;  ///< where capsules run
  double longest = 0;             ///< of them
  double carried = 0;             ///< how far it and what it carries reaches from its joint [m]
  double reach = 0;               ///< of the whole robot [m]
  double radius = 0;              ///< of its capsules [m]
  int limb = 0;
  ShapeColor color{};

  /// True if its first capsule runs along this direction.
  bool runs_along(const Vec3<double>& direction) const;
};

/// A box around points.
struct Box {
  Vec3<double> low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  void add(const Vec3<double>& point);
  Vec3<double> edges() const { return high - low; }
  Box inflated(double by) const;
  Box at_least(double edge) const;  ///< no edge is shorter
  ShapeSpec shape(const ShapeColor& color) const;
};

ShapeSpec capsule(const Segment& segment, double radius, const ShapeColor& color);
ShapeSpec ball(const Vec3<double>& center, double radius, const ShapeColor& color);
ShapeSpec drum(const Vec3<double>& center, const Vec3<double>& axis, double radius, double length,
               const ShapeColor& color);
/// A bar of square section along a segment; `axis` is its direction.
ShapeSpec bar(const Segment& segment, const Vec3<double>& axis, double width,
              const ShapeColor& color);

}  // namespace limber::bones
