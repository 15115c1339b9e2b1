#pragma once
// Contacts: what bodies do to each other and to their surroundings where they touch. One part owns
// all pairs of shapes, so that contacts of one instant are one problem.
//
// Three ways to compute them. `stepping`: hard contact, solved once per step at velocity level by
// the integrator `time_stepping` (sim/time_stepping.hpp); this part then keeps what the last step
// found, in its discrete states. `compliant`: forces that follow from depth and slip (contact/
// compliant_contact.hpp), for every other integrator. Then each pair of shapes has one friction
// force, at the centre of its normal forces, and a moment about the normal, with three numbers for
// the stretch along the surface and one for the twist as continuous states. `event`: hard contact
// between events, for few contacts and every other integrator (sim/event_contacts.hpp).
#include <map>

#include <limber/collision/collision_scene.hpp>
#include <limber/contact/compliant_balls.hpp>
#include <limber/contact/impact.hpp>
#include <limber/sim/event_contacts.hpp>

namespace limber {

/// How two surfaces rub and bounce, or one of them before they are combined.
struct ContactMaterial {
  double friction = 1;          ///< at rest [1]
  double sliding_friction = 1;  ///< [1]
  double torsion = 0;           ///< moment about the normal over the normal force [m]
  double rolling = 0;           ///< moment about tangents over the normal force [m]
  double restitution = 0;       ///< 0 to 1: speed after an impact over that before
  double softness = 1;  ///< beside that of others: how loads that the laws leave open are shared
};

/// How one number of a pair follows from those of its two surfaces.
enum class Combine : std::uint8_t { geometric_mean, mean, smallest, largest, product };
double combined(Combine rule, double a, double b);

/// How contacts are computed, see above.
enum class ContactMethod : std::uint8_t { stepping, compliant, event };

/// What the part Contacts is made from.
struct ContactSettings {
  std::string name = "contact";
  ContactMethod method = ContactMethod::stepping;
  std::vector<ContactMaterial> materials;  ///< one for each shape of the scene
  /// How the surface of a shape moves by itself, in the shape's own axes (belts), one for each
  /// shape; empty: none does [m/s]
  std::vector<Vec3<double>> belts{};
  /// What holds for a pair of things (Contacts::things()) instead of the combined materials.
  std::map<std::pair<int, int>, ContactMaterial> pairs{};
  bool takes_pairs_of_file = false;  ///< friction that the robot file gives to pairs of shapes
  Combine friction_rule = Combine::geometric_mean, restitution_rule = Combine::largest;

  std::vector<SceneryShape> scenery{};  ///< of the scene, as it was given: for pictures

  // compliant
  NormalLaw normal{};
  FrictionLaw tangential{};
  double transition_speed = 1e-3;  ///< from friction at rest to sliding friction [m/s]

  // stepping
  ConeSettings solver{};
  double slop = 1e-5;         ///< depth that is not corrected [m]
  double correction = 0.2;    ///< share of a depth that one step takes away
  double rest_speed = 1e-3;   ///< slower approaches do not bounce [m/s]
  double stick_speed = 1e-4;  ///< faster contacts have sliding friction [m/s]
  int most_contacts = 0;      ///< that are kept for recording and the next step; 0: by the shapes
  RestitutionLaw impact_law = RestitutionLaw::newton;
  ImpactOrder impact_order = ImpactOrder::simultaneous;
  int located_impacts = 16;  ///< impacts with restitution whose instant is located, in one step
  double sleep_speed = 0;    ///< what rests below it for a while sleeps; 0: nothing does [m/s]
};

/// One contact as it is recorded. World axes.
struct KeptContact {
  int shape_a = 0, shape_b = 0;  ///< of the scene
  std::uint32_t feature = 0;
  Vec3<double> point, normal;
  Vec3<double> force, moment;  ///< on a: mean over the step where contact is stepped [N, N m]
  double depth = 0;            ///< negative: gap [m]
  double slip = 0;             ///< speed along the surface [m/s]
  bool rests = false;          ///< acts at the end of the step: what follows is no impact
  bool lasts = false;          ///< and has done so since the step began
  bool shared = false;         ///< the laws leave its force open: it is a share by softness
};

/// What the steps so far were like; of time stepping. Of the method `event`: the impacts, and with
/// `residual` those of their problems; the rest is zero.
struct ContactTotals {
  double dissipated = 0;      ///< by friction and impacts [J]
  double corrected = 0;       ///< put in by moving bodies out of each other [J]
  double residual = 0;        ///< of the last step [m/s]
  double worst_residual = 0;  ///< of all steps [m/s]
  double iterations = 0;      ///< of the last step
  double not_converged = 0;   ///< steps
  double impacts = 0;         ///< located
  double limited = 0;         ///< of them, those whose restitution would have created energy
};

class Contacts final : public Part {
 public:
  /// Throws Error for settings that make no sense, and for more pairs than compliant contact can
  /// have states for.
  Contacts(CollisionScene scene, ContactSettings settings);
  std::unique_ptr<Part> clone() const override { return std::make_unique<Contacts>(*this); }
  Role role() const override { return Role::world; }

