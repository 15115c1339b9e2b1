// Events of contact: what closes, breaks, begins to slide, or sticks.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/sim/contacts.hpp>
#include <limber/sim/event_contacts.hpp>

#include "index.hpp"
#include "sim/contact_names.hpp"

namespace limber {

namespace {

constexpr double no_gap = 1e-9;           // gaps that close at the same instant [m]
constexpr double no_velocity = 1e-9;      // [m/s]
constexpr double passes_zero = 1e-11;     // a slip that begins may seem to go back by as much [m/s]
constexpr double turned_slip = 1e-8;      // above, a slip that has turned has not ended [m/s]
constexpr double no_acceleration = 1e-9;  // of the accelerations of the instant

constexpr double slow_turn = 0.1;       // after which the direction of a slow slip is renewed [rad]
constexpr double least_turning = 1e-6;  // slower slips do not turn [m/s]

constexpr int most = EventContacts::most_contacts;
// events: the gap that closes first; contacts that break; contacts whose friction changes
constexpr int first_break = 1, first_friction = 1 + most;

using Acting = EventContacts::Acting;

// the slip along the direction that it was listed with, and square to it
double onward(const Acting& one) {
  const Vec3<double>& n = one.found.at.normal;
  return dot(one.slip, one.entry.along - n * dot(one.entry.along, n));
}
double sideways(const Acting& one) { return norm(cross(one.slip, one.entry.along)); }
bool is_slow(const Acting& one) {
  const double slip = norm(one.slip);
  return slip > least_turning && slip < EventContacts::slow_slip;
}

}  // namespace

std::vector<EventSpec> EventContacts::events() {
  const auto spec = [](const char* text) {
    return EventSpec{text, EventSpec::Crossing::below, EventSpec::Kind::act};
  };
  std::vector<EventSpec> all{spec("contact closes")};
  all.insert(all.end(), at_index(most), spec("contact ends"));
  all.insert(all.end(), at_index(most), spec("friction changes"));
  return all;
}

// the list where a run begins: what touches and does not move apart
void EventContacts::initialize(Contacts& contacts, Evaluation& at, std::span<double> d) {
  std::fill(d.begin(), d.end(), 0.0);
  find(contacts, at, d);
  next_.clear();
  for (const Acting& one : near_) {
    const double depth = one.found.at.depth;
    if (depth > slop_)
      throw Error(fmt::format(
          "contact {}: the run begins with an overlap of {:.3g} m, more than the {:.3g} m (slop) "
          "that the method `event` takes away; move them apart, or use `stepping`",
          pair_name(contacts, one.found), depth, slop_));
    if (depth < -no_gap || std::abs(one.approach) > no_velocity) continue;
    const bool slides = norm(one.slip) > no_velocity;
    next_.push_back(one.entry);
    next_.back().mode = slides ? ContactMode::sliding : ContactMode::sticking;
    if (slides) next_.back().along = one.slip / norm(one.slip);
  }
  list(d, next_);
}

// A gap, or how far an overlap has gone: negative where the bodies approach each other there. What
// has just left, or was just left out, has overlaps of rounding.
double EventContacts::gap_to_close(const Acting& one) const {
  const double gap = -one.found.at.depth;
  if (gap >= 0 || gap < -slop_ || one.approach < -no_velocity) return gap;
  return -gap;
}

void EventContacts::event_values(std::span<double> values) const {
  std::fill(values.begin(), values.end(), 1.0);
  values[0] = margin_;
  for (const Acting& one : near_) values[0] = std::min(values[0], gap_to_close(one));
  const double tolerance = no_acceleration * size_;
  for (std::size_t k = 0; k < acting_.size(); ++k) {
    const Acting& one = acting_[k];
    double& breaks = values[at_index(first_break) + k];
    double& friction = values[at_index(first_friction) + k];
    if (!one.is_there) {
      breaks = -1;
      continue;
    }
    breaks = one.weight * dot(one.force, one.found.at.normal) - one.separation + tolerance;
    if (!one.rubs) continue;
    if (one.entry.mode == ContactMode::sliding) {
      friction = onward(one) + passes_zero;
      if (is_slow(one)) friction -= sideways(one) / slow_turn;
    } else {
      friction = tolerance - norm(one.creep);
    }
  }
}

EventContacts::Struck EventContacts::on_event(const Contacts& contacts, int event, Evaluation& at,
                                              std::span<double> v, std::span<double> d) {
  Struck out;
  note_.clear();
  next_.clear();
  if (event == 0) {
    close(contacts, at, v, out);
  } else if (event < first_friction) {
    break_off(contacts, at_index(event - first_break));
  } else {
    change_friction(contacts, at_index(event - first_friction), at, v, out);
  }
  list(d, next_);
  return out;
}

void EventContacts::break_off(const Contacts& contacts, std::size_t k) {
  for (std::size_t i = 0; i < acting_.size(); ++i)
    if (i != k) next_.push_back(acting_[i].entry);
  if (k >= acting_.size()) return;
  const ListedContact& one = acting_[k].entry;
  SceneContact at;
  at.shape_a = one.shape_a;
  at.shape_b = one.shape_b;
  note_ = pair_name(contacts, at) + (acting_[k].is_there ? " breaks" : " leaves its face");
}

// Contacts that begin to slide do so along their acceleration. Those whose slip has come to zero
// stick; if friction does not hold one, it slides again at once.
void EventContacts::change_friction(const Contacts& contacts, std::size_t k, Evaluation& at,
                                    std::span<double> v, Struck& out) {
  for (const Acting& one : acting_) next_.push_back(one.entry);
  if (k >= acting_.size()) return;
  const Acting& first = acting_[k];
  const std::string name = pair_name(contacts, first.found);
  const double slip = norm(first.slip);
  const bool begins = first.entry.mode == ContactMode::sticking;
  if (!begins && slip > turned_slip) {
    next_[k].along = first.slip / slip;
    out.outcome = EventOutcome::unlisted;
    return;
  }
  note_ = name + (begins ? " begins to slide" : " sticks");
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    const Acting& one = acting_[i];
    if (!one.is_there || one.entry.mode != first.entry.mode || !one.rubs) continue;
    if (begins && norm(one.creep) > no_acceleration * size_)
      next_[i] = {one.entry.shape_a, one.entry.shape_b, one.entry.feature, ContactMode::sliding,
                  one.creep / norm(one.creep)};
    if (!begins && norm(one.slip) <= 10 * slip + no_velocity)
      next_[i] = {
          one.entry.shape_a, one.entry.shape_b, one.entry.feature, ContactMode::sticking, {}};
  }
  if (begins) return;
  // what is left of their slip is what the instant was missed by
  touching_ = acting_;
  strike(contacts, at, v, out);
}

