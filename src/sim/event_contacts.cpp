// Contact between events: where listed contacts are, how they move, and their forces.
#include <limber/sim/event_contacts.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/collision/normal_rate.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/sim/contacts.hpp>

#include "index.hpp"
#include "sim/contact_names.hpp"

namespace limber {

namespace {

constexpr double seen_share = 0.2;     // of the thinnest shape: gaps within it are seen
constexpr double largest_seen = 0.05;  // [m]
constexpr double solver_accuracy = 1e-12, solution_accepted = 1e-9;  // of the accelerations
constexpr double settled_accuracy = 1e-9;
constexpr double least_size = 1e-4;  // of accelerations that accuracies are shares of [m/s²]

// the thinnest extent of what moves
double thinnest(const CollisionScene& scene) {
  double least = largest_seen / seen_share;
  for (const SceneShape& one : scene.shapes()) {
    if (one.body <= 0) continue;
    const Bounds box = one.shape.bounds({});
    const Vec3<double> edges = box.upper - box.lower;
    for (const double edge : {edges.x, edges.y, edges.z})
      if (edge > 0) least = std::min(least, edge);
  }
  return least;
}

void refuse_event(const std::string& what) {
  throw Error(fmt::format("contact: the method `event` does not offer {}; use `stepping`", what));
}

void check_offered(const Contacts& contacts) {
  const ContactSettings& s = contacts.settings();
  const auto turns = [](const ContactMaterial& one) { return one.torsion > 0 || one.rolling > 0; };
  bool any = std::any_of(s.materials.begin(), s.materials.end(), turns);
  for (const auto& [pair, material] : s.pairs) any = any || turns(material);
  if (any) refuse_event("torsional and rolling friction");
  if (s.solver.shape == FrictionShape::pyramid) refuse_event("the pyramid of friction");
  if (s.sleep_speed > 0) refuse_event("sleep (sleep_speed)");
  const std::span<const SceneShape> shapes = contacts.scene().shapes();
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const Shape::Kind kind = shapes[k].shape.kind();
    if (kind == Shape::Kind::mesh || kind == Shape::Kind::height_field)
      refuse_event(fmt::format("contact with '{}', a {}", shapes[k].name, limber::name(kind)));
    if (!s.belts.empty() && norm(s.belts[k]) > 0 && shapes[k].body > 0)
      refuse_event(fmt::format("the belt of '{}', which moves itself", shapes[k].name));
  }
}

Vec3<double> along_surface(const Vec3<double>& x, const Vec3<double>& n) {
  return x - n * dot(x, n);
}

// angular part and that of the body's point at `at`, world axes
Motion<double> motion_there(const Poses& poses, const List<Motion<double>>& motion, int body,
                            const Vec3<double>& at) {
  if (body <= 0) return {};
  const Transform<double>& X = poses.X_W[body];
  const Vec3<double> w = X.R * motion[body].angular;
  return {w, X.R * motion[body].linear + cross(w, at - X.p)};
}

// A_nn of a contact; 0: nothing can move along its normal
double weight_of(const ContactProblem& problem, int c) {
  double normal = 0, all = 0;
  for (int e = problem.first[c]; e < problem.first[c + 1]; ++e) {
    normal += problem.W[e].x * problem.W[e].x;
    all += dot(problem.W[e], problem.W[e]);
  }
  return normal > 1e-12 * all ? normal : 0;
}

}  // namespace

EventContacts::EventContacts(const Contacts& contacts)
    : margin_(seen_share * thinnest(contacts.scene())), slop_(contacts.settings().slop) {
  check_offered(contacts);
}

ListedContact EventContacts::listed(std::span<const double> d, int k) {
  const double* in = d.data() + 1 + 7 * at_index(k);
  ListedContact one;
  one.mode = static_cast<ContactMode>(static_cast<int>(in[0]));
  one.shape_a = static_cast<int>(in[1]);
  one.shape_b = static_cast<int>(in[2]);
  one.feature = static_cast<std::uint32_t>(in[3]);
  one.along = {in[4], in[5], in[6]};
  return one;
}

void EventContacts::list(std::span<double> d, std::span<const ListedContact> all) {
  if (all.size() > at_index(most_contacts))
    throw Error(fmt::format(
        "contact: {} contacts at once are more than the {} that the method `event` is meant for; "
        "use `stepping`",
        all.size(), most_contacts));
  std::fill(d.begin(), d.end(), 0.0);
  d[0] = static_cast<double>(all.size());
  double* out = d.data() + 1;
  for (const ListedContact& one : all) {
    const double own[7] = {static_cast<double>(one.mode),
                           static_cast<double>(one.shape_a),
                           static_cast<double>(one.shape_b),
                           static_cast<double>(one.feature),
                           one.along.x,
                           one.along.y,
                           one.along.z};
    out = std::copy(std::begin(own), std::end(own), out);
  }
}

