#pragma once
// System: a robot (or several, as one model) and what acts on it, with one flat state and one
// derivative: x = (q, v, z of each part in order, work). `work` is the energy that everything but
// gravity, the joints' own springs and the parts that store energy has put into the mechanism since
// the beginning [J]: kinetic plus potential energy minus work stays constant, and how well it does
// is the integrator's error.
#include <optional>
#include <string_view>

#include <limber/constraint/assemble.hpp>
#include <limber/sim/loop_set.hpp>
#include <limber/sim/ode.hpp>
#include <limber/sim/part.hpp>

namespace limber {

/// Kinetic, potential (gravity, joint springs, Part::stored_energy), the work put in so far, and
/// total − work at the beginning of the run [J].
struct EnergyBalance {
  double kinetic = 0, potential = 0, work = 0, at_start = 0;
  double total() const { return kinetic + potential; }
  double error() const { return total() - work - at_start; }  ///< 0 but for the integrator's error
};

/// Functions throw Error for arrays of the wrong size and for events and parts that do not exist
/// (evaluate() and derivative() fail with that reason).
class System final : public MechanicalOde {
 public:
  explicit System(Model model);
  /// With constraints and moving targets that no file describes.
  explicit System(const Mechanism& mechanism);
  System(const System&);      ///< clones the parts
  System(System&&) noexcept;  ///< leaves a System that can only be destroyed
  System& operator=(const System&) = delete;
  ~System() override;

  /// Adds a part; before the first initial_state(). Throws Error if there is none, if its name is
  /// taken, if it has an absurd number of states, if its inputs make no sense, if a freedom would
  /// get a second drive or a second part that prescribes its motion, or if controllers and drive do
  /// not agree on what a command is. Parts of one role are called in the order in which they were
  /// added.
  Part& add(std::unique_ptr<Part> part);
  const std::vector<std::unique_ptr<Part>>& parts() const { return parts_; }
  const Part* find(std::string_view part_name) const;  ///< nullptr: there is none

  /// The tree of the robot's joints, with what parts changed of it when they joined (armature,
  /// friction). Constant from the first initial_state() on.
  const Model& model() const { return *model_; }
  /// The robot with what its bodies carry at this instant (Part::add_inertia): model() itself, or
  /// another constant model. The reference holds until the next evaluation.
  const Model& model_with_payloads() const { return at_->model; }
  /// What closes the loops of the robot; nullptr: it is a tree, and no part closes any.
  const LoopSet* loops() const { return loops_.get(); }
  /// How loops are kept closed. A rate of 0 lets Baumgarte's method do nothing.
  void keep_loops(const LoopSettings& settings);
  std::uint64_t seed = 0;
  /// What the energy error counts from: total − work at the beginning of the run [J]. Set by
  /// Simulation, which saves it with a run.
  double energy_at_start = 0;

  /// x for the robot at (q, v), and all discrete states, as the parts initialise them. Where the
  /// loops are open they are closed (small gaps) or assembled, and velocities are changed so that
  /// they stay closed: see notices(). Throws Error for wrong sizes, values that are not finite, and
  /// loops that cannot be closed, by their names.
  std::vector<double> initial_state(std::span<const double> q, std::span<const double> v);
  /// What initial_state() changed of the position and velocity that it was given.
  const std::vector<std::string>& notices() const { return notices_; }
  /// Steps of implicit_euler so far in which parts did not agree on their forces.
  int unsettled_steps() const { return unsettled_steps_; }
  /// How initial_state() assembled the loops; nothing where it did not have to.
  const std::optional<Assembly>& start_assembly() const { return start_assembly_; }

  // --- the differential equation ---
  int size() const override { return size_; }
  int positions() const override { return model_->nq; }
  int velocities() const override { return model_->nv; }
  int quadratures() const override { return 1; }  ///< work
  Evaluated derivative(double t, std::span<const double> x, std::span<double> x_dot) override;
  void project(double t, std::span<double> x) override;
  Evaluated stabilise(double t, std::span<double> x) override;
  std::unique_ptr<Ode> clone() const override;
  void copy_discrete(const Ode& other) override;
  void to_fixed_axes(std::span<const double> q, std::span<const double> v,
                     std::span<double> w) override;
  void from_fixed_axes(std::span<const double> q, std::span<const double> w,
                       std::span<double> v) override;
  void fixed_axes_rate(std::span<const double> q, std::span<const double> v,
                       std::span<const double> a, std::span<double> w_dot) override;
  void move(std::span<const double> q, std::span<const double> w, double dt,
            std::span<double> result) override;
  void momenta(std::span<const double> x, std::span<double> p) override;
  Evaluated velocities_from_momenta(std::span<const double> x, std::span<const double> p,
                                    std::span<double> v) override;
  Evaluated momentum_rate(double t, std::span<const double> x, std::span<double> p_dot,
                          std::span<double> z_dot) override;

