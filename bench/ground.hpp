#pragma once
// What robots of the benchmarks of contact stand on.
#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <span>

#include <limber/collision/collide.hpp>
#include <limber/compile/step_contact.hpp>
#include <limber/dynamics/kinematics.hpp>

namespace limber::bench {

/// Rough ground of 6 m by 6 m: points every 10 cm, up to 3 cm high.
inline HeightField rough_ground() {
  HeightField field{61, 61, 6, 6, {}};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> height(0, 0.03);
  for (int k = 0; k < 61 * 61; ++k) field.heights.push_back(height(random));
  return field;
}

/// How far the lowest of the candidates is above the ground, a field or the plane z = 0 [m].
inline double lowest_point(const Model& model, const StepContact& contact,
                           const std::optional<HeightField>& field, std::span<const double> q) {
  const Shape ground = field ? Shape::height_field(*field) : Shape::plane();
  Workspace ws(model);
  const Poses& bodies = forward_kinematics<double>(model, q, ws);
  double lowest = HUGE_VAL;
  for (const ContactCandidate& c : contact.candidates) {
    const Vec3<double> center =
        transform_point(frame_pose(model, bodies, model.frame(c.link)), c.point);
    const auto hit = ray_cast(ground, {}, {center.x, center.y, 10}, {0, 0, -1});
    lowest = std::min(lowest, center.z - c.radius - (hit ? hit->point.z : 0));
  }
  return lowest;
}

}  // namespace limber::bench
