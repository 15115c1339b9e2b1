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
#include <array>
#include <utility>

#include "dynamics/derivatives.ipp"

namespace limber {

/// What is kept of an eliminated column: U, the force u that is left for it, 1/D; U/D and u/D; s.
namespace elimination {
inline constexpr int U = 0, u = 6, D_inverse = 7, U_D = 8, u_D = 14, s = 16, count = 24;
}
template <class T>
T* elimination_of(BasicMatrixWorkspace<T>& mw, int column) {
  return mw.eliminations.data() + elimination::count * column;
}

/// Numbers that a branch holds: three times six groups of lanes.
template <class T>
inline constexpr int branch_numbers = 18 * lane_count<T>;
/// Where columns with several branches keep what their first branch leaves to the others; null for
/// all other columns and for the world.
template <class T>
T* branch_of(BasicMatrixWorkspace<T>& mw, int column) {
  if (column < 0) return nullptr;
  const int place = mw.branch_place[static_cast<std::size_t>(column)];
  return place < 0 ? nullptr : mw.branches.data() + place;
}

/// The six components of a spatial vector, eight of them at once.
template <class T>
using Six = std::array<Lanes<T>, 6>;

template <class T>
[[gnu::always_inline]] inline Lanes<T> dot(const Six<T>& x, const Six<T>& y) {
  return (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) + (x[3] * y[3] + x[4] * y[4] + x[5] * y[5]);
}
/// x += y scale
template <class T>
[[gnu::always_inline]] inline void add_scaled(Six<T>& x, const Six<T>& y, const Lanes<T>& scale) {
  for (std::size_t r = 0; r < 6; ++r) x[r] += y[r] * scale;
}
/// Six numbers at a distance, each in all lanes.
template <class T>
[[gnu::always_inline]] inline Six<T> spread_six(const T* from, int stride) {
  Six<T> x;
  for (int r = 0; r < 6; ++r) x[static_cast<std::size_t>(r)] = Lanes<T>(from[r * stride]);
  return x;
}
/// Six groups of lanes at a distance.
template <class T>
[[gnu::always_inline]] inline Six<T> load_six(const T* from, int stride) {
  Six<T> x;
  for (int r = 0; r < 6; ++r) x[static_cast<std::size_t>(r)] = Lanes<T>::load(from + r * stride);
  return x;
}
template <class T>
[[gnu::always_inline]] inline void store_six(const Six<T>& x, T* to) {
  for (std::size_t r = 0; r < 6; ++r) x[r].store(to + r * lane_count<T>);
}

/// Calls f with 0 … 5 as constants.
template <class F>
[[gnu::always_inline]] inline void for_six(F&& f) {
  [&]<std::size_t... R>(std::index_sequence<R...>) {
    (f(std::integral_constant<std::size_t, R>{}), ...);
  }
  (std::make_index_sequence<6>{});
}

// --- elimination ---------------------------------------------------------------------------------

/// Σ U [Uᵀ u] / D and Σ U sᵀ / D over eliminated columns, row by row.
template <class T>
struct Eliminated {
  Six<T> R = {}, Q = {};
  static constexpr int half = 6 * lane_count<T>;

