// MuJoCo. Its free joint has the linear velocity first, in world axes, and the angular velocity in
// body axes; quaternions begin with w. Everything else has Limber's variables in Limber's order.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <limber/math/quat.hpp>

#include "mjcf.hpp"
#include "peer.hpp"

namespace limber::bench {

namespace {

struct ModelDeleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DataDeleter {
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using ModelPointer = std::unique_ptr<mjModel, ModelDeleter>;
using DataPointer = std::unique_ptr<mjData, DataDeleter>;

Vec3<double> vec3(const double* x) { return {x[0], x[1], x[2]}; }
void store(const Vec3<double>& a, double* x) {
  for (int k = 0; k < 3; ++k) x[k] = a[k];
}

// loads MJCF text through MuJoCo's file system in memory; on failure `error` says why
ModelPointer load_text(const std::string& text, std::string& error) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  char message[500] = "";
  ModelPointer model(mj_loadXML("robot.xml", files.get(), message, sizeof message));
  mj_deleteVFS(files.get());
  error = message;
  std::ranges::replace(error, '\n', ' ');
  error.erase(error.find_last_not_of(" .") + 1);
  return model;
}

class MujocoPeer final : public Peer {
 public:
  MujocoPeer(const PlainTree& tree, const std::vector<RandomState>& states, ModelPointer model)
      : tree_(tree), model_(std::move(model)), data_(mj_makeData(model_.get())) {
    for (const PlainBody& body : tree_.bodies)
      std::ranges::copy(body.armature, model_->dof_armature + body.v);
    mj_setConst(model_.get(), data_.get());
    for (const RandomState& s : states) states_.push_back(convert(s));
    buffer_.resize(static_cast<std::size_t>(tree_.nv));
    jacobian_.resize(6 * static_cast<std::size_t>(tree_.nv));
  }

  std::string name() const override { return "MuJoCo"; }

  // mj_rne always includes gravity and velocity, so there is no cheaper way to gravity alone
  bool offers(Algorithm algorithm) const override { return algorithm != Algorithm::gravity_forces; }

  void run(Algorithm algorithm) override {
    if (algorithm == Algorithm::factorize_and_solve) mass_matrix(states_.front());
    switch (algorithm) {
      case Algorithm::inverse_dynamics:
        return each(&MujocoPeer::inverse_dynamics);
      case Algorithm::mass_matrix:
        return each(&MujocoPeer::mass_matrix);
      case Algorithm::forward_dynamics:
      case Algorithm::forward_by_mass_matrix:
        return each(&MujocoPeer::forward_dynamics);
      case Algorithm::bias_forces:
        return each(&MujocoPeer::bias_forces);
      case Algorithm::forward_kinematics:
        return each(&MujocoPeer::kinematics);
      case Algorithm::factorize_and_solve:
        return each(&MujocoPeer::factorize_and_solve);
      case Algorithm::jacobian:
        return each(&MujocoPeer::jacobian);
      case Algorithm::energy:
        return each(&MujocoPeer::energy);
      default:
        throw Error("MuJoCo does not offer this algorithm");
    }
  }

  std::vector<double> answer(Algorithm algorithm, int state) override {
    const State& s = states_[static_cast<std::size_t>(state)];
    switch (algorithm) {
      case Algorithm::inverse_dynamics: {
        inverse_dynamics(s);
        for (std::size_t k = 0; k < buffer_.size(); ++k)
          buffer_[k] += model_->dof_armature[k] * s.a[k];
        return force_to_limber(s, buffer_.data());
      }
      case Algorithm::mass_matrix:
        mass_matrix(s);
        return dense_mass_matrix(s);
      case Algorithm::forward_dynamics:
      case Algorithm::forward_by_mass_matrix:
        forward_dynamics(s);
        return acceleration_to_limber(s);
      case Algorithm::bias_forces:
        bias_forces(s);
        return bias_to_limber(s);
      case Algorithm::forward_kinematics:
        kinematics(s);
        return tip_pose();
      case Algorithm::factorize_and_solve:
        return solve_limber_force(s);
      case Algorithm::jacobian:
        jacobian(s);
        return jacobian_to_limber(s);
      case Algorithm::energy:
        energy(s);
        return {data_->energy[1], data_->energy[0] + tree_.welded_potential};
      default:
        throw Error("MuJoCo does not offer this algorithm");
    }
  }

 private:
  struct State {
    std::vector<double> q, v, a, tau;
    std::vector<Mat3<double>> R;      // of each free joint: body to world
    std::vector<Vec3<double>> w_x_v;  // of each free joint: ω × v, body axes
  };

