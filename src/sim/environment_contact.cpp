#include <limber/sim/environment_contact.hpp>

#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/sim/loop_set.hpp>

#include "index.hpp"

namespace limber {

namespace {

enum EnvironmentEvent : int { touches, leaves };

constexpr double counts_as_touching = 1e-9;  // where a run begins [m]

// on a body, at a point of the world
void push_body(Evaluation& at, int body, const Vec3<double>& point, const Vec3<double>& force) {
  if (body <= 0) return;
  const Transform<double> X = body_pose(at.model, at.kinematics(), body);
  at.body_forces()[at_index(body)] +=
      Force<double>{transpose_times(X.R, cross(point - X.p, force)), transpose_times(X.R, force)};
}

Transform<double> place_in_body(const Model& model, int frame) {
  const auto& found = model.frames[at_index(frame)];
  return inverse(model.body_placement[at_index(found.body)]) * found.placement;
}

}  // namespace

EnvironmentContact::EnvironmentContact(EnvironmentSettings settings)
    : Part(settings.name), settings_(std::move(settings)) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("environment '{}': {}", settings_.name, why));
  };
  if (settings_.name.empty()) throw Error("an environment needs a name");
  if (settings_.frame.empty()) refuse("frame: none found; name the robot's frame that meets it");
  if (!(settings_.stiffness >= 0) || !(settings_.damping >= 0) ||
      !std::isfinite(settings_.stiffness + settings_.damping))
    refuse(fmt::format("stiffness {} N/m and damping {} N s/m found; they must not be negative",
                       settings_.stiffness, settings_.damping));
  if (is_rigid() && settings_.damping > 0)
    refuse("damping without stiffness; a rigid environment has neither");
  if (!is_rigid() && settings_.kind == EnvironmentKind::hole)
    refuse(
        "stiffness: a hole is rigid; put it on a body whose joints have springs, or leave it to "
        "contact of shapes");
}

void EnvironmentContact::attach(Model& model) {
  FunctionalSettings functional{settings_.frame, settings_.surface, settings_.placement};
  const bool hole = settings_.kind == EnvironmentKind::hole;
  if (hole) functional.constrained = hole_constraint();
  coordinates_.clear();
  coordinates_.emplace_back(model, std::move(functional));
  frame_ = model.frame(settings_.frame);
  surface_ = settings_.surface.empty() ? -1 : model.frame(settings_.surface);
  const auto body = [&](int frame) {
    const int b = frame < 0 ? 0 : model.frames[at_index(frame)].body;
    return b == 0 ? std::string() : model.body_name[at_index(b)];
  };
  if (body(frame_).empty() && body(surface_).empty())
    throw Error(fmt::format("environment '{}': frame '{}' does not move, and what it meets neither",
                            settings_.name, settings_.frame));
  loop_.name = settings_.name;
  loop_.kind = hole ? LoopSpec::Kind::joint : LoopSpec::Kind::surface;
  loop_.joint_kind = JointKind::cylindrical;
  loop_.body_a = body(surface_);
  loop_.placement_a =
      surface_ < 0 ? settings_.placement : place_in_body(model, surface_) * settings_.placement;
  loop_.body_b = body(frame_);
  loop_.placement_b = place_in_body(model, frame_);
}

std::vector<LoopSpec> EnvironmentContact::loops() const {
  // before attach() nothing is known of the bodies
  return is_rigid() && !coordinates_.empty() ? std::vector<LoopSpec>{loop_}
                                             : std::vector<LoopSpec>{};
}

void EnvironmentContact::close_loops(const PartInstant& at, std::span<BasicLoop<double>>,
                                     std::span<std::uint8_t> is_closed) const {
  if (!is_closed.empty()) is_closed[0] = at.d[0] != 0 ? 1 : 0;
}

EnvironmentContact::Meeting EnvironmentContact::meeting(Evaluation& at) const {
  constexpr auto world = Reference::world_aligned;
  const Velocities& bodies = at.kinematics();
  Transform<double> X = settings_.placement;
  Vec3<double> origin;
  Motion<double> velocity;
  if (surface_ >= 0) {
    const Transform<double> carrier = frame_pose(at.model, bodies, surface_);
    X = carrier * X;
    origin = carrier.p;
    velocity = frame_velocity(at.model, bodies, surface_, world);
  }
  Meeting now;
  now.point = frame_pose(at.model, bodies, frame_).p;
  now.normal = X.R.column(2);
  now.height = dot(now.normal, now.point - X.p);
  // of the surface's point that the frame is at; across the normal z turns with the surface
  const Vec3<double> there = velocity.linear + cross(velocity.angular, now.point - origin);
  now.rate = dot(now.normal, frame_velocity(at.model, bodies, frame_, world).linear - there);
  return now;
}

