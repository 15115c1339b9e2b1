// A team of arms by one dense system: of all unknowns, or of the object's acceleration and the
// forces of the hands. [McM] §2.1, (4.3)
#include <limber/constraint/arm_rivals.hpp>
#include <limber/reference/dense.hpp>

#include "constraint/arm_object.hpp"
#include "constraint/arm_steps.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class T>
T size_of(const T& x) {
  return x < T(0) ? -x : x;
}

/// x := a solution of A x = b, b in x, by elimination with full pivoting; unknowns beyond the rank
/// are zero. Entries are compared after rows and columns were scaled by the roots of their largest
/// ones, since units differ.
template <class T>
void solve_fully_pivoted(reference::Matrix<T>& A, std::vector<T>& x) {
  const int n = A.rows;
  std::vector<int> row(at_index(n)), column(at_index(n));
  std::vector<T> scale(at_index(n));
  for (int i = 0; i < n; ++i) {
    T largest(0);
    for (int j = 0; j < n; ++j)
      if (largest < size_of(A(i, j))) largest = size_of(A(i, j));
    row[at_index(i)] = column[at_index(i)] = i;
    scale[at_index(i)] = T(1) / sqrt(largest);
  }
  auto entry = [&](int i, int j) -> T& { return A(row[at_index(i)], column[at_index(j)]); };
  auto compared = [&](int i, int j) {
    return size_of(entry(i, j)) * scale[at_index(row[at_index(i)])] *
           scale[at_index(column[at_index(j)])];
  };
  int rank = 0;
  for (; rank < n; ++rank) {
    int r = rank, c = rank;
    for (int i = rank; i < n; ++i)
      for (int j = rank; j < n; ++j)
        if (compared(r, c) < compared(i, j)) r = i, c = j;
    if (!(T(dependent_rows<T>) < compared(r, c))) break;
    std::swap(row[at_index(rank)], row[at_index(r)]);
    std::swap(column[at_index(rank)], column[at_index(c)]);
    for (int i = rank + 1; i < n; ++i) {
      const T factor = entry(i, rank) / entry(rank, rank);
      for (int j = rank + 1; j < n; ++j) entry(i, j) -= factor * entry(rank, j);
      x[at_index(row[at_index(i)])] -= factor * x[at_index(row[at_index(rank)])];
    }
  }
  std::vector<T> y(at_index(n));
  for (int i = rank - 1; i >= 0; --i) {
    T sum = x[at_index(row[at_index(i)])];
    for (int j = i + 1; j < rank; ++j) sum -= entry(i, j) * y[at_index(column[at_index(j)])];
    y[at_index(column[at_index(i)])] = sum / entry(i, i);
  }
  x = y;
}

/// The object's equation: rows and columns from `first` on.
template <class T>
void put_object(const BasicArmTeam<T>& team, const ObjectState<T>& object, int first,
                reference::Matrix<T>& A, std::vector<T>& b) {
  Small6<T> K;
  std::array<T, 6> g;
  start_object(team, object, K, g);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) A(first + i, first + j) = symmetric(K, i, j);
    b[at_index(first + i)] = g[at_index(i)];
  }
}

/// Cᵀ against the object's acceleration, and C λ in its equation.
template <class T>
void put_grasp(const BasicArmMotion<T>& arm, int object, int row, reference::Matrix<T>& A) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < arm.rows; ++j) {
      A(object + i, row + j) = -arm.C(i, j);
      A(row + j, object + i) = -arm.C(i, j);
    }
}

/// Hands out the solution: the object's acceleration, and the forces along the rows.
template <class T>
void take_object(const BasicArmTeam<T>& team, const ObjectState<T>& object, const T* a,
                 BasicReferenceMember<T>& out) {
  for (int i = 0; i < 6; ++i) out.a[at_index(i)] = a[i];
  out.acceleration = object_acceleration(team, object, team.arms[0].model->gravity, out.a);
}
template <class T>
std::array<T, 6> take_force(const T* lambda, BasicArmMotion<T>& arm) {
  const std::array<T, 6> f = columns_of(arm.C, arm.rows, lambda);
  arm.force = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
  return f;
}

