// a guard by name: copies of this text stand beside generated code
#ifndef LIMBER_COMPILE_COLUMN_LANES_HPP
#define LIMBER_COMPILE_COLUMN_LANES_HPP
// Derivatives of inverse and forward dynamics column by column, one state in every lane of a vector
// type V (a Pack). `Tables` has, besides what column_solver.hpp asks for:
//   units           rows of a floating base, whose columns S are unit vectors: 6 or 0
//   own_beyond      whether columns of other joints have something beside in their rows
//   run_end(j)      where the run ends that begins at j: rows each of which carries the next one
//                   alone. A floating base is no part of a run
//   branches        rows that end a run and carry others, or end the base
//   branch(j)       number of row j among them; −1: it is none of them
//   tree(k)         the first variable of the tree on the ground to which k belongs
//   tree_end(k)     where that tree ends
//   own(side, k, j) place of own_jk among the numbers; −1: it is zero
//   entry(j, k), upper(j, k)  where element (j, k) of the results stands in sparse form
#include <cstring>

#include "column_solver.hpp"

namespace limber {

/// The numbers as programs leave them for a processor: rows, columns of both sides, 1/D of the
/// rows, without gaps, each in all lanes.
template <class V, class Tables>
struct LaneSource {
  using T = typename V::Storage;
  const typename V::Number* numbers;

  LIMBER_DEVICE T at(int place) const {
    T x;
    std::memcpy(&x, numbers + place * V::lanes, sizeof x);
    return x;
  }
  LIMBER_DEVICE void row(int j, T (&r)[gradient_row::count]) const {
    LIMBER_UNROLL
    for (int c = 0; c < gradient_row::count; ++c) r[c] = at(j * gradient_row::count + c);
  }
  LIMBER_DEVICE T column(int side, int k, int c) const {
    return at(Tables::nv * gradient_row::count + (side * Tables::nv + k) * gradient_column::count +
              c);
  }
  LIMBER_DEVICE T own(int side, int k, int j) const {
    const int place = Tables::own(side, k, j);
    return place < 0 ? T{} : at(place);
  }
  LIMBER_DEVICE T one() const { return V(1).x; }
  LIMBER_DEVICE T inverse(int j, const T (&)[gradient_row::count]) const {
    return at(Tables::nv * (gradient_row::count + 2 * gradient_column::count) + j);
  }
};
template <class V>
LIMBER_DEVICE void store_lanes(const typename V::Storage& x, typename V::Number* to) {
  std::memcpy(to, &x, sizeof x);
}

/// Inward through the rows of the base that carry column k, from row J on.
template <int J, class Column, class Source>
LIMBER_DEVICE void inward_base(Column& column, const Source& from) {
  if (column.k >= J) column.template above<J, true>(from, J, GradientIndex<J>());
  if constexpr (J > 0) inward_base<J - 1>(column, from);
}
/// Outward through the rows of the base up to J.
template <int J, class Column, class Source, class T, class Write>
LIMBER_DEVICE void outward_base(const Column& column, const Source& from, T (&a)[3][6],
                                const Write& write) {
  if constexpr (J > 0) outward_base<J - 1>(column, from, a, write);
  T result[3];
  column.template outward<J, (1 << J) - 1, true, 3, GradientRelation::any>(
      from, J, write.base_end, GradientIndex<J>(), a, a, result);
  write(J, result);
}

/// Copies accelerations one by one: a block of memory would keep them out of the registers.
template <class T>
LIMBER_DEVICE void copy_accelerations(const T (&from)[3][6], T (&to)[3][6]) {
  LIMBER_UNROLL
  for (int side = 0; side < 3; ++side) {
    LIMBER_UNROLL
    for (int c = 0; c < 6; ++c) to[side][c] = from[side][c];
  }
}

/// The results of a column: ∂a/∂q, ∂a/∂v, and one half of M⁻¹.
template <class V, class Tables>
struct ForwardResults {
  using T = typename V::Storage;
  int k, base_end;
  long stride;
  typename V::Number *a_q, *a_v, *a_tau;

