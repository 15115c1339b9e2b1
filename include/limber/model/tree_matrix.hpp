#pragma once
// The mass matrix and its factor, stored along the tree: entries between different branches are
// zero and take no memory. A world of 700 free bodies needs 270 kB, not 4200 × 4200 numbers; a
// chain of n joints needs n² / 2.
#include <cstdint>
#include <new>
#include <span>

#include <limber/model/model.hpp>

namespace limber {

/// What is given of a freedom.
enum class Known : std::uint8_t { force, acceleration };

/// Numbers that begin at a cache line.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};
template <class T>
using AlignedVector = List<T, AlignedAllocator<T>>;

/// Where a matrix over the variables of a tree has entries. Row k: the variables that carry k, from
/// the root, k itself last. The row of a carrying variable is the beginning of the row.
struct TreePattern {
  TreePattern() = default;
  /// parent: the next variable towards the root, smaller than the variable; −1: none.
  explicit TreePattern(const List<int>& parent);
  /// How many entries it would have, padding included; of a chain, half the square of its length.
  static double entries(const List<int>& parent);

  List<int> start, end;  ///< row k is path[start[k]] … path[end[k] − 1]; starts: multiples of eight
  List<int> path;

  int variables() const { return start.count(); }
  int depth(int k) const {
    return end[k] - start[k] - 1;
  }  ///< how many carry k; its place in a row
  /// Where (i, k) is, i ≤ k; −1: the matrix is zero there.
  int entry(int i, int k) const {
    const int place = start[k] + depth(i);
    return place < end[k] && path[place] == i ? place : -1;
  }
};

/// View of a symmetric matrix over the tree.
template <class T>
struct TreeMatrixView {
  const TreePattern* pattern = nullptr;
  const T* values = nullptr;
  int size = 0;
  T operator()(int i, int j) const {
    const int entry = i < j ? pattern->entry(i, j) : pattern->entry(j, i);
    return entry < 0 ? T(0) : values[entry];
  }
};

/// The mass matrix of a model, and room to compute it.
template <class T>
struct BasicTreeMatrix {
  BasicTreeMatrix() = default;
  /// Throws Error where it needs more than LIMBER_MEMORY allows.
  explicit BasicTreeMatrix(const BasicModel<T>& model);

  TreePattern pattern;      ///< over the user's freedoms
  AlignedVector<T> values;  ///< M along it

  /// Entry `from` of the tree's matrix counts `factor` times in entry `to`.
  struct Folded {
    int from, to;
    T factor;
  };
  // models with mimic joints or rotors: the matrix over the columns of the tree, and where it goes
  TreePattern tree_pattern;
  AlignedVector<T> tree_values;
  List<Folded> folded;

  TreeMatrixView<T> view() const { return {&pattern, values.data(), pattern.variables()}; }
};

/// M = Lᵀ D L. mass_matrix() fills M, factorize() of dynamics/tree_factor.hpp both.
template <class T>
struct BasicTreeFactor {
  BasicTreeFactor() = default;
  explicit BasicTreeFactor(const BasicModel<T>& m);

  ModelIdentity model;  ///< whose factor this is
  std::string robot;    ///< its name, for messages
  BasicTreeMatrix<T> M;
  AlignedVector<T> L;  ///< along M's pattern: row k of L, 1/D of k at its end
  enum class Holds { nothing, matrix, factor };
  Holds holds = Holds::nothing;
};

}  // namespace limber
