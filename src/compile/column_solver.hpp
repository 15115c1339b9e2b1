// a guard by name: copies of this text stand in and beside generated code
#ifndef LIMBER_COMPILE_COLUMN_SOLVER_HPP
#define LIMBER_COMPILE_COLUMN_SOLVER_HPP
// Columns of derivatives from the spatial vectors of each variable, which a program has computed
// before (gradient.hpp has the equations): the same instructions for every column, so that a loop
// does. Needs nothing but C++17. A GPU computes one state per thread, with numbers as T; a
// processor one state per lane, with vectors as T.
//
// `Tables` describes the tree, by static functions of a variable: end(k), where the columns end
// that k carries; carrier(k), the variable that carries it, −1: none; depth(k), rows from the root
// to it; first(k) and last(k), where the variables of its joint begin and end. And by constants:
// nv, and longest, the rows of the longest path.
//
// `Source` has the numbers: row(j, r) fills r with those of row j, column(side, k, c) is number c
// of column k (chi, psi, force), own(side, k, j) what the column has beside in row j of its own
// joint; one() is 1 and inverse(j, r) is 1/D of row j, of which r has the numbers.
#ifdef __CUDACC__
#define LIMBER_DEVICE __device__
#define LIMBER_UNROLL _Pragma("unroll")
#else
#define LIMBER_DEVICE [[gnu::always_inline]] inline
#if defined(__GNUC__) && !defined(__clang__)
#define LIMBER_UNROLL _Pragma("GCC unroll 16")
#else
#define LIMBER_UNROLL
#endif
#endif

namespace limber {

/// A row of the matrices and of the solve: U/D, S, s/D, D; without a solve I S, S, 2 Bᵀ S,
/// armature.
namespace gradient_row {
constexpr int U_D = 0, S = 6, s_D = 12, D = 15, count = 16;
}
/// A column: chi, psi, force.
namespace gradient_column {
constexpr int chi = 0, psi = 6, force = 9, count = 15;
}

/// What a row is to a column.
enum class GradientRelation {
  any,       ///< one of those below
  carrying,  ///< the row carries the column
  carried,   ///< the column carries it
  none
};

/// A number that is known to the compiler, for places in registers.
template <int N>
struct GradientIndex {
  LIMBER_DEVICE constexpr operator int() const { return N; }
};

/// Column k of `Sides` right-hand sides from `First` on: ∂tau/∂q, ∂tau/∂v, −1.
template <class T, class Tables, int First, int Sides>
struct GradientColumn {
  using Tree = Tables;
  static constexpr int moving = First + Sides == 3 ? Sides - 1 : Sides;  ///< but for −1
  int k, end, depth;
  T chi[Sides][6], psi[Sides][3];
  T g[Sides][6];                // force on its way inward
  T z[Sides][Tables::longest];  // of the rows that carry the column

