// Compliant contact over implicit steps (Evaluation::step): forces as they are at the end of the
// step, found by Newton's method. A round computes them for the velocities at the end that the last
// round had, with how they fall as these grow, their impedance Z; dynamics are told that by an
// inertia h Z of the bodies, and find the next velocities. Where that goes round in a circle, as
// between touching and not touching, or sticking and slipping, rounds go half of the way. Contacts
// between two bodies that move are taken as they are at the beginning.
#include <algorithm>
#include <cmath>

#include <limber/sim/contacts.hpp>

#include "index.hpp"

namespace limber {

namespace {

constexpr double force_tolerance = 1e-6;  // of the largest force of a contact
constexpr int first_half_round = 10;      // before it errors may grow
constexpr int last_round = 28;            // from this one on it is near enough

/// In turn, and secants alone where that has not led to an end.
SlidingImpedance impedance_in_round(int round) {
  return round % 2 == 1 && round <= 9 ? SlidingImpedance::newton : SlidingImpedance::secant;
}

ArticulatedInertia<double> in_axes(const Mat3<double>& R, const ArticulatedInertia<double>& Z) {
  const Mat3<double> back = transpose(R);
  return {congruence(back, Z.I), back * Z.H * R, congruence(back, Z.M)};
}

double size_of(const Force<double>& f) { return std::max(norm(f.linear), norm(f.angular)); }

}  // namespace

ArticulatedInertia<double> Contacts::PointImpedance::about(const Vec3<double>& arm) const {
  ArticulatedInertia<double> Z;
  const auto add = [&](double z, const Vec3<double>& d) {  // z along d
    const Vec3<double> turned = cross(arm, d);
    Z.I += square(turned) * z;
    Z.H += outer(turned * z, d);
    Z.M += square(d) * z;
  };
  for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) add(all, axis);
  add(more, normal);
  add(more_in_slip, slip);
  Z.I += square(normal) * twist;
  return Z;
}

// velocities at the end are those at the beginning and h times the accelerations toward_
void Contacts::press_over_step(Evaluation& at, int round) {
  const double h = at.step;
  sliding_ = impedance_in_round(round);
  const Velocities& bodies = at.kinematics();
  const std::size_t count = at_index(at.model.bodies());
  pressed_.assign(count, {});
  after_.assign(count, {});
  for (std::size_t b = 1; b < count; ++b) after_[b] = bodies.v[b] + toward_[b] * h;
  if (balls_.press_over_step(at.model, bodies, after_, at.z, h, sliding_))
    balls_.for_each_press(
        [&](int body, const Force<double>& force, const ArticulatedInertia<double>& impedance) {
          Pressed& one = pressed_[at_index(body)];
          one.force += force;
          one.impedance += impedance;
          one.touches = true;
        });
  if (others_) touch_over_step(at);
  for (std::size_t b = 1; b < count; ++b) {
    Pressed& one = pressed_[b];
    if (!one.touches) continue;
    const Transform<double>& X = at.model.body_placement[b];
    const Motion<double> v = apply_inverse(X, bodies.v[b]);
    one.inertia = {one.impedance.I * h, one.impedance.H * h, one.impedance.M * h};
    // the inertia resists with B a + v ×* B v, of which B (a − toward_) is meant
    one.given = one.force + cross(v, one.inertia * v) + one.inertia * apply_inverse(X, toward_[b]);
  }
}

void Contacts::apply_over_step(Evaluation& at) {
  if (at.round == 0) {
    if (others_) found_ = others_->find(at.kinematics(), 0);
    toward_.assign(at_index(at.model.bodies()), {});
    least_error_ = HUGE_VAL;
    press_over_step(at, 0);
  }
  for (std::size_t b = 1; b < pressed_.size(); ++b) {
    const Pressed& one = pressed_[b];
    if (!one.touches) continue;
    at.body_forces()[b] += one.given;
    at.body_inertia()[b] += one.inertia;
  }
}

// whether the forces that dynamics had are those of the velocities that they have led to
bool Contacts::settled_over_step(Evaluation& at) {
  const Accelerations& bodies = at.accelerations();
  had_.assign(pressed_.size(), {});
  for (std::size_t b = 1; b < pressed_.size(); ++b) {
    const Pressed& one = pressed_[b];
    if (!one.touches) continue;
    const Transform<double>& X = at.model.body_placement[b];
    const Motion<double> v = apply_inverse(X, bodies.v[b]), a = apply_inverse(X, bodies.a[b]);
    had_[b] = one.given - (one.inertia * a + cross(v, one.inertia * v));
  }
  last_toward_ = toward_;
  for (std::size_t b = 1; b < toward_.size(); ++b) toward_[b] = bodies.a[b];
  press_over_step(at, at.round + 1);
  double error = 0, largest = 0;
  for (std::size_t b = 1; b < pressed_.size(); ++b) {
    error = std::max(error, size_of(pressed_[b].force - had_[b]));
    largest = std::max(largest, size_of(pressed_[b].force));
  }
  if (error <= force_tolerance * largest) return true;
  if (at.round >= last_round) {
    at.gave_up = true;
    return true;
  }
  const bool goes_round = at.round >= first_half_round && error > 0.9 * least_error_;
  least_error_ = std::fmin(error, least_error_);
  if (goes_round) {
    for (std::size_t b = 1; b < toward_.size(); ++b)
      toward_[b] = (last_toward_[b] + toward_[b]) * 0.5;
    press_over_step(at, at.round + 1);
  }
  return false;
}

