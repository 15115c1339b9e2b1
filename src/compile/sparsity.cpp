// Where the matrices of a robot are zero in every state.
#include <limber/compile/function.hpp>

#include <numeric>

#include "index.hpp"

namespace limber {

namespace {

/// Which pairs of freedoms belong together, as the rows of a matrix of nv × nv.
class Pairs {
 public:
  explicit Pairs(int nv) : nv_(nv), is_(at_index(nv * nv)) {}
  int size() const { return nv_; }
  void add(int i, int j) { is_[at_index(i * nv_ + j)] = is_[at_index(j * nv_ + i)] = true; }
  bool operator()(int i, int j) const { return is_[at_index(i * nv_ + j)]; }

 private:
  int nv_;
  std::vector<bool> is_;
};

/// Freedoms of which one carries the other. A freedom with followers carries what they carry.
Pairs carrying_pairs(const Model& m) {
  Pairs pairs(m.nv);
  for (int k = 0; k < m.tree_nv; ++k)
    for (int l = k; l >= 0; l = m.column_parent[at_index(l)])
      pairs.add(m.v_fold[at_index(k)].index, m.v_fold[at_index(l)].index);
  return pairs;
}

/// Freedoms that such pairs connect, over any number of others.
Pairs connected_pairs(const Pairs& carrying) {
  const int nv = carrying.size();
  std::vector<int> tree(at_index(nv));  // of each freedom: the first one of its tree
  std::iota(tree.begin(), tree.end(), 0);
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < i; ++j) {
      const int from = tree[at_index(i)], to = tree[at_index(j)];
      if (carrying(i, j) && from != to)
        for (int& t : tree)
          if (t == from) t = to;
    }
  Pairs pairs(nv);
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j <= i; ++j)
      if (tree[at_index(i)] == tree[at_index(j)]) pairs.add(i, j);
  return pairs;
}

/// Which half of a matrix is stored.
enum class Stored : std::uint8_t {
  all,
  upper  ///< and the diagonal; the matrix is symmetric
};

void make_sparse(ArrayShape& array, const Pairs& pairs, Stored stored) {
  const int nv = pairs.size();
  array.entries.assign(at_index(nv * nv), -1);
  array.size = 0;
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j) {
      if (!pairs(i, j)) continue;
      int& entry = array.entries[at_index(i * nv + j)];
      if (stored == Stored::upper && j < i) entry = array.entries[at_index(j * nv + i)];
      else entry = array.size++;
    }
  array.meaning += ", sparse";
}

}  // namespace

FunctionShape sparse_shape_of(RobotFunction function, const Model& model,
                              const FunctionOptions& options) {
  FunctionShape shape = shape_of(function, model, options);
  const Pairs carrying = carrying_pairs(model);
  switch (function) {
    case RobotFunction::mass_matrix:
      make_sparse(shape.outputs[0], carrying, Stored::upper);
      break;
    case RobotFunction::inverse_dynamics_derivatives:
      make_sparse(shape.outputs[0], carrying, Stored::all);
      make_sparse(shape.outputs[1], carrying, Stored::all);
      make_sparse(shape.outputs[2], carrying, Stored::upper);
      break;
    case RobotFunction::forward_dynamics_derivatives: {
      const Pairs connected = connected_pairs(carrying);
      make_sparse(shape.outputs[1], connected, Stored::all);
      make_sparse(shape.outputs[2], connected, Stored::all);
      make_sparse(shape.outputs[3], connected, Stored::upper);
      break;
    }
    case RobotFunction::kinematics:
    case RobotFunction::jacobians:
    case RobotFunction::inverse_dynamics:
    case RobotFunction::bias_forces:
    case RobotFunction::mass_matrix_factor:
    case RobotFunction::forward_dynamics:
    case RobotFunction::step:
      break;
  }
  return shape;
}

}  // namespace limber