void EnvironmentContact::initialize(Evaluation& at, std::span<double>, std::span<double> d) {
  const Meeting now = meeting(at);
  if (settings_.kind == EnvironmentKind::surface) {
    if (is_rigid() && now.height < -counts_as_touching)
      throw Error(fmt::format(
          "environment '{}': frame '{}' begins {:.6g} m below the surface; begin above it",
          settings_.name, settings_.frame, -now.height));
    d[0] = now.height <= (is_rigid() ? counts_as_touching : 0) ? 1 : 0;
  } else {
    d[0] = now.height > 0 ? 1 : 0;
  }
}

double EnvironmentContact::push(const Meeting& now) const {
  return std::fmax(0, -settings_.stiffness * now.height - settings_.damping * now.rate);
}

void EnvironmentContact::apply(Evaluation& at) {
  if (is_rigid() || at.d[0] == 0) return;
  const Meeting now = meeting(at);
  const Vec3<double> force = now.normal * push(now);
  push_body(at, at.model.frames[at_index(frame_)].body, now.point, force);
  if (surface_ >= 0)
    push_body(at, at.model.frames[at_index(surface_)].body, now.point, force * -1.0);
}

StoredEnergy EnvironmentContact::stored_energy(Evaluation& at) {
  if (at.d[0] == 0) return {};
  const Meeting now = meeting(at);
  return {settings_.stiffness * now.height * now.height / 2,
          settings_.stiffness * now.height * now.rate};
}

std::vector<EventSpec> EnvironmentContact::events() const {
  const bool hole = settings_.kind == EnvironmentKind::hole;
  const auto text = [&](const char* what) {
    return fmt::format("frame '{}' {} '{}'", settings_.frame, what, settings_.name);
  };
  const auto down = EventSpec::Crossing::falling, up = EventSpec::Crossing::rising;
  const auto released = is_rigid() && !hole ? EventSpec::Crossing::below : hole ? down : up;
  return {{text(hole ? "enters" : "meets"), hole ? up : down, EventSpec::Kind::act},
          {text("leaves"), released, EventSpec::Kind::act}};
}

// What cannot happen now stays away from zero. A rigid surface lets go where it would have to pull.
void EnvironmentContact::event_values(Evaluation& at, std::span<double> values) {
  const double height = meeting(at).height;
  const bool in_touch = at.d[0] != 0;
  if (settings_.kind == EnvironmentKind::hole) {
    values[touches] = in_touch ? -1 : height;
    values[leaves] = in_touch ? height : 1;
    return;
  }
  values[touches] = in_touch ? 1 : height;
  values[leaves] = is_rigid() ? (in_touch ? held(at).linear.z : 1) : in_touch ? height : -1;
}

EventOutcome EnvironmentContact::on_event(int event, Evaluation&, EventState state) {
  const double wanted = event == touches ? 1 : 0;
  if (state.d[0] == wanted) return EventOutcome::unlisted;
  state.d[0] = wanted;
  return EventOutcome::state_changed;
}

Force<double> EnvironmentContact::held(const Evaluation& at) const {
  if (!at.loops) return {};
  const Mechanism& all = at.loops->all();
  const std::span<const double> forces = at.loops->forces();
  for (int k = 0; k < all.loops.count(); ++k) {
    if (all.loops[k].name != name()) continue;
    Force<double> sum;
    const auto& closure = all.closures[k];
    for (int i = 0; i < closure.rows; ++i) {
      const double force = forces[at_index(closure.first_row + i)];
      const bool turn = i < closure.turns;
      // the axis of a surface is the last of the basis
      const int column = turn ? i : closure.slides == 1 ? 2 : i - closure.turns;
      (turn ? sum.angular : sum.linear) += closure.basis.column(column) * force;
    }
    return sum;
  }
  return {};
}

std::vector<Column> EnvironmentContact::columns() const {
  std::vector<Column> all;
  const std::string group = "Forces of environments";
  for (int i = 0; i < 6; ++i)
    all.push_back({fmt::format("{}.{}", name(), limber::name(static_cast<Functional>(i))),
                   i < 3 ? "m" : "rad", "Functional coordinates"});
  all.push_back({name() + ".in_contact", "", "In contact"});
  if (settings_.kind == EnvironmentKind::surface) all.push_back({name() + ".force", "N", group});
  else
    for (const char* axis : {"x", "y"}) {
      all.push_back({name() + ".f" + axis, "N", group});
      all.push_back({name() + ".m" + axis, "N m", group});
    }
  return all;
}

void EnvironmentContact::record(Evaluation& at, std::span<double> values) {
  FunctionalCoordinates& coordinates = coordinates_.front();
  coordinates.place(at.model, at.t, at.q, at.scratch);
  std::copy(coordinates.s.begin(), coordinates.s.end(), values.begin());
  values[6] = at.d[0];
  const Force<double> force = is_rigid() ? held(at) : Force<double>{};
  if (settings_.kind == EnvironmentKind::hole) {
    values[7] = force.linear.x;
    values[8] = force.angular.x;
    values[9] = force.linear.y;
    values[10] = force.angular.y;
    return;
  }
  values[7] = is_rigid() ? force.linear.z : at.d[0] != 0 ? push(meeting(at)) : 0;
}

}  // namespace limber
