#include "compile/gradient.hpp"

#include <algorithm>

#include <limber/error.hpp>

#include "compile/traced_model.hpp"
#include "dynamics/derivatives.ipp"
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

/// What columns that have been eliminated leave to those before: R = Σ U Uᵀ / D, of which the upper
/// triangle is kept, and Q = Σ U sᵀ / D.
struct Eliminated {
  std::array<Numbers, 6> R;
  std::array<std::array<Expr, 3>, 6> Q;

  Eliminated& operator+=(const Eliminated& other) {
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = i; j < 6; ++j) R[i][j] += other.R[i][j];
      for (std::size_t j = 0; j < 3; ++j) Q[i][j] += other.Q[i][j];
    }
    return *this;
  }
};

/// One column, eliminated.
struct Column {
  Numbers S, U_D;
  std::array<Expr, 3> s_D;
  Expr D;

  /// U = I S − R S, s = 2 Bᵀ S − Qᵀ S, D = S · U + armature. Adds itself to what is left.
  Column(const Motion<Expr>& motion, const Force<Expr>& IS, const Vec3<Expr>& BtS,
         const Expr& armature, Eliminated& below)
      : S(numbers(motion)), U_D(numbers(IS)), s_D(numbers(BtS)), D(armature) {
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) U_D[i] -= below.R[std::min(i, j)][std::max(i, j)] * S[j];
      for (std::size_t j = 0; j < 3; ++j) s_D[j] -= below.Q[i][j] * S[i];
    }
    const Numbers U = U_D;
    const std::array<Expr, 3> s = s_D;
    for (std::size_t i = 0; i < 6; ++i) D += S[i] * U[i];
    const Expr D_inverse = Expr(1) / D;
    for (Expr& x : U_D) x = x * D_inverse;
    for (Expr& x : s_D) x = x * D_inverse;
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = i; j < 6; ++j) below.R[i][j] += U_D[i] * U[j];
      for (std::size_t j = 0; j < 3; ++j) below.Q[i][j] += U_D[i] * s[j];
    }
  }
};

/// All columns of the robot, the last variable first. Needs I S and 2 Bᵀ S.
std::vector<Column> eliminate(const BasicModel<Expr>& m, const Strips<Expr>& columns) {
  using namespace column_strip;
  std::vector<Column> eliminated;
  std::vector<Eliminated> below(at_index(m.bodies()));
  for (int i = m.bodies() - 1; i > 0; --i) {
    const auto b = at_index(i);
    for (int k = m.v_index[b] + m.v_count[b] - 1; k >= m.v_index[b]; --k)
      eliminated.emplace_back(get<Motion<Expr>>(columns, S, k), get<Force<Expr>>(columns, IS, k),
                              get<Vec3<Expr>>(columns, BtS, k), m.armature[at_index(k)], below[b]);
    below[at_index(m.parent[b])] += below[b];
  }
  return eliminated;
}

/// The output array: zero first.
class Parts {
 public:
  int add(const Expr& x, int variable) {
    if (x.is(0)) return 0;
    values.push_back(x);
    variables.push_back(variable);
    return static_cast<int>(values.size()) - 1;
  }
  template <std::size_t N>
  std::array<int, N> add(const std::array<Expr, N>& x, int variable) {
    std::array<int, N> places;
    for (std::size_t i = 0; i < N; ++i) places[i] = add(x[i], variable);
    return places;
  }
  std::vector<Expr> values{Expr(0)};
  std::vector<int> variables{0};
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

void add_row(GradientParts& to, Parts& parts, const BasicModel<Expr>& m, int body, int j,
             const Column& column) {
  GradientParts::Row& row = to.rows.emplace_back();
  const auto b = at_index(body);
  row.unit = unit_component(column.S);
  row.U_D = parts.add(column.U_D, j), row.s_D = parts.add(column.s_D, j);
  row.D = parts.add(column.D, j);
  row.S = parts.add(column.S, j);
  row.columns_end = m.columns_end[b];
  row.first = m.v_index[b], row.end = m.v_index[b] + m.v_count[b];
  const int carrier = m.parent[b];
  row.carrier = j > row.first  ? j - 1
                : carrier == 0 ? -1
                               : m.v_index[at_index(carrier)] + m.v_count[at_index(carrier)] - 1;
}

}  // namespace

GradientParts gradient_parts(const Model& model, const FunctionOptions& options) {
  using namespace column_strip;
  if (model.has_mimic())
    throw Error("gradient_parts: robot '" + model.name +
                "' has mimic joints, for which the derivatives of forward dynamics are written in "
                "stages instead");
  GradientParts result;
  FunctionShape shape = shape_of(RobotFunction::inverse_dynamics, model, options);
  ExprGraph graph;
  const TracedModel traced(model, options, shape, graph);
  const BasicModel<Expr>& m = traced.model;
  const Expr *const q = traced["q"].data(), *const v = traced["v"].data(),
                    *const a = traced["a"].data();
  BasicWorkspace<Expr> ws(m);
  BasicMatrixWorkspace<Expr> mw(m);
  start_matrices(m, q, v, a, Loads<Expr>(), ws, mw);
  column_momenta(mw);
  column_changes(m, q, v, a, ws, mw);
  add_column_changes(m, q, v, ws, mw);
  if (options.passive == Passive::included) add_passive_slopes(m, mw);
  const Strips<Expr> columns = column_strips(mw);
  const MatrixRows<Expr> own = tree_rows(m, mw);  // nothing but what add_… wrote
  const std::vector<Column> eliminated = eliminate(m, columns);

  Parts parts;
  for (int body = 1; body < m.bodies(); ++body)
    for (int j = m.v_index[at_index(body)];
         j < m.v_index[at_index(body)] + m.v_count[at_index(body)]; ++j)
      add_row(result, parts, m, body, j, eliminated[at_index(m.nv - 1 - j)]);
  for (int k = 0; k < m.nv; ++k)
    for (const int side : {0, 1}) {
      GradientParts::Column& c = result.columns[at_index(side)].emplace_back();
      const GradientParts::Row& row = result.rows[at_index(k)];
      c.chi = parts.add(numbers(get<Motion<Expr>>(columns, side == 0 ? chi : chi_v, k)), k);
      c.force = parts.add(numbers(get<Force<Expr>>(columns, side == 0 ? force_q : force_v, k)), k);
      c.psi = side == 0 ? parts.add(numbers(get<Vec3<Expr>>(columns, psi, k)), k)
                        : std::array{row.S[0], row.S[1], row.S[2]};
      for (int j = row.first; j < row.end; ++j)
        c.own.push_back(parts.add((side == 0 ? own.q(j) : own.v(j))[k], k));
    }
  shape.outputs = {{"parts", static_cast<int>(parts.values.size()),
                    "what the derivatives are made of", parts.variables}};
  result.program =
      lower(graph, shape, std::vector<std::vector<Expr>>{parts.values}, options.registers);
  result.program.name = "gradient_parts";
  return result;
}

}  // namespace limber
