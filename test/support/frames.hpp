#pragma once
// The frames of a random robot as its plain reference sees them.
#include <limber/dynamics/kinematics.hpp>

#include "support/random_robots.hpp"

namespace limber::test {

inline constexpr Reference every_reference[] = {Reference::body, Reference::world,
                                                Reference::world_aligned};

inline int frame_count(const Robot& r) { return static_cast<int>(r.model.frames.size()); }

/// The first, the middle and the last frame.
inline std::vector<int> some_frames(const Robot& r) {
  return {0, frame_count(r) / 2, frame_count(r) - 1};
}

/// The link that carries a frame and the frame's place on it; no link: the world.
struct PlainFrame {
  const PlainLink* link = nullptr;
  Pose placement = Pose::Identity();
};
inline PlainFrame plain_frame(const Robot& r, int frame) {
  const std::string& name = r.model.frames[static_cast<std::size_t>(frame)].name;
  if (name == "world") return {};
  for (const FrameSpec& f : r.spec.frames)
    if (f.name == name) return {&r.plain.link(f.body), plain(f.placement)};
  return {&r.plain.link(name), Pose::Identity()};
}

inline Pose plain_pose(const Robot& r, int frame) {
  const PlainFrame f = plain_frame(r, frame);
  return f.link ? f.link->pose * f.placement : Pose::Identity();
}
inline Vector6 plain_velocity(const Robot& r, int frame) {
  const PlainFrame f = plain_frame(r, frame);
  return f.link ? f.link->v : Vector6::Zero();
}
inline Vector6 plain_acceleration(const Robot& r, int frame) {
  const PlainFrame f = plain_frame(r, frame);
  return f.link ? f.link->a : Vector6::Zero();
}

/// Motions given about the world origin, in the reference asked for.
inline MatrixXd referred(const Robot& r, int frame, Reference reference, const MatrixXd& world) {
  Pose pose = plain_pose(r, frame);
  if (reference == Reference::world) return world;
  if (reference == Reference::world_aligned) pose.linear().setIdentity();
  return motion_matrix(pose.inverse()) * world;
}

}  // namespace limber::test
