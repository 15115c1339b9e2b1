// CVODE of SUNDIALS: Adams' methods of orders 1 to 12 with fixed-point iteration, and backward
// differentiation formulas of orders 1 to 5 with Newton's method and a dense Jacobian by
// differences.
#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <limber/error.hpp>

#include "sim/methods.hpp"
#include "sim/stepper.hpp"

namespace limber {

namespace {

enum class Family { adams, bdf };

// CVODE goes on with x as it is, the projection is only handed out; where the two differ by more
// than this many relative tolerances it begins anew at the projection
constexpr double drift_allowed = 100;

// of quadratures: nothing beside any tolerance, but a number that CVODE can divide by
constexpr double uncontrolled_weight = 1e-100;

// the handles of SUNDIALS, freed in the order in which they need each other
struct Memory {
  Memory(Family family, std::size_t n);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  std::span<double> state() const {
    return {N_VGetArrayPointer(y), static_cast<std::size_t>(N_VGetLength(y))};
  }

  SUNContext context = nullptr;
  N_Vector y = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  SUNNonlinearSolver nonlinear = nullptr;
  void* cvode = nullptr;
};

// for calls that fail only when memory is short or an argument is nonsense
void expect_success(int flag, const char* call) {
  if (flag < 0)
    throw Error(std::string(call) + " of SUNDIALS failed: " + CVodeGetReturnFlagName(flag));
}

Memory::Memory(Family family, std::size_t n) {
  expect_success(SUNContext_Create(nullptr, &context), "SUNContext_Create");
  y = N_VNew_Serial(static_cast<sunindextype>(n), context);
  cvode = CVodeCreate(family == Family::adams ? CV_ADAMS : CV_BDF, context);
  if (!y || !cvode) throw Error("SUNDIALS could not allocate an integrator of this size");
  if (family == Family::adams) {
    nonlinear = SUNNonlinSol_FixedPoint(y, 0, context);
  } else {
    matrix = SUNDenseMatrix(static_cast<sunindextype>(n), static_cast<sunindextype>(n), context);
    linear = SUNLinSol_Dense(y, matrix, context);
  }
}

Memory::~Memory() {
  if (cvode) CVodeFree(&cvode);
  if (nonlinear) SUNNonlinSolFree(nonlinear);
  if (linear) SUNLinSolFree(linear);
  if (matrix) SUNMatDestroy(matrix);
  if (y) N_VDestroy(y);
  if (context) SUNContext_Free(&context);
}

class Cvode final : public Stepper {
 public:
  Cvode(const IntegratorSettings& settings, Family family) : settings_(settings), family_(family) {}

  void start(Ode& ode, double t, std::span<const double> x) override;
  StepStatus step(double limit) override;
  void interpolate(double t, std::span<double> x) override;
  bool may_reach(double t) override;
  std::vector<double> save() const override;
  void resume(Ode& ode, double t, std::span<const double> x,
              std::span<const double> saved) override;
  std::unique_ptr<Integrator> clone(Ode& ode, const RootFunctions& functions) const override;
  bool find_roots(const RootFunctions& functions, int count) override;
  std::span<const int> roots() const override;

 private:
  template <class F>
  int called_back(F&& f);
  static int right_hand_side(double t, N_Vector x, N_Vector x_dot, void* self);
  static int root_values(double t, N_Vector x, double* values, void* self);
  static int error_weights(N_Vector x, N_Vector weights, void* self);
  void create();
  void begin_anew();
  int run_cvode(double limit, double& t);
  void count_rejected();
  bool leave(int flag, double t);
  void take_again(Ode& ode, double t, std::span<const double> x, std::span<const double> saved);

