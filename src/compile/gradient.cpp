#include "compile/gradient.hpp"

#include <algorithm>

#include <limber/error.hpp>

#include "compile/traced_model.hpp"
#include "dynamics/articulated_rows.ipp"
#include "dynamics/matrix_rows.ipp"
#include "index.hpp"

namespace limber {

namespace {

using Numbers = std::array<Expr, 6>;

Numbers numbers(const Force<Expr>& f) {
  return {f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z};
}
Numbers numbers(const Motion<Expr>& m) {
  return {m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
}
std::array<Expr, 3> numbers(const Vec3<Expr>& v) { return {v.x, v.y, v.z}; }

/// The output array. On a GPU zero comes first and stands for all zeros; otherwise every number has
/// its place.
class Parts {
 public:
  explicit Parts(GradientStep step) : shares_zeros_(step == GradientStep::forward_on_gpu) {
    if (shares_zeros_) push(Expr(0), 0);
  }
  int add(const Expr& x, int variable) { return shares_zeros_ && x.is(0) ? 0 : push(x, variable); }
  /// What is mostly zero; −1: it is.
  int add_rare(const Expr& x, int variable) {
    if (x.is(0)) return shares_zeros_ ? 0 : -1;
    return push(x, variable);
  }
  template <std::size_t N>
  std::array<int, N> add(const std::array<Expr, N>& x, int variable) {
    std::array<int, N> places;
    for (std::size_t i = 0; i < N; ++i) places[i] = add(x[i], variable);
    return places;
  }
  std::vector<Expr> values;
  std::vector<int> variables;

 private:
  int push(const Expr& x, int variable) {
    values.push_back(x);
    variables.push_back(variable);
    return static_cast<int>(values.size()) - 1;
  }
  bool shares_zeros_;
};

int unit_component(const Numbers& S) {
  int unit = -1;
  for (std::size_t i = 0; i < 6; ++i) {
    if (S[i].is(0)) continue;
    if (unit >= 0 || !S[i].is(1)) return -1;
    unit = static_cast<int>(i);
  }
  return unit;
}

/// A model of expressions with all that the columns are made of.
struct TracedGradient {
  const TracedModel& traced;
  GradientStep step;
  const BasicModel<Expr>& m = traced.model;
  BasicWorkspace<Expr> ws{m};
  BasicMatrixWorkspace<Expr> mw{m};

  TracedGradient(const TracedModel& robot, GradientStep wanted, Passive passive)
      : traced(robot), step(wanted) {
    const Expr *const q = traced["q"].data(), *const v = traced["v"].data();
    const Expr* a = ws.zeros.data();
    if (step != GradientStep::forward) a = traced["a"].data();
    start_matrices(m, q, v, a, Loads<Expr>(), ws, mw);
    column_momenta(mw);
    if (step == GradientStep::forward) {
      accelerating_forces<Expr>(m, traced["q"], traced["v"], traced["tau"], passive, ws, mw);
      accelerate(m, ws, mw);
      add_motion_forces(m, mw);
      a = ws.acceleration.data();
    }
    change_columns(m, q, v, a, passive, ws, mw);
    if (step == GradientStep::forward_on_gpu) eliminate_columns(m, ws.zeros.data(), mw);
  }

  void add_row(GradientParts& to, Parts& parts, int body, int j) {
    using namespace column_strip;
    const Strips<Expr> columns = column_strips(mw), own = elimination_of(mw, j);
    GradientParts::Row& row = to.rows.emplace_back();
    const Numbers motion = numbers(get<Motion<Expr>>(columns, S, j));
    row.unit = unit_component(motion);
    if (step == GradientStep::inverse) {
      row.U_D = parts.add(numbers(get<Force<Expr>>(columns, IS, j)), j);
      row.S = parts.add(motion, j);
      row.s_D = parts.add(numbers(get<Vec3<Expr>>(columns, BtS, j)), j);
      row.D = parts.add(m.armature[at_index(j)], j);
    } else {
      const Expr& D_inverse = *own.at(elimination::D_inverse, 0);
      row.U_D = parts.add(numbers(get<Force<Expr>>(own, elimination::U_D, 0)), j);
      if (step == GradientStep::forward) row.S = parts.add(motion, j);
      row.s_D = parts.add(numbers(get<Vec3<Expr>>(own, elimination::s, 0) * D_inverse), j);
      row.D = parts.add(*own.at(elimination::D, 0), j);
      if (step != GradientStep::forward) row.S = parts.add(motion, j);
    }
    const auto b = at_index(body);
    row.columns_end = m.columns_end[b];
    row.first = m.v_index[b], row.end = m.v_index[b] + m.v_count[b];
    row.carrier = m.column_parent[at_index(j)];
  }
  void add_column(GradientParts& to, Parts& parts, int side, int k) {
    using namespace column_strip;
    const Strips<Expr> columns = column_strips(mw);
    GradientParts::Column& c = to.columns[at_index(side)].emplace_back();
    c.chi = parts.add(numbers(get<Motion<Expr>>(columns, side == 0 ? chi : chi_v, k)), k);
    const bool shares = step == GradientStep::forward_on_gpu && side == 1;  // S of the row
    const std::array<int, 6>& row_S = to.rows[at_index(k)].S;
    if (shares) c.psi = {row_S[0], row_S[1], row_S[2]};
    else c.psi = parts.add(numbers(get<Vec3<Expr>>(columns, side == 0 ? psi : S, k)), k);
    c.force = parts.add(numbers(get<Force<Expr>>(columns, side == 0 ? force_q : force_v, k)), k);
  }
  void add_inverse(Parts& parts, int j) {
    parts.add(*elimination_of(mw, j).at(elimination::D_inverse, 0), j);
  }
  void add_own(GradientParts& to, Parts& parts, int side, int k) {
    const MatrixRows<Expr> own = tree_rows(m, mw);  // nothing but what change_columns() wrote
    const GradientParts::Row& row = to.rows[at_index(k)];
    for (int j = row.first; j < row.end; ++j)
      to.columns[at_index(side)][at_index(k)].own.push_back(
          parts.add_rare((side == 0 ? own.q(j) : own.v(j))[k], k));
  }
};

}  // namespace

GradientParts gradient_parts(const Model& model, const FunctionOptions& options,
                             GradientStep step) {
  if (model.has_mimic())
    throw Error("gradient_parts: robot '" + model.name +
                "' has mimic joints, for which the derivatives of forward dynamics are written in "
                "stages instead");
  GradientParts result;
  FunctionShape shape = shape_of(step == GradientStep::forward ? RobotFunction::forward_dynamics
                                                               : RobotFunction::inverse_dynamics,
                                 model, options);
  ExprGraph graph;
  const TracedModel traced(model, options, shape, graph);
  TracedGradient gradient(traced, step, options.passive);
  Parts parts(step);
  const BasicModel<Expr>& m = traced.model;
  for (int j = 0; j < m.nv; ++j) gradient.add_row(result, parts, m.column_body[at_index(j)], j);
  if (step == GradientStep::forward_on_gpu) {
    // what belongs to a variable together: parts in any other order keep twice as many numbers of
    // the program alive, which then do not fit into registers
    for (int k = 0; k < m.nv; ++k)
      for (const int side : {0, 1}) {
        gradient.add_column(result, parts, side, k);
        gradient.add_own(result, parts, side, k);
      }
  } else {
    for (const int side : {0, 1})
      for (int k = 0; k < m.nv; ++k) gradient.add_column(result, parts, side, k);
    if (step == GradientStep::forward)
      for (int j = 0; j < m.nv; ++j) gradient.add_inverse(parts, j);
    for (const int side : {0, 1})
      for (int k = 0; k < m.nv; ++k) gradient.add_own(result, parts, side, k);
  }
  std::vector<std::vector<Expr>> outputs;
  if (step == GradientStep::forward) outputs.push_back(gradient.ws.acceleration);
  else shape.outputs.clear();
  outputs.push_back(parts.values);
  shape.outputs.push_back({"parts", static_cast<int>(parts.values.size()),
                           "what the derivatives are made of", parts.variables});
  result.program = lower(graph, shape, outputs, options.registers);
  result.program.name = "gradient_parts";
  return result;
}

GradientTree::GradientTree(const GradientParts& g) : own(g.rows.size()) {
  const int nv = static_cast<int>(g.rows.size());
  for (int j = 0; j < nv; ++j) {
    const GradientParts::Row& row = g.rows[at_index(j)];
    depth.push_back(row.carrier < 0 ? 0 : depth[at_index(row.carrier)] + 1);
    tree.push_back(row.carrier < 0 ? j : tree[at_index(row.carrier)]);
    longest = std::max(longest, depth.back() + 1);
    width = std::max(width, row.end - row.first);
  }
  for (; prefix < nv; ++prefix) {
    const int j = prefix;
    if (g.rows[at_index(j)].carrier != j - 1 || g.rows[at_index(j)].columns_end != nv) break;
  }
  while (units < std::min(nv, 6) && g.rows[at_index(units)].unit == units &&
         g.rows[at_index(units)].first == 0)
    ++units;
  if (units != 6) units = 0;
  for (const auto& side : g.columns)
    for (std::size_t k = 0; k < side.size(); ++k)
      for (std::size_t j = 0; j < side[k].own.size(); ++j)
        if (side[k].own[j] > 0) own[at_index(g.rows[k].first) + j] = true;
}

bool GradientTree::own_from(int first) const {
  return std::find(own.begin() + first, own.end(), true) != own.end();
}

}  // namespace limber