void EventContacts::make_room(const Evaluation& at) {
  const int loops = at.closed ? at.closed->rows : 0;
  if (factor_ && zeros_.size() == at.v.size() && rows_.loops.rows == loops) return;
  if (!at.closed) tree_.emplace(at.model);
  rows_ = ContactRows(at.closed ? *at.closed : *tree_, most_contacts);
  factor_.emplace(at.model);
  motion_.emplace(at.model);
  zeros_.assign(at.v.size(), 0.0);
  v_after_.assign(at.v.size(), 0.0);
  loop_rates_.assign(at_index(loops), 0.0);
}

// The contacts of the list where they are now, and those that are close besides. A corner that is
// seen as another one of the same pair is the same contact.
void EventContacts::find(Contacts& contacts, Evaluation& at, std::span<const double> d) {
  const Velocities& bodies = at.kinematics();
  const std::span<const SceneContact> found = contacts.find(bodies, margin_);
  used_.assign(found.size(), 0);
  acting_.clear();
  near_.clear();
  for (int k = 0; k < count(d); ++k) acting_.push_back({listed(d, k), {}});
  const auto take = [&](Acting& one, std::size_t i) {
    one.found = found[i];
    one.is_there = true;
    used_[i] = 1;
  };
  for (const bool same_feature : {true, false})
    for (Acting& one : acting_)
      for (std::size_t i = 0; i < found.size() && !one.is_there; ++i)
        if (!used_[i] && found[i].shape_a == one.entry.shape_a &&
            found[i].shape_b == one.entry.shape_b &&
            (same_feature ? found[i].at.feature == one.entry.feature
                          : std::abs(found[i].at.depth) <= slop_))
          take(one, i);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!used_[i]) {
      const SceneContact& one = found[i];
      near_.push_back({{one.shape_a, one.shape_b, one.at.feature, ContactMode::open, {}}, one});
      near_.back().is_there = true;
    }
  for (std::vector<Acting>* all : {&acting_, &near_})
    for (Acting& one : *all)
      if (one.is_there) set_motion(contacts, at, one);
}

// velocity along the normal and the surface
void EventContacts::set_motion(const Contacts& contacts, Evaluation& at, Acting& one) {
  const Velocities& bodies = at.kinematics();
  const SceneContact& c = one.found;
  const Vec3<double>&p = c.at.point, &n = c.at.normal;
  const Vec3<double> u = motion_there(bodies, bodies.v, c.body_a, p).linear -
                         motion_there(bodies, bodies.v, c.body_b, p).linear;
  one.approach = dot(u, n);
  one.slip = along_surface(u, n) + contacts.belt(c, bodies);
  const ContactMaterial material = contacts.material(c.shape_a, c.shape_b);
  one.rubs = material.friction > 0;
  one.friction =
      one.entry.mode == ContactMode::sliding ? material.sliding_friction : material.friction;
}

// J̇ v of the rows: how the velocity at the place of contact changes with no joint acceleration
void EventContacts::place_rows(Evaluation& at) {
  make_room(at);
  forward_kinematics<double>(at.model, at.q, at.v, zeros_, at.scratch, *motion_);
  row_contacts_.clear();
  for (Acting& one : acting_) {
    if (!one.is_there) continue;
    const SceneContact& c = one.found;
    const Vec3<double>&p = c.at.point, &n = c.at.normal;
    const Motion<double> v = motion_there(*motion_, motion_->v, c.body_a, p) -
                             motion_there(*motion_, motion_->v, c.body_b, p);
    const Motion<double> a = motion_there(*motion_, motion_->a, c.body_a, p) -
                             motion_there(*motion_, motion_->a, c.body_b, p);
    one.drift = a.linear + cross(v.angular, one.rates.point);
    const double along = dot(one.drift, n) + dot(one.rates.normal, v.linear) +
                         2 * decay * one.approach - decay * decay * c.at.depth;
    one.drift = along_surface(one.drift, n) + n * along;
    if (one.entry.mode == ContactMode::sticking) one.drift += one.slip * (2 * decay);
    row_contacts_.push_back(row_of(one));
  }
  factorize<double>(at.model, at.q, at.scratch, *factor_, at.added_inertia(), at.known);
  rows_.place(at.closed ? *at.closed : *tree_, at.t, at.q, *factor_, row_contacts_, at.scratch);
}

RowContact EventContacts::row_of(const Acting& one) const {
  const SceneContact& c = one.found;
  RowContact row;
  row.body_a = c.body_a;
  row.body_b = c.body_b;
  row.point = c.at.point;
  row.normal = c.at.normal;
  row.law.friction = one.friction;
  row.drift = one.drift;
  if (one.entry.mode != ContactMode::sliding) return row;
  // Where the slip has passed zero it goes on as it was, until the event. A slow one has the
  // direction that it was listed with: how it turns is as stiff as it is slow.
  const Vec3<double> before = along_surface(one.entry.along, c.at.normal);
  const bool goes_on = norm(one.slip) >= slow_slip && dot(one.slip, before) > 0;
  const Vec3<double>& along = goes_on ? one.slip : before;
  if (const double length = norm(along); length > 0) row.slip = along / length;
  return row;
}