  IntegratorSettings settings_;
  Family family_;
  std::unique_ptr<Memory> memory_;
  bool restart_due_ = false;
  bool rate_failed_ = false;   // in this step
  std::exception_ptr thrown_;  // in a call back from CVODE, which is C and lets none through
  long rejected_before_ = 0;   // by CVODE's earlier beginnings, which it forgets
  // the way from the last beginning to t_, which resume() goes again
  struct Stretch {
    double limit = 0, steps = 0;  // so many steps in a row with this limit
  };
  double t_begin_ = 0;
  std::vector<double> x_begin_;
  std::vector<Stretch> way_;
  RootFunctions functions_;
  int root_count_ = 0;
  bool roots_changed_ = false, at_root_ = false;
  std::vector<int> roots_;
  std::vector<double> projected_;  // x for the root functions and at the end of a step
};

// what CVODE is told of f, which says whether its values can be used
template <class F>
int Cvode::called_back(F&& f) {
  constexpr int go_on = 0, try_a_shorter_step = 1, give_up = -1;
  try {
    return f() ? go_on : try_a_shorter_step;
  } catch (...) {
    thrown_ = std::current_exception();
    return give_up;
  }
}

int Cvode::right_hand_side(double t, N_Vector x, N_Vector x_dot, void* self) {
  auto& integrator = *static_cast<Cvode*>(self);
  const std::size_t n = integrator.size();
  return integrator.called_back([&] {
    const bool ok = integrator.rate(t, {N_VGetArrayPointer(x), n}, {N_VGetArrayPointer(x_dot), n});
    if (!ok) integrator.rate_failed_ = true;
    return ok;
  });
}

// what CVODE multiplies errors with: the inverse of what each may be
int Cvode::error_weights(N_Vector x, N_Vector weights, void* self) {
  const auto& integrator = *static_cast<const Cvode*>(self);
  const IntegratorSettings& settings = integrator.settings_;
  const double* value = N_VGetArrayPointer(x);
  double* weight = N_VGetArrayPointer(weights);
  const std::size_t controlled = integrator.controlled();
  for (std::size_t i = 0; i < controlled; ++i)
    weight[i] =
        1 / (settings.relative_tolerance * std::abs(value[i]) + settings.absolute_tolerance);
  std::fill(weight + controlled, weight + integrator.size(), uncontrolled_weight);
  return 0;
}

int Cvode::root_values(double t, N_Vector x, double* values, void* self) {
  auto& integrator = *static_cast<Cvode*>(self);
  const double* numbers = N_VGetArrayPointer(x);
  return integrator.called_back([&] {
    std::copy_n(numbers, integrator.size(), integrator.projected_.begin());
    integrator.ode_->project(t, integrator.projected_);
    const std::span<double> result(values, static_cast<std::size_t>(integrator.root_count_));
    integrator.functions_(t, integrator.projected_, result);
    return all_finite(result);
  });
}

void Cvode::start(Ode& ode, double t, std::span<const double> x) {
  place(ode, t, x);
  at_root_ = false;
  if (!memory_ || memory_->state().size() != size()) create();
  if (std::exchange(roots_changed_, false))
    expect_success(CVodeRootInit(memory_->cvode, root_count_, root_values), "CVodeRootInit");
  begin_anew();
}

void Cvode::create() {
  memory_ = std::make_unique<Memory>(family_, size());
  projected_.resize(size());
  void* const cvode = memory_->cvode;
  const auto quiet = [](int, const char*, const char*, char*, void*) {};
  expect_success(CVodeSetErrHandlerFn(cvode, quiet, nullptr), "CVodeSetErrHandlerFn");
  expect_success(CVodeInit(cvode, right_hand_side, t_, memory_->y), "CVodeInit");
  expect_success(CVodeSetUserData(cvode, this), "CVodeSetUserData");
  expect_success(CVodeWFtolerances(cvode, error_weights), "CVodeWFtolerances");
  expect_success(CVodeSetMaxStep(cvode, settings_.max_step), "CVodeSetMaxStep");
  if (family_ == Family::adams)
    expect_success(CVodeSetNonlinearSolver(cvode, memory_->nonlinear), "CVodeSetNonlinearSolver");
  else
    expect_success(CVodeSetLinearSolver(cvode, memory_->linear, memory_->matrix),
                   "CVodeSetLinearSolver");
  roots_changed_ = root_count_ > 0;
}

void Cvode::begin_anew() {
  restart_due_ = false;
  rejected_before_ = cost_.rejected;
  t_begin_ = t_;
  x_begin_ = x_;
  way_.clear();
  std::copy(x_.begin(), x_.end(), memory_->state().begin());
  expect_success(CVodeReInit(memory_->cvode, t_, memory_->y), "CVodeReInit");
}

StepStatus status_of(int flag) {
  switch (flag) {
    case CV_SUCCESS:
    case CV_TSTOP_RETURN:
    case CV_ROOT_RETURN:
      return StepStatus::ok;
    case CV_CONV_FAILURE:
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL:
    case CV_NLS_SETUP_FAIL:
    case CV_NLS_FAIL:
      return StepStatus::no_convergence;
    case CV_ERR_FAILURE:
    case CV_TOO_MUCH_ACC:
    case CV_TOO_CLOSE:
      return StepStatus::step_too_small;
    default:
      return StepStatus::not_computable;
  }
}

StepStatus Cvode::step(double limit) {
  limit = std::min(limit, std::numeric_limits<double>::max());
  at_root_ = false;
  constexpr double ulp = std::numeric_limits<double>::epsilon();
  const double remainder = limit - t_;
  // the shortest way that CVODE can begin
  if (remainder <= 100 * ulp * std::max(std::abs(t_), std::min(remainder, settings_.max_step))) {
    t_ = std::max(t_, limit);
    return StepStatus::ok;
  }
  t_before_ = t_;  // nothing to interpolate in where the step fails
  if (restart_due_) begin_anew();
  rate_failed_ = false;
  double t = t_;
  const int flag = run_cvode(limit, t);
  if (thrown_) {
    restart_due_ = true;
    std::rethrow_exception(std::exchange(thrown_, nullptr));
  }
  count_rejected();
  StepStatus status = status_of(flag);
  // CVODE goes on with steps that do not move the clock
  if (flag == CV_SUCCESS && t - t_ <= 4 * ulp * std::abs(t_))
    status = rate_failed_ ? StepStatus::not_computable : StepStatus::step_too_small;
  if (status == StepStatus::ok && !leave(flag, t)) status = StepStatus::not_computable;
  if (status == StepStatus::ok) {
    if (way_.empty() || way_.back().limit != limit) way_.push_back({limit, 0});
    ++way_.back().steps;
  } else {
    restart_due_ = true;
  }
  return status;
}

int Cvode::run_cvode(double limit, double& t) {
  double reached = t_;
  CVodeGetCurrentTime(memory_->cvode, &reached);
  // beyond t() where the last step ended at a root: then within the step that CVODE has taken
  if (limit <= reached) return CVode(memory_->cvode, limit, memory_->y, &t, CV_NORMAL);
  CVodeSetStopTime(memory_->cvode, limit);
  // from the instant that it is asked for, CVODE guesses its first step, and how short it may be:
  // far enough for one that rounding leaves something of
  const double asked = std::min(limit, t_ + 1000 * settings_.max_step);
  return CVode(memory_->cvode, asked, memory_->y, &t, CV_ONE_STEP);
}

bool Cvode::may_reach(double t) {
  double reached = t_, next = 0;
  CVodeGetCurrentTime(memory_->cvode, &reached);
  CVodeGetCurrentStep(memory_->cvode, &next);
  if (restart_due_ || way_.empty()) return t_ + settings_.max_step * (1 + 1e-6) >= t;
  return std::max(reached, t_) + next * (1 + 1e-6) >= t;
}

void Cvode::count_rejected() {
  long errors = 0, solves = 0;
  CVodeGetNumErrTestFails(memory_->cvode, &errors);
  CVodeGetNumStepSolveFails(memory_->cvode, &solves);
  cost_.rejected = rejected_before_ + errors + solves;
}

// takes over where CVODE stands; false where that cannot be stabilised
bool Cvode::leave(int flag, double t) {
  const std::span<const double> y = memory_->state();
  std::copy(y.begin(), y.end(), projected_.begin());
  restart_due_ = true;  // CVODE stands elsewhere, should this fail
  if (ode_->stabilise(t, projected_) == Evaluated::failed) return false;
  restart_due_ = false;
  t_ = t;
  x_.swap(projected_);
  ++cost_.steps;
  for (std::size_t i = 0; i < size(); ++i) {
    const double allowed = drift_allowed * (settings_.absolute_tolerance +
                                            settings_.relative_tolerance * std::abs(x_[i]));
    if (std::abs(y[i] - x_[i]) > allowed) restart_due_ = true;
  }
  at_root_ = flag == CV_ROOT_RETURN;
  if (at_root_) CVodeGetRootInfo(memory_->cvode, roots_.data());
  return true;
}

void Cvode::interpolate(double t, std::span<double> x) {
  const bool inside = t < t_ && t_before_ < t_;
  if (inside && CVodeGetDky(memory_->cvode, std::max(t, t_before_), 0, memory_->y) == CV_SUCCESS) {
    const std::span<const double> y = memory_->state();
    std::copy(y.begin(), y.end(), x.begin());
    ode_->project(t, x);
  } else {
    std::copy(x_.begin(), x_.end(), x.begin());
  }
}

// where it began last, and the way since then as pairs of limit and steps
std::vector<double> Cvode::save() const {
  if (restart_due_) return {};
  std::vector<double> saved{t_begin_};
  saved.insert(saved.end(), x_begin_.begin(), x_begin_.end());
  for (const Stretch& stretch : way_) saved.insert(saved.end(), {stretch.limit, stretch.steps});
  return saved;
}

void Cvode::resume(Ode& ode, double t, std::span<const double> x, std::span<const double> saved) {
  take_again(ode, t, x, saved);
  rejected_before_ -= cost_.rejected;
  cost_ = {};
}

// CVODE's memory cannot be copied
std::unique_ptr<Integrator> Cvode::clone(Ode& ode, const RootFunctions& functions) const {
  auto copy = std::make_unique<Cvode>(settings_, family_);
  if (root_count_ > 0) copy->find_roots(functions, root_count_);
  if (!ode_) return copy;
  copy->take_again(ode, t_, x_, save());
  copy->t_before_ = t_before_;
  copy->cost_ = cost_;
  copy->rejected_before_ = rejected_before_;
  copy->restart_due_ = restart_due_;
  return copy;
}

// the way that save() has written
void Cvode::take_again(Ode& ode, double t, std::span<const double> x,
                       std::span<const double> saved) {
  if (saved.empty()) return start(ode, t, x);
  if (saved.size() < 1 + x.size() || (saved.size() - 1 - x.size()) % 2 != 0)
    expect_saved(saved, 1 + x.size());
  start(ode, saved[0], saved.subspan(1, x.size()));
  for (auto way = saved.subspan(1 + x.size()); !way.empty(); way = way.subspan(2))
    for (double k = 0; k < way[1]; ++k) {
      const double before = t_;
      if (step(way[0]) != StepStatus::ok || t_ <= before || t_ > t)
        throw Error("the steps towards the saved state cannot be taken again; start anew instead");
    }
  const bool same_instant =
      std::abs(t_ - t) <= 200 * std::numeric_limits<double>::epsilon() * std::abs(t);
  if (!same_instant || !std::equal(x_.begin(), x_.end(), x.begin()))
    throw Error(
        "the steps towards the saved state lead elsewhere now: it was saved by another build or "
        "from another system; start anew instead");
  t_ = t;  // a remainder that is too short for a step may have been added
}

bool Cvode::find_roots(const RootFunctions& functions, int count) {
  functions_ = functions;
  root_count_ = count;
  roots_.assign(static_cast<std::size_t>(count), 0);
  roots_changed_ = true;
  return true;
}

std::span<const int> Cvode::roots() const {
  return at_root_ ? std::span<const int>(roots_) : std::span<const int>();
}

}  // namespace

std::unique_ptr<Integrator> make_cvode_adams(const IntegratorSettings& settings) {
  return std::make_unique<Cvode>(settings, Family::adams);
}
std::unique_ptr<Integrator> make_cvode_bdf(const IntegratorSettings& settings) {
  return std::make_unique<Cvode>(settings, Family::bdf);
}

}  // namespace limber
