// Matrices of many states: whole and in sparse form, in both layouts, by the recursions and by
// compiled code, against the ordinary calls.

#include <limber/batch/batch.hpp>
#include <limber/dynamics/derivatives.hpp>
#include <limber/io/load.hpp>

#include "batch/batch_support.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// The interpreter's matrices of one state, row by row.
struct StateMatrices {
  std::vector<VectorXd> inertia, inverse, forward;

  StateMatrices(Robot& r, const States& s, long i) {
    const int nq = r.model.nq, nv = r.model.nv;
    MatrixWorkspace mw(r.model);
    const auto q = s.of(s.q, nq, i), v = s.of(s.v, nv, i);
    auto rows = [&](const auto& A) {
      return VectorXd::NullaryExpr(nv * nv, [&](Eigen::Index e) {
        return A(static_cast<int>(e) / nv, static_cast<int>(e) % nv);
      });
    };
    inertia = {rows(mass_matrix(r.model, q, r.ws))};
    const auto t =
        inverse_dynamics_tangent_derivatives<double>(r.model, q, v, s.of(s.a, nv, i), r.ws, mw);
    inverse = {rows(t.tau_q), rows(t.tau_v), rows(t.tau_a)};
    const auto d =
        forward_dynamics_tangent_derivatives<double>(r.model, q, v, s.of(s.tau, nv, i), r.ws, mw);
    forward = {matrix(d.a), rows(d.a_q), rows(d.a_v), rows(d.a_tau)};
  }
};

/// One function of a batch: arrays that hold NaN before, then its results.
template <class T>
struct MatrixCall {
  const Model& model;
  const States& states;
  BasicBatch<T>& batch;
  Layout layout;
  MatrixForm form;

  std::vector<T> in(const std::vector<double>& x, int width) const {
    return arranged<T>(x, width, states.count, layout);
  }
  /// Compares output k of a function with what the interpreter says.
  template <class Call>
  void expect(RobotFunction function, Call&& call, std::vector<VectorXd> StateMatrices::*expected,
              Robot& r, double tolerance) const {
    const std::vector<ArrayShape> sparse = sparse_shape_of(function, model).outputs;
    std::vector<std::vector<T>> out;
    for (const ArrayShape& array : sparse) {
      const auto width = form == MatrixForm::sparse || array.entries.empty()
                             ? static_cast<std::size_t>(array.size)
                             : array.entries.size();
      out.emplace_back(width * static_cast<std::size_t>(states.count), static_cast<T>(NAN));
    }
    EXPECT_TRUE(call(out).good());
    for (const long i : {0L, states.count / 2, states.count - 1}) {
      const StateMatrices all(r, states, i);
      for (std::size_t k = 0; k < out.size(); ++k) {
        const int width = static_cast<int>(out[k].size()) / static_cast<int>(states.count);
        VectorXd found = state_of(out[k], width, states.count, layout, i);
        if (form == MatrixForm::sparse && !sparse[k].entries.empty()) {
          VectorXd whole(static_cast<Eigen::Index>(sparse[k].entries.size()));
          expand<double>(sparse[k].entries, {found.data(), static_cast<std::size_t>(width)},
                         {whole.data(), sparse[k].entries.size()});
          found = whole;
        }
        ASSERT_TRUE(near(found, (all.*expected)[k], tolerance)) << name(function) << ' ' << k;
      }
    }
  }
};

template <class T>
void expect_matrices(Robot& r, const BatchOptions& options, long count, double tolerance) {
  const States s(r.model, count);
  const int nq = r.model.nq, nv = r.model.nv;
  BasicBatch<T> batch(r.model, options);
  for (const Layout layout : every_layout) {
    const MatrixCall<T> c{r.model, s, batch, layout, options.matrices};
    c.expect(
        RobotFunction::mass_matrix,
        [&](auto& out) { return batch.mass_matrix(count, c.in(s.q, nq), out[0], layout); },
        &StateMatrices::inertia, r, tolerance);
    c.expect(
        RobotFunction::inverse_dynamics_derivatives,
        [&](auto& out) {
          return batch.inverse_dynamics_tangent_derivatives(
              count, c.in(s.q, nq), c.in(s.v, nv), c.in(s.a, nv), out[0], out[1], out[2], layout);
        },
        &StateMatrices::inverse, r, tolerance);
    c.expect(
        RobotFunction::forward_dynamics_derivatives,
        [&](auto& out) {
          return batch.forward_dynamics_tangent_derivatives(count, c.in(s.q, nq), c.in(s.v, nv),
                                                            c.in(s.tau, nv), out[0], out[1], out[2],
                                                            out[3], layout);
        },
        &StateMatrices::forward, r, tolerance);
  }
}

// 512: rows that are 4096 bytes apart; 77: no multiple of any number of lanes
TEST(BatchMatrices, AgreeWithTheLibrary) {
  for (const char* robot : {"quadruped", "arm7", "every_joint"}) {
    Robot r(load_spec(robot));
    for (const MatrixForm form : {MatrixForm::whole, MatrixForm::sparse})
      for (const long count : {1L, 77L, 512L})
        expect_matrices<double>(r, {.threads = 2, .matrices = form}, count, 1e-9);
  }
}

// lanes go through articulated bodies there; the tree has joints of every kind
TEST(BatchMatrices, OfLargeRobotsAgreeWithTheLibrary) {
  for (const Spec& spec : {load_spec("humanoid"), generate_tree(20, 5)}) {
    Robot r(spec);
    ASSERT_GE(r.model.nv, 24);
    ASSERT_FALSE(r.model.has_mimic());
    for (const MatrixForm form : {MatrixForm::whole, MatrixForm::sparse})
      expect_matrices<double>(r, {.threads = 1, .matrices = form}, 13, 1e-8);
  }
}

using CompiledMatrices = WithOwnCache;

// one robot straight through, the other column by column
TEST_F(CompiledMatrices, AgreeWithTheLibrary) {
  for (const char* robot : {"double_pendulum", "humanoid"}) {
    Robot r(load_spec(robot));
    CompileOptions wanted;
    wanted.functions = {RobotFunction::mass_matrix, RobotFunction::inverse_dynamics_derivatives,
                        RobotFunction::forward_dynamics_derivatives};
    BatchOptions options;
    options.threads = 1;
    options.compiled = compile(r.model, wanted);
    EXPECT_EQ(options.compiled->notice(), "");
    for (const MatrixForm form : {MatrixForm::whole, MatrixForm::sparse}) {
      options.matrices = form;
      for (const long count : {13L, 512L}) expect_matrices<double>(r, options, count, 1e-8);
    }
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
