#pragma once
// Part: what acts on a robot in a System: a drive, a controller, a force from outside, friction,
// and whatever a user adds. The System calls all parts through this one interface.
//
// A part may own continuous states z (integrated with the robot), discrete states d (changed only
// at samples and events) and inputs (changed only by Simulation::change()). Everything the motion
// depends on must be in q, v, z, d, the inputs and constants set before the run: members of a part
// that change during a run are scratch only. So a run can be copied, saved, continued and replayed
// bit for bit, and evaluated by several threads, each with its clone of the parts.
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <limber/dynamics/hybrid_dynamics.hpp>

namespace limber {

class LoopSet;
template <class T>
struct BasicMechanism;

/// The robot at one instant, and the places where a part writes what it contributes.
class Evaluation {
 public:
  /// The robot, with what its bodies carry at this instant: a constant. It is another object when
  /// they carry something else, so do not keep its address, nor use a MatrixWorkspace of another
  /// one, which has its inertias.
  const Model& model;
  double t = 0;                    ///< [s]
  std::span<const double> q, v;    ///< positions (nq), velocities (nv)
  std::span<const double> z, d;    ///< continuous and discrete states of the part that is called
  std::span<const double> inputs;  ///< of this part, as Part::inputs() lists them
  /// Accelerations (nv) and the generalised forces (nv) that belong to them: all that parts and
  /// prescribed motions apply, the joints' own damping and springs not included. Empty before the
  /// dynamics are known, that is in apply(), prescribe() and update().
  std::span<const double> a, joint_forces;
  /// Forces from outside on each body, in its own frame as in Loads: those of all parts and of
  /// closed loops, and of hard contacts as the last step had them. For parts with Part::feels();
  /// else empty, and as long as `a` is.
  std::span<const Force<double>> felt;
  /// The loops of the System, whose forces are known when `a` is; nullptr: there are none.
  const LoopSet* loops = nullptr;
  /// What Part::more_current() of all parts adds to the current of the water, the same everywhere:
  /// for every part that is in water; world axes. [m/s]
  Vec3<double> more_current;
  /// Whose accelerations are prescribed at this instant (nv); empty: none is.
  std::span<const Known> known;
  /// The robot with the loops that are closed now; nullptr: none is.
  const BasicMechanism<double>* closed = nullptr;

  /// Commands of controllers for drives (nv): written by parts with Role::control, read by drives,
  /// a force [N m or N] or in the drive's own unit (Part::command_unit). A freedom without a drive
  /// takes it as its force, cut off at its effort limit.
  std::span<double> command;
  /// Commands of controllers for the channels of all parts (Part::channels), zero before:
  /// controllers add theirs, by the places that Part::set_channels() was given.
  std::span<double> channels;
  /// Those for the part that is called.
  std::span<const double> own_channels;
  std::span<double> tau;      ///< generalised forces (nv) [N m or N]: add yours
  std::span<double> inertia;  ///< added to the diagonal of M (nv) [kg m² or kg]: add yours
  int round = 0;              ///< of dynamics at this instant, see Part::settled()
  /// Not 0: forces are wanted for a step of this length by an implicit method
  /// (MechanicalOde::step_rate): velocities at its end are v + step · a. Parts whose forces are
  /// stiff give those of the end, by settled(); others need not care. [s]
  double step = 0;
  /// For settled(): set where a part goes on although it has not settled. Such steps are counted
  /// (System::unsettled_steps()).
  bool gave_up = false;
  /// The method decides in its steps what sticks: parts with Part::decides_in_steps() have no
  /// events of sticking and slipping.
  bool decides_in_steps = false;
  /// Decisions wait for what hard contact does: Part::settled() is called for them later.
  bool decides_later = false;
  std::uint64_t seed = 0;  ///< of the run, for random numbers
  Workspace scratch;       ///< free for the part that is called

