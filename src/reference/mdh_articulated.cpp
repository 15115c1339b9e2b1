// Articulated bodies of MDH chains. [McM] table 29
#include "reference/mdh_link.hpp"
#include "reference/scalars.hpp"

namespace limber::reference {

namespace {

// what the inward pass keeps of one joint
template <class T>
struct Reflected {
  Force<T> n_m;          // n (m*)⁻¹; its own entry is one
  T m_inverse, tau_bar;  // (m*)⁻¹, τ*
};

// n = I* φ, (B.31)
template <class T>
Force<T> joint_column(const LinkTransform<T>& link, const ArticulatedInertia<T>& I) {
  return link.turns ? Force<T>{{I.I.xz, I.I.yz, I.I.zz}, I.H.row(2)}
                    : Force<T>{I.H.column(2), {I.M.xz, I.M.yz, I.M.zz}};
}

// N = I* − n (m*)⁻¹ nᵀ, (B.33): row and column of the joint are zero, (A.30), (A.31)
template <class T>
ArticulatedInertia<T> reflected_inertia(const LinkTransform<T>& link, ArticulatedInertia<T> I,
                                        const Force<T>& n, const Force<T>& n_m) {
  eliminate(I, n, n_m);
  const T zero(0);
  Sym3<T>& own = link.turns ? I.I : I.M;
  own.xz = own.yz = own.zz = zero;
  if (link.turns) I.H.zx = I.H.zy = I.H.zz = zero;
  else I.H.xz = I.H.yz = I.H.zz = zero;
  return I;
}

// ζ, (B.29), and β, (B.30), of every link
template <class T>
struct Bias {
  std::vector<Motion<T>> zeta;
  std::vector<Force<T>> beta;
};
template <class T>
Bias<T> bias(const MdhChain& chain, const std::vector<LinkTransform<T>>& X, std::span<const T> v) {
  Bias<T> r;
  Vec3<T> w;
  for (std::size_t i = 0; i < X.size(); ++i) {
    const auto I = cast<T>(chain.links[i].inertia);
    const Vec3<T> centripetal = X[i].outward(cross(w, cross(w, X[i].p)));
    w = X[i].outward(w);
    if (X[i].turns) w.z += v[i];  // (B.28)
    Motion<T> zeta = velocity_product(X[i], w, v[i]);
    zeta.linear += centripetal;
    r.zeta.push_back(zeta);
    r.beta.push_back(-Force<T>{cross(w, I.rotational() * w), cross(w, cross(w, I.h))});
  }
  return r;
}

}  // namespace

template <class T>
std::vector<T> mdh_forward_dynamics(const MdhChain& chain, In<T> q, In<T> v, In<T> tau,
                                    const Force<T>& tip) {
  const std::vector<LinkTransform<T>> X = link_transforms<T>(chain, q);
  check_rates<T>(chain, "v", v);
  check_rates<T>(chain, "tau", tau);
  const std::size_t n = X.size();
  auto [zeta, beta] = bias<T>(chain, X, v);  // I. forward kinematics
  std::vector<Reflected<T>> joints(n);
  std::vector<T> qdd(n);
  if (n == 0) return qdd;

  ArticulatedInertia<T> I(cast<T>(chain.links.back().inertia));  // II. backward dynamics
  beta.back() -= tip;
  for (std::size_t i = n; i-- > 0;) {
    const Force<T> column = joint_column(X[i], I);  // (B.31)
    const T& m = along_joint(X[i], column);         // (B.32)
    require_positive(m, "MDH chain, joint " + std::to_string(i + 1));
    Reflected<T>& joint = joints[i];
    joint.m_inverse = T(1) / m;
    joint.n_m = column * joint.m_inverse;
    (X[i].turns ? joint.n_m.angular.z : joint.n_m.linear.z) = T(1);
    joint.tau_bar = tau[i] + along_joint(X[i], beta[i]);  // (B.34)
    if (i == 0) break;
    const ArticulatedInertia<T> N = reflected_inertia(X[i], I, column, joint.n_m);  // (B.33)
    I = X[i].inward(N) + cast<T>(chain.links[i - 1].inertia);                       // (B.35)
    beta[i - 1] += X[i].inward(beta[i] - N * zeta[i] - joint.n_m * joint.tau_bar);  // (B.36)
  }

  Motion<T> a{{}, -cast<T>(chain.gravity)};  // III. forward accelerations
  for (std::size_t i = 0; i < n; ++i) {
    a = X[i].outward(a) + zeta[i];                                             // (B.37)
    qdd[i] = joints[i].m_inverse * joints[i].tau_bar - dot(a, joints[i].n_m);  // (B.38)
    (X[i].turns ? a.angular.z : a.linear.z) += qdd[i];                         // (B.39)
  }
  return qdd;
}

#define LIMBER_REFERENCE_MDH_ARTICULATED(T)                                          \
  template std::vector<T> mdh_forward_dynamics(const MdhChain&, In<T>, In<T>, In<T>, \
                                               const Force<T>&);
LIMBER_FOR_EACH_REFERENCE_SCALAR(LIMBER_REFERENCE_MDH_ARTICULATED)

}  // namespace limber::reference