void Contacts::touch_over_step(Evaluation& at) {
  const Velocities& bodies = at.kinematics();
  TouchList& list = others_touch_;
  list.touches.clear();
  list.points.clear();
  for (const SceneContact& contact : found_) {
    const bool is_new = list.touches.empty() || list.touches.back().shape_a != contact.shape_a ||
                        list.touches.back().shape_b != contact.shape_b;
    if (is_new) {
      if (!list.touches.empty()) close_touch_over_step(list.touches.back(), at);
      begin_touch(contact, bodies, list);
    }
    Touch& one = list.touches.back();
    const Vec3<double> u = velocity_over_step(one, bodies, contact.at.point);
    const Vec3<double>& n = contact.at.normal;
    const NormalOverStep<double> normal =
        normal_over_step(settings_.normal, contact.at.depth, -dot(u, n), at.step);
    list.points.push_back({contact.at.point, n, contact.at.depth, normal.force});
    one.load += normal.force;
    one.center += contact.at.point * normal.force;
    one.normal += n * normal.force;
    one.stored_rate += normal.stored_rate;
    one.lost -= normal.force * dot(u, n) + normal.stored_rate;
    ++one.count;
    press_bodies(at, one, contact.at.point, n * normal.force, {},
                 {0, n, normal.impedance, {}, 0, 0});
  }
  if (!list.touches.empty()) close_touch_over_step(list.touches.back(), at);
}

// of a against b, at the end
Vec3<double> Contacts::velocity_over_step(const Touch& one, const Velocities& bodies,
                                          const Vec3<double>& point) const {
  const bool both_move = one.body_a > 0 && one.body_b > 0;
  const auto of = [&](int body) -> Vec3<double> {
    if (body <= 0) return {};
    const Transform<double>& X = bodies.X_W[body];
    const Motion<double>& v = both_move ? bodies.v[body] : after_[at_index(body)];
    return X.R * (v.linear + cross(v.angular, transpose_times(X.R, point - X.p)));
  };
  return of(one.body_a) - of(one.body_b);
}

// friction of a pair, when its normal forces are known
void Contacts::close_touch_over_step(Touch& one, Evaluation& at) {
  const Velocities& bodies = at.kinematics();
  const FrictionLaw& law = settings_.tangential;
  const double h = at.step;
  find_center(one, others_touch_);
  const Vec3<double>& n = one.normal;
  const Vec3<double> u = one.slip + velocity_over_step(one, bodies, one.center);
  one.slip = u - n * dot(u, n);
  {  // by velocities of points at a distance of 1 m
    const Vec3<double> side = std::abs(n.x) < 0.5 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    const Vec3<double> x = cross(n, side) / norm(cross(n, side)), y = cross(n, x);
    one.spin = dot(y, velocity_over_step(one, bodies, one.center + x) -
                          velocity_over_step(one, bodies, one.center));
  }
  const ContactMaterial& material = slot_materials_[one.slot];
  const double mu = friction_coefficient(material.friction, material.sliding_friction,
                                         norm(one.slip), settings_.transition_speed);
  const double limit = mu * one.load, arm = std::max(one.radius, material.torsion);
  const double* z = at.z.data() + CompliantBalls::states * one.slot;
  Vec3<double> stretch{z[0], z[1], z[2]};
  stretch -= n * dot(stretch, n);
  const FrictionOverStep<double> friction =
      friction_over_step(law, limit, stretch, one.slip, h, sliding_);
  one.friction = {friction.force, friction.rate, false};
  one.stored_rate += friction.stored_rate;
  one.lost -= dot(friction.force, one.slip) + friction.stored_rate;
  double twist_impedance = 0;
  one.twist_rate = -z[3] * law.stiffness / (law.damping + h * law.stiffness);
  if (arm > 0) {
    const double twist_limit = (limit * one.radius + material.torsion * one.load) / arm;
    const FrictionOverStep<double> twist =
        friction_over_step(law, twist_limit, {z[3] * arm, 0, 0}, {one.spin * arm, 0, 0}, h);
    one.twist_moment = twist.force.x * arm;
    one.twist_rate = twist.rate.x / arm;
    twist_impedance = twist.impedance * arm * arm;
    one.stored_rate += twist.stored_rate;
    one.lost -= one.twist_moment * one.spin + twist.stored_rate;
  }
  press_bodies(at, one, one.center, friction.force, n * one.twist_moment,
               {friction.impedance, n, -friction.impedance, friction.direction, -friction.less,
                twist_impedance});
}

void Contacts::press_bodies(Evaluation& at, const Touch& one, const Vec3<double>& point,
                            const Vec3<double>& force, const Vec3<double>& moment,
                            const PointImpedance& Z) {
  const bool both_move = one.body_a > 0 && one.body_b > 0;
  for (const auto& [body, sign] : {std::pair{one.body_a, 1.0}, std::pair{one.body_b, -1.0}}) {
    if (body <= 0) continue;
    const Transform<double> X = body_pose(at.model, at.kinematics(), body);
    const Vec3<double> arm = point - X.p, f = force * sign, m = cross(arm, f) + moment * sign;
    Pressed& on = pressed_[at_index(body)];
    on.touches = true;
    on.force += {transpose_times(X.R, m), transpose_times(X.R, f)};
    if (!both_move) on.impedance += in_axes(X.R, Z.about(arm));
  }
}

}  // namespace limber
