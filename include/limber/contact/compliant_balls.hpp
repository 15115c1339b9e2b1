#pragma once
// Balls of a robot that may press on planes of the world, as the points of a sole do: compliant
// contact (compliant_contact.hpp) of all of them in one pass over the bodies that carry them, many
// balls at once and without a search. Forces, rates and energies are those of one contact per ball,
// with the states stretch and twist.
#include <span>
#include <vector>

#include <limber/contact/compliant_contact.hpp>
#include <limber/model/body_motion.hpp>
#include <limber/model/tree_matrix.hpp>
#include <limber/spatial/articulated.hpp>

namespace limber {

/// A ball and the plane that it may touch.
struct BallOnPlane {
  int body = 0;                  ///< of the model, that carries the ball; not the world
  Vec3<double> center;           ///< in the body's canonical frame [m]
  double radius = 0;             ///< [m]
  Vec3<double> normal{0, 0, 1};  ///< of the plane, unit, world axes: out of the ground
  double height = 0;             ///< of the plane above the world's origin, along the normal [m]
  double friction = 1;           ///< at rest [1]
  double sliding_friction = 1;   ///< [1]
  double torsion = 0;            ///< moment about the normal over the normal force [m]
  int state = 0;                 ///< where its four states begin
};

/// The laws of all contacts.
struct CompliantLaws {
  NormalLaw normal{};
  FrictionLaw tangential{};
  double transition_speed = 1e-3;  ///< from friction at rest to sliding friction [m/s]
};

/// Compliant contact of many balls with planes of the world, in lanes.
class CompliantBalls {
 public:
  static constexpr int states = 4;  ///< of a ball: stretch in world axes [m], twist [rad]

  CompliantBalls() = default;
  /// Throws Error for balls that nothing moves.
  CompliantBalls(std::span<const BallOnPlane> balls, const CompliantLaws& laws);
  bool empty() const { return blocks_.empty(); }

  /// What the planes do to the balls, where their states are z. True if some ball touches. No
  /// allocation.
  bool press(const Model& model, const Velocities& bodies, std::span<const double> z);
  /// The same over an implicit step of h [s] (compliant_contact.hpp), at whose end the bodies have
  /// the velocities `after` (by body, as bodies.v): forces are those of the end, rates and energies
  /// are means over the step, in which bodies move with `after`.
  bool press_over_step(const Model& model, const Velocities& bodies,
                       std::span<const Motion<double>> after, std::span<const double> z, double h,
                       SlidingImpedance sliding = SlidingImpedance::secant);
  /// Of the last press_over_step(): calls use(body, force, impedance) for each body and plane that
  /// touch. impedance: how the force falls as the velocity at the end grows. Both as Loads.
  template <class Use>
  void for_each_press(Use use) const {
    for (const Block& block : blocks_)
      for (std::size_t l = block.body;
           block.touches && l < block.body + static_cast<std::size_t>(block.count); ++l)
        use(body_[l], force_[l], impedance_[l]);
  }
  /// Of the last press(): adds the forces to body_forces (as Loads::body_forces).
  void add_forces(std::span<Force<double>> body_forces) const;
  /// Of the last press(): the rates of the balls' states. Springs of balls that are apart relax.
  void rates(std::span<const double> z, std::span<double> z_dot) const;
  /// Of the last press(): energy in springs [J], its rate [W], and power that is lost [W].
  struct Energies {
    double stored = 0, stored_rate = 0, lost = 0;
  };
  const Energies& energies() const { return energies_; }

 private:
  struct Row {                // a ball of each lane
    bool slips_alike = true;  // friction at rest and sliding friction are the same
    bool has_torsion = false;
    bool touches = false;  // of the last press()
  };
  struct Block {               // bodies above their planes that are computed at once, a lane each
    int lanes = 0, count = 0;  // count: without those that fill it up
    std::size_t body = 0;      // where those of the lanes begin
    std::size_t first = 0, end = 0;       // of rows_
    std::size_t numbers = 0, places = 0;  // of planes and balls; of the balls' states
    bool touches = false;                 // of the last press()
  };
  struct Ball {  // where its state and its rates are
    int state = 0, lanes = 0;
    std::size_t row = 0, rates = 0;
  };
  template <int N>
  struct Bodies;
  void add_block(std::span<const std::span<const BallOnPlane>> lanes);
  template <bool over_step>
  bool press_all(const Model& model, const Velocities& bodies,
                 std::span<const Motion<double>> after, std::span<const double> z);
  template <int N, bool over_step>
  void press_block(const Model& model, Block& block, const Velocities& bodies,
                   std::span<const Motion<double>> after, std::span<const double> z);
  template <int N>
  void press_row(Row& row, const double* numbers, const int* places, double* rates,
                 std::span<const double> z, Bodies<N>& on) const;
  template <int N>
  void step_row(Row& row, const double* numbers, const int* places, double* rates,
                std::span<const double> z, Bodies<N>& on) const;
  double relaxation() const;

  CompliantLaws laws_;
  double step_ = 0;  // of the last press_over_step(); 0: press() was the last
  SlidingImpedance sliding_ = SlidingImpedance::secant;
  std::vector<Block> blocks_;
  std::vector<Row> rows_;
  std::vector<Ball> balls_;
  std::vector<int> body_;             // of each lane
  std::vector<Force<double>> force_;  // on it, in the user's frame
  std::vector<ArticulatedInertia<double>> impedance_;
  AlignedVector<double> numbers_;  // of each block: those of the planes, then row after row
  std::vector<int> place_;         // of each lane of a row: where its states begin
  AlignedVector<double> rates_;    // of each row
  Energies energies_;
};

}  // namespace limber
