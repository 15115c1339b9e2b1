// The text that computes columns of derivatives on GPUs and in lanes, compiled here for numbers and
// for pairs of numbers, against the interpreter's matrices.
#include "compile/column_lanes.hpp"

#include <gtest/gtest.h>

#include <limber/dynamics/derivatives.hpp>
#include <limber/io/load.hpp>
#include <limber/scalar/pack.hpp>

#include "compile/gradient.hpp"
#include "support/random_robots.hpp"
#include "support/run_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::size_t of(int i) { return static_cast<std::size_t>(i); }

/// What generated tables have as constants, of the robot that was set last.
struct Tables {
  static inline const GradientParts* parts = nullptr;
  static inline std::vector<int> depths, trees;
  static inline int nv = 0;
  static inline FunctionShape shape;
  static constexpr int longest = 300, branches = 300;  // more than any random robot has
  static constexpr bool own_beyond = true;

  static void set(const GradientParts& g) {
    const GradientTree tree(g);
    parts = &g, depths = tree.depth, trees = tree.tree, nv = static_cast<int>(g.rows.size());
  }
  static const GradientParts::Row& row(int j) { return parts->rows[of(j)]; }
  static int end(int k) { return row(k).columns_end; }
  static int carrier(int k) { return row(k).carrier; }
  static int depth(int k) { return depths[of(k)]; }
  static int first(int k) { return row(k).first; }
  static int last(int k) { return row(k).end; }
  static int branch(int j) { return j; }
  static int carried_by(int j) {
    int count = 0;
    for (int k = 0; k < nv; ++k) count += carrier(k) == j;
    return count;
  }
  static int tree(int k) { return trees[of(k)]; }
  static int tree_end(int k) { return end(tree(k)); }
  static int own(int side, int k, int j) {
    return parts->columns[of(side)][of(k)].own[of(j - first(k))];
  }
  static int entry(int j, int k) {
    return shape.outputs[shape.outputs.size() - 2].entries[of(j * nv + k)];
  }
  static int upper(int j, int k) { return shape.outputs.back().entries[of(j * nv + k)]; }
};
template <int Units>
struct TablesWithBase : Tables {
  static constexpr int units = Units;
  static int run_end(int j) {
    int end = j + 1;
    while (end < nv && end != Units && carrier(end) == end - 1 && carried_by(end - 1) == 1) ++end;
    return end;
  }
};

/// Numbers by their places, as a thread of a GPU reads them.
struct Source {
  const GradientParts& g;
  const VectorXd& x;

  void row(int j, double (&r)[gradient_row::count]) const {
    const GradientParts::Row& row = g.rows[of(j)];
    for (std::size_t c = 0; c < 6; ++c)
      r[gradient_row::U_D + static_cast<int>(c)] = x[row.U_D[c]],
                            r[gradient_row::S + static_cast<int>(c)] = x[row.S[c]];
    for (std::size_t c = 0; c < 3; ++c) r[gradient_row::s_D + static_cast<int>(c)] = x[row.s_D[c]];
    r[gradient_row::D] = x[row.D];
  }
  double column(int side, int k, int c) const {
    const GradientParts::Column& column = g.columns[of(side)][of(k)];
    return x[c < 6 ? column.chi[of(c)] : c < 9 ? column.psi[of(c - 6)] : column.force[of(c - 9)]];
  }
  double own(int side, int k, int j) const { return x[Tables::own(side, k, j)]; }
  double one() const { return 1; }
  double inverse(int, const double (&r)[gradient_row::count]) const {
    return 1 / r[gradient_row::D];
  }
};

/// A state, and the interpreter's matrices there.
struct Expected {
  const Model& model;
  VectorXd q, v, tau, a;
  std::array<MatrixXd, 3> forward, inverse;