  /// Forces on each body, in its own frame as in Loads: add yours. Without a
  /// call the dynamics are computed without body forces.
  std::span<Force<double>> body_forces() {
    pushed_ = true;
    return body_forces_;
  }
  /// Inertia that is added to each body, as Loads::body_inertia: any symmetric 6×6 matrix in the
  /// user's body frame, without weight. Add yours. What it takes to move it is a force that
  /// resists: count its energy in Part::stored_energy(). Without a call the dynamics are computed
  /// without it. [kg m², kg m, kg]
  std::span<ArticulatedInertia<double>> body_inertia() {
    weighted_ = true;
    return body_inertia_;
  }
  /// The inertia that all parts have added so far at this instant, to freedoms and to bodies: for
  /// factorize() and mass_matrix().
  Loads<double> added_inertia() const {
    Loads<double> loads;
    loads.joint_inertia = inertia;
    if (weighted_) loads.body_inertia = body_inertia_;
    return loads;
  }
  /// Poses and velocities of all bodies, for frame_pose() and frame_velocity(); computed once per
  /// evaluation.
  const Velocities& kinematics();
  /// The same with accelerations, where `a` is known.
  const Accelerations& accelerations();

  explicit Evaluation(const Model& robot)
      : model(robot), scratch(robot), kinematics_(robot), accelerations_(robot) {}
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;

 private:
  friend class System;
  Velocities kinematics_;
  Accelerations accelerations_;
  bool placed_ = false, accelerated_ = false;
  std::span<Force<double>> body_forces_;
  std::span<ArticulatedInertia<double>> body_inertia_;
  bool pushed_ = false;    // body_forces() was called since they were zero
  bool weighted_ = false;  // and so was body_inertia()
};

/// Time, and what a part has that is constant between samples, events and changes.
struct PartInstant {
  double t = 0;                       ///< [s]
  std::span<const double> d, inputs;  ///< discrete states and inputs of the part
  double step = 0;                    ///< as Evaluation::step
  /// Of parts that decide in steps: what was decided in the last round of this step stays.
  bool keeps_decisions = false;
};

/// Where a part writes the motion that it prescribes.
struct GivenMotion {
  std::span<double> q, v;   ///< positions (nq), velocities (nv)
  std::span<Known> known;   ///< (nv): Known::acceleration for the freedoms that are prescribed now
  std::span<double> given;  ///< (nv): their accelerations

  /// The freedom is at rest where it is.
  void hold(int freedom) const {
    const auto k = static_cast<std::size_t>(freedom);
    v[k] = given[k] = 0;
    known[k] = Known::acceleration;
  }
  /// The freedom, which begins a step of h [s] with the velocity v_begin, is at rest at its end.
  void stop(int freedom, double v_begin, double h) const {
    const auto k = static_cast<std::size_t>(freedom);
    given[k] = -v_begin / h;
    known[k] = Known::acceleration;
  }
};

/// A number of a part that may be changed while a run goes on, by Simulation::change() alone.
struct InputSpec {
  std::string name;  ///< unique in the part, e.g. "voltage"; with the part's name "motor.voltage"
  std::string unit;  ///< e.g. "V"; empty: a plain number
  double value = 0;  ///< at the beginning of a run
  double lower = -HUGE_VAL, upper = HUGE_VAL;  ///< what it may be, both included
};

/// A command that a part takes beside those of freedoms: of a thruster, a fin, a pump.
struct ChannelSpec {
  std::string name;  ///< in messages
  std::string unit;  ///< of its command; empty: a plain number
};

class Part;
/// A channel of the System and its part; its place in a list is that of its command.
struct SystemChannel {
  const Part* part = nullptr;  ///< read it now: it may be another object later
  ChannelSpec spec;
};

/// What a part does. The System calls parts in this order.
enum class Role : std::uint8_t {
  control,  ///< writes commands
  drive,    ///< turns commands into forces
  world     ///< forces from outside, limits, friction
};

/// A value of a part that can be recorded.
struct Column {
  std::string name;   ///< e.g. "elbow.current"
  std::string unit;   ///< e.g. "A"; empty: a plain number
  std::string group;  ///< values of one group share a plot, e.g. "Currents"
};

/// A function of time and state whose zeros are located.
struct EventSpec {
  enum class Crossing : std::uint8_t {
    rising,
    falling,
    both,
    /// falls below zero, or is there already where the integration begins or begins anew: at the
    /// start, after a sample, after an event (kind `watch`: at the start only). Acting on it must
    /// bring it back to zero or above, or stop.
    below
  };
  std::string text;  ///< what has happened then, e.g. "joint 'elbow' reached its upper limit"
  Crossing crossing = Crossing::both;
  /// watch: the instant is listed and nothing else happens. act: the integration goes back to it
  /// and Part::on_event() is called.
  enum class Kind : std::uint8_t { watch, act };
  Kind kind = Kind::watch;
};

/// What an event of kind `act` did.
enum class EventOutcome : std::uint8_t {
  unlisted,       ///< the integration starts anew at this instant; the event is not listed
  state_changed,  ///< listed; the integration goes on from the state as it is now
  stop            ///< the simulation ends here
};

/// The state that an event may change; z and d are the part's own.
struct EventState {
  std::span<double> q, v, z, d;
};

/// Energy that a part keeps and gives back, as a spring does.
struct StoredEnergy {
  double energy = 0;  ///< [J]
  double rate = 0;    ///< its derivative in time [W]
};

/// Forces with which a part can hold a freedom fast [N m or N].
struct HoldingRange {
  double lower = -HUGE_VAL, upper = HUGE_VAL;
};

class Part {
 public:
  virtual ~Part() = default;
  /// An independent copy, as the copy constructor makes it: Systems and Simulations are copied by
  /// cloning their parts. Throws Error if the part owns something that cannot be copied.
  virtual std::unique_ptr<Part> clone() const = 0;

