#pragma once
// Derivatives of forward dynamics by articulated bodies in absolute coordinates: −M⁻¹ A for the
// columns of A = [∂tau/∂q ∂tau/∂v], and M⁻¹, for models whose variables are all independent.
//
// Column by column is eliminated from the leaves inward, with U = Iᴬ S, D = S · U + armature. The
// factor of M = Lᵀ D L then is L_kj = S_j · U_k / D_k, and the two triangular solves pass spatial
// vectors from joint to joint, whatever the depth of the tree:
//   inward   y_j = A_j + S_j · g,  g −= U_j y_j / D_j    g: force of the columns eliminated before
//   outward  x_j = y_j / D_j − a · U_j / D_j,  a += S_j x_j    a: acceleration of what carries j
// A itself is never made. Where variable j carries column k, A_jk = S_j · f_k: g starts with f_k.
// Where k carries j, A_jk = motion_k · (I S_j, 2 Bᵀ S_j), and y_jk is that product with what is
// left of both momenta after the elimination: (U_j, s_j) with
//   U_j = I S_j − R S_j,   s_j = 2 Bᵀ S_j − Qᵀ S_j,   R = Σ U Uᵀ / D,   Q = Σ U sᵀ / D
// over the columns that j carries (I, B: composites). R is the difference of composite and
// articulated inertia.
#include <algorithm>
#include <array>
#include <utility>

#include "dynamics/derivatives.ipp"
#include "dynamics/fold.hpp"
#include "dynamics/passive.hpp"
#include "index.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// What is kept of an eliminated column: U, the force u that is left for it, 1/D; U/D, u/D and D;
/// s.
namespace elimination {
inline constexpr int U = 0, u = 6, D_inverse = 7, U_D = 8, u_D = 14, D = 15, s = 16, count = 24;
}
template <class T>
Strips<T> elimination_of(BasicMatrixWorkspace<T>& mw, int column) {
  return {mw.eliminations.data() + elimination::count * column, 1};
}

/// Numbers that a branch holds: three times six rows of eight.
inline constexpr int branch_numbers = 18 * 8;
template <class T>
using Run = typename BasicMatrixWorkspace<T>::Run;

// --- elimination ---------------------------------------------------------------------------------

/// Six times eight numbers in a row.
template <class T>
Strips<T> six_lanes(T* data) {
  return {data, 8};
}

/// Eight neighbours of a scalar that is its own lane: an expression, a robot of many.
template <class T>
struct EightNumbers {
  std::array<T, 8> x;

  EightNumbers() : EightNumbers(T(0)) {}
  EightNumbers(const T& s) { x.fill(s); }                          // NOLINT
  EightNumbers(const Lanes<T>& same) : EightNumbers(T(same.x)) {}  // NOLINT
  static EightNumbers load(const T* from) {
    EightNumbers r;
    std::copy_n(from, 8, r.x.begin());
    return r;
  }
  void store(T* to) const { std::copy_n(x.begin(), 8, to); }

  template <class F>
  static EightNumbers each(F&& f) {
    EightNumbers r;
    for (std::size_t i = 0; i < 8; ++i) r.x[i] = f(i);
    return r;
  }
  friend EightNumbers operator+(const EightNumbers& a, const EightNumbers& b) {
    return each([&](std::size_t i) { return a.x[i] + b.x[i]; });
  }
  friend EightNumbers operator-(const EightNumbers& a, const EightNumbers& b) {
    return each([&](std::size_t i) { return a.x[i] - b.x[i]; });
  }
  friend EightNumbers operator*(const EightNumbers& a, const EightNumbers& b) {
    return each([&](std::size_t i) { return a.x[i] * b.x[i]; });
  }
  EightNumbers& operator+=(const EightNumbers& b) { return *this = *this + b; }
};
template <class T>
void read(const T* from, EightNumbers<T>& to) {
  to = EightNumbers<T>::load(from);
}
template <class T>
void write(const EightNumbers<T>& from, T* to) {
  from.store(to);
}
/// A row of what is eliminated: one register, or eight numbers.
template <class T>
using EightOf = std::conditional_t<lane_count<T> == 8, Lanes<T>, EightNumbers<T>>;

/// R += U_D U: all at once, or one half of the symmetric part, which serves both.
template <class T>
[[gnu::always_inline]] inline void add_products(Force<Lanes<T>>& R, const Force<Lanes<T>>& U_D,
                                                const Lanes<T>& U) {
  R += U_D * U;
}
template <class T>
void add_products(Force<EightNumbers<T>>& R, const Force<EightNumbers<T>>& U_D,
                  const EightNumbers<T>& U) {
  std::array<EightNumbers<T>*, 6> rows;
  std::array<T, 6> factors;
  std::size_t n = 0;
  for_numbers(R, [&](EightNumbers<T>& row) { rows[n++] = &row; });
  n = 0;
  for_numbers(U_D, [&](const EightNumbers<T>& row) { factors[n++] = row.x[0]; });
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = i; j < 8; ++j) {
      rows[i]->x[j] += factors[i] * U.x[j];
      if (j < 6) rows[j]->x[i] = rows[i]->x[j];
    }
}

