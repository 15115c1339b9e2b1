#include <limber/reference/tree.hpp>

#include "model/joint_motion.ipp"
#include "reference/input.hpp"
#include "reference/passes.hpp"
#include "reference/scalars.hpp"

namespace limber::reference {

namespace {

// a joint at its own variables, in the frames of the model
template <class T>
struct PlacedJoint {
  Transform<T> X;        // pose of the body's frame in the parent's
  Motion<T> S[6];        // columns, body axes
  std::span<const T> q;  // its variables
};

// what the screw that holds the variables of joint i adds to its resting place
template <class T>
Transform<T> screw_of(const BasicModel<T>& m, int i, std::span<const T> q) {
  T angle = m.rest_angle[at_index(i)], slide = m.step[at_index(i)].slide;
  if (m.kind[at_index(i)] != JointKind::prismatic) angle += q[0];
  if (m.kind[at_index(i)] == JointKind::prismatic) slide += q[0];
  if (m.kind[at_index(i)] == JointKind::helical) slide += m.pitch[at_index(i)] * q[0];
  if (m.kind[at_index(i)] == JointKind::cylindrical) slide += q[1];
  T sine, cosine;
  sincos(angle, sine, cosine);
  return to_transform(Screw<2, T>{cosine, sine, slide});
}

template <class T>
PlacedJoint<T> place(const BasicModel<T>& m, int i, const std::vector<T>& q) {
  PlacedJoint<T> joint;
  joint.q = {q.data() + m.q_index[at_index(i)], at_index(m.q_count[at_index(i)])};
  const Transform<T> moved = joint_pose<T>(m, i, joint.q, joint.S);
  const StepConstants<T>& step = m.step[at_index(i)];
  if (m.form[at_index(i)] == JointForm::revolute) joint.S[0].angular.z = T(1);
  if (m.form[at_index(i)] == JointForm::prismatic) joint.S[0].linear.z = T(1);
  if (m.form[at_index(i)] == JointForm::free || m.form[at_index(i)] == JointForm::spherical ||
      m.form[at_index(i)] == JointForm::general) {
    joint.X = step.placement * moved;
  } else {
    joint.X = to_transform(step.x) * to_transform(step.y) * screw_of(m, i, joint.q);
    joint.X = to_transform(step.z0) * joint.X;
  }
  return joint;
}

template <class T>
void add_body(const BasicModel<T>& m, int i, const PlacedJoint<T>& joint, Tree<T>& t) {
  TreeBody<T> body;
  body.joint = m.joint_name[at_index(i)];
  body.kind = m.kind[at_index(i)];
  body.parent = m.parent[at_index(i)];
  body.first = m.v_index[at_index(i)];
  body.count = m.v_count[at_index(i)];
  body.X = t.bodies[at_index(body.parent)].X * joint.X;
  body.I = body.X * m.inertia[at_index(i)];
  const std::span<const T> v(t.v.data() + body.first, at_index(body.count));
  body.bias = body.X * joint_bias<T>(m, i, joint.q, v, joint.S);
  for (int k = 0; k < body.count; ++k) t.S.push_back(body.X * joint.S[k]);
  t.bodies.push_back(body);
}

template <class T>
void add_loads(const BasicModel<T>& m, const Loads<T>& loads, Gravity gravity, Tree<T>& t) {
  t.base_velocity = loads.base_velocity;
  t.base_acceleration = loads.base_acceleration;
  if (gravity == Gravity::acceleration) t.base_acceleration.linear -= m.gravity;
  if (!loads.body_forces.empty())
    check_size("reference::tree_at", "loads.body_forces", loads.body_forces.size(), m.bodies(),
               m.name);
  for (std::size_t i = 1; i < t.bodies.size(); ++i) {
    TreeBody<T>& body = t.bodies[i];
    if (!loads.body_forces.empty()) body.w = body.X * (m.body_placement[i] * loads.body_forces[i]);
    if (gravity == Gravity::force)
      body.w += Force<T>{cross(body.I.h, m.gravity), m.gravity * body.I.m};
  }
}

template <class T>
std::vector<T> unfold_positions(const BasicModel<T>& m, std::span<const T> q) {
  check_input("q", q, m.nq, m.name);
  std::vector<T> x;
  for (const Fold<T>& f : m.q_fold) x.push_back(f.ratio * q[at_index(f.index)] + f.offset);
  return x;
}

// the quadratic form S° v of one joint, taken apart by its values for unit rates
template <class T>
Matrix<Motion<T>> bias_coefficients(const BasicModel<T>& m, int i, const PlacedJoint<T>& joint) {
  const int count = m.v_count[at_index(i)];
  auto value = [&](int j, int k) {
    std::vector<T> v(at_index(count));
    v[at_index(j)] = v[at_index(k)] = T(1);
    return joint_bias<T>(m, i, joint.q, v, joint.S);
  };
  Matrix<Motion<T>> D(count, count);
  for (int j = 0; j < count; ++j) D(j, j) = value(j, j);
  for (int j = 0; j < count; ++j)
    for (int k = 0; k < j; ++k) D(j, k) = D(k, j) = (value(j, k) - D(j, j) - D(k, k)) * T(0.5);
  return D;
}

}  // namespace

template <class T>
std::vector<Matrix<Motion<T>>> bias_coefficients(const BasicModel<T>& m, In<T> q) {
  const std::vector<T> tree_q = unfold_positions<T>(m, q);
  std::vector<Matrix<Motion<T>>> D(1);
  for (int i = 1; i < m.bodies(); ++i) D.push_back(bias_coefficients(m, i, place(m, i, tree_q)));
  return D;
}

template <class T>
Tree<T> tree_at(const BasicModel<T>& m, In<T> q, In<T> v, const Loads<T>& loads, Gravity gravity) {
  check_built("reference::tree_at", m);
  Tree<T> t;
  t.name = m.name;
  t.nv = m.nv;
  t.armature = m.armature;
  t.fold = m.v_fold;
  t.v = unfold(t, v, "v");
  const std::vector<T> tree_q = unfold_positions<T>(m, q);
  t.bodies.emplace_back();
  for (int i = 1; i < m.bodies(); ++i) add_body(m, i, place(m, i, tree_q), t);
  add_loads(m, loads, gravity, t);
  return t;
}

template <class T>
std::vector<T> unfold(const Tree<T>& t, In<T> rates, const char* argument) {
  check_input<T>(argument, rates, t.nv, t.name);
  std::vector<T> x;
  for (const Fold<T>& f : t.fold) x.push_back(f.ratio * rates[at_index(f.index)]);
  return x;
}

template <class T>
std::vector<T> fold(const Tree<T>& t, const std::vector<T>& forces) {
  check_size("reference::fold", "forces", forces.size(), static_cast<int>(t.fold.size()), t.name);
  std::vector<T> x(at_index(t.nv));
  for (std::size_t k = 0; k < forces.size(); ++k)
    x[at_index(t.fold[k].index)] += t.fold[k].ratio * forces[k];
  return x;
}

template <class T>
Matrix<T> fold(const Tree<T>& t, const Matrix<T>& A) {
  require_matching(A.rows, t.fold.size());
  require_matching(A.columns, t.fold.size());
  Matrix<T> B(t.nv, t.nv);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) {
      const Fold<T>&fi = t.fold[at_index(i)], &fj = t.fold[at_index(j)];
      B(fi.index, fj.index) += fi.ratio * fj.ratio * A(i, j);
    }
  return B;
}

#define LIMBER_REFERENCE_TREE(T)                                                          \
  template Tree<T> tree_at(const BasicModel<T>&, In<T>, In<T>, const Loads<T>&, Gravity); \
  template std::vector<Matrix<Motion<T>>> bias_coefficients(const BasicModel<T>&, In<T>); \
  template std::vector<T> unfold(const Tree<T>&, In<T>, const char*);                     \
  template std::vector<T> fold(const Tree<T>&, const std::vector<T>&);                    \
  template Matrix<T> fold(const Tree<T>&, const Matrix<T>&);
LIMBER_FOR_EACH_REFERENCE_SCALAR(LIMBER_REFERENCE_TREE)

}  // namespace limber::reference
