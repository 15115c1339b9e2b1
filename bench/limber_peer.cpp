// Limber behind the interface of its peers.
#include <limber/limber.hpp>

#include "peer.hpp"

namespace limber::bench {

namespace {

class LimberPeer final : public Peer {
 public:
  LimberPeer(const Model& model, const PlainTree& tree, std::vector<RandomState> states)
      : model_(model),
        ws_(model_),
        states_(std::move(states)),
        x_(static_cast<std::size_t>(model.nv)),
        body_(model.body(tree.bodies.back().name)),
        frame_(model.frame(tree.bodies.back().name)) {}

  std::string name() const override { return "Limber"; }

  bool offers(Algorithm algorithm) const override {
    const bool forward = algorithm == Algorithm::forward_dynamics ||
                         algorithm == Algorithm::forward_by_mass_matrix ||
                         algorithm == Algorithm::factorize_and_solve;
    return !forward || model_.singular_reason.empty();
  }

  void run(Algorithm algorithm) override {
    switch (algorithm) {
      case Algorithm::inverse_dynamics:
        return each([&](const RandomState& s) {
          keep(inverse_dynamics(model_, s.q, s.v, s.a, ws_).data());
        });
      case Algorithm::mass_matrix:
        return each([&](const RandomState& s) { keep(mass_matrix(model_, s.q, ws_).values); });
      case Algorithm::forward_dynamics:
        return each([&](const RandomState& s) {
          keep(forward_dynamics(model_, s.q, s.v, s.tau, ws_).data());
        });
      case Algorithm::forward_by_mass_matrix:
        return each([&](const RandomState& s) {
          keep(forward_dynamics_by_mass_matrix(model_, s.q, s.v, s.tau, ws_).data());
        });
      case Algorithm::bias_forces:
        return each([&](const RandomState& s) { keep(bias_forces(model_, s.q, s.v, ws_).data()); });
      case Algorithm::gravity_forces:
        return each([&](const RandomState& s) { keep(gravity_forces(model_, s.q, ws_).data()); });
      case Algorithm::forward_kinematics:
        return each(
            [&](const RandomState& s) { keep(forward_kinematics(model_, s.q, ws_).X_W.data()); });
      case Algorithm::factorize_and_solve:
        mass_matrix(model_, states_.front().q, ws_);
        return each([&](const RandomState& s) { factorize_and_solve(s); });
      case Algorithm::jacobian:
        return each([&](const RandomState& s) { keep(last_jacobian(s).data); });
      case Algorithm::energy:
        return each([&](const RandomState& s) {
          const double sum =
              kinetic_energy(model_, s.q, s.v, ws_) + potential_energy(model_, s.q, ws_);
          keep(&sum);
        });
    }
  }

  std::vector<double> answer(Algorithm algorithm, int state) override {
    const RandomState& s = states_[static_cast<std::size_t>(state)];
    switch (algorithm) {
      case Algorithm::inverse_dynamics:
        return copy(inverse_dynamics(model_, s.q, s.v, s.a, ws_));
      case Algorithm::mass_matrix:
        return dense(mass_matrix(model_, s.q, ws_));
      case Algorithm::forward_dynamics:
        return copy(forward_dynamics(model_, s.q, s.v, s.tau, ws_));
      case Algorithm::forward_by_mass_matrix:
        return copy(forward_dynamics_by_mass_matrix(model_, s.q, s.v, s.tau, ws_));
      case Algorithm::bias_forces:
        return copy(bias_forces(model_, s.q, s.v, ws_));
      case Algorithm::gravity_forces:
        return copy(gravity_forces(model_, s.q, ws_));
      case Algorithm::forward_kinematics:
        return pose(s);
      case Algorithm::factorize_and_solve:
        mass_matrix(model_, s.q, ws_);
        factorize_and_solve(s);
        return x_;
      case Algorithm::jacobian: {
        const MatrixView<double> J = last_jacobian(s);
        return {J.data, J.data + J.rows * J.columns};
      }
      case Algorithm::energy:
        return {kinetic_energy(model_, s.q, s.v, ws_), potential_energy(model_, s.q, ws_)};
    }
    return {};
  }

 private:
  template <class F>
  void each(F&& f) {
    for (const RandomState& s : states_) f(s);
  }
  MatrixView<double> last_jacobian(const RandomState& s) {
    return jacobian(model_, s.q, frame_, Reference::world_aligned, ws_);
  }
  void factorize_and_solve(const RandomState& s) {
    x_ = s.tau;
    factorize(ws_.factor);
    solve(ws_.factor, std::span<double>(x_));
  }
  std::vector<double> pose(const RandomState& s) {
    const auto [R, p] = body_pose(model_, forward_kinematics(model_, s.q, ws_), body_);
    return {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz, p.x, p.y, p.z};
  }
  static std::vector<double> copy(std::span<const double> x) { return {x.begin(), x.end()}; }
  static std::vector<double> dense(const TreeMatrixView<double>& M) {
    std::vector<double> all;
    for (int i = 0; i < M.size; ++i)
      for (int j = 0; j < M.size; ++j) all.push_back(M(i, j));
    return all;
  }

  Model model_;
  Workspace ws_;
  std::vector<RandomState> states_;
  std::vector<double> x_;
  int body_, frame_;
};

}  // namespace

std::unique_ptr<Peer> make_limber(const Model& model, const PlainTree& tree,
                                  std::vector<RandomState> states) {
  return std::make_unique<LimberPeer>(model, tree, std::move(states));
}

}  // namespace limber::bench