  Expected(const Model& m, std::uint64_t seed, Passive passive) : model(m) {
    const RandomState s = random_state(m, seed);
    auto vector = [](const std::vector<double>& x) {
      return VectorXd(Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
    };
    q = vector(s.q), v = vector(s.v), tau = vector(s.tau);
    Workspace ws(m);
    MatrixWorkspace mw(m);
    Loads<double> loads;
    loads.passive = passive;
    const auto d = forward_dynamics_tangent_derivatives<double>(m, s.q, s.v, s.tau, ws, mw, loads);
    a = Eigen::Map<const VectorXd>(d.a.data(), m.nv);
    forward = {matrix(d.a_q), matrix(d.a_v), matrix(d.a_tau)};
    const auto t = inverse_dynamics_tangent_derivatives<double>(m, s.q, s.v, in(a), ws, mw, loads);
    inverse = {matrix(t.tau_q), matrix(t.tau_v), matrix(t.tau_a)};
  }
  template <class View>
  MatrixXd matrix(const View& view) const {
    return MatrixXd::NullaryExpr(model.nv, model.nv, [&](Eigen::Index i, Eigen::Index j) {
      return view(static_cast<int>(i), static_cast<int>(j));
    });
  }
};

void expect_near(const MatrixXd& found, const MatrixXd& expected, const std::string& what) {
  // 1e-10: M⁻¹ multiplies rounding by the condition of the mass matrix
  EXPECT_LT((found - expected).norm(), 1e-10 * expected.norm() + 1e-12) << what;
}

/// All columns of the sides from First on, in the order of a GPU's instructions.
template <int First, int Sides>
void expect_gpu_columns(const Expected& state, const GradientParts& g, const VectorXd& parts) {
  const Source from{g, parts};
  const int nv = state.model.nv;
  std::array<MatrixXd, Sides> found;
  found.fill(MatrixXd::Constant(nv, nv, NAN));
  for (int k = 0; k < nv; ++k) {
    GradientColumn<double, Tables, First, Sides> s;
    s.read(from, k);
    s.collect(from);
    for (int d = s.depth, j = k; d >= 0; --d, j = Tables::carrier(j))
      s.template above<-1, true>(from, j, d);
    std::vector<std::array<double[Sides][6], 1>> a(of(nv));
    for (int j = 0; j < nv; ++j) {
      const double none[Sides][6] = {};
      double result[Sides];
      const int carrier = Tables::carrier(j);
      s.template outward<-1, 63, true, Sides, GradientRelation::any>(
          from, j, Tables::end(j), Tables::depth(j), carrier < 0 ? none : a[of(carrier)][0],
          a[of(j)][0], result);
      for (int side = 0; side < Sides; ++side) found[of(side)](j, k) = result[side];
    }
  }
  for (int side = 0; side < Sides; ++side)
    expect_near(found[of(side)], state.forward[of(First + side)],
                state.model.name + " side " + std::to_string(First + side));
}

void expect_on_gpu(const Model& model, Passive passive) {
  FunctionOptions options;
  options.passive = passive;
  const GradientParts g = gradient_parts(model, options, GradientStep::forward_on_gpu);
  const Expected state(model, 5, passive);
  const VectorXd parts = run(g.program, {state.q, state.v, state.a})[0];
  Tables::set(g);
  expect_gpu_columns<0, 3>(state, g, parts);
  expect_gpu_columns<1, 1>(state, g, parts);
  expect_gpu_columns<2, 1>(state, g, parts);
}

using Pair = Pack<double, 2>;

/// Two states in lanes, matrices in sparse form.
class Lanes2 {
 public:
  Lanes2(const Model& model, RobotFunction function, Passive passive)
      : model_(model), shape_(sparse_shape_of(function, model)) {
    options_.passive = passive;
    const bool forward = function == RobotFunction::forward_dynamics_derivatives;
    const GradientParts g =
        gradient_parts(model, options_, forward ? GradientStep::forward : GradientStep::inverse);
    const Expected states[2] = {{model, 8, passive}, {model, 9, passive}};
    for (std::size_t i = 0; i < 2; ++i) {
      const VectorXd& u = forward ? states[i].tau : states[i].a;
      const std::vector<VectorXd> out = run(g.program, {states[i].q, states[i].v, u});
      if (forward) {
        EXPECT_LT((out[0] - states[i].a).norm(), 1e-10 * states[i].a.norm());
      }
      numbers_.resize(of(2 * static_cast<int>(out.back().size())));
      for (int e = 0; e < out.back().size(); ++e) numbers_[of(2 * e) + i] = out.back()[e];
    }
    Tables::set(g);
    Tables::shape = shape_;
    if (GradientTree(g).units == 6) compute<TablesWithBase<6>>(forward);
    else compute<TablesWithBase<0>>(forward);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        expect_near(result(k, i), (forward ? states[i].forward : states[i].inverse)[k],
                    model.name + " matrix " + std::to_string(k));
  }

 private:
  const ArrayShape& array(std::size_t k) const {
    return shape_.outputs[shape_.outputs.size() - 3 + k];
  }
  template <class T>
  void compute(bool forward) {
    const long stride = 3;
    for (std::size_t k = 0; k < 3; ++k)
      out_[k].assign(of(static_cast<int>(stride) * array(k).size), NAN);
    (forward ? forward_gradient<Pair, T>
             : inverse_gradient<Pair, T>)(numbers_.data(), stride, out_[0].data(), out_[1].data(),
                                          out_[2].data());
  }
  MatrixXd result(std::size_t k, std::size_t lane) const {
    std::vector<double> stored, whole(array(k).entries.size());
    for (int e = 0; e < array(k).size; ++e) stored.push_back(out_[k][of(3 * e) + lane]);
    expand<double>(array(k).entries, stored, whole);
    return as_matrix(Eigen::Map<const VectorXd>(whole.data(), model_.nv * model_.nv), model_.nv);
  }
  const Model& model_;
  FunctionShape shape_;
  FunctionOptions options_;
  std::vector<double> numbers_;
  std::array<std::vector<double>, 3> out_;
};

void expect_in_lanes(const Model& model, Passive passive) {
  Lanes2(model, RobotFunction::inverse_dynamics_derivatives, passive);
  Lanes2(model, RobotFunction::forward_dynamics_derivatives, passive);
}

TEST(ColumnSolver, AgreesWithTheInterpreterOnShippedRobots) {
  for (const char* robot : {"pendulum", "humanoid", "quadruped", "arm7"})
    for (const Passive passive : {Passive::left_out, Passive::included}) {
      expect_on_gpu(load(robot), passive);
      expect_in_lanes(load(robot), passive);
    }
}

TEST(ColumnSolver, AgreesWithTheInterpreterOnRandomTrees) {
  int compared = 0;
  for_random_robots(share_of(60), [&](Robot& robot) {
    const bool integrates = std::any_of(robot.model.custom.begin(), robot.model.custom.end(),
                                        [](const CustomJoint& j) { return bool(j.integrate); });
    if (integrates || robot.model.has_mimic() || !robot.model.singular_reason.empty()) return;
    ++compared;
    expect_on_gpu(robot.model, Passive::included);
    expect_in_lanes(robot.model, Passive::included);
  });
  EXPECT_GE(compared, share_of(15));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