// All that touches takes part in an impact; what does not leave is listed.
void EventContacts::close(const Contacts& contacts, Evaluation& at, std::span<double> v,
                          Struck& out) {
  double first = HUGE_VAL, fastest = 0;
  for (const Acting& one : near_) first = std::min(first, gap_to_close(one));
  touching_ = acting_;
  std::erase_if(touching_, [](const Acting& one) { return !one.is_there; });
  std::string names;
  for (const Acting& one : near_) {
    if (-one.found.at.depth > std::max(first, 0.0) + no_gap) continue;
    touching_.push_back(one);
    fastest = std::max(fastest, -one.approach);
    const std::string name = pair_name(contacts, one.found);
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
  }
  if (touching_.size() > at_index(most))
    throw Error(fmt::format(
        "contact: {} contacts at once are more than the {} that the method `event` is meant for; "
        "use `stepping`",
        touching_.size(), most));
  strike(contacts, at, v, out);
  for (std::size_t c = 0; c < touching_.size(); ++c) {
    const Acting& one = touching_[c];
    const Vec3<double>& n = one.found.at.normal;
    const Vec3<double> u = rows_.slip(static_cast<int>(c));
    if (dot(u, n) > no_velocity) continue;
    const Vec3<double> slip = u - n * dot(u, n);
    const double speed = norm(slip);
    const bool slides = speed > no_velocity;
    next_.push_back({one.found.shape_a, one.found.shape_b, one.found.at.feature,
                     slides ? ContactMode::sliding : ContactMode::sticking,
                     slides ? slip / speed : Vec3<double>{}});
  }
  note_ = fmt::format("{}, approach {:.4g} m/s, {:.3g} J lost", names, fastest,
                      std::max(out.lost, 0.0));
}