  Evaluated step_rate(double t, std::span<const double> x, double h,
                      std::span<double> x_dot) override;
  void take_step() override;
  void decide_in_steps() override;

  // --- steps at velocity level (sim/time_stepping.hpp) ---
  /// ẋ at (t, x) without the forces of `left_out` (nullptr: with all), with the joints' damping as
  /// it is at the end of a step of h [s]: implicit. free_motion() is what it was computed with. The
  /// rates of positions and work are left zero.
  /// Where steps decide what sticks (decide_in_steps()), decisions are those of the discrete
  /// states, or those that stand since the last call of decide().
  enum class Decisions : std::uint8_t { anew, stand };
  Evaluated free_rate(double t, std::span<const double> x, double h, const Part* left_out,
                      std::span<double> x_dot, Decisions decisions = Decisions::anew);
  /// After free_rate() and what contacts have made of it: velocities v_free became v_after by the
  /// generalised impulse (nv each). Lets parts decide what sticks in the step; false: something
  /// else than free_rate() had.
  bool decide(std::span<const double> x, std::span<const double> v_free,
              std::span<const double> v_after, std::span<const double> impulse, double h);
  bool any_decisions() const { return decides_in_steps_ && !deciding_.empty(); }
  struct FreeMotion {
    const Model& model;            ///< with what it carries
    std::span<const double> q, v;  ///< on their manifold
    Loads<double> loads;           ///< inertia that parts and damping add
    std::span<const Known> known;  ///< empty: no motion is prescribed
    /// Of the parts: generalised forces (nv), and those on bodies (empty: none).
    std::span<const double> tau;
    std::span<const Force<double>> body_forces;
  };
  FreeMotion free_motion() const;
  /// Power of all that free_rate() had, at its positions and velocities v (nv), gravity and what
  /// stores energy left out [W]; before energies elsewhere are asked for.
  double free_power(std::span<const double> x, std::span<const double> v);
  /// Potential and stored energy at positions q (nq), with all else as it was at the last
  /// evaluation [J].
  double energy_at(std::span<const double> x, std::span<const double> q);
  /// The same with the kinetic energy, at the positions and velocities of x, which give the bodies
  /// this motion [J].
  double total_energy_at(std::span<const double> x, const Velocities& bodies);
  /// Whether parts keep energy or carry mass: energy depends on more than the motion of the bodies.
  bool stores_energy() const { return !storing_.empty() || !carrying_.empty(); }
  /// Whether forces may depend on the accelerations that they cause: gears with losses, and in
  /// steps that are implicit also contact and dry friction.
  bool settles() const { return !settling_.empty(); }
  /// The discrete states of one part, to be changed.
  std::span<double> discrete_of(const Part& part);
  std::span<const double> discrete_of(const Part& part) const;

  // --- one instant, for observers; they change nothing that a run depends on ---
  /// Computes everything at (t, x); the functions below then speak of this instant.
  Evaluated evaluate(double t, std::span<const double> x);
  /// Why an evaluation failed since forget_failure(), the last that did, with the part or the
  /// joint. Whatever a part throws ends here.
  const std::string& failure() const { return failure_; }
  /// True if it failed because a part threw something.
  bool part_threw() const { return part_threw_; }
  void forget_failure() {
    failure_.clear();
    part_threw_ = false;
  }
  std::span<const double> accelerations() const { return at_->a; }  ///< (nv) [rad/s² or m/s²]
  std::span<const double> joint_forces() const {
    return at_->joint_forces;
  }                                                                  ///< (nv), as in Evaluation
  std::span<const double> commands() const { return at_->command; }  ///< (nv)
  /// Forces of the parts on each body, in its frame as in Loads (bodies).
  std::span<const Force<double>> body_forces() const { return body_forces_; }
  /// Inertia that the parts add to each body, as in Loads (bodies); empty: none.
  std::span<const ArticulatedInertia<double>> body_inertia() const {
    return at_->weighted_ ? std::span<const ArticulatedInertia<double>>(body_inertia_)
                          : std::span<const ArticulatedInertia<double>>();
  }
  /// Adds what that inertia resists with, −(B a + v ×* B v), which is a force from outside.
  void add_inertia_forces(std::span<Force<double>> bodies) const;
  /// Adds the forces of the loops on bodies, in the same way.
  void add_loop_forces(std::span<Force<double>> bodies) const;
  /// The largest gap of a closed loop at this instant [m or rad]; 0 without loops.
  double loop_gap() const;
  EnergyBalance energy(std::span<const double> x) const;
  /// Power of everything but gravity and what stores energy [W]: the rate of `work`.
  double power() const { return power_; }

