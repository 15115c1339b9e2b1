#pragma once
// Recording: what a run leaves behind: a table with one row per record.
#include <functional>

#include <limber/sim/simulation.hpp>

namespace limber {

/// What is recorded besides time, and what the parts of the system offer.
struct RecordChoice {
  bool velocities = true, accelerations = false, forces = true, energy = true;
  bool momentum = false;            ///< linear and angular, about the centre of mass, world axes
  bool center_of_mass = false;      ///< in the world
  bool loops = true;                ///< forces of their rows, and the largest gap
  std::vector<std::string> frames;  ///< positions of these frames in the world
  /// Velocities and accelerations of these frames: of their origins and angular, world axes. The
  /// acceleration is the ordinary one (classical), without gravity.
  std::vector<std::string> frame_velocities{}, frame_accelerations{};
  /// Joints whose reactions are recorded: the whole force (bearing and drive) that the joint
  /// transmits to the link that it carries, in the axes of this link's frame, and the moment about
  /// this frame's origin. `all` stands for all joints that move.
  std::vector<std::string> reactions{};
  /// Forces of parts and of loops on each body, in its frame as in Loads, for an analysis: columns
  /// "load on BODY.mx" … fz, which are not drawn.
  bool body_loads = false;
};

/// The bodies that these joints carry; `all`: those of all joints that move. Throws Error with the
/// nearest name for joints that do not exist or are fixed.
std::vector<int> reaction_bodies(const Model& model, const std::vector<std::string>& joints);

/// A table in memory; rows are complete.
struct Recording {
  std::vector<Column> columns;
  std::vector<double> values;  ///< row by row
  std::string notice{};        ///< of a reader: what it left out; else empty

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  std::span<const double> row(std::size_t k) const {
    return std::span(values).subspan(k * columns.size(), columns.size());
  }
  /// The index of a column. Throws Error with the nearest name.
  std::size_t column(std::string_view name) const;
  /// All values of one column.
  std::vector<double> series(std::string_view name) const;
};

/// Makes the rows. Columns, in order: time; NAME.position of q; NAME.velocity, NAME.acceleration
/// and NAME.force of v (as Evaluation::joint_forces has them); kinetic_energy, potential_energy,
/// total_energy, work, energy_error (EnergyBalance::error), power; momentum;
/// center_of_mass; positions of frames: FRAME.x, .y, .z; FRAME.velocity.x … and
/// FRAME.angular_velocity.x …; FRAME.acceleration.x … and FRAME.angular_acceleration.x …;
/// JOINT.reaction.fx … [N] and JOINT.reaction.mx … [N m]; loop_gap [m or rad], LOOP.force.x … [N]
/// and LOOP.moment.x … [N m], in the axes of the loop's rows (mechanism.hpp), and of loops of parts
/// LOOP.pull.x … [N], the force on body b in world axes; the columns of the parts. NAME is that of
/// variables.hpp.
class Recorder {
 public:
  /// Throws Error for frames and joints that do not exist.
  Recorder(const System& system, const RecordChoice& choice);

  const std::vector<Column>& columns() const { return columns_; }
  /// The row at (t, x) of a system like that of the constructor, whose evaluate(t, x) has been
  /// called. Valid until the next call.
  std::span<const double> row(const System& system, double t, std::span<const double> x);

 private:
  void add(const std::string& name, const std::string& unit, const std::string& group);
  void add_vector(const std::string& name, const char* unit, const char* group);
  void add_frames(const Model& model);
  void add_reactions(const Model& model);
  void add_loops(const LoopSet& loops);
  void find_body_loads(const System& system);
  // what is recorded of an instant
  struct Instant {
    const System& system;
    std::span<const double> q, v;
  };
  double* put_momentum(const Instant& at, double* out);
  double* put_reactions(const Instant& at, double* out);
  double* put_body_loads(const System& system, double* out);
  double* put_frames(const Instant& at, double* out);

  RecordChoice choice_;
  std::vector<int> frames_, moving_frames_, accelerated_frames_;
  std::vector<int> reactions_;  // bodies that the joints carry
  std::vector<Column> columns_;
  std::vector<double> row_;
  std::vector<Force<double>> body_forces_;
  std::size_t part_columns_ = 0;
  Workspace ws_;
  Accelerations bodies_;
};

}  // namespace limber