/// Σ U [Uᵀ u] / D and Σ U sᵀ / D over eliminated columns, row by row.
template <class T>
struct Eliminated {
  using L = EightOf<T>;
  Force<L> R, Q;

  void add(T* other) {
    R += get<Force<L>>(six_lanes(other), 0, 0);
    Q += get<Force<L>>(six_lanes(other), 6, 0);
  }
  void store(T* to) const {
    put(six_lanes(to), 0, 0, R);
    put(six_lanes(to), 6, 0, Q);
  }
  /// Eliminates column k too, of which [I S, u] and 2 Bᵀ S are at `own`.
  [[gnu::always_inline]] void eliminate(const Strips<T>& columns, int k, const T& armature,
                                        const Strips<T>& own) {
    const auto S = spread<Motion<L>>(columns, column_strip::S, k);
    const L U = L::load(own.at(elimination::U, 0)) - dot(S, R);
    const L s = L::load(own.at(elimination::s, 0)) - dot(S, Q);
    U.store(own.at(elimination::U, 0));
    s.store(own.at(elimination::s, 0));
    const T D =
        dot(get<Motion<T>>(columns, column_strip::S, k), get<Force<T>>(own, elimination::U, 0)) +
        armature;
    const T D_inverse = T(1) / D;
    *own.at(elimination::D_inverse, 0) = D_inverse;
    (U * L(D_inverse)).store(own.at(elimination::U_D, 0));
    *own.at(elimination::D, 0) = D;
    const auto U_D = spread<Force<L>>(own, elimination::U_D, 0);
    add_products(R, U_D, U);
    Q += U_D * s;
  }
};

/// Brings I S, u and 2 Bᵀ S of all columns to the places of U, u and s.
template <class T>
void start_elimination(const BasicModel<T>& m, const T* u, BasicMatrixWorkspace<T>& mw) {
  const Strips<T> columns = column_strips(mw);
  for (int k = 0; k < m.tree_nv; ++k) {
    const Strips<T> own = elimination_of(mw, k);
    put(own, elimination::U, 0, get<Force<T>>(columns, column_strip::IS, k));
    EightOf<T>().store(own.at(elimination::s, 0));
    put(own, elimination::s, 0, get<Vec3<T>>(columns, column_strip::BtS, k));
    *own.at(elimination::u, 0) = u[k];
    *own.at(elimination::D_inverse, 0) = T(0);
  }
  for (std::size_t i = 0; i < mw.branches.size(); i += lane_count<T>)
    Lanes<T>().store(&mw.branches[i]);
}

/// Eliminates all columns, the last first. u: forces that are left to accelerate the columns. Needs
/// I S and 2 Bᵀ S of the composites.
template <class T>
void eliminate_columns(const BasicModel<T>& m, const T* u, BasicMatrixWorkspace<T>& mw) {
  const Strips<T> columns = column_strips(mw);
  start_elimination(m, u, mw);
  for (auto run = mw.runs.rbegin(); run != mw.runs.rend(); ++run) {
    Eliminated<T> below;
    if (run->to >= 0) below.add(mw.branches.data() + run->to);
    for (int k = run->end - 1; k >= run->first; --k)
      below.eliminate(columns, k, m.armature[k], elimination_of(mw, k));
    if (run->from < 0) continue;
    below.add(mw.branches.data() + run->from);
    below.store(mw.branches.data() + run->from);
  }
}

/// True if every 1/D is positive and finite.
template <class T>
bool has_good_eliminations(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  for (int k = 0; k < m.tree_nv; ++k)
    if (!is_regular_pivot(*elimination_of(mw, k).at(elimination::D_inverse, 0))) return false;
  return true;
}

/// The acceleration of column k where what carries it has the acceleration `carrying`.
template <class T>
T acceleration_of(BasicMatrixWorkspace<T>& mw, int k, const Motion<T>& carrying) {
  const Strips<T> own = elimination_of(mw, k);
  return *own.at(elimination::u_D, 0) - dot(carrying, get<Force<T>>(own, elimination::U_D, 0));
}

// --- what the solve is made of -------------------------------------------------------------------

/// What is left of tau to accelerate the robot, in ws.acceleration. The strips have the motion
/// without acceleration.
template <class T>
void accelerating_forces(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau, Passive passive,
                         BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  joint_forces(mw);
  T* const bias = tree_forces<T>(m, ws, ws.tau);
  for (int k = 0; k < m.tree_nv; ++k) bias[k] = *column_strips(mw).at(column_strip::joint, k);
  fold_forces<T>(m, ws, ws.tau);
  for (std::size_t k = 0; k < tau.size(); ++k) ws.acceleration[k] = tau[k] - ws.tau[k];
  if (passive == Passive::included) add_passive_forces(m, q, v, T(-1), ws.acceleration.data());
}

