// How a System is put together: parts, the layout of its state, its beginning.
#include <limber/sim/system.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/model/fixed_axes.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/sim/loop_joints.hpp>

#include "dynamics/fold.hpp"
#include "index.hpp"
#include "sim/part_error.hpp"

namespace limber {

namespace {

bool has_manifold(const Model& m) {
  bool found = false;
  for_each_joint(m, [&](const JointPlace& joint) { found = found || !joint.adds; });
  return found;
}

// the column of the tree that a freedom of the user is, mimic joints left aside
std::vector<std::size_t> own_columns(const Model& m) {
  std::vector<std::size_t> column(at_index(m.nv), 0);
  for (std::size_t k = 0; k < m.v_fold.size(); ++k)
    if (m.master[at_index(m.column_body[k])] < 0) column[at_index(m.v_fold[k].index)] = k;
  return column;
}

// numbers that a part may keep: 800 MB of them
constexpr int most_states = 100'000'000;

std::size_t state_count(const Part& part, const char* kind, int (Part::*count)() const) {
  const int states = guarded(part, [&] { return (part.*count)(); });
  if (states < 0 || states > most_states)
    throw Error(fmt::format("part '{}': {} {} states found, 0 to {} are possible", part.name(),
                            states, kind, most_states));
  return static_cast<std::size_t>(states);
}

void check_numbers(const Model& m, const char* what, std::span<const double> values, int expected) {
  if (values.size() != at_index(expected))
    throw Error(fmt::format("the initial {} has {} entries, robot '{}' needs {}", what,
                            values.size(), m.name, expected));
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      throw Error(
          fmt::format("the initial {}[{}] of robot '{}' is not a finite number", what, k, m.name));
}

}  // namespace

const Velocities& Evaluation::kinematics() {
  if (!placed_) forward_kinematics(model, q, v, scratch, kinematics_);
  placed_ = true;
  return kinematics_;
}

const Accelerations& Evaluation::accelerations() {
  if (!accelerated_) forward_kinematics<double>(model, q, v, a, scratch, accelerations_);
  accelerated_ = true;
  return accelerations_;
}

System::OwnModel::OwnModel(Model model) : model_(std::make_unique<Model>(std::move(model))) {}

void System::OwnModel::attach(Part& part) {
  guarded(part, [&] { part.attach(*model_); });
}

namespace {

Model opened(Model model) {
  model.loops.clear();
  return model;
}

std::unique_ptr<LoopSet> loops_of(const Mechanism& mechanism) {
  return mechanism.rows > 0 ? std::make_unique<LoopSet>(mechanism) : nullptr;
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): the loops are read after the tree is made
System::System(Model model)
    : System(opened(model), model.loops.empty() ? nullptr : loops_of(Mechanism(model))) {}

System::System(const Mechanism& mechanism) : System(mechanism.tree, loops_of(mechanism)) {}

System::System(Model tree, std::unique_ptr<LoopSet> loops)
    : model_(std::move(tree)),
      loops_(std::move(loops)),
      column_(own_columns(*model_)),
      any_quaternion_(has_manifold(*model_)),
      turns_freely_(turns_freely(*model_)),
      ws_(*model_),
      at_(std::make_unique<Evaluation>(*model_)) {
  if (!model_->singular_reason.empty())
    throw Error(
        fmt::format("robot '{}' cannot be simulated: {}", model_->name, model_->singular_reason));
  place_.resize(at_index(model_->nq + model_->nv));
  contributions_.resize(at_index(3 * model_->nv));
  given_.resize(at_index(model_->nv));
  momentum_.resize(at_index(model_->nv));
  known_.resize(at_index(model_->nv), Known::force);
  body_forces_.resize(at_index(model_->bodies()));
  body_inertia_.resize(body_forces_.size());
  connect();
  // throws for a joint that cannot say how its positions change
  std::vector<double> rates(q_.size());
  position_rate(*model_, neutral_position(*model_), v_, rates);
  lay_out();
  if (loops_ && LoopJoints::is_needed(loops_->all().loops))
    add(std::make_unique<LoopJoints>(loops_->all().loops));
}

System::System(const System& other)
    : MechanicalOde(other),
      seed(other.seed),
      energy_at_start(other.energy_at_start),
      model_(other.model_),
      loaded_(other.loaded_),
      loops_(other.loops_ ? std::make_unique<LoopSet>(*other.loops_) : nullptr),
      places_(other.places_),
      column_counts_(other.column_counts_),
      events_(other.events_),
      event_ranges_(other.event_ranges_),
      events_need_dynamics_(other.events_need_dynamics_),
      decides_in_steps_(other.decides_in_steps_),
      discrete_(other.discrete_),
      inputs_(other.inputs_),
      input_specs_(other.input_specs_),
      losses_(other.losses_),
      undriven_(other.undriven_),
      column_(other.column_),
      size_(other.size_),
      any_quaternion_(other.any_quaternion_),
      turns_freely_(other.turns_freely_),
      prescribing_(other.prescribing_),
      settling_(other.settling_),
      carrying_(other.carrying_),
      storing_(other.storing_),
      streaming_(other.streaming_),
      deciding_(other.deciding_),
      closing_(other.closing_),
      placed_(other.placed_),
      is_closed_(other.is_closed_),
      held_forces_(other.held_forces_),
      held_a_(other.held_a_),
      passed_rest_(other.passed_rest_),
      passed_rest_t_(other.passed_rest_t_),
      notices_(other.notices_),
      unsettled_steps_(other.unsettled_steps_),
      start_assembly_(other.start_assembly_),
      ws_(other.ws_),
      place_(other.place_),
      contributions_(other.contributions_),
      given_(other.given_),
      momentum_(other.momentum_),
      x_dot_(other.x_dot_),
      known_(other.known_),
      inertia_(other.inertia_),
      body_forces_(other.body_forces_),
      body_inertia_(other.body_inertia_),
      felt_(other.felt_),
      evaluated_x_(other.evaluated_x_),
      at_(std::make_unique<Evaluation>(loaded_ ? *loaded_ : *model_)) {
  connect();
  for (const auto& part : other.parts_) {
    parts_.push_back(guarded(*part, [&] { return part->clone(); }));
    if (!parts_.back())
      throw Error(fmt::format("part '{}': clone() returned nothing; return a copy of the part",
                              part->name()));
  }
}

// what parts see lies in the numbers of this System
void System::connect() {
  const std::size_t nq = at_index(model_->nq), nv = at_index(model_->nv);
  q_ = std::span(place_).first(nq);
  v_ = std::span(place_).subspan(nq);
  at_->q = q_;
  at_->v = v_;
  at_->command = std::span(contributions_).first(nv);
  at_->tau = std::span(contributions_).subspan(nv, nv);
  at_->inertia = std::span(contributions_).subspan(2 * nv, nv);
  at_->channels = std::span(contributions_).subspan(3 * nv);
  at_->body_forces_ = body_forces_;
  at_->body_inertia_ = body_inertia_;
  at_->pushed_ = at_->weighted_ = true;  // what they hold is not known
  at_->decides_in_steps = decides_in_steps_;
}

System::System(System&&) noexcept = default;
System::~System() = default;

std::unique_ptr<Ode> System::clone() const { return std::make_unique<System>(*this); }

void System::copy_discrete(const Ode& other) {
  const auto& from = dynamic_cast<const System&>(other);
  check_size("System::copy_discrete", "other", from.discrete_.size(),
             static_cast<int>(discrete_.size()), model_->name);
  discrete_ = from.discrete_;
  inputs_ = from.inputs_;
  forget_instant();
}

void System::check_state(const char* function, std::span<const double> x) const {
  check_size(function, "x", x.size(), size_, model_->name);
}

const Part* System::find(std::string_view part_name) const {
  for (const auto& part : parts_)
    if (part->name() == part_name) return part.get();
  return nullptr;
}

// no freedom that the part drives or prescribes is taken by another
void System::check_freedoms(const Part& part, const char* verb,
                            std::span<const int> (Part::*freedoms)() const) const {
  for (const int freedom : (part.*freedoms)()) {
    if (freedom < 0 || freedom >= model_->nv)
      throw Error(fmt::format("part '{}' wants to {} freedom {}, robot '{}' has {}", part.name(),
                              verb, freedom, model_->name, model_->nv));
    for (const auto& other : parts_)
      for (const int taken : ((*other).*freedoms)())
        if (taken == freedom)
          throw Error(fmt::format(
              "parts '{}' and '{}' both {} freedom {} of robot '{}' (joint '{}'); "
              "remove one of them",
              other->name(), part.name(), verb, freedom, model_->name,
              model_->joint_name[at_index(model_->column_body[column_[at_index(freedom)]])]));
  }
}

void Part::take_forces() {
  throw Error(fmt::format(
      "{} takes commands in {}, has no model that turns a force into them, and cannot be asked for "
      "forces; use a controller whose gains are in that unit (pd, pid), or another drive",
      name(), command_unit()));
}

// what a command means to each drive and to the controllers of its freedom
void System::connect_commands(Part& added) {
  const auto has = [](std::span<const int> freedoms, int freedom) {
    return std::find(freedoms.begin(), freedoms.end(), freedom) != freedoms.end();
  };
  std::vector<Part*> all{&added};
  for (const auto& part : parts_) all.push_back(part.get());
  const auto connect_drive = [&](Part& drive, int freedom) {
    Part* first = nullptr;
    for (Part* controller : all) {
      if (!has(controller->commanded(), freedom)) continue;
      if (!first) first = controller;
      const std::string unit = drive.command_unit();
      if (!unit.empty() && controller->commands_forces() != first->commands_forces())
        throw Error(fmt::format(
            "controllers '{}' and '{}' both command joint '{}', one of them by forces and the "
            "other "
            "in {}, the unit of its drive; let both ask for forces, or set the drive's input to "
            "torque",
            first->name(), controller->name(),
            model_->joint_name[at_index(model_->column_body[column_[at_index(freedom)]])], unit));
      if (!unit.empty() && controller->commands_forces())
        guarded(drive, [&] { drive.take_forces(); });
      controller->set_drive(freedom, drive);
    }
  };
  for (Part* drive : all)
    for (const int freedom : drive->driven())
      if (drive == &added || has(added.commanded(), freedom)) connect_drive(*drive, freedom);
}

// the inputs of a part, with its name before theirs
std::vector<InputSpec> System::checked_inputs(const Part& part) const {
  std::vector<InputSpec> all = guarded(part, [&] { return part.inputs(); });
  const std::vector<std::string> variables =
      all.empty() ? std::vector<std::string>{} : variable_names();
  for (InputSpec& one : all) {
    const std::string own = one.name;
    one.name = fmt::format("{}.{}", part.name(), own);
    if (!(one.lower <= one.value && one.value <= one.upper) || !std::isfinite(one.value))
      throw Error(
          fmt::format("part '{}': input '{}' begins with {}, which is not a finite number from {} "
                      "to {}; give it bounds that include its first value",
                      part.name(), own, one.value, one.lower, one.upper));
    const auto same = [&](const InputSpec& other) { return other.name == one.name; };
    if (own.empty() || own.find('[') != std::string::npos ||
        std::count_if(all.begin(), all.end(), same) > 1 ||
        std::any_of(input_specs_.begin(), input_specs_.end(), same) ||
        std::find(variables.begin(), variables.end(), one.name) != variables.end())
      throw Error(fmt::format(
          "part '{}': the name '{}' of an input is empty or has a bracket, or '{}' is the name of "
          "another input or of a variable of the robot; give it another name",
          part.name(), own, one.name));
  }
  return all;
}

Part& System::add(std::unique_ptr<Part> part) {
  if (!part) throw Error("a part to be added to the system is null; make one first");
  if (find(part->name()))
    throw Error(fmt::format("two parts of the system are called '{}'; give one another name",
                            part->name()));
  model_.attach(*part);
  check_freedoms(*part, "drive", &Part::driven);
  check_freedoms(*part, "prescribe the motion of", &Part::prescribed);
  checked_inputs(*part);
  connect_commands(*part);
  Part& added = *part;
  const auto place =
      std::upper_bound(parts_.begin(), parts_.end(), part,
                       [](const auto& a, const auto& b) { return a->role() < b->role(); });
  parts_.insert(place, std::move(part));
  lay_out();
  return added;
}

void System::lay_out() {
  std::size_t z = at_index(model_->nq + model_->nv), d = 0;
  input_specs_.clear();
  std::vector<bool> driven(at_index(model_->nv), false);
  places_.clear();
  events_.clear();
  event_ranges_.clear();
  events_need_dynamics_ = false;
  column_counts_.clear();
  prescribing_.clear();
  settling_.clear();
  carrying_.clear();
  streaming_.clear();
  storing_.clear();
  deciding_.clear();
  felt_.clear();
  const std::vector<std::size_t> channel = lay_out_channels();
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = *parts_[k];
    const std::vector<InputSpec> inputs = checked_inputs(part);
    places_.push_back({z, state_count(part, "continuous", &Part::continuous_states), d,
                       state_count(part, "discrete", &Part::discrete_states), input_specs_.size(),
                       inputs.size(), channel[k], channel[k + 1] - channel[k]});
    z += places_.back().z_count;
    d += places_.back().d_count;
    input_specs_.insert(input_specs_.end(), inputs.begin(), inputs.end());
    for (const int freedom : part.driven()) driven[at_index(freedom)] = true;
    const std::vector<EventSpec> events = guarded(part, [&] { return part.events(); });
    if (!events.empty()) event_ranges_.push_back({k, events_.size(), events.size()});
    if (part.decides_in_steps()) deciding_.push_back(k);
    if (!events.empty() && part.events_need_dynamics() &&
        !(decides_in_steps_ && part.decides_in_steps()))
      events_need_dynamics_ = true;
    for (std::size_t i = 0; i < events.size(); ++i)
      events_.push_back({static_cast<int>(k), static_cast<int>(i), events[i]});
    column_counts_.push_back(guarded(part, [&] { return part.columns().size(); }));
    if (!part.prescribed().empty()) prescribing_.push_back(k);
    if (part.depends_on_acceleration()) settling_.push_back(k);
    if (part.carries()) carrying_.push_back(k);
    if (part.moves_water()) streaming_.push_back(k);
    if (part.stores_energy()) storing_.push_back(k);
    if (part.feels()) felt_.resize(body_forces_.size());
  }
  losses_.clear();
  for (std::size_t k = 0; k < model_->column_dof.size(); ++k) {
    const DofSpec& dof = model_->column_dof[k];
    if (dof.damping > 0 || dof.friction_positive > 0 || dof.friction_negative > 0)
      losses_.push_back({at_index(model_->v_fold[k].index), model_->v_fold[k].ratio, dof.damping,
                         dof.friction_positive, dof.friction_negative});
  }
  undriven_.clear();
  for (int k = 0; k < model_->nv; ++k)
    if (!driven[at_index(k)]) undriven_.push_back(k);
  size_ = static_cast<int>(z) + 1;  // work
  discrete_.assign(d, 0);
  begin_inputs();
  inertia_ = model_->inertia;  // nothing is carried before the initial state
  if (loaded_) compute_with(nullptr);
  lay_out_loops();
  x_dot_.resize(at_index(size_));
  evaluated_x_.resize(at_index(size_));
  forget_instant();
}

// the first channel of each part, and how many there are; controllers get to know them all
std::vector<std::size_t> System::lay_out_channels() {
  std::vector<SystemChannel> all;
  std::vector<std::size_t> first{0};
  for (const auto& part : parts_) {
    for (ChannelSpec& one : guarded(*part, [&] { return part->channels(); }))
      all.push_back({part.get(), std::move(one)});
    if (all.size() > first.back() && part->role() != Role::drive)
      throw Error(fmt::format("part '{}' has channels; give it the role `drive`", part->name()));
    first.push_back(all.size());
  }
  contributions_.assign(at_index(3 * model_->nv) + all.size(), 0);
  connect();
  for (const auto& part : parts_) guarded(*part, [&] { part->set_channels(all); });
  return first;
}

void System::begin_inputs() {
  inputs_.clear();
  for (const InputSpec& one : input_specs_) inputs_.push_back(one.value);
}

std::vector<double> System::initial_state(std::span<const double> q, std::span<const double> v) {
  check_numbers(*model_, "position", q, model_->nq);
  check_numbers(*model_, "velocity", v, model_->nv);
  std::vector<double> x(at_index(size_), 0);
  std::copy(q.begin(), q.end(), x.begin());
  std::copy(v.begin(), v.end(), x.begin() + model_->nq);
  normalize(*model_, std::span(x).first(at_index(model_->nq)));
  std::fill(discrete_.begin(), discrete_.end(), 0.0);
  begin_inputs();
  forget_instant();
  notices_.clear();
  unsettled_steps_ = 0;
  start_assembly_.reset();
  begin_on_loops(x);
  initialize_parts(x);
  // a part may have closed loops: what assembling them moved must be known to all parts
  if (begin_on_loops(x) == Begun::assembled) {
    initialize_parts(x);
    begin_on_loops(x);
  }
  return x;
}

void System::initialize_parts(std::span<double> x) {
  set_instant(0, x);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    set_part(k, x);
    const Place& place = places_[k];
    const std::span<double> z = x.subspan(place.z, place.z_count),
                            d = std::span(discrete_).subspan(place.d, place.d_count);
    std::fill(z.begin(), z.end(), 0.0);
    std::fill(d.begin(), d.end(), 0.0);
    guarded(*parts_[k], [&] { parts_[k]->initialize(*at_, z, d); });
    expect_numbers(*parts_[k], "an initial state", z);
    expect_numbers(*parts_[k], "an initial state", d);
  }
  forget_instant();
}

std::vector<Column> System::columns() const {
  std::vector<Column> all;
  for (const auto& part : parts_) {
    const std::vector<Column> columns = part->columns();
    all.insert(all.end(), columns.begin(), columns.end());
  }
  return all;
}

}  // namespace limber