  void add(const T* other) {
    const Six<T> other_R = load_six(other, lane_count<T>);
    const Six<T> other_Q = load_six(other + half, lane_count<T>);
    for (std::size_t r = 0; r < 6; ++r) R[r] += other_R[r], Q[r] += other_Q[r];
  }
  void store(T* to) const {
    store_six<T>(R, to);
    store_six<T>(Q, to + half);
  }
  /// Eliminates one column more, of which [I S, u] and 2 Bᵀ S are at `own`.
  [[gnu::always_inline]] void eliminate(const Strips<T>& columns, int k, const T& armature,
                                        T* own) {
    using L = Lanes<T>;
    const Six<T> S = spread_six(columns.at(column_strip::S, k), columns.stride);
    const L U = L::load(own + elimination::U) - dot<T>(S, R);
    const L s = L::load(own + elimination::s) - dot<T>(S, Q);
    U.store(own + elimination::U);
    s.store(own + elimination::s);
    const T D = dot(get<Motion<T>>(columns, column_strip::S, k),
                    get<Force<T>>(Strips<T>{own, 1}, elimination::U, 0));
    const T D_inverse = T(1) / (D + armature);
    own[elimination::D_inverse] = D_inverse;
    (U * L(D_inverse)).store(own + elimination::U_D);
    const Six<T> U_D = spread_six(own + elimination::U_D, 1);
    add_scaled<T>(R, U_D, U);
    add_scaled<T>(Q, U_D, s);
  }
};

/// Brings I S, u and 2 Bᵀ S of all columns to the places of U, u and s.
template <class T>
void start_elimination(const BasicModel<T>& m, const T* u, BasicMatrixWorkspace<T>& mw) {
  const Strips<T> columns = column_strips(mw);
  for (int k = 0; k < m.tree_nv; ++k) {
    T* const own = elimination_of(mw, k);
    for (int r = 0; r < 6; ++r) own[elimination::U + r] = *columns.at(column_strip::IS + r, k);
    own[elimination::u] = u[k];
    own[elimination::D_inverse] = T(0);
    for (int r = 0; r < 3; ++r) own[elimination::s + r] = *columns.at(column_strip::BtS + r, k);
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
  Eliminated<T> below;
  for (int k = m.tree_nv - 1; k >= 0; --k) {
    const int parent = m.column_parent[static_cast<std::size_t>(k)];
    if (const T* others = branch_of(mw, k)) below.add(others);
    below.eliminate(columns, k, m.armature[static_cast<std::size_t>(k)], elimination_of(mw, k));
    if (parent == k - 1) continue;
    if (T* const others = branch_of(mw, parent)) {
      below.add(others);
      below.store(others);
    }
    below = {};
  }
}

/// The acceleration of column k where what carries it has the acceleration `carrying`.
template <class T>
T acceleration_of(BasicMatrixWorkspace<T>& mw, int k, const Motion<T>& carrying) {
  T* const own = elimination_of(mw, k);
  return own[elimination::u_D] -
         dot(carrying, get<Force<T>>(Strips<T>{own, 1}, elimination::U_D, 0));
}

/// True if every 1/D is positive and finite.
template <class T>
bool has_good_eliminations(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  for (int k = 0; k < m.tree_nv; ++k)
    if (!is_regular_pivot(elimination_of(mw, k)[elimination::D_inverse])) return false;
  return true;
}

// --- inward --------------------------------------------------------------------------------------

/// Starts the rows of joints that have columns in the block: nothing, and the identity.
template <class T>
void start_own_rows(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const MatrixRows<T> rows = tree_rows(m, mw);
  for (const auto& block : mw.blocks)
    for (int i = block.own; i < block.outer; ++i) {
      const int j = mw.block_rows[static_cast<std::size_t>(i)].row;
      for (T* part : {rows.q(j), rows.v(j), rows.inertia(j)}) Lanes<T>().store(part + block.column);
    }
  for (int j = 0; j < m.tree_nv; ++j) rows.inertia(j)[j] = T(1);
}

/// Eight columns of the three right-hand sides on their way inward.
template <class T>
struct InwardBlock {
  using L = Lanes<T>;
  const Strips<T>& columns;
  int k;
  Six<T> g_q = strip(column_strip::force_q), g_v = strip(column_strip::force_v), g_tau = {};
  Six<T> chi = strip(column_strip::chi), chi_v = strip(column_strip::chi_v);
  Vec3<L> psi = get<Vec3<L>>(columns, column_strip::psi, k);
  Vec3<L> turn = get<Vec3<L>>(columns, column_strip::S, k);

  Six<T> strip(int component) const { return load_six(columns.at(component, k), columns.stride); }
};

/// y is row j's entry: it is written to its place and passed on.
template <class T>
[[gnu::always_inline]] inline void pass_inward(Six<T>& g, const Lanes<T>& y, const Six<T>& U_D,
                                               T* place) {
  y.store(place);
  add_scaled<T>(g, U_D, -y);
}

/// y of eight columns in all their rows, the last first.
template <class T>
void inward_rows(BasicMatrixWorkspace<T>& mw, const Strips<T>& columns, const MatrixRows<T>& rows,
                 const Block<T>& block) {
  using L = Lanes<T>;
  const int k = block.column;
  InwardBlock<T> x{columns, k};
  const auto* const all = mw.block_rows.data();
  const auto* i = all + block.end - 1;
  for (; i >= all + block.outer; --i) {  // rows that columns of the block carry
    const int j = i->row;
    T* const own = elimination_of(mw, j);
    const Six<T> U = spread_six(own + elimination::U, 1),
                 U_D = spread_six(own + elimination::U_D, 1);
    const auto s = spread<Vec3<L>>(Strips<T>{own, 1}, elimination::s, 0);
    pass_inward<T>(x.g_q, only(dot<T>(x.chi, U) + dot(x.psi, s), i->carrying), U_D, rows.q(j) + k);
    pass_inward<T>(x.g_v, only(dot<T>(x.chi_v, U) + dot(x.turn, s), i->carrying), U_D,
                   rows.v(j) + k);
  }
  for (; i >= all + block.own; --i) {  // rows of the block's own joints: both kinds of columns
    const int j = i->row;
    T* const own = elimination_of(mw, j);
    const Six<T> U = spread_six(own + elimination::U, 1),
                 U_D = spread_six(own + elimination::U_D, 1);
    const Six<T> S = spread_six(columns.at(column_strip::S, j), columns.stride);
    const auto s = spread<Vec3<L>>(Strips<T>{own, 1}, elimination::s, 0);
    const L q =
        only(dot<T>(x.chi, U) + dot(x.psi, s), i->carrying) + only(dot<T>(S, x.g_q), i->carried);
    const L v =
        only(dot<T>(x.chi_v, U) + dot(x.turn, s), i->carrying) + only(dot<T>(S, x.g_v), i->carried);
    const L tau = only(dot<T>(S, x.g_tau), i->carried);
    pass_inward<T>(x.g_q, L::load(rows.q(j) + k) + q, U_D, rows.q(j) + k);
    pass_inward<T>(x.g_v, L::load(rows.v(j) + k) + v, U_D, rows.v(j) + k);
    pass_inward<T>(x.g_tau, L::load(rows.inertia(j) + k) + tau, U_D, rows.inertia(j) + k);
  }
  for (; i >= all + block.inner && i->row >= mw.units; --i) {  // rows that carry the block
    const int j = i->row;
    const Six<T> U_D = spread_six(elimination_of(mw, j) + elimination::U_D, 1);
    const Six<T> S = spread_six(columns.at(column_strip::S, j), columns.stride);
    pass_inward<T>(x.g_q, only(dot<T>(S, x.g_q), i->carried), U_D, rows.q(j) + k);
    pass_inward<T>(x.g_v, only(dot<T>(S, x.g_v), i->carried), U_D, rows.v(j) + k);
    pass_inward<T>(x.g_tau, only(dot<T>(S, x.g_tau), i->carried), U_D, rows.inertia(j) + k);
  }
  if (i < all + block.inner) return;
  for_six([&](auto r) __attribute__((always_inline)) {  // those of a floating base: unit columns
    constexpr std::size_t c = 5 - r;
    const T* const U_D = elimination_of(mw, static_cast<int>(c)) + elimination::U_D;
    T* const to[] = {rows.q(c) + k, rows.v(c) + k, rows.inertia(c) + k};
    int part = 0;
    for (Six<T>* g : {&x.g_q, &x.g_v, &x.g_tau}) {
      const L y = only((*g)[c], all[block.inner + static_cast<int>(c)].carried);
      y.store(to[part++]);
      for (std::size_t d = 0; d < c; ++d) (*g)[d] -= L(U_D[d]) * y;
    }
  });
}

// --- outward -------------------------------------------------------------------------------------

/// x of eight columns of the three right-hand sides in all rows, the first first: [−M⁻¹ A | M⁻¹].
template <class T>
void outward_rows(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw, const MatrixRows<T>& rows,
                  int b) {
  using L = Lanes<T>;
  const int k = mw.blocks[static_cast<std::size_t>(b)].column, length = 3 * rows.stride;
  T* const part[] = {rows.q(0) + k, rows.v(0) + k, rows.inertia(0) + k};
  const int* const source = mw.sources.data() + 2 * m.nv * b;
  Six<T> a[3] = {};
  auto y_D = [&](int p, int j) __attribute__((always_inline)) {
    const T D_inverse = elimination_of(mw, j)[elimination::D_inverse];
    return L::load(part[p] + source[p == 2 ? m.nv + j : j]) * L(p == 2 ? D_inverse : -D_inverse);
  };
  auto keep = [&](int j) {
    if (T* const place = branch_of(mw, j))
      for (int p = 0; p < 3; ++p) store_six<T>(a[p], place + 6 * p * lane_count<T>);
  };
  if (mw.units > 0) {
    for_six([&](auto r) __attribute__((always_inline)) {
      constexpr int j = r;
      const T* const U_D = elimination_of(mw, j) + elimination::U_D;
      for (int p = 0; p < 3; ++p) {
        L x = y_D(p, j);
        for (std::size_t c = 0; c < r; ++c) x -= L(U_D[c]) * a[p][c];
        x.store(part[p] + j * length);
        a[p][r] = x;
      }
    });
    keep(5);
  }
  for (int j = mw.units; j < m.nv; ++j) {
    if (const int parent = m.column_parent[static_cast<std::size_t>(j)]; parent < 0) {
      for (Six<T>& x : a) x = {};
    } else if (parent != j - 1) {
      const T* const place = branch_of(mw, parent);
      for (int p = 0; p < 3; ++p) a[p] = load_six(place + 6 * p * lane_count<T>, lane_count<T>);
    }
    const Six<T> U_D = spread_six(elimination_of(mw, j) + elimination::U_D, 1);
    L x[3];
    for (int p = 0; p < 3; ++p) {
      x[p] = y_D(p, j) - dot<T>(U_D, a[p]);
      x[p].store(part[p] + j * length);
    }
    const bool leaf = j + 1 == m.nv || m.column_parent[static_cast<std::size_t>(j) + 1] != j;
    if (leaf) continue;
    const Six<T> S = spread_six(column_strips(mw).at(column_strip::S, j), mw.column_stride);
    for (int p = 0; p < 3; ++p) add_scaled<T>(a[p], S, x[p]);
    keep(j);
  }
}

/// The rows [∂a/∂q | ∂a/∂v | M⁻¹], from what column_changes() and eliminate_columns() left and what
/// is in the rows of start_own_rows().
template <class T>
void solve_blocks(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const Strips<T> columns = column_strips(mw);
  const MatrixRows<T> rows = tree_rows(m, mw);
  mw.filled = true;
  for (std::size_t b = 0; b < mw.blocks.size(); ++b) {
    inward_rows(mw, columns, rows, mw.blocks[b]);
    outward_rows(m, mw, rows, static_cast<int>(b));
  }
}

}  // namespace limber
