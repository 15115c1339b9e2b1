// A controller's library with faults, for tests: its settings say which, from t = `from` on.
#include <limits>
#include <stdexcept>

#include <limber/control/plugin.hpp>
#include <limber/error.hpp>

namespace {

class Faulty final : public limber::Controller {
 public:
  explicit Faulty(const limber::PluginSettings& settings)
      : Controller(settings),
        fault_(settings.text("fault", "")),
        from_(settings.number("from", 0)) {}
  std::unique_ptr<Part> clone() const override {
    if (fault_ == "no clone") return nullptr;
    return std::make_unique<Faulty>(*this);
  }

 protected:
  int own_states() const override {
    if (!sampled()) return 0;
    return fault_ == "negative states" ? -5 : fault_ == "many states" ? 2'000'000'000 : 1;
  }
  void control(const limber::Measurement& measured, std::span<double> command) override {
    command[0] = 1;
    if (measured.t < from_) return;
    if (fault_ == "int") throw 42;
    if (fault_ == "exception") throw std::out_of_range("index 7");
    if (fault_ == "error") throw limber::Error("no command can be given");
    if (fault_ == "nan") command[0] = std::numeric_limits<double>::quiet_NaN();
    if (fault_ == "nan state") measured.states[0] = std::numeric_limits<double>::quiet_NaN();
  }

 private:
  std::string fault_;
  double from_;
};

}  // namespace

extern "C" const limber::ControllerPlugin limber_controller;
const limber::ControllerPlugin limber_controller{
    limber::controller_plugin_version,
    [](const limber::PluginSettings& settings) -> limber::Controller* {
      const std::string fault = settings.text("fault", "");
      if (fault == "null") return nullptr;
      if (fault == "int when made") throw 42;
      if (fault == "exception when made") throw std::out_of_range("index 7");
      return new Faulty(settings);
    }};
