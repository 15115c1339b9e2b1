#pragma once
// WaterPart: water around the robots of a System: added mass, buoyancy, drag, currents and waves
// (fluid/water_loads.hpp) as one part. docs/water.md has the equations.
#include <optional>

#include <limber/fluid/water_loads.hpp>
#include <limber/sim/part.hpp>

namespace limber {

/// Inputs: NAME.current.x, .y and .z, a current that is the same everywhere and is added to those
/// of the Water, world axes [m/s]. A change takes effect at once and without an impulse, for all
/// parts of the System that are in water (Evaluation::more_current).
///
/// Energy: what the water would have at rest below a flat surface is stored
/// (WaterLoads::still_energy()); drag and what currents and waves do is work.
class WaterPart final : public Part {
 public:
  /// Throws Error as check_water(), and for a Water that is missing.
  WaterPart(std::shared_ptr<const Water> water, std::vector<LinkHydrodynamics> links,
            std::string name = "water");
  std::unique_ptr<Part> clone() const override { return std::make_unique<WaterPart>(*this); }

  const std::shared_ptr<const Water>& water() const { return water_; }
  const std::vector<LinkHydrodynamics>& links() const { return links_; }

  Role role() const override { return Role::world; }
  void attach(Model& model) override;
  std::vector<InputSpec> inputs() const override;
  bool moves_water() const override { return true; }
  Vec3<double> more_current(const PartInstant& at) const override {
    return {at.inputs[0], at.inputs[1], at.inputs[2]};
  }
  void apply(Evaluation& at) override;
  bool stores_energy() const override { return true; }
  StoredEnergy stored_energy(Evaluation& at) override;
  /// Of each link LINK.through_water [m/s], LINK.buoyancy [N], LINK.drag [N] (sizes of the forces),
  /// with a surface LINK.wet (0 to 1); NAME.current.x, .y, .z [m/s]: that which is the same
  /// everywhere; with waves NAME.surface, its height above the world's origin [m].
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;

 private:
  Loads<double> loads_at(Evaluation& at);

  std::shared_ptr<const Water> water_;
  std::vector<LinkHydrodynamics> links_;
  std::optional<WaterLoads> loads_;  // made by attach(); changes with every evaluation
  Loads<double> found_;              // of the present evaluation
};

}  // namespace limber