template <class T>
void open_chains(const BasicArmTeam<T>& team, std::span<const ArmState<T>> states,
                 const ObjectState<T>& object, BasicTeamMotion<T>& out) {
  for (int k = 0; k < team.arms.count(); ++k)
    open_chain(team, k, states[at_index(k)], object, out.arms[k]);
}

}  // namespace

template <class T>
void block_team_dynamics(const BasicArmTeam<T>& team, std::span<const ArmState<T>> states,
                         const ObjectState<T>& object, BasicTeamMotion<T>& out) {
  check_states("block_team_dynamics", team, states);
  open_chains(team, states, object, out);
  int n = 6;
  for (const BasicArmMotion<T>& arm : out.arms) n += arm.rows;
  reference::Matrix<T> A(n, n);
  std::vector<T> x(at_index(n));
  put_object(team, object, 0, A, x);
  int row = 6;
  for (const BasicArmMotion<T>& arm : out.arms) {  // −A λ − Cᵀ a = −c
    put_grasp(arm, 0, row, A);
    for (int i = 0; i < arm.rows; ++i) {
      for (int j = 0; j < arm.rows; ++j) A(row + i, row + j) = -symmetric(arm.A, i, j);
      x[at_index(row + i)] = -arm.c[at_index(i)];
    }
    row += arm.rows;
  }
  solve_fully_pivoted(A, x);
  take_object(team, object, x.data(), out.object);
  row = 6;
  for (BasicArmMotion<T>& arm : out.arms) {
    accelerate_arm(take_force(x.data() + row, arm), arm);
    row += arm.rows;
  }
}

template <class T>
void augmented_team_dynamics(const BasicArmTeam<T>& team, std::span<const ArmState<T>> states,
                             const ObjectState<T>& object, BasicTeamMotion<T>& out) {
  check_states("augmented_team_dynamics", team, states);
  int nv = 0, n = 6;
  for (int k = 0; k < team.arms.count(); ++k) {
    start_arm("augmented_team_dynamics", team, k, states[at_index(k)], object, out.arms[k]);
    project_contact(team, k, states[at_index(k)], object, out.arms[k]);
    nv += team.arms[k].model->nv;
    n += team.arms[k].model->nv + out.arms[k].rows;
  }
  reference::Matrix<T> A(n, n);
  std::vector<T> x(at_index(n));
  put_object(team, object, nv, A, x);
  int column = 0, row = nv + 6;
  for (int k = 0; k < team.arms.count(); ++k) {
    const BasicArmMotion<T>& arm = out.arms[k];
    const int freedoms = team.arms[k].model->nv;
    const TreeMatrixView<T> H = arm.tree.M.view();
    for (int i = 0; i < freedoms; ++i) {
      for (int j = 0; j < freedoms; ++j) A(column + i, column + j) = H(i, j);
      x[at_index(column + i)] = arm.u[i];
    }
    put_grasp(arm, nv, row, A);
    const TreePattern& at = arm.tree.M.pattern;
    for (int t = 0; t < arm.path; ++t) {
      const int freedom = column + at.path[at.start[arm.last] + t];
      for (int i = 0; i < arm.rows; ++i) {
        T entry(0);
        for (int l = 0; l < 6; ++l) entry += arm.C(l, i) * arm.J[6 * t + l];
        A(freedom, row + i) = A(row + i, freedom) = entry;
      }
    }
    for (int i = 0; i < arm.rows; ++i) x[at_index(row + i)] = -arm.c[at_index(i)];
    column += freedoms, row += arm.rows;
  }
  solve_fully_pivoted(A, x);
  take_object(team, object, x.data() + nv, out.object);
  column = 0, row = nv + 6;
  for (BasicArmMotion<T>& arm : out.arms) {
    take_force(x.data() + row, arm);
    for (T& a : arm.acceleration) a = x[at_index(column++)];
    row += arm.rows;
  }
}

#define LIMBER_ARM_SYSTEMS(T)                                                                 \
  template void block_team_dynamics(const BasicArmTeam<T>&, std::span<const ArmState<T>>,     \
                                    const ObjectState<T>&, BasicTeamMotion<T>&);              \
  template void augmented_team_dynamics(const BasicArmTeam<T>&, std::span<const ArmState<T>>, \
                                        const ObjectState<T>&, BasicTeamMotion<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_ARM_SYSTEMS)

}  // namespace limber
