#include <limber/sim/water_part.hpp>

#include <fmt/format.h>

namespace limber {

WaterPart::WaterPart(std::shared_ptr<const Water> water, std::vector<LinkHydrodynamics> links,
                     std::string name)
    : Part(std::move(name)), water_(std::move(water)), links_(std::move(links)) {
  if (!water_) throw Error("a part needs water; give it a Water");
  check_water(*water_);
}

void WaterPart::attach(Model& model) { loads_.emplace(model, links_); }

std::vector<InputSpec> WaterPart::inputs() const {
  std::vector<InputSpec> all;
  for (const char* axis : {"x", "y", "z"})
    all.push_back({fmt::format("current.{}", axis), "m/s", 0, -1e6, 1e6});
  return all;
}

Loads<double> WaterPart::loads_at(Evaluation& at) {
  return loads_->update(at.model, at.kinematics(), *water_, at.t, {}, at.more_current);
}

// from round to round of one evaluation nothing changes that they depend on
void WaterPart::apply(Evaluation& at) {
  if (at.round == 0) found_ = loads_at(at);
  const Loads<double>& found = found_;
  const std::span<Force<double>> forces = at.body_forces();
  const std::span<ArticulatedInertia<double>> inertias = at.body_inertia();
  for (std::size_t b = 1; b < forces.size(); ++b) {
    forces[b] += found.body_forces[b];
    inertias[b] += found.body_inertia[b];
  }
}

StoredEnergy WaterPart::stored_energy(Evaluation& at) {
  const double energy = loads_->still_energy(at.model, at.kinematics(), *water_);
  if (at.a.empty()) return {energy, 0};
  return {energy, loads_->still_energy_rate(at.model, at.accelerations(), *water_)};
}

std::vector<Column> WaterPart::columns() const {
  std::vector<Column> all;
  for (const LinkHydrodynamics& link : links_) {
    all.push_back({link.link + ".through_water", "m/s", "Speed through the water"});
    all.push_back({link.link + ".buoyancy", "N", "Buoyancy"});
    all.push_back({link.link + ".drag", "N", "Drag"});
    if (water_->level) all.push_back({link.link + ".wet", "", "Wet part"});
  }
  for (const char* axis : {"x", "y", "z"})
    all.push_back({fmt::format("{}.current.{}", name(), axis), "m/s", "Current"});
  if (!water_->waves.empty()) all.push_back({name() + ".surface", "m", "Surface of the water"});
  return all;
}

void WaterPart::record(Evaluation& at, std::span<double> values) {
  loads_at(at);
  std::size_t k = 0;
  for (const WaterLoads::LinkState& link : loads_->states()) {
    values[k++] = norm(link.relative_velocity.linear);
    values[k++] = norm(link.buoyancy.linear);
    values[k++] = norm(link.viscous.linear);
    if (water_->level) values[k++] = link.wet;
  }
  Vec3<double> current = at.more_current;
  if (water_->current) current += water_->current(at.t).velocity;
  for (int i = 0; i < 3; ++i) values[k++] = current[i];
  if (!water_->waves.empty()) values[k++] = water_->surface(0, 0, at.t);
}

}  // namespace limber
