// Contacts as a part: materials, what is kept of a step.
#include <limber/sim/contacts.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>

#include "index.hpp"

namespace limber {

namespace {

constexpr long most_compliant_pairs = 4000;

// discrete states: totals, then the number of contacts and the contacts, then how velocities
// changed, then debts and times of rest
constexpr std::size_t total_numbers = 8, contact_numbers = 18;
constexpr int flag_rests = 1, flag_lasts = 2, flag_shared = 4;

void expect_in(double value, double lower, double upper, const char* what) {
  if (!(value >= lower && value <= upper) || !std::isfinite(value))
    throw Error(
        fmt::format("contact: {}: {} found, {} to {} is needed", what, value, lower, upper));
}

void check_material(const ContactMaterial& one) {
  constexpr double much = 1e6;
  expect_in(one.friction, 0, much, "friction");
  expect_in(one.sliding_friction, 0, one.friction, "sliding friction (at most that at rest)");
  expect_in(one.torsion, 0, much, "torsional friction");
  expect_in(one.rolling, 0, much, "rolling friction");
  expect_in(one.restitution, 0, 1, "restitution");
  expect_in(one.softness, 1e-6, much, "softness");
}

void check_contact_settings(const ContactSettings& s, std::size_t shapes) {
  constexpr double little = 1e-12, much = 1e15;
  for (const ContactMaterial& one : s.materials) check_material(one);
  for (const auto& [pair, material] : s.pairs) check_material(material);
  if (s.materials.size() != shapes || (!s.belts.empty() && s.belts.size() != shapes))
    throw Error(
        fmt::format("contact: {} materials and {} moving surfaces for {} shapes; one for each is "
                    "needed",
                    s.materials.size(), s.belts.size(), shapes));
  constexpr double fastest_belt = 1e4;
  for (const Vec3<double>& belt : s.belts)
    expect_in(norm(belt), 0, fastest_belt, "speed of a belt");
  expect_in(s.normal.stiffness, little, much, "stiffness");
  expect_in(s.normal.damping, 0, much, "damping");
  expect_in(s.normal.exponent, 1, 5, "exponent");
  expect_in(s.normal.dissipation, 0, much, "dissipation");
  expect_in(s.tangential.slip_speed, little, much, "slip speed");
  expect_in(s.tangential.stiffness, little, much, "tangential stiffness");
  expect_in(s.tangential.damping, little, much, "tangential damping");
  expect_in(s.transition_speed, little, much, "transition speed");
  expect_in(s.solver.tolerance, 1e-15, 1, "tolerance");
  expect_in(s.solver.most_sweeps, 1, 1e6, "iterations");
  expect_in(s.slop, 0, 1, "slop");
  expect_in(s.correction, 0, 1, "correction");
  expect_in(s.rest_speed, 0, much, "rest speed");
  expect_in(s.stick_speed, 0, much, "stick speed");
  expect_in(s.most_contacts, 0, 1e6, "most contacts");
  expect_in(s.located_impacts, 0, 1000, "located impacts");
  expect_in(s.sleep_speed, 0, much, "sleep speed");
}

const double* take_vec3(const double* in, Vec3<double>& out) {
  out = {in[0], in[1], in[2]};
  return in + 3;
}
double* put_vec3(double* out, const Vec3<double>& v) {
  *out++ = v.x;
  *out++ = v.y;
  *out++ = v.z;
  return out;
}

}  // namespace

double combined(Combine rule, double a, double b) {
  switch (rule) {
    case Combine::geometric_mean:
      return std::sqrt(a * b);
    case Combine::mean:
      return (a + b) / 2;
    case Combine::smallest:
      return std::min(a, b);
    case Combine::largest:
      return std::max(a, b);
    case Combine::product:
      return a * b;
  }
  return 0;
}

Contacts::Contacts(CollisionScene scene, ContactSettings settings)
    : Part(settings.name), scene_(std::move(scene)), settings_(std::move(settings)) {
  check_contact_settings(settings_, scene_.shapes().size());
  name_things();
  if (settings_.method == ContactMethod::compliant && scene_.pair_count() > most_compliant_pairs)
    throw Error(fmt::format(
        "contact: {} pairs of shapes may touch, and compliant contact has states for {}; use the "
        "method `stepping`, or exclude pairs",
        scene_.pair_count(), most_compliant_pairs));
  find_pairs();
  if (settings_.method == ContactMethod::compliant) find_balls();
  if (settings_.method == ContactMethod::event) switched_.emplace(*this);
}

// "link.shape" is the thing "link"
void Contacts::name_things() {
  for (const SceneShape& shape : scene_.shapes()) {
    std::string thing = shape.name;
    if (const std::string& own = shape.properties.name;
        !own.empty() && thing.ends_with("." + own) && shape.frame >= 0)
      thing.resize(thing.size() - own.size() - 1);
    const auto found = std::find(things_.begin(), things_.end(), thing);
    thing_of_shape_.push_back(static_cast<int>(found - things_.begin()));
    if (found == things_.end()) things_.push_back(thing);
  }
  const auto moving = std::count_if(scene_.shapes().begin(), scene_.shapes().end(),
                                    [](const SceneShape& shape) { return shape.body > 0; });
  most_contacts_ =
      settings_.most_contacts > 0 ? settings_.most_contacts : static_cast<int>(64 + 12 * moving);
}

void Contacts::find_pairs() {
  const bool compliant = settings_.method == ContactMethod::compliant;
  bool few = true;  // so far
  const int shapes = static_cast<int>(scene_.shapes().size());
  for (int a = 0; a < shapes; ++a)
    for (int b = a + 1; b < shapes; ++b) {
      if (!scene_.may_touch(a, b)) continue;
      if (compliant) slots_.emplace(std::pair{a, b}, slots_.size());
      if (!few && compliant) continue;
      if (!few) return;
      const std::pair<int, int> things{thing_of(a), thing_of(b)};
      if (std::find(thing_pairs_.begin(), thing_pairs_.end(), things) == thing_pairs_.end())
        thing_pairs_.push_back(things);
      shape_pairs_.emplace_back(a, b);
      few = static_cast<int>(thing_pairs_.size()) <= most_recorded_pairs &&
            static_cast<int>(shape_pairs_.size()) <= most_measured_pairs;
      if (!few) thing_pairs_.clear(), shape_pairs_.clear();
    }
}

ContactMaterial Contacts::material(int shape_a, int shape_b) const {
  const int first = thing_of(shape_a), second = thing_of(shape_b);
  if (const auto found = settings_.pairs.find({std::min(first, second), std::max(first, second)});
      found != settings_.pairs.end())
    return found->second;
  const ContactMaterial &a = settings_.materials[at_index(shape_a)],
                        &b = settings_.materials[at_index(shape_b)];
  const Combine rubs = settings_.friction_rule;
  ContactMaterial pair{combined(rubs, a.friction, b.friction),
                       combined(rubs, a.sliding_friction, b.sliding_friction),
                       std::max(a.torsion, b.torsion),
                       std::max(a.rolling, b.rolling),
                       combined(settings_.restitution_rule, a.restitution, b.restitution),
                       (a.softness + b.softness) / 2};
  if (settings_.takes_pairs_of_file)
    if (const auto friction = scene_.pair_friction(shape_a, shape_b))
      pair.friction = pair.sliding_friction = friction->x;
  return pair;
}

Vec3<double> Contacts::belt(const SceneContact& contact, const Poses& bodies) const {
  if (settings_.belts.empty()) return {};
  const auto moves = [&](int shape) {
    const SceneShape& one = scene_.shapes()[at_index(shape)];
    const Vec3<double> v = one.placement.R * settings_.belts[at_index(shape)];
    return one.body <= 0 ? v : bodies.X_W[one.body].R * v;
  };
  const Vec3<double> drift = moves(contact.shape_a) - moves(contact.shape_b);
  return drift - contact.at.normal * dot(drift, contact.at.normal);
}

void Contacts::attach(Model& model) {
  trees_ = 0;
  for (int b = 1; b < model.bodies(); ++b) trees_ += model.parent[b] == 0;
  freedoms_ = model.nv;
}

int Contacts::continuous_states() const {
  if (settings_.method == ContactMethod::event) return 1;  // what was lost
  if (settings_.method != ContactMethod::compliant) return 0;
  return CompliantBalls::states * static_cast<int>(slots_.size()) + 1;
}

int Contacts::discrete_states() const {
  if (settings_.method == ContactMethod::event)
    return static_cast<int>(total_numbers) + EventContacts::numbers;
  if (settings_.method != ContactMethod::stepping) return 0;
  return static_cast<int>(total_numbers + 1 + contact_numbers * at_index(most_contacts_)) +
         rate_numbers() + 2 * trees_;
}

int Contacts::kept_count(std::span<const double> d) const {
  return static_cast<int>(d[total_numbers]);
}

KeptContact Contacts::kept(std::span<const double> d, int k) const {
  const double* in = d.data() + total_numbers + 1 + contact_numbers * at_index(k);
  KeptContact one;
  one.shape_a = static_cast<int>(*in++);
  one.shape_b = static_cast<int>(*in++);
  one.feature = static_cast<std::uint32_t>(*in++);
  for (Vec3<double>* v : {&one.point, &one.normal, &one.force, &one.moment}) in = take_vec3(in, *v);
  one.depth = *in++;
  one.slip = *in++;
  const int flags = static_cast<int>(*in);
  one.rests = flags & flag_rests;
  one.lasts = flags & flag_lasts;
  one.shared = flags & flag_shared;
  return one;
}

void Contacts::keep(std::span<double> d, std::span<const KeptContact> contacts) const {
  if (contacts.size() > at_index(most_contacts_))
    throw Error(fmt::format(
        "contact: {} contacts at once are more than the {} that are kept; raise most_contacts",
        contacts.size(), most_contacts_));
  double* out = d.data() + total_numbers;
  *out++ = static_cast<double>(contacts.size());
  for (const KeptContact& one : contacts) {
    *out++ = one.shape_a;
    *out++ = one.shape_b;
    *out++ = one.feature;
    for (const Vec3<double>& v : {one.point, one.normal, one.force, one.moment})
      out = put_vec3(out, v);
    *out++ = one.depth;
    *out++ = one.slip;
    *out++ = one.rests * flag_rests + one.lasts * flag_lasts + one.shared * flag_shared;
  }
}

ContactTotals Contacts::totals(std::span<const double> d) const {
  return {d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]};
}

