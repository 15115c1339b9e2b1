#include <limber/constraint/functional_coordinates.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/kinematics.hpp>

#include "index.hpp"

namespace limber {

namespace {

constexpr double least_cos_pitch = 1e-6;

Vec3<double> column(const std::vector<double>& J, std::size_t nv, std::size_t k, int first) {
  const auto at = [&](int i) { return J[at_index(first + i) * nv + k]; };
  return {at(0), at(1), at(2)};
}

}  // namespace

const char* name(Functional coordinate) {
  constexpr std::array<const char*, 6> names{"x", "y", "z", "roll", "pitch", "yaw"};
  return names[static_cast<std::size_t>(coordinate)];
}

std::vector<Functional> surface_constraint() { return {Functional::z}; }
std::vector<Functional> hole_constraint() {
  return {Functional::x, Functional::y, Functional::roll, Functional::pitch};
}

FunctionalCoordinates::FunctionalCoordinates(const Model& model, FunctionalSettings settings)
    : settings_(std::move(settings)), nv_(at_index(model.nv)) {
  frame_ = model.frame(settings_.frame);
  if (!settings_.surface.empty()) {
    if (settings_.motion)
      throw Error(fmt::format(
          "functional coordinates: the environment is on frame '{}' and has a given motion too; "
          "leave out one of them",
          settings_.surface));
    surface_ = model.frame(settings_.surface);
    if (model.frames[at_index(surface_)].body == model.frames[at_index(frame_)].body)
      throw Error(fmt::format(
          "functional coordinates: frames '{}' and '{}' are on the same body and do not move "
          "against each other",
          settings_.frame, settings_.surface));
  }
  std::array<bool, 6> held{};
  for (const Functional one : settings_.constrained) {
    bool& taken = held[static_cast<std::size_t>(one)];
    if (taken)
      throw Error(fmt::format("functional coordinates: '{}' is constrained twice", name(one)));
    taken = true;
  }
  for (int i = 0; i < 6; ++i) (held[at_index(i)] ? constrained_ : free_).push_back(i);
  if (constrained_.empty())
    throw Error(
        "functional coordinates: none is constrained; name one or more of x, y, z, roll, "
        "pitch, yaw");
  if (free_.empty())
    throw Error(
        "functional coordinates: all six are constrained, and no direction is free; a "
        "frame that cannot move is a weld");
  for (auto* values : {&J, &J_tool_, &J_environment_}) values->assign(6 * nv_, 0.0);
}

void FunctionalCoordinates::find_pose(const Model& model, double t, const Poses& bodies) {
  tool_ = frame_pose(model, bodies, frame_);
  given_ = settings_.motion ? settings_.motion(t) : EnvironmentMotion{settings_.placement};
  environment_ =
      surface_ >= 0 ? frame_pose(model, bodies, surface_) * settings_.placement : given_.pose;
  const Vec3<double> p = transpose_times(environment_.R, tool_.p - environment_.p);
  const Mat3<double> R = transpose(environment_.R) * tool_.R;
  sin_pitch_ = -R.row(2).x;
  cos_pitch_ = std::hypot(R.row(2).y, R.row(2).z);
  const double yaw = std::atan2(R.row(1).x, R.row(0).x);
  s = {p.x, p.y, p.z, std::atan2(R.row(2).y, R.row(2).z), std::atan2(sin_pitch_, cos_pitch_), yaw};
  cos_yaw_ = std::cos(yaw);
  sin_yaw_ = std::sin(yaw);
}

void FunctionalCoordinates::place(const Model& model, double t, std::span<const double> q,
                                  Workspace& ws) {
  find_pose(model, t, forward_kinematics<double>(model, q, ws));
}

// With r = p_T − p_E in world axes: p = R_Eᵀ r, ṗ = R_Eᵀ (ṙ − ω_E × r); the angles' rates follow
// from R_Eᵀ (ω_T − ω_E) = E(angles) (roll′, pitch′, yaw′).
void FunctionalCoordinates::compute(const Model& model, double t, std::span<const double> q,
                                    std::span<const double> v, Workspace& ws) {
  constexpr auto world = Reference::world_aligned;
  const Velocities& bodies = forward_kinematics<double>(model, q, v, ws);
  find_pose(model, t, bodies);
  if (!(cos_pitch_ > least_cos_pitch))
    throw Error(fmt::format(
        "functional coordinates of frame '{}': its x axis is along the environment's z axis (pitch "
        "±90°), where roll and yaw do not exist; turn one of the frames",
        settings_.frame));
  const Vec3<double> r = tool_.p - environment_.p;
  const Motion<double> tool_velocity = frame_velocity(model, bodies, frame_, world);
  Motion<double> velocity = given_.velocity, acceleration = given_.acceleration;
  Vec3<double> offset;  // of the environment's origin from that of its frame
  if (surface_ >= 0) {
    velocity = frame_velocity(model, bodies, surface_, world);
    offset = environment_.p - frame_pose(model, bodies, surface_).p;
    acceleration = jacobian_dot_times_v<double>(model, q, v, surface_, world, ws);
    acceleration.linear += cross(acceleration.angular, offset) +
                           cross(velocity.angular, cross(velocity.angular, offset));
    velocity.linear += cross(velocity.angular, offset);
    jacobian<double>(model, q, surface_, world, ws, J_environment_);
  }
  const Motion<double> tool_bias = jacobian_dot_times_v<double>(model, q, v, frame_, world, ws);
  jacobian<double>(model, q, frame_, world, ws, J_tool_);

  const auto to_rates = [&](const Vec3<double>& turn) {  // E⁻¹
    const double about = cos_yaw_ * turn.x + sin_yaw_ * turn.y;
    return Vec3<double>{about / cos_pitch_, cos_yaw_ * turn.y - sin_yaw_ * turn.x,
                        turn.z + sin_pitch_ / cos_pitch_ * about};
  };
  const auto in_environment = [&](const Vec3<double>& w) {
    return transpose_times(environment_.R, w);
  };
  const auto write = [](std::array<double, 6>& out, const Vec3<double>& p,
                        const Vec3<double>& angles) {
    out = {p.x, p.y, p.z, angles.x, angles.y, angles.z};
  };
  const Vec3<double>&w_E = velocity.angular, &w_T = tool_velocity.angular;
  const Vec3<double> slide = tool_velocity.linear - velocity.linear - cross(w_E, r);
  const Vec3<double> angles = to_rates(in_environment(w_T - w_E));
  write(rate, in_environment(slide), angles);
  write(drift, {}, {});
  if (surface_ < 0)
    write(drift, in_environment((velocity.linear + cross(w_E, r)) * -1.0),
          to_rates(in_environment(w_E) * -1.0));

  // s̈ at q̈ = 0: acceleration seen from axes that turn with ω_E, and E⁻¹ (… − Ė angles′)
  const Vec3<double> p_bias = tool_bias.linear - acceleration.linear -
                              cross(acceleration.angular, r) - cross(w_E, cross(w_E, r)) -
                              cross(w_E, slide) * 2.0;
  const Vec3<double> turn_bias =
      in_environment(tool_bias.angular - acceleration.angular - cross(w_E, w_T));
  const double roll = angles.x, pitch = angles.y, yaw = angles.z;
  const Vec3<double> E_dot{
      -roll * (sin_yaw_ * cos_pitch_ * yaw + cos_yaw_ * sin_pitch_ * pitch) -
          pitch * cos_yaw_ * yaw,
      roll * (cos_yaw_ * cos_pitch_ * yaw - sin_yaw_ * sin_pitch_ * pitch) - pitch * sin_yaw_ * yaw,
      -roll * cos_pitch_ * pitch};
  write(bias, in_environment(p_bias), to_rates(turn_bias - E_dot));

  for (std::size_t k = 0; k < nv_; ++k) {
    const Vec3<double> turn_T = column(J_tool_, nv_, k, 0),
                       turn_E = column(J_environment_, nv_, k, 0);
    const Vec3<double> slide_E = column(J_environment_, nv_, k, 3) + cross(turn_E, offset + r);
    const Vec3<double> p = in_environment(column(J_tool_, nv_, k, 3) - slide_E);
    const Vec3<double> a = to_rates(in_environment(turn_T - turn_E));
    for (int i = 0; i < 3; ++i) {
      J[at_index(i) * nv_ + k] = p[i];
      J[at_index(i + 3) * nv_ + k] = a[i];
    }
  }
}

CustomConstraint functional_constraint(const Model& model, const FunctionalSettings& settings,
                                       std::string constraint_name) {
  struct State {
    Model model;
    FunctionalCoordinates coordinates;
    Workspace ws;
  };
  auto state = std::make_shared<State>(
      State{model, FunctionalCoordinates(model, settings), Workspace(model)});
  CustomConstraint made;
  made.name = std::move(constraint_name);
  made.rows = static_cast<int>(state->coordinates.constrained().size());
  made.compute = [state](double t, std::span<const double> q, std::span<const double> v,
                         const CustomRows& out) {
    FunctionalCoordinates& c = state->coordinates;
    c.compute(state->model, t, q, v, state->ws);
    const std::size_t nv = v.size();
    for (std::size_t i = 0; i < c.constrained().size(); ++i) {
      const std::size_t k = at_index(c.constrained()[i]);
      out.gap[i] = c.s[k];
      out.rate[i] = c.drift[k];
      out.bias[i] = c.bias[k];
      std::copy_n(c.row(c.constrained()[i]).begin(), nv,
                  out.J.begin() + static_cast<std::ptrdiff_t>(i * nv));
    }
  };
  return made;
}

}  // namespace limber
