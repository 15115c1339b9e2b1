#pragma once
// TimeStepping: steps at velocity level over hard contact.
//
// One step of h from (q, v): the velocity that there would be without contact, v_free = v + h a;
// contacts of shapes that touch or may touch within the step; the true Coulomb problem for the
// velocity v⁺ at the end, so that gaps close at most (u_n ≥ −gap/h), loops stay closed and nothing
// creeps; then q moves with the mean of v and v⁺. M, J and a are those of the middle of the step,
// as the last two steps let expect it; contacts that last hold J v⁺ = −(J_end − J) v, so that at
// the end of the step, where they will have wandered over both surfaces, their velocity is zero: a
// step of second order where nothing switches. What touches in one point alone holds the mean
// instead, J (v + v⁺) = what is left of the beginning: that keeps its energy. What rattles too fast
// for the step is taken in parts. Where a contact begins within the step its bodies move with v⁺
// instead: nothing is run through. Depth above the slop is taken away by moving bodies without
// giving them velocity (split impulse).
//
// Impacts with restitution: where few contacts are near, the instant of an impact is located, the
// step goes there, velocities jump (contact/impact.hpp), and the step goes on. Elsewhere the jump
// happens within the step, by Newton's law. Where restitution with friction would create energy it
// is lowered until it does not.
//
// Energy: where contacts begin or strike, what the bodies have at the end of a step is at most what
// they had and what all but the contacts has done on the way. Where steps are too long for what
// turns fast, that is not so by itself: then the velocities of the islands that touch are scaled
// down by the little that is too much, which keeps what sticks sticking and what is closed closed.
// Where all contacts last they take what friction takes; what the method gives or takes beside that
// is paid back in the same way (settle_debts()), and counted as its error.
#include <limber/collision/collide.hpp>
#include <limber/contact/contact_rows.hpp>
#include <limber/contact/impact.hpp>
#include <limber/sim/contacts.hpp>
#include <limber/sim/system.hpp>

#include "parallel/thread_team.hpp"
#include "sim/one_step.hpp"

namespace limber {

class TimeStepping final : public OneStep {
 public:
  explicit TimeStepping(const IntegratorSettings& settings)
      : OneStep(settings.step), threads_(settings.threads) {}
  /// What else it has is scratch, which bind() makes.
  TimeStepping(const TimeStepping& other) : OneStep(other), threads_(other.threads_) {}
  TimeStepping& operator=(const TimeStepping&) = delete;
  std::unique_ptr<Integrator> clone(Ode& ode, const RootFunctions&) const override {
    return copy_of(*this, ode);
  }
  void bind(Ode& ode) override;
  void start(Ode& ode, double t, std::span<const double> x) override;
  bool evaluates_ends() const override { return false; }
  /// One step of any length, from anywhere; discrete states go with it.
  StepStatus take(double t, double h, std::span<const double> from, std::span<double> to);

 protected:
  StepStatus advance(double t, double h) override;
  bool is_smooth() const override { return false; }

 private:
  struct Near {  // a contact that may act within the present part of the step
    SceneContact found;
    ContactMaterial material;
    Vec3<double> belt;
    double approach = 0;             // normal velocity before: negative where it closes [m/s]
    KeptContact last{};              // of the step before
    Vec3<double> point{}, normal{};  // in the middle of this part of the step
    Vec3<double> end_normal{}, end_velocity{};  // at its end, if nothing changes
    double slip = 0;                            // speed along the surface before
    Vec3<double> before{};                      // relative velocity at the beginning
    Vec3<double> after{};    // relative velocity after, where it acts: add_impulses()
    bool bounces = false;    // by its restitution, in this part of the step
    bool follows = false;    // its velocity at the end is known where nothing changes
    bool is_same = false;    // it is the same feature at the end
    bool is_passed = false;  // left out, so that its impact can be located