  LIMBER_DEVICE void operator()(int j, const T (&result)[3]) const {
    const long place = Tables::entry(j, k) * stride;
    store_lanes<V>(result[0], a_q + place);
    store_lanes<V>(result[1], a_v + place);
    if (j <= k) store_lanes<V>(result[2], a_tau + Tables::upper(j, k) * stride);
  }
};

/// Outward through the rows first … last − 1 of a run, which are the same to the column.
template <GradientRelation Relation, int Sides, class Column, class Source, class T, class Write>
LIMBER_DEVICE void outward_run(const Column& column, const Source& from, int first, int last,
                               T (&a)[3][6], const Write& write) {
  using Tables = typename Column::Tree;
  T result[3];
  for (int j = first; j < last; ++j) {
    column.template outward<-1, 63, Tables::own_beyond, Sides, Relation>(
        from, j, Tables::end(j), Tables::depth(j), a, a, result);
    write(j, result);
  }
}

/// ∂a/∂q, ∂a/∂v and M⁻¹ in sparse form.
template <class V, class Tables>
void forward_gradient(const typename V::Number* numbers, long stride, typename V::Number* a_q,
                      typename V::Number* a_v, typename V::Number* a_tau) {
  using T = typename V::Storage;
  using R = GradientRelation;
  const LaneSource<V, Tables> from{numbers};
  T kept[Tables::branches + 1][3][6];
  for (int k = 0; k < Tables::nv; ++k) {
    const int first = Tables::tree(k), end = Tables::tree_end(k);
    const int base = first == 0 ? Tables::units : 0;
    GradientColumn<T, Tables, 0, 3> column;
    column.read(from, k);
    column.collect(from);
    for (int d = column.depth, j = k; d >= base; --d, j = Tables::carrier(j))
      column.template above<-1, Tables::own_beyond>(from, j, d);
    if constexpr (Tables::units > 0)
      if (base > 0) inward_base<Tables::units - 1>(column, from);

    const ForwardResults<V, Tables> write{k, end, stride, a_q, a_v, a_tau};
    if constexpr (Tables::units > 0)
      if (base > 0) {
        T a[3][6] = {};
        outward_base<Tables::units - 1>(column, from, a, write);
        copy_accelerations(a, kept[Tables::branch(Tables::units - 1)]);
      }
    for (int j = first + base, last; j < end; j = last) {
      last = Tables::run_end(j);
      T a[3][6] = {};
      if (const int carrier = Tables::carrier(j); carrier >= 0)
        copy_accelerations(kept[Tables::branch(carrier)], a);
      if (j > k) {  // the other half of M⁻¹ is there already
        if (j < column.end) outward_run<R::carried, 2>(column, from, j, last, a, write);
        else outward_run<R::none, 2>(column, from, j, last, a, write);
      } else if (k < Tables::end(j)) {
        const int own = k < last ? k + 1 : last;
        outward_run<R::carrying, 3>(column, from, j, own, a, write);
        outward_run<R::carried, 2>(column, from, own, last, a, write);
      } else {
        outward_run<R::none, 3>(column, from, j, last, a, write);
      }
      if (const int b = Tables::branch(last - 1); b >= 0) copy_accelerations(a, kept[b]);
    }
  }
}

/// ∂tau/∂q, ∂tau/∂v and M in sparse form.
template <class V, class Tables>
void inverse_gradient(const typename V::Number* numbers, long stride, typename V::Number* tau_q,
                      typename V::Number* tau_v, typename V::Number* M) {
  using T = typename V::Storage;
  const LaneSource<V, Tables> from{numbers};
  for (int k = 0; k < Tables::nv; ++k) {
    GradientColumn<T, Tables, 0, 2> column;
    column.read(from, k);
    T own_row[gradient_row::count];
    from.row(k, own_row);  // I S of the column
    auto write = [&](int j, T q, T v) {
      if (column.in_joint(j)) q += from.own(0, k, j), v += from.own(1, k, j);
      const long place = Tables::entry(j, k) * stride;
      store_lanes<V>(q, tau_q + place);
      store_lanes<V>(v, tau_v + place);
    };
    auto write_inertia = [&](int j, T m) {
      if (j == k) m += own_row[gradient_row::D];
      store_lanes<V>(m, M + Tables::upper(j, k) * stride);
    };
    for (int j = column.end - 1; j > k; --j) {
      T r[gradient_row::count];
      from.row(j, r);
      write(j, column.product(0, r), column.product(1, r));
    }
    int j = k;
    const int base = Tables::tree(k) == 0 ? Tables::units : 0;
    for (; j >= base; j = Tables::carrier(j)) {
      T r[gradient_row::count];
      from.row(j, r);
      T q{}, v{}, m{};
      LIMBER_UNROLL
      for (int c = 0; c < 6; ++c) {
        q += column.g[0][c] * r[gradient_row::S + c];
        v += column.g[1][c] * r[gradient_row::S + c];
        m += own_row[c] * r[gradient_row::S + c];
      }
      write(j, q, v);
      write_inertia(j, m);
    }
    for (; j >= 0; --j) {  // the base: unit vectors
      write(j, column.g[0][j], column.g[1][j]);
      write_inertia(j, own_row[j]);
    }
  }
}

}  // namespace limber

#endif