  template <class Source>
  LIMBER_DEVICE void read(const Source& from, int column) {
    k = column, end = Tables::end(k), depth = Tables::depth(k);
    LIMBER_UNROLL
    for (int side = 0; side < Sides; ++side) {
      LIMBER_UNROLL
      for (int c = 0; c < gradient_column::count; ++c) {
        T x{};
        if (side < moving) x = from.column(First + side, k, c);
        if (c < 6) chi[side][c] = x;
        else if (c < 9) psi[side][c - 6] = x;
        else g[side][c - 9] = x;
      }
    }
  }
  LIMBER_DEVICE bool in_joint(int j) const { return j >= Tables::first(k) && j < Tables::last(k); }
  /// y − x · the six numbers of a row from `first` on. On a processor in two sums that do not wait
  /// for each other; a GPU has other threads to go on with, and would need more registers.
  LIMBER_DEVICE static T less_product(T y, const T (&x)[6], const T (&r)[gradient_row::count],
                                      int first) {
#ifdef __CUDACC__
    LIMBER_UNROLL
    for (int c = 0; c < 6; ++c) y -= x[c] * r[first + c];
    return y;
#else
    T other = x[3] * r[first + 3];
    LIMBER_UNROLL
    for (int c = 0; c < 3; ++c) {
      y -= x[c] * r[first + c];
      if (c > 0) other += x[c + 3] * r[first + c + 3];
    }
    return y - other;
#endif
  }
  /// χ · U/D + ψ · s/D of a row that the column carries.
  LIMBER_DEVICE T product(int side, const T (&r)[gradient_row::count]) const {
    T sum = chi[side][0] * r[gradient_row::U_D];
    LIMBER_UNROLL
    for (int c = 1; c < 6; ++c) sum += chi[side][c] * r[gradient_row::U_D + c];
    LIMBER_UNROLL
    for (int c = 0; c < 3; ++c) sum += psi[side][c] * r[gradient_row::s_D + c];
    return sum;
  }
  /// −(χ · U/D + ψ · s/D) of a row that the column carries: all with the sign of the results.
  LIMBER_DEVICE T below(int side, const T (&r)[gradient_row::count]) const {
    T sum{};
    LIMBER_UNROLL
    for (int c = 0; c < 6; ++c) sum -= chi[side][c] * r[gradient_row::U_D + c];
    LIMBER_UNROLL
    for (int c = 0; c < 3; ++c) sum -= psi[side][c] * r[gradient_row::s_D + c];
    return sum;
  }
  /// All with the sign of the results, −x.
  LIMBER_DEVICE void pass_on(int side, const T& y, const T (&r)[gradient_row::count]) {
    LIMBER_UNROLL
    for (int c = 0; c < 6; ++c) g[side][c] += r[gradient_row::U_D + c] * y;
  }
  /// Inward through all rows that the column carries.
  template <class Source>
  LIMBER_DEVICE void collect(const Source& from) {
    int j = end - 1;
    for (; j >= Tables::last(k); --j) {
      T r[gradient_row::count];
      from.row(j, r);
      LIMBER_UNROLL
      for (int side = 0; side < moving; ++side)
        pass_on(side, below(side, r) * r[gradient_row::D], r);
    }
    for (; j > k; --j) {
      T r[gradient_row::count];
      from.row(j, r);
      LIMBER_UNROLL
      for (int side = 0; side < moving; ++side)
        pass_on(side, below(side, r) * r[gradient_row::D] - from.own(First + side, k, j), r);
    }
  }
  /// Inward through row j, which carries the column and has `row_depth` rows before it. Unit: the
  /// only component of its S, 1; −1: S is any. Own: it may have something beside.
  template <int Unit, bool Own, class Depth, class Source>
  LIMBER_DEVICE void above(const Source& from, int j, Depth row_depth) {
    T r[gradient_row::count];
    from.row(j, r);
    const T D_inverse = from.inverse(j, r);
    LIMBER_UNROLL
    for (int side = 0; side < Sides; ++side) {
      T f{};
      if (side == moving && j == k) f = from.one();
      if constexpr (Unit >= 0) f -= g[side][Unit];
      else f = less_product(f, g[side], r, gradient_row::S);
      if constexpr (Own)
        if (side < moving && in_joint(j)) f -= from.own(First + side, k, j);
      z[side][row_depth] = f * D_inverse;
      pass_on(side, f, r);
    }
  }
  /// Outward through row j, which carries the columns j … row_end − 1: the results of `Count`
  /// sides, and its acceleration a from that of what carries it, of which only the components
  /// `Mask` are not zero. a may be `carrying` itself.
  template <int Unit, int Mask, bool Own, int Count, GradientRelation Relation, class Row,
            class End, class Depth, class Source>
  LIMBER_DEVICE void outward(const Source& from, Row j, End row_end, Depth row_depth,
                             const T (&carrying)[Sides][6], T (&a)[Sides][6],
                             T (&result)[Sides]) const {
    T r[gradient_row::count], before[Sides];
    from.row(j, r);
    constexpr bool any = Relation == GradientRelation::any;
    const bool carries = Relation == GradientRelation::carrying || (any && k >= j && k < row_end);
    LIMBER_UNROLL
    for (int side = 0; side < Count; ++side) {
      before[side] = T{};
      if (carries) before[side] = z[side][row_depth];
    }
    if (Relation == GradientRelation::carried || (any && j > k && j < end)) {
      LIMBER_UNROLL
      for (int side = 0; side < (Count < moving ? Count : moving); ++side) {
        before[side] = below(side, r);
        if constexpr (Own)
          if (in_joint(j)) before[side] -= from.own(First + side, k, j) * from.inverse(j, r);
      }
    }
    LIMBER_UNROLL
    for (int side = 0; side < Count; ++side) {
      T y = before[side];
      if constexpr (Mask == 63) y = less_product(y, carrying[side], r, gradient_row::U_D);
      else {
        LIMBER_UNROLL
        for (int c = 0; c < 6; ++c)
          if (Mask >> c & 1) y -= carrying[side][c] * r[gradient_row::U_D + c];
      }
      result[side] = y;
      LIMBER_UNROLL
      for (int c = 0; c < 6; ++c) {
        if (Mask >> c & 1) a[side][c] = carrying[side][c];
        else a[side][c] = T{};
        if constexpr (Unit < 0) a[side][c] += r[gradient_row::S + c] * y;
        else if (c == Unit) a[side][c] += y;
      }
    }
  }
};

}  // namespace limber

#endif