    double gap() const { return -found.at.depth; }
    bool lasts() const { return last.rests; }
    bool is_alone = false;        // it lasts, and its trees have touched nothing else
    bool begins_at_rest = false;  // touches as the step begins, and nothing is known of it
  };
  // time_stepping.cpp: the course of a step
  StepStatus go(double t, double h);
  void add_to_whole(double share);
  void choose_mechanism();
  bool find_free_motion(double t, double h, System::Decisions decisions);
  bool decide(double h);
  void find_touched();
  void forget_last_step();
  double locate(double h);
  double gap_at(const Near& contact, double dt);
  double closing_speed(const Near& contact, double h);
  void go_to(double dt, double h);
  void finish(double h);
  void keep(double h);
  // time_stepping_rates.cpp: how contacts move within the step
  void find_rates(double h);
  void predict_end(double h);
  Vec3<double> off_the_mean(const SceneContact& contact, const Vec3<double>& way, double h) const;
  void look_ahead();
  bool begins_at_rest();
  int needed_parts(double h);
  void mark_driven(std::vector<std::uint8_t>& islands) const;
  const std::vector<std::uint8_t>& switching_islands();
  std::span<double> middle() { return std::span(x_middle_).first(nq_); }
  void find_mean();
  void keep_rates(double h);
  // time_stepping_momentum.cpp: of trees on free joints
  void find_floating();
  void keep_momentum(double h);
  // time_stepping_contacts.cpp: contacts of one instant
  void find_contacts(double h);
  void make_rows(double h, double restitution);
  double least_velocity(const Near& contact, double h) const;
  void keep_loop_rates(const ContactRows& rows, std::span<const double> v_free);
  void solve(double t, double h, std::span<const double> v_free, double restitution);
  void solve_bouncing(double t, double h, std::span<const double> v_free);
  bool jump(double t);
  bool find_arriving(double h);
  /// The speed above which impacts within a step of h have restitution: gravity gives bodies that
  /// rest a good part of it. h = 0: where impacts are located.
  double least_bounce(double h) const {
    return std::max(contacts_->settings().rest_speed, bounce_gravity * h);
  }
  static constexpr double bounce_gravity = 100;  // [m/s²]
  double dissipation(double work);
  double work_on_bodies();
  double work_of(int contact);
  void find_begins();
  bool all_last(int contact) const;
  enum class Until : std::uint8_t { impact, end };
  void add_impulses(double share, Until until);
  static void sort_contacts(std::vector<KeptContact>& contacts);
  static bool is_same_contact(const KeptContact& a, const KeptContact& b) {
    return a.shape_a == b.shape_a && a.shape_b == b.shape_b && a.feature == b.feature;
  }
  bool choose_motion(double h);
  // time_stepping_energy.cpp: contacts give none
  double work_of_added_inertia();
  void place_bodies();
  double energy_of_bodies();
  void begin_energy();
  void count_energy(double put_in, double lost, Until until);
  /// Whether bodies get no energy from belts and prescribed motions.
  bool counts_energy() const;
  void add_acted();
  bool mark_acting_islands();
  void limit_energy();
  void settle_debts();
  /// Of islands that are marked: 1; others 0 (nv).
  const std::vector<std::uint8_t>& freedoms_of(const std::vector<std::uint8_t>& islands);
  bool add_push();
  void push_out(double t, double h);
  KeptContact last_impulse(const SceneContact& contact) const;
  // time_stepping_sleep.cpp: what rests together is left alone
  int tree_of_shape(int shape) const;
  void begin_sleep();
  void wake(int tree);
  void leave_sleeping();
  bool sleeps(int tree) const { return tree >= 0 && asleep_[at_tree(tree)]; }
  static std::size_t at_tree(int tree) { return static_cast<std::size_t>(tree); }
  bool is_left_alone(int shape_a, int shape_b) const;
  void watch_rest(double h);
  void fall_asleep();

  std::span<double> q() { return std::span(x_).first(nq_); }
  std::span<double> v() { return std::span(x_).subspan(nq_, nv_); }

