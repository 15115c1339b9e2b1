// Compliant contact: where shapes touch, with which forces, and how the states change.
#include <algorithm>
#include <cmath>

#include <limber/sim/contacts.hpp>

#include "index.hpp"
#include "sim/point_velocity.hpp"

namespace limber {

namespace {

constexpr int states_of_pair = CompliantBalls::states;

Vec3<double> turning(const Velocities& bodies, int body) {
  return body <= 0 ? Vec3<double>{} : bodies.X_W[body].R * bodies.v[body].angular;
}

}  // namespace

// Balls on planes that stand still need no search. Surfaces that move by themselves are left to it,
// and so are planes before balls in the order of shapes: there the stretch is that of the plane.
void Contacts::find_balls() {
  for (const auto& [pair, slot] : slots_)
    slot_materials_.push_back(material(pair.first, pair.second));
  // plane by plane: balls of one body on one plane are computed together
  std::vector<std::pair<std::pair<int, int>, std::size_t>> all(slots_.begin(), slots_.end());
  std::stable_sort(all.begin(), all.end(), [](const auto& one, const auto& next) {
    return one.first.second < next.first.second;
  });
  std::vector<BallOnPlane> balls;
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [pair, slot] : all) {
    const SceneShape &ball = scene_.shapes()[at_index(pair.first)],
                     &plane = scene_.shapes()[at_index(pair.second)];
    if (!settings_.belts.empty() || ball.shape.kind() != Shape::Kind::sphere || ball.body <= 0 ||
        plane.shape.kind() != Shape::Kind::plane || plane.body > 0)
      continue;
    const ContactMaterial& rubs = slot_materials_[slot];
    const Vec3<double> up = plane.placement.R.column(2);
    balls.push_back({ball.body, ball.placement.p, ball.shape.radius(), up,
                     dot(up, plane.placement.p), rubs.friction, rubs.sliding_friction, rubs.torsion,
                     states_of_pair * static_cast<int>(slot)});
    pairs.push_back(pair);
  }
  balls_ =
      CompliantBalls(balls, {settings_.normal, settings_.tangential, settings_.transition_speed});
  if (pairs.size() == slots_.size()) return;
  others_ = scene_;
  others_->set_aside(std::move(pairs));
}

// where shapes touch now, and with which forces
void Contacts::touch(Evaluation& at, CollisionScene& scene, TouchList& list) const {
  const Velocities& bodies = at.kinematics();
  list.touches.clear();
  list.points.clear();
  for (const SceneContact& contact : scene.find(bodies, 0)) {
    if (!(contact.at.depth > 0)) continue;
    const bool is_new = list.touches.empty() || list.touches.back().shape_a != contact.shape_a ||
                        list.touches.back().shape_b != contact.shape_b;
    if (is_new) {
      if (!list.touches.empty()) close_touch(list.touches.back(), list, at);
      begin_touch(contact, bodies, list);
    }
    Touch& one = list.touches.back();
    const Vec3<double> u = point_velocity(bodies, one.body_a, contact.at.point) -
                           point_velocity(bodies, one.body_b, contact.at.point);
    const double rate = -dot(u, contact.at.normal);
    const double force = normal_force(settings_.normal, contact.at.depth, rate);
    const double elastic = elastic_force(settings_.normal, contact.at.depth);
    list.points.push_back({contact.at.point, contact.at.normal, contact.at.depth, force});
    one.load += force;
    one.center += contact.at.point * force;
    one.normal += contact.at.normal * force;
    one.stored += elastic_energy(settings_.normal, contact.at.depth);
    one.stored_rate += elastic * rate;
    one.lost += (force - elastic) * rate;
    ++one.count;
  }
  if (!list.touches.empty()) close_touch(list.touches.back(), list, at);
}

void Contacts::begin_touch(const SceneContact& contact, const Velocities& bodies,
                           TouchList& list) const {
  Touch one;
  one.slot = slots_.at({contact.shape_a, contact.shape_b});
  one.shape_a = contact.shape_a;
  one.shape_b = contact.shape_b;
  one.body_a = contact.body_a;
  one.body_b = contact.body_b;
  one.first = static_cast<int>(list.points.size());
  one.slip = belt(contact, bodies);
  list.touches.push_back(one);
}

// centre, normal and spread of the normal forces
void Contacts::find_center(Touch& one, const TouchList& list) {
  if (one.count == 1 || !(one.load > 0)) {  // one point has no spread, not even that of rounding
    const Point& first = list.points[at_index(one.first)];
    one.center = first.at;
    one.normal = first.normal;
  } else {
    one.center = one.center / one.load;
    const double length = norm(one.normal);
    one.normal = length > 0 ? one.normal / length : list.points[at_index(one.first)].normal;
  }
  for (int k = one.first; k < one.first + one.count && one.load > 0; ++k)
    one.radius +=
        norm(list.points[at_index(k)].at - one.center) * list.points[at_index(k)].force / one.load;
}