  template <class F>
  void each(F algorithm) {
    for (const State& s : states_) (this->*algorithm)(s);
    keep(data_.get());
  }

  // --- what is timed ---
  void set_q(const State& s) { std::memcpy(data_->qpos, s.q.data(), s.q.size() * sizeof(double)); }
  void set_v(const State& s) { std::memcpy(data_->qvel, s.v.data(), s.v.size() * sizeof(double)); }

  void kinematics(const State& s) {
    set_q(s);
    mj_kinematics(model_.get(), data_.get());
  }
  void mass_matrix(const State& s) {
    kinematics(s);
    mj_comPos(model_.get(), data_.get());
    mj_crb(model_.get(), data_.get());
  }
  void inverse_dynamics(const State& s) {
    set_v(s);
    std::memcpy(data_->qacc, s.a.data(), s.a.size() * sizeof(double));
    kinematics(s);
    mj_comPos(model_.get(), data_.get());
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 1, buffer_.data());
  }
  void bias_forces(const State& s) {
    set_v(s);
    kinematics(s);
    mj_comPos(model_.get(), data_.get());
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 0, data_->qfrc_bias);
  }
  void forward_dynamics(const State& s) {
    set_v(s);
    mass_matrix(s);
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 0, data_->qfrc_bias);
    for (std::size_t k = 0; k < buffer_.size(); ++k) buffer_[k] = s.tau[k] - data_->qfrc_bias[k];
    mj_factorM(model_.get(), data_.get());
    mj_solveM(model_.get(), data_.get(), data_->qacc, buffer_.data(), 1);
  }
  void factorize_and_solve(const State& s) {
    mj_factorM(model_.get(), data_.get());
    mj_solveM(model_.get(), data_.get(), data_->qacc, s.tau.data(), 1);
  }
  void jacobian(const State& s) {
    kinematics(s);
    mj_comPos(model_.get(), data_.get());
    double point[3];
    store(tip_point(), point);
    double* const angular = jacobian_.data();
    mj_jac(model_.get(), data_.get(), angular + 3 * tree_.nv, angular, point, last_body());
  }
  void energy(const State& s) {
    set_v(s);
    mass_matrix(s);
    mj_energyPos(model_.get(), data_.get());
    mj_energyVel(model_.get(), data_.get());
  }

  // --- conventions ---
  // MuJoCo has every joint's variables in the same places, so only quaternions and free joints
  // change
  State convert(const RandomState& from) const {
    State to{from.q, from.v, from.a, from.tau, {}, {}};
    for (const PlainBody& body : tree_.bodies) {
      double* const q = &to.q[static_cast<std::size_t>(body.q)];
      if (body.kind == JointKind::spherical) store_quat({q[0], q[1], q[2], q[3]}, q);
      if (body.kind == JointKind::free) convert_free(body, to);
    }
    return to;
  }

  static void convert_free(const PlainBody& body, State& s) {
    double* const q = &s.q[static_cast<std::size_t>(body.q)];
    const auto k = static_cast<std::size_t>(body.v);
    const Transform<double> pose =
        body.placement *
        Transform<double>{to_matrix(Quat<double>{q[3], q[4], q[5], q[6]}), vec3(q)};
    store(pose.p, q);
    store_quat(to_quat(pose.R), q + 3);
    const Vec3<double> w_x_v = cross(vec3(&s.v[k]), vec3(&s.v[k + 3]));
    store(vec3(&s.a[k + 3]) + w_x_v, &s.a[k + 3]);
    for (std::vector<double>* x : {&s.v, &s.a, &s.tau}) {
      const Vec3<double> angular = vec3(&(*x)[k]), linear = vec3(&(*x)[k + 3]);
      store(pose.R * linear, &(*x)[k]);
      store(angular, &(*x)[k + 3]);
    }
    s.R.push_back(pose.R);
    s.w_x_v.push_back(w_x_v);
  }

  static void store_quat(const Quat<double>& turn, double* out) {
    out[0] = turn.w;
    store(turn.vec(), out + 1);
  }

  // f(body, R, ω × v) for every body on a free joint
  template <class F>
  void for_free_joints(const State& s, F&& f) const {
    std::size_t i = 0;
    for (const PlainBody& body : tree_.bodies)
      if (body.kind == JointKind::free) {
        f(body, s.R[i], s.w_x_v[i]);
        ++i;
      }
  }

  // a row of nv numbers that multiplies velocities: forces, rows of M or J
  std::vector<double> force_to_limber(const State& s, const double* from) const {
    std::vector<double> to(from, from + tree_.nv);
    for_free_joints(s, [&](const PlainBody& body, const Mat3<double>& R, const Vec3<double>&) {
      double* const x = &to[static_cast<std::size_t>(body.v)];
      const Vec3<double> linear = transpose_times(R, vec3(x));
      store(vec3(x + 3), x);
      store(linear, x + 3);
    });
    return to;
  }

  std::vector<double> acceleration_to_limber(const State& s) const {
    // accelerations turn like forces, but for the rate of the body axes
    std::vector<double> a = force_to_limber(s, data_->qacc);
    for_free_joints(s, [&](const PlainBody& body, const Mat3<double>&, const Vec3<double>& w_x_v) {
      double* const linear = &a[static_cast<std::size_t>(body.v) + 3];
      store(vec3(linear) - w_x_v, linear);
    });
    return a;
  }

  // Limber's a = 0 keeps the velocity in body axes, MuJoCo's in world axes: the difference is M R
  // (ω × v)
  std::vector<double> bias_to_limber(const State& s) {
    std::vector<double> a(buffer_.size()), force(buffer_.size());
    for_free_joints(s,
                    [&](const PlainBody& body, const Mat3<double>& R, const Vec3<double>& w_x_v) {
                      store(R * w_x_v, &a[static_cast<std::size_t>(body.v)]);
                    });
    mj_crb(model_.get(), data_.get());
    mj_mulM(model_.get(), data_.get(), force.data(), a.data());
    for (std::size_t k = 0; k < force.size(); ++k) force[k] += data_->qfrc_bias[k];
    return force_to_limber(s, force.data());
  }

  std::vector<double> solve_limber_force(const State& s) {
    mass_matrix(s);
    factorize_and_solve(s);
    return force_to_limber(s, data_->qacc);
  }

  std::vector<double> dense_mass_matrix(const State& s) const {
    const auto n = static_cast<std::size_t>(tree_.nv);
    std::vector<double> M(n * n), half(n * n), column(n);
    mj_fullM(model_.get(), M.data(), data_->qM);
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<double> row = force_to_limber(s, &M[i * n]);
      for (std::size_t j = 0; j < n; ++j) half[j * n + i] = row[j];
    }
    for (std::size_t j = 0; j < n; ++j) {
      column = force_to_limber(s, &half[j * n]);
      std::ranges::copy(column, &M[j * n]);
    }
    return M;
  }

  std::vector<double> jacobian_to_limber(const State& s) const {
    const auto n = static_cast<std::size_t>(tree_.nv);
    std::vector<double> J;
    for (std::size_t row = 0; row < 6; ++row)
      for (double x : force_to_limber(s, &jacobian_[row * n])) J.push_back(x);
    return J;
  }

  int last_body() const { return model_->nbody - 1; }
  Transform<double> last_pose() const {
    const double* const R = data_->xmat + 9 * last_body();
    return {Mat3<double>::from_rows(vec3(R), vec3(R + 3), vec3(R + 6)),
            vec3(data_->xpos + 3 * last_body())};
  }
  Vec3<double> tip_point() const { return transform_point(last_pose(), tree_.tip.p); }
  std::vector<double> tip_pose() const {
    const auto [R, p] = last_pose() * tree_.tip;
    return {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz, p.x, p.y, p.z};
  }

  PlainTree tree_;
  ModelPointer model_;
  DataPointer data_;
  std::vector<State> states_;
  std::vector<double> buffer_, jacobian_;
};

