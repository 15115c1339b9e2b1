#pragma once
// EventContacts: hard contact between events, for few contacts. Of the part Contacts with the
// method `event`.
//
// What touches is a list of contacts, each of which sticks or slides: the discrete states of the
// part. Between events the list does not change, and the forces of an instant follow from the
// accelerations: with a = J v̇ + J̇ v at each contact,
//
//   λ_n ≥ 0,  a_n ≥ 0,  λ_n a_n = 0;
//   sticks:  a_t = 0 as long as |λ_t| ≤ μ λ_n can do it, else λ_t on the cone, against a_t
//   slides:  λ_t = −μ λ_n u_t / |u_t|
//
// So forces are right even where a contact begins to break or to slide within a step; the events
// change the list:
//
//   a gap closes           impact of all that touch there (contact/impact.hpp); what does not leave
//                          then is listed, sticking where its slip is zero
//   a_n > 0                the contact breaks: it is listed no more
//   the corner is gone     the same
//   sticks and a_t ≠ 0     it slides, along a_t
//   slides and u_t = 0     it sticks
//   a slow slip turns      the direction of its friction is renewed
//
// Impacts that are slower than rest_speed do not bounce: so a sequence of ever smaller ones ends.
// Errors of the integration in gap and slip fade at the rate `decay`.
//
// Where friction of sliding contacts leaves no solution or several (Painlevé, contact/
// sliding_contact.hpp), the evaluation fails and says so.
#include <optional>

#include <limber/collision/collision_scene.hpp>
#include <limber/collision/normal_rate.hpp>
#include <limber/contact/contact_derivatives.hpp>
#include <limber/contact/impact.hpp>
#include <limber/contact/sliding_contact.hpp>
#include <limber/sim/part.hpp>

namespace limber {

class Contacts;

/// One entry of the list.
struct ListedContact {
  int shape_a = 0, shape_b = 0;  ///< of the scene
  std::uint32_t feature = 0;     ///< of the contact point when it was listed
  ContactMode mode = ContactMode::open;
  Vec3<double> along;  ///< slides: where the slip pointed to when it was listed; world, unit
};

class EventContacts {
 public:
  static constexpr int most_contacts = 16;  ///< listed at once
  static constexpr int numbers = 7 * most_contacts + 1;
  static constexpr double decay = 20;  ///< of what is off [1/s]
  /// Below it friction follows the direction of the slip in turns of 0.1 rad [m/s].
  static constexpr double slow_slip = 1e-5;

  /// Throws Error for what is not offered: torsional and rolling friction, the pyramid, sleep,
  /// meshes and height fields, belts on moving links.
  explicit EventContacts(const Contacts& contacts);

  // --- the list; d: its numbers among the discrete states ---
  static int count(std::span<const double> d) { return static_cast<int>(d[0]); }
  static ListedContact listed(std::span<const double> d, int k);
  static void list(std::span<double> d, std::span<const ListedContact> all);

  // --- what Part has, for Contacts ---
  /// Throws Error for overlaps.
  void initialize(Contacts& contacts, Evaluation& at, std::span<double> d);
  /// The forces of the last settled().
  struct Acting {
    ListedContact entry{};
    SceneContact found{};
    bool is_there = false;  ///< its point was found
    bool rubs = false;      ///< has friction, at rest at least
    double friction = 0;
    double weight = 0;        ///< A_nn [1/kg]
    double approach = 0;      ///< normal velocity [m/s]
    Vec3<double> slip{};      ///< velocity along the surface, belts included [m/s]
    ContactRates rates{};     ///< how normal and place of contact move
    Vec3<double> drift{};     ///< J̇ v, with the decay of what is off [m/s²]
    Vec3<double> expected{};  ///< acceleration of its rows with the forces [m/s²]
    double separation = 0;    ///< a_n [m/s²]
    Vec3<double> creep{};     ///< a_t [m/s²]
    Vec3<double> force{};     ///< on a [N]
  };
  std::span<const Acting> acting() const { return acting_; }
  void forget_forces();
  bool settled(Contacts& contacts, Evaluation& at, std::span<const double> d);
  static std::vector<EventSpec> events();
  void event_values(std::span<double> values) const;
  /// What an event does, with what was found at its instant.
  struct Struck {
    EventOutcome outcome = EventOutcome::state_changed;
    ImpactResult impact;
    bool is_impact = false;  ///< velocities changed
    double lost = 0;         ///< [J]
  };
  Struck on_event(const Contacts& contacts, int event, Evaluation& at, std::span<double> v,
                  std::span<double> d);
  const std::string& note() const { return note_; }

 private:
  void make_room(const Evaluation& at);
  void find(Contacts& contacts, Evaluation& at, std::span<const double> d);
  void set_motion(const Contacts& contacts, Evaluation& at, Acting& one);
  void set_rates(const Contacts& contacts, Evaluation& at, Acting& one);
  void place_rows(Evaluation& at);
  void take_accelerations(Evaluation& at);
  void solve(const Contacts& contacts);
  RowContact row_of(const Acting& one) const;
  double gap_to_close(const Acting& one) const;
  void close(const Contacts& contacts, Evaluation& at, std::span<double> v, Struck& out);
  void break_off(const Contacts& contacts, std::size_t k);
  void change_friction(const Contacts& contacts, std::size_t k, Evaluation& at, std::span<double> v,
                       Struck& out);
  void strike(const Contacts& contacts, Evaluation& at, std::span<double> v, Struck& out);

  double margin_ = 0;               ///< within which gaps are seen [m]
  double slop_ = 0;                 ///< overlap that is no impact [m]
  double size_ = 1;                 ///< of the accelerations of the instant [m/s²]
  std::optional<Mechanism> tree_;   ///< of a robot without loops
  std::vector<Acting> acting_;      ///< entry by entry
  std::vector<Acting> near_;        ///< what is close and not listed
  std::vector<std::uint8_t> used_;  ///< scratch: of the contacts that were found
  ContactRows rows_;
  std::optional<TreeFactor> factor_;
  std::optional<Accelerations> motion_;
  ConeSolver cone_;
  ImpactSolver impact_;
  SlidingAnswers answers_;
  std::vector<RowContact> row_contacts_;
  std::vector<Acting> touching_;  ///< of an impact
  std::vector<double> zeros_, loop_rates_, restitution_, v_after_;
  std::vector<ListedContact> next_;
  std::string note_;
};

}  // namespace limber
