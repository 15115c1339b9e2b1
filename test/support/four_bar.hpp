#pragma once
// The planar four-bar linkage in the plane x, z: as a robot, cut open at different joints, and as
// an equation of motion of its crank in closed form. Joints turn x towards z.
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include <limber/model/model.hpp>

namespace limber::test {

struct MovingFourBar {
  double ground = 1.0, crank = 0.3, coupler = 0.9, rocker = 0.7;  // lengths [m]
  double m1 = 1.2, m2 = 2.0, m3 = 1.5;                            // masses [kg]
  double J1 = 0.02, J2 = 0.2, J3 = 0.09;  // about the centres, which are in the middle [kg m²]
  double g = 9.81;

  // --- closed form; T may be complex, which gives derivatives ---
  template <class T>
  struct Vec2 {
    T x, z;
    Vec2 operator+(const Vec2& o) const { return {x + o.x, z + o.z}; }
    Vec2 operator-(const Vec2& o) const { return {x - o.x, z - o.z}; }
    Vec2 operator*(const T& s) const { return {x * s, z * s}; }
    T dot(const Vec2& o) const { return x * o.x + z * o.z; }
    T cross(const Vec2& o) const { return x * o.z - z * o.x; }
  };
  template <class T>
  struct Pose {
    Vec2<T> B, C;    // ends of the crank and of the rocker
    Vec2<T> dB, dC;  // their derivatives by the crank's angle
    T coupler_rate, rocker_rate;
  };
  template <class T>
  Pose<T> pose(const T& theta) const {
    using std::cos, std::sin, std::sqrt;
    Pose<T> p;
    const Vec2<T> D{T(ground), T(0)};
    p.B = Vec2<T>{cos(theta), sin(theta)} * T(crank);
    p.dB = Vec2<T>{-sin(theta), cos(theta)} * T(crank);
    const Vec2<T> d = D - p.B;
    const T length2 = d.dot(d);
    const T along = (T(coupler * coupler - rocker * rocker) + length2) / (T(2) * length2);
    const T across = sqrt(T(coupler * coupler) / length2 - along * along);
    p.C = p.B + d * along + Vec2<T>{-d.z, d.x} * across;
    // (C − B)·(C' − B') = 0, (C − D)·C' = 0
    const Vec2<T> u = p.C - p.B, w = p.C - D;
    const T right = u.dot(p.dB), det = u.cross(w);
    p.dC = {right * w.z / det, -(right * w.x) / det};
    p.coupler_rate = u.cross(p.dC - p.dB) / T(coupler * coupler);
    p.rocker_rate = w.cross(p.dC) / T(rocker * rocker);
    return p;
  }
  /// Kinetic energy is mu θ̇² / 2.
  template <class T>
  T mu(const T& theta) const {
    const Pose<T> p = pose(theta);
    const Vec2<T> middle = (p.dB + p.dC) * T(0.5);
    return T(m1 * crank * crank / 4 + J1) + T(m2) * middle.dot(middle) +
           T(J2) * p.coupler_rate * p.coupler_rate +
           T(m3 * rocker * rocker / 4 + J3) * p.rocker_rate * p.rocker_rate;
  }
  template <class T>
  T potential(const T& theta) const {
    const Pose<T> p = pose(theta);
    return T(g / 2) * (T(m1) * p.B.z + T(m2) * (p.B.z + p.C.z) + T(m3) * p.C.z);
  }
  /// The torque on the crank that θ, θ̇ and θ̈ need.
  double torque(double theta, double rate, double acceleration) const {
    constexpr double h = 1e-30;  // complex step: no rounding
    const std::complex<double> t(theta, h);
    return mu(theta) * acceleration + mu(t).imag() / h / 2 * rate * rate + potential(t).imag() / h;
  }
  double acceleration(double theta, double rate) const {
    return -torque(theta, rate, 0) / mu(theta);
  }
  /// θ and θ̇ after a time, by Runge and Kutta's method.
  struct State {
    double theta, rate;
  };
  State moved(State s, double time, int steps) const {
    const double h = time / steps;
    for (int i = 0; i < steps; ++i) {
      const double a1 = acceleration(s.theta, s.rate);
      const double r2 = s.rate + h / 2 * a1, a2 = acceleration(s.theta + h / 2 * s.rate, r2);
      const double r3 = s.rate + h / 2 * a2, a3 = acceleration(s.theta + h / 2 * r2, r3);
      const double r4 = s.rate + h * a3, a4 = acceleration(s.theta + h * r3, r4);
      s.theta += h / 6 * (s.rate + 2 * r2 + 2 * r3 + r4);
      s.rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return s;
  }

  // --- as a robot: joints crank, coupler, rocker; one of them closes the loop ---
  enum class Cut { tip, rocker_hinge };  // coupler with rocker; rocker with ground
  Spec spec(Cut cut, LoopSpec::Kind kind = LoopSpec::Kind::joint) const {
    Spec s;
    s.name = "four_bar";
    s.gravity = {0, 0, -g};
    const Vec3<double> axis{0, -1, 0};
    const auto link = [&](const char* name, double mass, double length, double inertia) {
      BodySpec body;
      body.name = name;
      body.inertia =
          Inertia<double>::from_com(mass, {length / 2, 0, 0}, {0.1 * inertia, inertia, inertia});
      s.bodies.push_back(body);
    };
    link("crank", m1, crank, J1);
    link("coupler", m2, coupler, J2);
    link("rocker", m3, rocker, J3);
    const auto hinge = [&](const char* name, const char* parent, const char* child, double x) {
      JointSpec& joint = s.add_joint(name, JointKind::revolute, parent, child);
      joint.axis = axis;
      joint.placement.p = {x, 0, 0};
    };
    hinge("crank_hinge", "", "crank", 0);
    hinge("coupler_hinge", "crank", "coupler", crank);
    LoopSpec loop;
    loop.kind = kind;
    loop.joint_kind = JointKind::revolute;
    loop.axis = axis;
    if (cut == Cut::tip) {
      hinge("rocker_hinge", "", "rocker", ground);
      loop.name = "tip";
      loop.body_a = "coupler";
      loop.placement_a.p = {coupler, 0, 0};
      loop.body_b = "rocker";
      loop.placement_b.p = {rocker, 0, 0};
    } else {
      hinge("tip", "coupler", "rocker", coupler);
      // the rocker's frame lies in its hinge: from the tip it points backwards
      s.joints.back().child_placement.p = {-rocker, 0, 0};
      loop.name = "rocker_hinge";
      loop.body_a = "";
      loop.placement_a.p = {ground, 0, 0};
      loop.body_b = "rocker";
    }
    s.loops.push_back(loop);
    return s;
  }
  std::vector<double> q(Cut cut, double theta) const {
    const Pose<double> p = pose(theta);
    const double coupler_angle = std::atan2(p.C.z - p.B.z, p.C.x - p.B.x);
    const double rocker_angle = std::atan2(p.C.z, p.C.x - ground);
    return {theta, coupler_angle - theta,
            cut == Cut::tip ? rocker_angle : rocker_angle - coupler_angle};
  }
  std::vector<double> v(Cut cut, double theta, double rate) const {
    const Pose<double> p = pose(theta);
    return {rate, (p.coupler_rate - 1) * rate,
            (cut == Cut::tip ? p.rocker_rate : p.rocker_rate - p.coupler_rate) * rate};
  }
};

}  // namespace limber::test