  /// Unique in the System; used in messages and names of columns.
  const std::string& name() const { return name_; }
  virtual Role role() const = 0;

  // --- before the run ---
  /// Called once when the part joins a System: the part may look up joints and frames by name
  /// (throwing Error) and change the numbers of the System's own copy of the model: armature,
  /// friction.
  virtual void attach(Model& /*model*/) {}
  /// The freedoms (indices into v) whose commands this part turns into forces.
  virtual std::span<const int> driven() const { return {}; }
  /// Drives: the unit in which they take commands, e.g. "V"; empty: forces [N m or N].
  virtual std::string command_unit() const { return {}; }
  /// Drives that take commands in a unit of their own: from now on commands are forces, which the
  /// drive turns into that unit by its nominal model. Called when a controller commands forces.
  /// Throws Error if the drive has no such model; so does this one.
  virtual void take_forces();
  /// Controllers: the freedoms (indices into v) that they command, and whether they command forces
  /// [N m or N] whatever the drive takes; else commands are in the drive's unit.
  virtual std::span<const int> commanded() const { return {}; }
  virtual bool commands_forces() const { return false; }
  /// Controllers: `drive` turns the commands for this freedom into forces.
  virtual void set_drive(int /*freedom*/, const Part& /*drive*/) {}
  /// Commands that this part takes beside those of freedoms; it finds them in
  /// Evaluation::own_channels. Role `drive`, so that controllers have written them before.
  virtual std::vector<ChannelSpec> channels() const { return {}; }
  /// Controllers: all channels of the System, by their places in Evaluation::channels. Called
  /// whenever a part has joined; the last call counts.
  virtual void set_channels(std::span<const SystemChannel> /*all*/) {}
  /// The freedoms (indices into v) whose motion this part may prescribe, by a law or by holding
  /// them fast. A freedom has at most one such part. Empty: prescribe() is never called.
  virtual std::span<const int> prescribed() const { return {}; }
  virtual int continuous_states() const { return 0; }
  virtual int discrete_states() const { return 0; }
  /// What may be changed during a run.
  virtual std::vector<InputSpec> inputs() const { return {}; }
  /// A continuous state of the part that is a speed; where a run diverges, the fastest is named.
  struct OwnSpeed {
    int state = 0;     ///< index into z
    double ratio = 1;  ///< what makes it a speed of the joint [rad/s or m/s]
    std::string name;  ///< e.g. "shaft 1 of the elastic drive of 'elbow'"
  };
  virtual std::vector<OwnSpeed> speeds() const { return {}; }
  /// Writes initial states for the robot's initial position and velocity; they are zero before.
  virtual void initialize(Evaluation& /*at*/, std::span<double> /*z*/, std::span<double> /*d*/) {}

  // --- samples: update() is called at 0, T, 2T, … ---
  /// Time between samples [s]; 0: the part is continuous and update() is never called.
  virtual double sample_time() const { return 0; }
  virtual void update(Evaluation& /*at*/, std::span<double> /*d*/) {}

