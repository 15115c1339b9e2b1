// What is recorded of contacts.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/sim/contacts.hpp>

#include "index.hpp"

namespace limber {

namespace {

// along its surface
Vec3<double> friction_part(const KeptContact& one) {
  return one.force - one.normal * dot(one.force, one.normal);
}

double* put_at(double* out, const Vec3<double>& v) {
  *out++ = v.x;
  *out++ = v.y;
  *out++ = v.z;
  return out;
}

}  // namespace

std::vector<std::string> Contacts::recorded_pairs() const {
  std::vector<std::string> names;
  for (const auto& pair : thing_pairs_)
    names.push_back(
        fmt::format("{}-{}", things_[at_index(pair.first)], things_[at_index(pair.second)]));
  return names;
}

std::vector<Column> Contacts::columns() const {
  const std::string& n = name();
  std::vector<Column> all{{n + ".count", "", "Number of contacts"},
                          {n + ".penetration", "m", "Penetration"},
                          {n + ".slip", "m/s", "Fastest slip"},
                          {n + ".dissipated", "J", "Energy lost in contacts"}};
  if (settings_.method == ContactMethod::stepping) {
    all.push_back({n + ".residual", "m/s", "Residual of contacts"});
    all.push_back({n + ".iterations", "", "Iterations of contacts"});
    all.push_back({n + ".shared", "", "Contacts whose forces the laws leave open"});
  }
  const auto add_vector = [&](const std::string& first, const char* unit) {
    for (const char* axis : {"x", "y", "z"}) all.push_back({first + axis, unit, ""});
  };
  for (const std::string& pair : recorded_pairs()) {
    all.push_back({pair + ".normal_force", "N", "Normal forces of contacts"});
    all.push_back({pair + ".friction_force", "N", "Friction forces of contacts"});
    all.push_back({pair + ".slip", "m/s", "Slip of contacts"});
    all.push_back({pair + ".gap", "m", "Gaps of contacts"});
    all.push_back({pair + ".state", "", "Contact: 0 apart, 1 sticks, 2 slides"});
    add_vector(pair + ".p", "m");
    add_vector(pair + ".f", "N");
  }
  if (thing_pairs_.empty())
    for (int k = 0; k < most_arrows; ++k) {
      add_vector(fmt::format("{}[{}].p", n, k), "m");
      add_vector(fmt::format("{}[{}].f", n, k), "N");
    }
  return all;
}

// the contacts of this instant, or of the step that led here
void Contacts::list_now(Evaluation& at) {
  now_.clear();
  if (settings_.method == ContactMethod::stepping) {
    for (int k = 0; k < kept_count(at.d); ++k) now_.push_back(kept(at.d, k));
    return;
  }
  if (switched_) {
    for (const EventContacts::Acting& one : switched_->acting())
      if (one.is_there)
        now_.push_back({one.found.shape_a,
                        one.found.shape_b,
                        one.found.at.feature,
                        one.found.at.point,
                        one.found.at.normal,
                        one.force,
                        {},
                        one.found.at.depth,
                        one.entry.mode == ContactMode::sliding ? norm(one.slip) : 0.0});
    return;
  }
  touch(at, scene_, recorded_);
  for (const Touch& one : recorded_.touches)
    for (int k = one.first; k < one.first + one.count; ++k) {
      const Point& point = recorded_.points[at_index(k)];
      const double share = one.load > 0 ? point.force / one.load : 0;
      now_.push_back({one.shape_a, one.shape_b, 0, point.at, point.normal,
                      point.normal * point.force + one.friction.force * share,
                      one.normal * (one.twist_moment * share), point.depth,
                      one.friction.slides ? norm(one.slip) : 0});
    }
}

void Contacts::record(Evaluation& at, std::span<double> values) {
  list_now(at);
  double count = 0, depth = 0, slip = 0, shared = 0;
  for (const KeptContact& one : now_) {
    if (!(dot(one.force, one.normal) > 0)) continue;
    ++count;
    shared += one.shared;
    depth = std::max(depth, one.depth);
    slip = std::max(slip, one.slip);
  }
  double* out = values.data();
  for (const double value : {count, depth, slip}) *out++ = value;
  if (settings_.method == ContactMethod::stepping) {
    const ContactTotals sums = totals(at.d);
    for (const double value : {sums.dissipated, sums.residual, sums.iterations, shared})
      *out++ = value;
  } else {
    *out++ = at.z.back();
  }
  if (thing_pairs_.empty()) record_arrows(out);
  else record_pairs(at, out);
}

void Contacts::record_pairs(Evaluation& at, double*& out) {
  const Poses& bodies = at.kinematics();
  const auto pose = [&](const SceneShape& shape) {
    return bodies.X_W[shape.body] * shape.placement;
  };
  for (const std::pair<int, int>& pair : thing_pairs_) {
    double load = 0, slip = 0, gap = HUGE_VAL;
    Vec3<double> center, force, friction;
    for (const KeptContact& one : now_) {
      if (std::pair{thing_of(one.shape_a), thing_of(one.shape_b)} != pair) continue;
      const double own = dot(one.force, one.normal);
      load += own;
      center += one.point * own;
      force += one.force;
      friction += friction_part(one);
      if (own > 0) slip = std::max(slip, one.slip);
    }
    for (const auto& shapes : shape_pairs_) {
      if (std::pair{thing_of(shapes.first), thing_of(shapes.second)} != pair) continue;
      const SceneShape &a = scene_.shapes()[at_index(shapes.first)],
                       &b = scene_.shapes()[at_index(shapes.second)];
      gap = std::min(gap, distance(a.shape, pose(a), b.shape, pose(b)).distance);
    }
    const bool slides = slip > (switched_ ? 0 : settings_.stick_speed);
    const double numbers[] = {load, norm(friction), slip, gap,
                              load > 0 ? (slides ? 2.0 : 1.0) : 0.0};
    out = std::copy(std::begin(numbers), std::end(numbers), out);
    out = put_at(put_at(out, load > 0 ? center / load : Vec3<double>{}), force);
  }
}

void Contacts::record_arrows(double*& out) {
  std::stable_sort(now_.begin(), now_.end(), [](const KeptContact& a, const KeptContact& b) {
    return dot(a.force, a.force) > dot(b.force, b.force);
  });
  now_.resize(at_index(most_arrows));
  for (const KeptContact& one : now_) out = put_at(put_at(out, one.point), one.force);
}

}  // namespace limber