// friction of a pair, when its normal forces are known
void Contacts::close_touch(Touch& one, const TouchList& list, Evaluation& at) const {
  const Velocities& bodies = at.kinematics();
  const FrictionLaw& law = settings_.tangential;
  find_center(one, list);
  const Vec3<double>& n = one.normal;
  const Vec3<double> u = one.slip + point_velocity(bodies, one.body_a, one.center) -
                         point_velocity(bodies, one.body_b, one.center);
  one.slip = u - n * dot(u, n);
  one.spin = dot(n, turning(bodies, one.body_a) - turning(bodies, one.body_b));
  const ContactMaterial& material = slot_materials_[one.slot];
  const double mu = friction_coefficient(material.friction, material.sliding_friction,
                                         norm(one.slip), settings_.transition_speed);
  const double limit = mu * one.load, arm = std::max(one.radius, material.torsion);
  const double twist_limit = limit * one.radius + material.torsion * one.load;
  if (law.kind == FrictionLaw::Kind::regularised) {
    one.friction.force = regularised_friction(law, limit, one.slip);
    one.friction.slides = true;
    if (arm > 0) {
      const double speed = one.spin * arm;
      one.twist_moment = -twist_limit * speed / std::hypot(speed, law.slip_speed);
    }
    one.lost -= dot(one.friction.force, one.slip) + one.twist_moment * one.spin;
    return;
  }
  const double* z = at.z.data() + states_of_pair * one.slot;
  Vec3<double> stretch{z[0], z[1], z[2]};
  stretch -= n * dot(stretch, n);
  one.friction = sticking_friction(law, limit, stretch, one.slip);
  one.stored += sticking_energy(law, stretch);
  one.stored_rate += law.stiffness * dot(stretch, one.friction.rate);
  one.lost -= dot(one.friction.force, one.slip) + law.stiffness * dot(stretch, one.friction.rate);
  const double k = law.stiffness * arm * arm, c = law.damping * arm * arm;
  const double held = k * z[3] + c * one.spin;
  const double borne = std::clamp(held, -twist_limit, twist_limit);
  one.twist_moment = -borne;
  one.twist_rate = arm > 0 ? (held == borne ? one.spin : (borne - k * z[3]) / c)
                           : -z[3] * law.stiffness / law.damping;
  one.stored += k * z[3] * z[3] / 2;
  one.stored_rate += k * z[3] * one.twist_rate;
  one.lost += borne * one.spin - k * z[3] * one.twist_rate;
}

void Contacts::apply_compliant(Evaluation& at) {
  if (at.step > 0) return apply_over_step(at);
  if (balls_.press(at.model, at.kinematics(), at.z)) balls_.add_forces(at.body_forces());
  if (!others_) return;
  touch(at, *others_, others_touch_);
  for (const Touch& one : others_touch_.touches) {
    for (int k = one.first; k < one.first + one.count; ++k) {
      const Point& point = others_touch_.points[at_index(k)];
      push(at, one.body_a, point.at, point.normal * point.force, {});
      push(at, one.body_b, point.at, point.normal * -point.force, {});
    }
    const Vec3<double> twist = one.normal * one.twist_moment;
    push(at, one.body_a, one.center, one.friction.force, twist);
    push(at, one.body_b, one.center, -one.friction.force, -twist);
  }
}

// the springs of pairs that are apart relax
void Contacts::compliant_rates(Evaluation& at, std::span<double> z_dot) const {
  const FrictionLaw& law = settings_.tangential;
  const double fading = law.stiffness / (law.damping + at.step * law.stiffness);
  if (others_)
    for (std::size_t k = 0; k + 1 < z_dot.size(); ++k) z_dot[k] = -fading * at.z[k];
  balls_.rates(at.z, z_dot);
  double lost = balls_.energies().lost;
  for (const Touch& one : others_touch_.touches) {
    lost += one.lost;
    if (law.kind == FrictionLaw::Kind::regularised) continue;
    double* out = z_dot.data() + states_of_pair * one.slot;
    // what has left the surface's plane as it turned fades
    const double* z = at.z.data() + states_of_pair * one.slot;
    const double out_of_plane = dot(Vec3<double>{z[0], z[1], z[2]}, one.normal);
    const Vec3<double> rate = one.friction.rate - one.normal * (fading * out_of_plane);
    for (int k = 0; k < 3; ++k) out[k] = rate[k];
    out[3] = one.twist_rate;
  }
  z_dot.back() = lost;
}

StoredEnergy Contacts::stored_energy(Evaluation&) {
  StoredEnergy sum{balls_.energies().stored, balls_.energies().stored_rate};
  for (const Touch& one : others_touch_.touches) {
    sum.energy += one.stored;
    sum.rate += one.stored_rate;
  }
  return sum;
}

}  // namespace limber