  /// Columns of all parts, in order, and their values at this instant.
  std::vector<Column> columns() const;
  void record(std::span<const double> x, std::span<double> values) const;

  // --- samples and events, at this instant; what a part throws comes as an Error that names it ---
  struct PartEvent {
    int part = 0, index = 0;
    EventSpec spec;
  };
  const std::vector<PartEvent>& events() const { return events_; }
  void event_values(std::span<const double> x, std::span<double> values);
  /// Makes (t, x) the instant that event_values() speaks of: by evaluate(), or without dynamics
  /// where no part's events need them.
  Evaluated place_events(double t, std::span<const double> x);
  /// Lets the part deal with its event at (t, x); x may change. Throws Error where the part closes
  /// a loop that is too far open.
  EventOutcome on_event(int event, double t, std::span<double> x);
  /// What the last event did beyond its text: "impulse 3.2 N s, 0.41 J lost"; empty: nothing.
  const std::string& event_note() const { return event_note_; }
  /// Lets a sampled part renew its discrete states at (t, x).
  void update(int part, double t, std::span<const double> x);

  /// A state that is a speed [rad/s or m/s at the joint]: x[index] · ratio.
  struct Speed {
    std::size_t index = 0;
    double ratio = 1;
    std::string name;  ///< "joint 'elbow'", "shaft 1 of the elastic drive of 'elbow'"
  };
  /// Those of all joints, also of joints that follow others, and those that parts have of their
  /// own.
  std::vector<Speed> speeds() const;
  /// Where the largest power of a joint force acts at this instant: "the drive of 'elbow'", "joint
  /// 'elbow'"; empty: nowhere.
  std::string place_of_largest_power() const;
  /// What x[index] is: "the velocity of 'elbow'", "a state of part 'drive'".
  std::string state_name(std::size_t index) const;

  /// Discrete states and inputs of all parts, in order: with x and t the whole state.
  std::span<const double> discrete() const { return discrete_; }
  std::span<double> discrete() {
    forget_instant();
    return discrete_;
  }
  std::span<const double> inputs() const { return inputs_; }
  std::span<double> inputs() {
    forget_instant();
    return inputs_;
  }
  /// What each input is, its name with that of its part: "motor.voltage".
  const std::vector<InputSpec>& input_specs() const { return input_specs_; }
  /// Names of all numbers of x but the work: NAME.position and NAME.velocity (NAME as in
  /// variables.hpp), PART.z[0], PART.z[1] …
  std::vector<std::string> variable_names() const;

 private:
  System(Model tree, std::unique_ptr<LoopSet> loops);
  void check_state(const char* function, std::span<const double> x) const;
  Evaluated implicit_rate(double t, std::span<const double> x, double h, const Part* left_out,
                          std::span<double> x_dot);
  struct Place {  // of a part's states in x, in the discrete states, inputs and channels
    std::size_t z = 0, z_count = 0, d = 0, d_count = 0, input = 0, input_count = 0;
    std::size_t channel = 0, channel_count = 0;
  };
  struct EventRange {  // of one part, among all events
    std::size_t part = 0, begin = 0, count = 0;
  };
  void check_freedoms(const Part& part, const char* verb,
                      std::span<const int> (Part::*freedoms)() const) const;
  struct Loss {  // damping and friction of one joint variable of the tree
    std::size_t freedom;
    double ratio, damping, forward, backward;
  };
  class OwnModel {  // the robot; nothing but attach() writes to it
   public:
    explicit OwnModel(Model model);
    OwnModel(const OwnModel& other) : model_(std::make_unique<Model>(*other.model_)) {}
    OwnModel(OwnModel&&) noexcept = default;
    const Model& operator*() const { return *model_; }
    const Model* operator->() const { return model_.get(); }
    void attach(Part& part);  // the part joins and changes its numbers of the robot