/// Eliminates all columns. ws.acceleration: the forces that accelerate them, then their
/// accelerations.
template <class T>
void accelerate(const BasicModel<T>& m, BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  T* const a = ws.acceleration.data();
  eliminate_columns(m, a, mw);
  add_motions(
      m, [&](int k, const Motion<T>& carrying) { return a[k] = acceleration_of(mw, k, carrying); },
      mw);
}

/// What is different in the rows of the columns' own joints: nothing, and the identity.
template <class T>
void start_own_rows(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const MatrixRows<T> rows = tree_rows(m, mw);
  for (const auto& block : mw.blocks)
    for (int i = block.own; i < block.outer; ++i) {
      const int j = mw.block_rows[at_index(i)].row;
      for (T* part : {rows.q(j), rows.v(j), rows.inertia(j)}) Lanes<T>().store(part + block.column);
    }
  for (int j = 0; j < m.tree_nv; ++j) rows.inertia(j)[j] = T(1);
}

/// The changes of all columns, and what they have beside in the rows of their own joints. The
/// motion with its forces is in the strips.
template <class T>
void change_columns(const BasicModel<T>& m, const T* q, const T* v, const T* a, Passive passive,
                    BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  column_changes(m, q, v, a, ws, mw);
  start_own_rows(m, mw);
  add_column_changes(m, q, v, ws, mw);
  if (passive == Passive::included) add_passive_slopes(m, mw);
}

// --- inward --------------------------------------------------------------------------------------

/// Calls f with 0 … N − 1 as constants.
template <int N, class F>
[[gnu::always_inline]] inline void for_constants(F&& f) {
  [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, R>{}), ...);
  }
  (std::make_integer_sequence<int, N>{});
}

/// Eight columns that carry other bodies: their motions; none for the identity.
template <class T>
struct CarryingMotions {
  Motion<Lanes<T>> chi;
  Vec3<Lanes<T>> psi;
  Lanes<T> times(const Strips<T>& own) const {
    using L = Lanes<T>;
    return dot(chi, spread<Force<L>>(own, elimination::U, 0)) +
           dot(psi, spread<Vec3<L>>(own, elimination::s, 0));
  }
};
struct NoMotions {};

/// One right-hand side, eight columns of it, on its way inward: y in all its rows, the last first.
/// g: the forces of the columns; to: their place in row 0.
template <class Motions, class T>
[[gnu::always_inline]] inline void solve_inward(BasicMatrixWorkspace<T>& mw, const Block<T>& block,
                                                const Motions& motions, Force<Lanes<T>> g, T* to) {
  using L = Lanes<T>;
  constexpr bool moves = !std::is_same_v<Motions, NoMotions>;
  const Strips<T> columns = column_strips(mw);
  const int length = 3 * mw.row_stride;
  auto pass_on = [&](const L& y, int j, const Strips<T>& own) __attribute__((always_inline)) {
    y.store(to + j * length);
    g -= spread<Force<L>>(own, elimination::U_D, 0) * y;
  };
  const auto *const all = mw.block_rows.data(), *const inner = all + block.inner;
  const auto* i = all + (moves ? block.end : block.outer) - 1;
  if constexpr (moves)
    for (; i >= all + block.outer; --i) {  // rows that columns of the block carry
      const Strips<T> own = elimination_of(mw, i->row);
      pass_on(only(motions.times(own), i->carrying), i->row, own);
    }
  for (; i >= all + block.own; --i) {  // rows of the block's own joints
    const Strips<T> own = elimination_of(mw, i->row);
    const L there = L::load(to + i->row * length);
    L y = (moves ? -there : there) +
          only(dot(spread<Motion<L>>(columns, column_strip::S, i->row), g), i->carried);
    if constexpr (moves) y += only(motions.times(own), i->carrying);
    pass_on(y, i->row, own);
  }
  for (; i >= inner && i->row >= mw.units; --i)  // rows that carry columns of the block
    pass_on(only(dot(spread<Motion<L>>(columns, column_strip::S, i->row), g), i->carried), i->row,
            elimination_of(mw, i->row));
  if (i < inner) return;
  for_constants<6>([&](auto r) __attribute__((always_inline)) {  // a floating base: unit columns
    constexpr int j = 5 - r;
    const L y = only(component<j>(g), inner[j].carried);
    const auto U_D = spread<Force<L>>(elimination_of(mw, j), elimination::U_D, 0);
    y.store(to + j * length);
    for_constants<j>([&](auto c) __attribute__((always_inline)) {
      component<c>(g) -= component<c>(U_D) * y;
    });
  });
}