// impulses of touching_; what rests goes on to rest
void EventContacts::strike(const Contacts& contacts, Evaluation& at, std::span<double> v,
                           Struck& out) {
  const ContactSettings& s = contacts.settings();
  make_room(at);
  row_contacts_.clear();
  restitution_.clear();
  for (const Acting& one : touching_) {
    if (!one.is_there) continue;
    const ContactMaterial material = contacts.material(one.found.shape_a, one.found.shape_b);
    RowContact row;
    row.body_a = one.found.body_a;
    row.body_b = one.found.body_b;
    row.point = one.found.at.point;
    row.normal = one.found.at.normal;
    row.law.friction = norm(one.slip) > turned_slip ? material.sliding_friction : material.friction;
    row.drift = contacts.belt(one.found, at.kinematics());
    row_contacts_.push_back(row);
    restitution_.push_back(material.restitution);
  }
  if (row_contacts_.empty()) return;
  factorize<double>(at.model, at.q, at.scratch, *factor_, at.added_inertia(), at.known);
  rows_.place(at.closed ? *at.closed : *tree_, at.t, at.q, *factor_, row_contacts_, at.scratch);
  ImpactSettings settings;
  settings.law = s.impact_law;
  settings.order = s.impact_order;
  settings.rest_speed = s.rest_speed;
  out.impact = impact(rows_, at.v, restitution_, settings, impact_, v_after_);
  out.is_impact = std::any_of(touching_.begin(), touching_.end(),
                              [&](const Acting& one) { return one.approach < -s.rest_speed; });
  out.lost = -out.impact.energy;
  std::copy(v_after_.begin(), v_after_.end(), v.begin());
}

// --- the part ---

namespace {

// of the discrete states of Contacts
std::span<double> list_of(std::span<double> d) { return d.last(at_index(EventContacts::numbers)); }
std::span<const double> list_of(std::span<const double> d) {
  return d.last(at_index(EventContacts::numbers));
}

}  // namespace

void Contacts::initialize(Evaluation& at, std::span<double>, std::span<double> d) {
  if (switched_) switched_->initialize(*this, at, list_of(d));
}

void Contacts::apply_switched(Evaluation& at) {
  if (at.round == 0) return switched_->forget_forces();
  for (const EventContacts::Acting& one : switched_->acting()) {
    if (!(norm(one.force) > 0)) continue;
    push(at, one.found.body_a, one.found.at.point, one.force, {});
    push(at, one.found.body_b, one.found.at.point, -one.force, {});
  }
}

bool Contacts::settled(Evaluation& at) {
  if (at.step > 0 && settings_.method == ContactMethod::compliant) return settled_over_step(at);
  return !switched_ || switched_->settled(*this, at, list_of(at.d));
}

std::vector<EventSpec> Contacts::events() const {
  return switched_ ? EventContacts::events() : std::vector<EventSpec>{};
}

void Contacts::event_values(Evaluation&, std::span<double> values) {
  if (switched_) switched_->event_values(values);
}

EventOutcome Contacts::on_event(int event, Evaluation& at, EventState state) {
  const EventContacts::Struck struck =
      switched_->on_event(*this, event, at, state.v, list_of(state.d));
  state.z[0] += struck.lost;
  if (struck.is_impact) {
    ContactTotals sums = totals(state.d);
    ++sums.impacts;
    sums.limited += struck.impact.would_create_energy;
    sums.not_converged += !(struck.impact.residual <= settings_.solver.tolerance);
    sums.residual = struck.impact.residual;
    sums.worst_residual = std::max(sums.worst_residual, sums.residual);
    set_totals(state.d, sums);
  }
  return struck.outcome;
}

std::string Contacts::event_note() const { return switched_ ? switched_->note() : std::string(); }

}  // namespace limber