   private:
    std::unique_ptr<Model> model_;  // its address stays when the System is moved
  };
  void connect_commands(Part& added);
  void lay_out();
  std::vector<std::size_t> lay_out_channels();
  void begin_inputs();
  void connect();
  /// Nothing is known of any instant: discrete states have changed or are going to.
  void forget_instant() { evaluated_ = carried_known_ = false; }
  std::vector<InputSpec> checked_inputs(const Part& part) const;
  PartInstant instant(std::size_t k, double t) const;
  void find_carried();
  void find_payloads();
  void compute_with(std::shared_ptr<const Model> loaded);
  void prescribe(double t, const GivenMotion& motion);
  void set_instant(double t, std::span<const double> x);
  void set_part(std::size_t k, std::span<const double> x) const;
  void clear_contributions();
  void collect_contributions(std::span<const double> x);
  void run_dynamics();
  void find_felt(std::span<const double> x);
  void lay_out_loops();
  void find_closed_loops();
  std::string project_onto_loops(double t, std::span<double> q, std::span<double> v,
                                 const Loads<double>& loads);
  Evaluated hold_loops(double t, std::span<double> q, std::span<double> v);
  bool close_redundant_loops(double t);
  Loads<double> present_loads() const;
  void add_held(std::size_t part, std::span<const double> x);
  bool find_held(std::span<const double> x);
  void balance_held();
  void share_holding_forces();
  void settle_sticking(std::size_t part, double t, std::span<const double> x,
                       std::span<const Known> before);
  enum class Begun : std::uint8_t { as_given, assembled };
  Begun begin_on_loops(std::span<double> x);
  void assemble_start(const LoopSet::Gap& gap, std::span<double> q);
  std::string project_start(std::span<double> q, std::span<double> v);
  void initialize_parts(std::span<double> x);
  void close_at_event(std::size_t part, double t, std::span<double> x);
  bool everybody_settled(std::span<const double> x);
  double passive_loss() const;
  double applied_power();
  double inertia_power() const;
  StoredEnergy stored(std::span<const double> x) const;
  void note_exception();
  bool rates_are_finite(double t, std::span<const double> x, std::span<const double> x_dot);
  void blame_part(double t, std::span<const double> x);
  const Part* find_bad_part(double t, std::span<const double> x);
  std::string describe_rate(std::size_t k) const;
  void expect_numbers(const Part& part, const char* what, std::span<const double> values) const;

  OwnModel model_;
  std::shared_ptr<const Model> loaded_;       // model_ with what it carries; null: nothing
  std::unique_ptr<LoopSet> loops_;            // null: none
  std::vector<std::unique_ptr<Part>> parts_;  // in the order of their roles
  std::vector<Place> places_;
  std::vector<std::size_t> column_counts_;  // values that each part records
  std::vector<PartEvent> events_;
  std::vector<EventRange> event_ranges_;
  bool events_need_dynamics_ = false, decides_in_steps_ = false;
  std::vector<double> discrete_, inputs_;
  std::vector<InputSpec> input_specs_;
  std::vector<Loss> losses_;
  std::vector<int> undriven_;        // freedoms whose command is their force
  std::vector<std::size_t> column_;  // freedom → its column in the tree
  int size_ = 0;
  bool any_quaternion_ = false, turns_freely_ = false;
  // parts that need this call
  std::vector<std::size_t> prescribing_, settling_, carrying_, storing_, streaming_, deciding_;
  struct Closing {  // loops of one part, among those of all parts
    std::size_t part = 0, begin = 0, count = 0;
  };
  std::vector<Closing> closing_;
  std::vector<BasicLoop<double>> placed_;  // scratch: loops of parts, and whether they are closed
  std::vector<std::uint8_t> is_closed_;
  struct Held {  // a freedom that friction holds, at this instant
    std::size_t freedom = 0;
    HoldingRange range;
    double force = 0;    // that holds it
    double missing = 0;  // beyond it: not zero where it begins to move
  };
  std::vector<Held> held_;
  std::vector<double> held_forces_, held_a_;  // what joint_forces and a are then (nv)
  // parts whose freedom has passed rest at this instant: its rate, which rounding leaves, may still
  // have the old sign
  std::vector<std::size_t> passed_rest_;
  double passed_rest_t_ = -1;
  std::vector<std::string> notices_;
  int unsettled_steps_ = 0;
  std::optional<Assembly> start_assembly_;
  std::string event_note_;

  // scratch of one evaluation
  Workspace ws_;
  std::vector<double> place_;          // q, then v
  std::vector<double> contributions_;  // command, tau, inertia, channels, one after the other
  std::vector<double> given_, momentum_, x_dot_, decided_;
  std::vector<Known> known_;
  std::vector<Inertia<double>> inertia_;  // of the bodies, with what they carry
  bool carried_known_ = false;  // inertia_ and loops_ are those of the present discrete states
  std::vector<Force<double>> body_forces_;
  std::vector<ArticulatedInertia<double>> body_inertia_;
  std::vector<Force<double>> felt_;  // empty where no part feels
  bool inertia_added_ = false;       // by parts, at this instant
  const Part* left_out_ = nullptr;   // whose forces are not asked for
  double damped_step_ = 0;           // over which the joints' damping is implicit [s]
  bool decisions_stand_ = false;
  double power_ = 0;
  std::string failure_;
  bool part_threw_ = false;
  bool evaluated_ = false;  // at this instant, with the present discrete states:
  double evaluated_t_ = 0;
  std::vector<double> evaluated_x_;
  std::span<double> q_, v_;         // within place_
  std::unique_ptr<Evaluation> at_;  // of loaded_ or model_
};

}  // namespace limber