  const ContactSettings& settings() const { return settings_; }
  const CollisionScene& scene() const { return scene_; }
  /// Compliant contacts that need no search: balls on planes of the world. Their states are those
  /// of this part.
  const CompliantBalls& balls() const { return balls_; }

  /// What has a name in the scene: links and scenery; each shape belongs to one.
  const std::vector<std::string>& things() const { return things_; }
  int thing_of(int shape) const { return thing_of_shape_[static_cast<std::size_t>(shape)]; }
  ContactMaterial material(int shape_a, int shape_b) const;
  /// How the surface of a moves against that of b by itself, world axes [m/s].
  Vec3<double> belt(const SceneContact& contact, const Poses& bodies) const;

  // --- of the System ---
  void attach(Model& model) override;
  int continuous_states() const override;
  int discrete_states() const override;
  void initialize(Evaluation& at, std::span<double> z, std::span<double> d) override;
  void apply(Evaluation& at) override;
  bool depends_on_acceleration() const override {
    return switched_.has_value() || settings_.method == ContactMethod::compliant;
  }
  bool settled(Evaluation& at) override;
  std::vector<EventSpec> events() const override;
  void event_values(Evaluation& at, std::span<double> values) override;
  EventOutcome on_event(int event, Evaluation& at, EventState state) override;
  bool gives_impulses() const override { return switched_.has_value(); }
  std::string event_note() const override;
  void derivative(Evaluation& at, std::span<double> z_dot) override;
  bool stores_energy() const override { return settings_.method == ContactMethod::compliant; }
  StoredEnergy stored_energy(Evaluation& at) override;

  /// contact.count, .penetration [m] (the largest), .slip [m/s] (the fastest), .dissipated [J]; of
  /// stepping also .residual [m/s], .iterations, and .shared, the number of contacts whose forces
  /// the laws leave open. Where few pairs of things may touch, for each
  /// pair "A-B": .normal_force, .friction_force [N], .slip [m/s], .gap [m] (negative: overlap),
  /// .state (0: apart, 1: sticks, 2: slides), .p… [m]: the centre of the normal forces, .f… [N]:
  /// the force on A. Else the strongest contacts, NUMBER from 0 on: contact[NUMBER].p…, .f….
  std::vector<Column> columns() const override;
  void record(Evaluation& at, std::span<double> values) override;
  /// Pairs of things that are recorded, "A-B"; empty: the strongest contacts are.
  std::vector<std::string> recorded_pairs() const;
  static constexpr int most_recorded_pairs = 32, most_arrows = 32;
  static constexpr int most_measured_pairs = 256;  ///< of their shapes, whose gaps are measured

  // --- for time stepping; `d` are the discrete states of this part ---
  std::span<const SceneContact> find(const Poses& bodies, double margin) {
    return scene_.find(bodies, margin);
  }
  int most_contacts() const { return most_contacts_; }
  int kept_count(std::span<const double> d) const;
  KeptContact kept(std::span<const double> d, int k) const;
  /// Throws Error for more contacts than most_contacts().
  void keep(std::span<double> d, std::span<const KeptContact> contacts) const;
  ContactTotals totals(std::span<const double> d) const;
  void set_totals(std::span<double> d, const ContactTotals& totals) const;
  /// How fast contacts changed the velocities in the last step, in fixed axes
  /// (model/fixed_axes.hpp), and how fast they changed, each as mean and slope (4 · nv); the
  /// velocities that what stands was short of by its momentum (nv); the length of that step.
  std::span<double> rates(std::span<double> d) const;
  /// Energy that contacts which last have given to each tree by the method's error, and that is not
  /// taken back yet [J].
  std::span<double> debts(std::span<double> d) const;
  /// For how long each tree of the robot (what hangs on one joint of the world) has rested [s].
  std::span<double> rest_times(std::span<double> d) const;