/// y of eight columns; the columns of A with the sign of −A.
template <class T>
void solve_inward(BasicMatrixWorkspace<T>& mw, const MatrixRows<T>& rows, const Block<T>& block) {
  using namespace column_strip;
  using L = Lanes<T>;
  const Strips<T> columns = column_strips(mw);
  const int k = block.column;
  const CarryingMotions<T> q{-get<Motion<L>>(columns, chi, k), -get<Vec3<L>>(columns, psi, k)};
  const CarryingMotions<T> v{-get<Motion<L>>(columns, chi_v, k), -get<Vec3<L>>(columns, S, k)};
  solve_inward(mw, block, q, -get<Force<L>>(columns, force_q, k), rows.q(0) + k);
  solve_inward(mw, block, v, -get<Force<L>>(columns, force_v, k), rows.v(0) + k);
  solve_inward(mw, block, NoMotions{}, Force<L>{}, rows.inertia(0) + k);
}

// --- outward -------------------------------------------------------------------------------------

/// One right-hand side, eight columns of it, on its way outward.
template <class T>
struct OutwardPart {
  using L = Lanes<T>;
  T* part;            ///< its place in row 0
  const int* source;  ///< from there to y of each row
  int length;         ///< of a row
  Motion<L> a = {};   ///< acceleration of what carries the next row

  [[gnu::always_inline]] L y_D(int j, const Strips<T>& own) const {
    return L::load(part + source[j]) * L(*own.at(elimination::D_inverse, 0));
  }
  /// x of row j.
  [[gnu::always_inline]] L row(int j, const Strips<T>& own) const {
    const L x = y_D(j, own) - dot(a, spread<Force<L>>(own, elimination::U_D, 0));
    x.store(part + j * length);
    return x;
  }
  /// The same for unit column J of the base: a has no components from J on, and x is the next one.
  template <int J>
  [[gnu::always_inline]] void unit_row(const Strips<T>& own) {
    const auto U_D = spread<Force<L>>(own, elimination::U_D, 0);
    L x = y_D(J, own);
    for_constants<J>([&](auto c) __attribute__((always_inline)) {
      x -= component<c>(a) * component<c>(U_D);
    });
    x.store(part + J * length);
    component<J>(a) = x;
  }
};

/// x of eight columns in the rows of one run. source: for the columns of A, then for the identity.
template <class T>
void solve_outward(BasicMatrixWorkspace<T>& mw, const MatrixRows<T>& rows, int k, const Run<T>& run,
                   const int* source, const int* source_tau) {
  using L = Lanes<T>;
  const Strips<T> columns = column_strips(mw);
  const int length = 3 * mw.row_stride;
  OutwardPart<T> q{rows.q(0) + k, source, length}, v{rows.v(0) + k, source, length};
  OutwardPart<T> tau{rows.inertia(0) + k, source_tau, length};
  if (run.from >= 0) {
    const Strips<T> branch = six_lanes(mw.branches.data() + run.from);
    q.a = get<Motion<L>>(branch, 0, 0);
    v.a = get<Motion<L>>(branch, 6, 0);
    tau.a = get<Motion<L>>(branch, 12, 0);
  }
  if (run.first < mw.units)
    for_constants<6>([&](auto j) __attribute__((always_inline)) {
      const Strips<T> own = elimination_of(mw, j);
      q.template unit_row<j>(own), v.template unit_row<j>(own), tau.template unit_row<j>(own);
    });
  else
    for (int j = run.first; j < run.end; ++j) {
      const Strips<T> own = elimination_of(mw, j);
      const L x_q = q.row(j, own), x_v = v.row(j, own), x_tau = tau.row(j, own);
      if (run.to < 0 && j == run.end - 1) return;  // carries nothing
      const auto S = spread<Motion<L>>(columns, column_strip::S, j);
      q.a += S * x_q, v.a += S * x_v, tau.a += S * x_tau;
    }
  if (run.to >= 0) {
    const Strips<T> branch = six_lanes(mw.branches.data() + run.to);
    put(branch, 0, 0, q.a);
    put(branch, 6, 0, v.a);
    put(branch, 12, 0, tau.a);
  }
}

/// The rows [∂a/∂q | ∂a/∂v | M⁻¹], from what column_changes() and eliminate_columns() left and what
/// is in the rows of start_own_rows().
template <class T>
void solve_blocks(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const MatrixRows<T> rows = tree_rows(m, mw);
  mw.filled = true;
  const int* source = mw.sources.data();
  for (const auto& block : mw.blocks) {
    solve_inward(mw, rows, block);
    for (const auto& run : mw.runs)
      solve_outward(mw, rows, block.column, run, source, source + m.nv);
    source += 2 * m.nv;
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
