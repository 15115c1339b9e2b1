#pragma once
// The loops of a controller's model: forces of the freedoms that it commands, where the loops carry
// others along.
#include <optional>

#include <limber/constraint/closed_dynamics.hpp>

namespace limber {

/// Dynamics of a controller's model with its loops closed. Freedoms that loops move and that the
/// controller does not command are free of force (passive): the loops determine their motion.
class KnownLoops {
 public:
  KnownLoops() = default;
  /// limits: the largest force of each commanded freedom. A model without loops needs none of this:
  /// any() is false.
  KnownLoops(const Model& model, std::span<const int> commanded, std::span<const double> limits);

  bool any() const { return mechanism_.has_value(); }
  /// Whether the loops decide about this freedom.
  bool is_passive(int freedom) const {
    return any() && passive_[static_cast<std::size_t>(freedom)] != 0;
  }
  /// The model with its loops open; the model itself if it has none.
  const Model& tree(const Model& model);
  /// The rows of the loops at (t, q, v).
  const LoopRows& rows(const Model& model, double t, std::span<const double> q,
                       std::span<const double> v);

  /// Positions and velocities that close the loops: those of passive freedoms begin at `near` (nq)
  /// and follow the others, which move only where the loops do not close otherwise.
  void close(const Model& model, double t, std::span<const double> near, std::span<double> q,
             std::span<double> v);
  /// Generalised forces (nv) for accelerations `given`, where `known` (nv) says so; other freedoms
  /// are free of force. Unique unless more freedoms are commanded than the loops let move by
  /// themselves: then the nearest accelerations that the loops allow, and the forces with the
  /// smallest sum of squares, within the limits where that is possible (which allocates, and throws
  /// Error where no forces of the commanded freedoms do it).
  std::span<const double> forces(const Model& model, double t, std::span<const double> q,
                                 std::span<const double> v, std::span<const Known> known,
                                 std::span<const double> given);

 private:
  struct Shared {  // forces of more freedoms than needed
    std::span<const double> q, v;
    std::span<const double> given;
  };
  void share_forces(double t, const Shared& at);

  std::optional<Mechanism> mechanism_;
  std::optional<ClosedDynamics> closed_;
  std::vector<int> commanded_;
  std::vector<double> limits_;
  std::vector<char> passive_;        // (nv)
  std::vector<char> passive_place_;  // (nq)
  std::vector<Known> held_;          // all but the passive ones
  std::vector<double> tau_, q_, v_;  // scratch
};

}  // namespace limber