void Contacts::set_totals(std::span<double> d, const ContactTotals& t) const {
  const double numbers[total_numbers] = {t.dissipated,     t.corrected,  t.residual,
                                         t.worst_residual, t.iterations, t.not_converged,
                                         t.impacts,        t.limited};
  std::copy(std::begin(numbers), std::end(numbers), d.begin());
}

std::span<double> Contacts::rates(std::span<double> d) const {
  return d.subspan(d.size() - at_index(rate_numbers() + 2 * trees_), at_index(rate_numbers()));
}

std::span<double> Contacts::debts(std::span<double> d) const {
  return d.subspan(d.size() - at_index(2 * trees_), at_index(trees_));
}

std::span<double> Contacts::rest_times(std::span<double> d) const {
  return d.last(at_index(trees_));
}

void Contacts::push(Evaluation& at, int body, const Vec3<double>& point, const Vec3<double>& force,
                    const Vec3<double>& moment) const {
  if (body <= 0) return;
  const Transform<double> X = body_pose(at.model, at.kinematics(), body);
  const Vec3<double> f = transpose_times(X.R, force);
  const Vec3<double> m = transpose_times(X.R, moment + cross(point - X.p, force));
  at.body_forces()[at_index(body)] += Force<double>{m, f};
}

void Contacts::apply(Evaluation& at) {
  if (switched_) return apply_switched(at);
  if (settings_.method == ContactMethod::stepping) {
    const std::span<const SceneShape> shapes = scene_.shapes();
    for (int k = 0; k < kept_count(at.d); ++k) {
      const KeptContact one = kept(at.d, k);
      push(at, shapes[at_index(one.shape_a)].body, one.point, one.force, one.moment);
      push(at, shapes[at_index(one.shape_b)].body, one.point, -one.force, -one.moment);
    }
    return;
  }
  apply_compliant(at);
}

void Contacts::derivative(Evaluation& at, std::span<double> z_dot) {
  if (!switched_) return compliant_rates(at, z_dot);
  z_dot[0] = 0;
  for (const EventContacts::Acting& one : switched_->acting()) z_dot[0] -= dot(one.force, one.slip);
}

}  // namespace limber