  // --- every evaluation of the derivative; no allocation, no exception ---
  /// The motion of those freedoms of prescribed() that are prescribed at this instant: sets q, v
  /// and, for hybrid dynamics, known and given. What it leaves alone moves freely.
  virtual void prescribe(const PartInstant& /*at*/, const GivenMotion& /*motion*/) {}
  /// Of a freedom that the part holds fast by friction: between which forces joint_forces − tau may
  /// be without breaking loose; else whatever it takes. Loops let held freedoms share their forces
  /// in many ways; the System takes one that holds all of them, and where there is none, lets those
  /// break loose that together begin to move (joint_forces − tau is outside the range then).
  virtual HoldingRange holding_range(const Evaluation& /*at*/, int /*freedom*/) const { return {}; }
  /// True if add_inertia() may add anything.
  virtual bool carries() const { return false; }
  /// Adds what bodies carry with the part's discrete states and inputs (at.t is not given): one
  /// entry for each body, in canonical frames as Model::inertia. Called when discrete states or
  /// inputs may have changed. By how much an event of such a part changes the total energy counts
  /// as work.
  virtual void add_inertia(const PartInstant& /*at*/, std::span<Inertia<double>> /*bodies*/) const {
  }
  /// True if more_current() may differ from zero; only then it is called.
  virtual bool moves_water() const { return false; }
  /// A current by the part's discrete states and inputs, for Evaluation::more_current. [m/s]
  virtual Vec3<double> more_current(const PartInstant& /*at*/) const { return {}; }
  /// Adds commands, forces and inertias.
  virtual void apply(Evaluation& /*at*/) {}
  /// For forces that depend on the acceleration they cause (gears with losses): called after each
  /// round of dynamics with a and joint_forces known. False: apply() now gives other forces
  /// and the dynamics must be repeated. From round 8 on (at.round), settled() must return true.
  /// What is stored from round to round must be reset in round 0.
  virtual bool settled(Evaluation& /*at*/) { return true; }
  /// True if settled() may return false; only then it is called.
  virtual bool depends_on_acceleration() const { return false; }
  /// ż, with a and joint_forces known; in a step (Evaluation::step) its mean over the step.
  virtual void derivative(Evaluation& /*at*/, std::span<double> /*z_dot*/) {}
  /// True if settled() decides in a step (Evaluation::step) what events decide elsewhere;
  /// prescribe() is then called before each round. take_step() writes what was decided into the
  /// part's discrete states, when the step is taken.
  virtual bool decides_in_steps() const { return false; }
  virtual void take_step(std::span<double> /*d*/) {}

  // --- forces from outside ---
  /// True if the part reads Evaluation::felt.
  virtual bool feels() const { return false; }

  // --- energy ---
  /// True if stored_energy() may differ from zero; only then it is called.
  virtual bool stores_energy() const { return false; }
  /// Counts as potential energy of the System, and what the part's forces do with it is no work.
  virtual StoredEnergy stored_energy(Evaluation& /*at*/) { return {}; }

  // --- events ---
  virtual std::vector<EventSpec> events() const { return {}; }
  /// False: event_values() reads time, q, v, z and d alone; a and joint_forces may be unknown then.
  virtual bool events_need_dynamics() const { return true; }
  /// Values of the event functions, with a and joint_forces known.
  virtual void event_values(Evaluation& /*at*/, std::span<double> /*values*/) {}
  /// Handles an event of kind `act`: may change the state.
  virtual EventOutcome on_event(int /*event*/, Evaluation& /*at*/, EventState /*state*/) {
    return EventOutcome::state_changed;
  }

  /// True if its events may change velocities suddenly: by how much they change the total energy
  /// then counts as work.
  virtual bool gives_impulses() const { return false; }
  /// Of such a part: what its last event did beyond the text of the event; empty: nothing.
  virtual std::string event_note() const { return {}; }

  // --- loops ---
  /// Loops that the part closes and opens by its discrete states, as robot files describe them.
  virtual std::vector<LoopSpec> loops() const { return {}; }
  /// is_closed: which of them are closed with these discrete states (1 or 0); their frames, in
  /// canonical frames, may be moved. Called when discrete states may have changed. When an event of
  /// the part closes a loop, velocities change suddenly so that the loop stays closed; the energy
  /// that is lost counts as work.
  virtual void close_loops(const PartInstant& /*at*/, std::span<BasicLoop<double>> /*loops*/,
                           std::span<std::uint8_t> /*is_closed*/) const {}

  // --- recording ---
  virtual std::vector<Column> columns() const { return {}; }
  /// Values of the columns, with a and joint_forces known.
  virtual void record(Evaluation& /*at*/, std::span<double> /*values*/) {}

 protected:
  explicit Part(std::string name) : name_(std::move(name)) {}
  Part(const Part&) = default;
  Part& operator=(const Part&) = default;

 private:
  std::string name_;
};

}  // namespace limber