// b of the rows for the accelerations that there are; these keep the loops
void EventContacts::take_accelerations(Evaluation& at) {
  for (int i = 0; i < rows_.loops.rows; ++i) {
    loop_rates_[at_index(i)] = rows_.loops.drift[i];
    for (std::size_t k = 0; k < at.a.size(); ++k)
      loop_rates_[at_index(i)] += rows_.loops.jt(static_cast<int>(k), i) * at.a[k];
  }
  rows_.set_free_velocity(at.a, loop_rates_);
}

void EventContacts::forget_forces() {
  for (Acting& one : acting_) one.force = {};
}

// Round 0: accelerations without contact are known, and forces follow. Later: with these forces
// they are what was expected, unless a drive answers to them.
bool EventContacts::settled(Contacts& contacts, Evaluation& at, std::span<const double> d) {
  ContactProblem& problem = rows_.problem;
  if (at.round == 0) {
    find(contacts, at, d);
    if (acting_.empty()) return true;
    for (Acting& one : acting_)
      if (one.is_there) set_rates(contacts, at, one);
    place_rows(at);
    take_accelerations(at);
  } else {
    if (acting_.empty()) return true;
    take_accelerations(at);
    double off = 0;
    std::size_t c = 0;
    for (const Acting& one : acting_) {
      if (!one.is_there) continue;
      const Vec3<double>& b = problem.b[c++];
      off = std::max(off, norm(b - one.expected));
    }
    if (off <= settled_accuracy * size_ || at.round >= 8) return true;
    // what there would be without the forces that act
    for (const ContactIsland& island : problem.islands) problem.fill_response(island);
    for (int k = 0; k < problem.contacts(); ++k)
      problem.b[k] = problem.b[k] * 2.0 - problem.velocity(k);
  }
  solve(contacts);
  return std::none_of(acting_.begin(), acting_.end(),
                      [](const Acting& one) { return norm(one.force) > 0; });
}

// how the normal and the place of contact move
void EventContacts::set_rates(const Contacts& contacts, Evaluation& at, Acting& one) {
  const Velocities& bodies = at.kinematics();
  const std::span<const SceneShape> shapes = contacts.scene().shapes();
  const SceneShape &a = shapes[at_index(one.found.shape_a)],
                   &b = shapes[at_index(one.found.shape_b)];
  const auto pose = [&](const SceneShape& shape) {
    return bodies.X_W[shape.body] * shape.placement;
  };
  const auto velocity = [&](const SceneShape& shape) {
    const Motion<double> v = motion_there(bodies, bodies.v, shape.body, pose(shape).p);
    return ShapeVelocity{v.angular, v.linear};
  };
  const std::optional<ContactRates> found =
      contact_rates(a.shape, pose(a), velocity(a), b.shape, pose(b), velocity(b), one.found.at);
  if (!found)
    throw Error(fmt::format(
        "contact: how the contact of '{}' and '{}' moves along their surfaces is not known (two "
        "edges along each other, or two corners); use `stepping`",
        a.name, b.name));
  one.rates = *found;
}

void EventContacts::solve(const Contacts& contacts) {
  ContactProblem& problem = rows_.problem;
  size_ = least_size;
  for (const Vec3<double>& b : problem.b) size_ = std::max(size_, norm(b));
  ConeSettings settings;
  settings.tolerance = solver_accuracy * size_;
  for (int c = 0; c < problem.contacts(); ++c) {
    const double weight = weight_of(problem, c);
    const double n = weight > 0 ? std::max(-problem.b[c].x, 0.0) / weight : 0;
    problem.impulse[c] = {n, 0, 0};
  }
  const ConeResult result = solve_contacts(problem, settings, cone_);
  const bool is_solved = result.residual <= solution_accepted * size_;
  sliding_answers(problem, is_solved ? Solved::yes : Solved::no, answers_);
  int c = 0, at_fault = std::max(answers_.contact, result.contact);
  std::string fault_pair;
  for (Acting& one : acting_) {
    if (!one.is_there) continue;
    const Vec3<double>& n = one.found.at.normal;
    const Vec3<double> a = rows_.slip(c);
    one.weight = weight_of(problem, c);
    one.expected = problem.velocity(c);
    one.separation = dot(a, n);
    one.creep = along_surface(a, n);
    one.force = rows_.impulse(c);
    if (c++ == at_fault) fault_pair = pair_name(contacts, one.found);
  }
  if (answers_.status != ContactStatus::unique)
    throw Error(fmt::format(
        "contact {}: sliding with this friction {} (Painlevé); the laws of rigid bodies do not say "
        "what happens. Reduce the friction, or use compliant contact",
        fault_pair,
        answers_.status == ContactStatus::infeasible
            ? "has no solution: the status is infeasible"
            : "has more than one solution, or cannot be shown to have one alone: not unique"));
  if (!is_solved)
    throw Error(fmt::format(
        "contact {}: no forces were found that keep all contacts; the accelerations are off by "
        "{:.2g} m/s². Contacts may contradict each other, or friction may have no solution",
        fault_pair, result.residual));
}

}  // namespace limber
