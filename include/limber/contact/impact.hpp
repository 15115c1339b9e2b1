#pragma once
// Impact: velocities change suddenly where bodies meet, in trees and closed mechanisms, with all
// the contacts and loops that are there. [RDA] §9.9
//
//   rows.place(…);  impact(rows, v, restitution, settings, solver, v_after);
//
// Compression ends when nothing approaches any more: Coulomb's problem with the velocities before
// (frictionless: [RDA] (9.74)-(9.76)). What follows is the law of restitution:
//
//   newton      each contact that approached leaves with e times its velocity, or faster
//   poisson     the normal impulse of decompression is e times that of compression, and more where
//               contacts would approach otherwise; [RDA] (9.77)-(9.83)
//   energetic   as poisson, with the impulses of decompression scaled together so that they give
//               back Σ e² of the work of compression (Stronge's coefficient)
//
// Friction: Coulomb's law for the impulses of each phase. With different coefficients, or with
// friction, newton and poisson can create energy. The result always says so; unless it is allowed,
// restitution is then reduced to the largest share that creates none. Where it contradicts other
// contacts (a body between two walls cannot leave one of them), a half of it or none is used.
#include <cstdint>
#include <span>

#include <limber/contact/cone_solver.hpp>
#include <limber/contact/contact_rows.hpp>

namespace limber {

/// What the coefficient of restitution relates.
enum class RestitutionLaw : std::uint8_t { newton, poisson, energetic };
/// All contacts at once, or one after the other, that which approaches fastest first. Three equal
/// balls in a row, one comes with speed 1, e = 1: (−1/3, 2/3, 2/3), or (0, 0, 1).
enum class ImpactOrder : std::uint8_t { simultaneous, sequential };
enum class EnergyGain : std::uint8_t { limited, allowed };

/// The law of an impact.
struct ImpactSettings {
  RestitutionLaw law = RestitutionLaw::poisson;
  ImpactOrder order = ImpactOrder::simultaneous;
  EnergyGain gain = EnergyGain::limited;
  /// Slower approaches [m/s] are no collisions: they end without restitution.
  double rest_speed = 1e-9;
  double tolerance = 1e-12;  ///< residual of the problems that are solved [m/s]
  int most_sweeps = 20000;
  int most_collisions = 10000;  ///< one after the other; those left then end together, with e = 0
};

/// What an impact did.
struct ImpactResult {
  int collisions = 0;  ///< contacts that approached; one after the other: impacts in all
  double energy = 0;   ///< what the contacts have given [J]; negative: lost
  /// The coefficients as they are would have created energy: a warning.
  bool would_create_energy = false;
  double energy_created = 0;     ///< how much they would have [J]
  double restitution_share = 1;  ///< how much of the restitution was used
  bool ended_together = false;   ///< most_collisions was reached
  double residual = 0;           ///< the largest of a problem [m/s]
  bool converged = true;
};

/// Scratch; one per thread.
struct ImpactSolver {
  ConeSolver cone;
  List<Vec3<double>> before, before_turn;  ///< velocities (contacts)
  List<Vec3<double>> total, total_turn, compressed, compressed_turn, after, after_turn;
  List<ContactIsland> islands;
  List<int> order;
  List<double> restitution;  ///< as far as it is used
};

/// problem.b: velocities before. On return problem.impulse, turn_impulse and z: of the whole
/// impact; problem.b as it was. restitution: one for each contact, 0 to 1 (throws Error for
/// others).
ImpactResult solve_impact(ContactProblem& problem, std::span<const double> restitution,
                          const ImpactSettings& settings, ImpactSolver& solver);

/// v_after (nv) of an impact at the place of rows.place(), whose contacts have targets of zero.
/// rows.impulse(), rows.loop_impulses(): the impulses.
ImpactResult impact(ContactRows& rows, In<double> v, std::span<const double> restitution,
                    const ImpactSettings& settings, ImpactSolver& solver, Out<double> v_after);

/// v_after (nv) of a sudden generalised impulse [N s or N m s] with the loops kept and no contact:
/// M (v_after − v) = impulse + Jᵀ λ. [RDA] (9.62), (9.63). factor: that of rows.place().
void apply_impulse(ContactRows& rows, const TreeFactor& factor, In<double> v, In<double> impulse,
                   Out<double> v_after);

}  // namespace limber