  int threads_ = 1;
  System* system_ = nullptr;
  Contacts* contacts_ = nullptr;  // null: the system has none that are stepped
  std::size_t nq_ = 0, nv_ = 0;
  std::unique_ptr<Mechanism> mechanism_;
  std::vector<int> closed_;    // loops that mechanism_ has, of all
  std::vector<double> reach_;  // of the shapes of each body, from its origin [m]
  ImpactSolver impact_solver_;
  std::vector<double> restitution_;  // of the contacts of an impact
  std::vector<ConeSolver> solvers_;
  std::vector<ConeResult> results_;  // of the islands
  ConeResult result_;                // the worst
  std::unique_ptr<ThreadTeam> team_;
  const ConeSettings* cone_ = nullptr;  // for the team
  std::unique_ptr<Workspace> ws_;
  std::unique_ptr<TreeFactor> factor_;
  Velocities motion_;
  std::vector<double> motion_x_;  // positions and velocities that it belongs to
  Poses moved_;
  Velocities end_motion_;  // at the end as it is expected, or without what is located, if known
  Manifold there_;         // of a pair of shapes, then
  double margin_ = 0;      // within which contacts are near
  bool end_known_ = false;
  ContactRows rows_, push_rows_;
  std::vector<Near> near_, passed_;  // and those whose impact is looked for
  std::vector<RowContact> row_contacts_;
  std::vector<KeptContact> before_, sums_;  // of the last step; impulses of this one
  std::vector<double> w_found_;             // at the end, by the first round
  bool end_found_ = false;                  // this is the second one
  std::vector<KeptContact> whole_;          // mean forces of a step that is taken in parts
  bool is_resolved_ = true;                 // parts are short enough for what oscillates
  int parts_ = 1;                           // of the present step; 0: not known yet
  /// What the last step says of a freedom: nothing touched its tree, something did, contacts that
  /// last did and nothing else.
  enum class Touch : std::uint8_t { none, some, lasting };
  std::vector<Touch> touched_;
  std::vector<Touch> touched_trees_;
  std::vector<int> touches_;  // contacts of each tree in the last step
  std::vector<std::uint8_t> islands_after_, begins_;
  std::vector<std::uint8_t> marked_;  // freedoms
  std::vector<std::uint8_t> acted_;   // freedoms of what contacts have acted on in this step
  bool any_acted_ = false, counts_energy_ = true;
  bool switched_ = false;  // in this step contacts have begun, struck or been pushed apart
  double energy_ = 0, energy_before_ = 0;  // of motion_, if known; when the step began [J]
  bool motion_known_ = false, energy_known_ = false;
  double put_in_ = 0, lost_ = 0;  // by all but contacts; what contacts took by their impulses [J]
  std::vector<double> still_;     // velocities without those of acted_
  std::vector<double> x_middle_, rates_, w_, w_dot_, w_free_, w_there_, v_there_, w_after_, w_move_,
      v_free_, v_after_, v_mean_, v_begin_, q_there_, push_, impulse_, loop_rates_;
  struct StepRates {  // in fixed axes, of the last step: means, and how they change from step to
                      // step
    std::vector<double> mean, slope;
  };
  StepRates contact_rates_, last_rates_;  // by contacts; of the velocities
  double last_step_ = 0;                  // its length [s]
  /// Of a part of h, which begins now.
  double expected(const StepRates& rates, std::size_t k, double h) const {
    return rates.mean[k] + rates.slope[k] * (last_step_ + h) / 2;
  }
  std::vector<std::uint8_t> asleep_;  // trees
  bool any_asleep_ = false;
  struct Debt {                            // of an island
    double energy = 0, twice_kinetic = 0;  // [J]
    double share = 0;                      // of its speed, that is paid
    int tree = -1;                         // one of the island's
    bool is_paid = false;
  };
  std::vector<Debt> debts_;
  struct Floating {  // a tree on a free joint
    int body = 0;    // that the joint carries; 0 or less: it is on another one
    std::size_t freedom = 0;
    int bodies = 0;
    bool is_free = false;       // no contact is near it
    bool is_looked_at = false;  // in this step
    Mat3<double> axes{};        // of its velocities in fixed axes
    Force<double> missing{};
    Inertia<double> inertia{};  // of the whole, at the end
  };
  std::vector<Floating> floating_;  // by trees
  bool floats_ = false;             // any does
  Accelerations middle_motion_;
  std::vector<double> owed_, w_paid_;  // by trees [J]; velocities before they pay
  std::vector<double> w_owed_;         // velocities, in fixed axes, that the last step was short of
  bool is_pushed_ = false;             // this part of the step takes bodies out of each other
  bool impacts_are_solved_ = true;     // of the present step
  ContactTotals totals_;
};

}  // namespace limber