std::string refusal(const PlainTree& tree) {
  const auto unknown = first_unknown_kind(
      tree, {JointKind::revolute, JointKind::prismatic, JointKind::cylindrical, JointKind::planar,
             JointKind::universal, JointKind::spherical, JointKind::translation, JointKind::free});
  if (unknown) return fmt::format("no {} joint", limber::name(*unknown));
  if (tree.has_mimic) return "no mimic joint without a constraint";
  const std::string massless = massless_body(tree);
  if (!massless.empty()) return fmt::format("body {} lacks mass or a moment of inertia", massless);
  for (const PlainBody& body : tree.bodies) {
    if (body.kind == JointKind::free && body.parent >= 0) return "free joint only at the world";
    if (body.kind == JointKind::planar && body.axis.z != 1) return "planar joint about z only";
  }
  return "";
}

}  // namespace

Entry make_mujoco(const PlainTree& tree, const std::vector<RandomState>& states) {
  Entry entry{nullptr, "MuJoCo", refusal(tree)};
  if (!entry.refusal.empty()) return entry;
  ModelPointer model = load_text(mjcf_text(tree), entry.refusal);
  if (model) entry.peer = std::make_unique<MujocoPeer>(tree, states, std::move(model));
  return entry;
}

}  // namespace limber::bench