 private:
  struct Touch {  // of one pair of shapes with compliant contact
    std::size_t slot = 0;
    int shape_a = 0, shape_b = 0, body_a = 0, body_b = 0;
    int first = 0, count = 0;  // of the list's points
    Vec3<double> center, normal;
    double load = 0;  // sum of the normal forces
    double radius = 0;
    Vec3<double> slip;  // of a against b at the centre, along the surface
    double spin = 0;
    StickingFriction friction;
    double twist_moment = 0, twist_rate = 0;
    double stored = 0, stored_rate = 0, lost = 0;
  };
  struct Point {
    Vec3<double> at, normal;
    double depth = 0, force = 0;
  };
  struct TouchList {
    std::vector<Touch> touches;
    std::vector<Point> points;
  };
  struct Pressed {  // a body over an implicit step, in its frame as in Loads
    bool touches = false;
    Force<double> force;                   // at the velocity at the end that the last round had
    ArticulatedInertia<double> impedance;  // how it falls as that grows
    ArticulatedInertia<double> inertia;    // what dynamics are given of both
    Force<double> given;
  };
  struct PointImpedance {  // world axes
    double all = 0;        // in all directions [N s/m]
    Vec3<double> normal;
    double more = 0;  // along the normal
    Vec3<double> slip;
    double more_in_slip = 0;  // along the slip
    double twist = 0;         // about the normal [N m s]
    /// Of what is at `arm` from the origin.
    ArticulatedInertia<double> about(const Vec3<double>& arm) const;
  };
  void press_over_step(Evaluation& at, int round);
  void apply_over_step(Evaluation& at);
  bool settled_over_step(Evaluation& at);
  void touch_over_step(Evaluation& at);
  Vec3<double> velocity_over_step(const Touch& one, const Velocities& bodies,
                                  const Vec3<double>& point) const;
  void close_touch_over_step(Touch& one, Evaluation& at);
  void press_bodies(Evaluation& at, const Touch& one, const Vec3<double>& point,
                    const Vec3<double>& force, const Vec3<double>& moment, const PointImpedance& Z);
  void begin_touch(const SceneContact& contact, const Velocities& bodies, TouchList& list) const;
  static void find_center(Touch& one, const TouchList& list);
  void find_balls();
  void touch(Evaluation& at, CollisionScene& scene, TouchList& list) const;
  void close_touch(Touch& one, const TouchList& list, Evaluation& at) const;
  void apply_compliant(Evaluation& at);
  void compliant_rates(Evaluation& at, std::span<double> z_dot) const;
  void push(Evaluation& at, int body, const Vec3<double>& point, const Vec3<double>& force,
            const Vec3<double>& moment) const;
  void apply_switched(Evaluation& at);
  void list_now(Evaluation& at);
  void record_pairs(Evaluation& at, double*& out);
  void record_arrows(double*& out);
  int rate_numbers() const { return 5 * freedoms_ + 1; }
  void name_things();
  void find_pairs();

  CollisionScene scene_;
  ContactSettings settings_;
  std::vector<std::string> things_;
  std::vector<int> thing_of_shape_;
  std::vector<std::pair<int, int>> thing_pairs_;      // that are recorded
  std::map<std::pair<int, int>, std::size_t> slots_;  // pairs of shapes; of compliant contact
  std::vector<ContactMaterial> slot_materials_;
  CompliantBalls balls_;                  // compliant contacts of balls with planes of the world
  std::optional<CollisionScene> others_;  // the scene without them, if anything else may touch
  std::vector<std::pair<int, int>> shape_pairs_;  // that may touch, where they are few
  int most_contacts_ = 0, trees_ = 0, freedoms_ = 0;
  std::optional<EventContacts> switched_;  // of the method `event`
  // scratch
  TouchList others_touch_;               // of others_
  std::span<const SceneContact> found_;  // by others_, in the first round of a step
  std::vector<Pressed> pressed_;
  SlidingImpedance sliding_ = SlidingImpedance::secant;  // of this round
  // accelerations for which forces over a step were found last, and before
  std::vector<Motion<double>> toward_, last_toward_;
  double least_error_ = 0;             // of forces, in the rounds of a step
  std::vector<Motion<double>> after_;  // velocities of the bodies at the end of a step
  std::vector<Force<double>> had_;     // forces that dynamics had in the last round
  TouchList recorded_;                 // of all shapes
  std::vector<KeptContact> now_;
};

}  // namespace limber
