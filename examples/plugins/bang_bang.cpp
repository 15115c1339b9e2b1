// A controller of one's own as a shared library: pushes each of its joints with full force towards
// a target until it is near. A scenario or load_controller() loads it.
#include <cmath>

#include <limber/control/plugin.hpp>
#include <limber/error.hpp>

class BangBang final : public limber::Controller {
 public:
  explicit BangBang(const limber::PluginSettings& settings)
      : Controller(settings),
        target_(settings.number("target", 0)),
        force_(settings.number("force", 1)),
        lead_(settings.number("lead", 0.1)),
        dead_zone_(settings.number("dead_zone", 0.01)) {
    if (!(force_ > 0)) throw limber::Error("bang-bang: force must be positive");
  }
  std::unique_ptr<Part> clone() const override { return std::make_unique<BangBang>(*this); }

 protected:
  void set_up(const limber::Model& model) override {
    for (const int k : freedoms())
      if (model.dof_q[static_cast<std::size_t>(k)] < 0)
        throw limber::Error("bang-bang: a joint has no single position; leave it out");
  }
  int own_states() const override { return 1; }  // how often it has pushed
  void control(const limber::Measurement& measured, std::span<double> command) override {
    for (std::size_t i = 0; i < command.size(); ++i) {
      const auto k = static_cast<std::size_t>(freedoms()[i]);
      const auto place = static_cast<std::size_t>(measured.model.dof_q[k]);
      const double ahead = measured.q[place] + lead_ * measured.v[k];
      if (std::abs(ahead - target_) < dead_zone_) continue;
      command[i] = ahead < target_ ? force_ : -force_;
      measured.states[0] += 1;
    }
  }

 private:
  double target_, force_, lead_, dead_zone_;
};

LIMBER_CONTROLLER(BangBang)
