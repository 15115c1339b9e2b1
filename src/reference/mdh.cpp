// Inverse dynamics and mass matrix of MDH chains. [McM] tables 25 and 27
#include "reference/mdh_link.hpp"
#include "reference/passes.hpp"
#include "reference/scalars.hpp"

namespace limber::reference {

namespace {

// Ω = ω̇~ + ω~ ω~, (B.9)
template <class T>
Mat3<T> omega_matrix(const Vec3<T>& w, const Vec3<T>& wd) {
  const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const T xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {-(yy + zz), xy - wd.z, xz + wd.y, xy + wd.z, -(xx + zz),
          yz - wd.x,  xz - wd.y, yz + wd.x, -(xx + yy)};
}

// (B.12) with (B.14)-(B.16)
template <class T>
Vec3<T> spin_moment(const Sym3<T>& I, const Mat3<T>& O) {
  const T half_trace = T(0.5) * (I.xx + I.yy + I.zz);
  const T Ix = I.xx - half_trace, Iy = I.yy - half_trace, Iz = I.zz - half_trace;
  return {I.xz * O.yx - I.xy * O.zx + I.yz * (O.yy - O.zz) + Iz * O.yz - Iy * O.zy,
          I.xy * O.zy - I.yz * O.xy + I.xz * (O.zz - O.xx) + Ix * O.zx - Iz * O.xz,
          I.yz * O.xz - I.xz * O.yz + I.xy * (O.xx - O.yy) + Iy * O.xy - Ix * O.yx};
}

}  // namespace

template <class T>
std::vector<T> mdh_inverse_dynamics(const MdhChain& chain, In<T> q, In<T> v, In<T> qdd,
                                    const Force<T>& tip) {
  const std::vector<LinkTransform<T>> X = link_transforms<T>(chain, q);
  check_rates<T>(chain, "v", v);
  check_rates<T>(chain, "a", qdd);
  const std::size_t n = X.size();
  std::vector<Force<T>> f(n);
  std::vector<T> tau(n);
  Vec3<T> w, wd, a = -cast<T>(chain.gravity);
  Mat3<T> Omega;
  for (std::size_t i = 0; i < n; ++i) {
    const auto I = cast<T>(chain.links[i].inertia);
    w = X[i].outward(w);
    if (X[i].turns) w.z += v[i];  // (B.1)
    const Motion<T> product = velocity_product(X[i], w, v[i]);
    wd = X[i].outward(wd) + product.angular;                // (B.6)
    a = X[i].outward(a + Omega * X[i].p) + product.linear;  // (B.8)
    (X[i].turns ? wd.z : a.z) += qdd[i];
    Omega = omega_matrix(w, wd);
    f[i] = {spin_moment(I.rotational(), Omega) + cross(I.h, a),  // (B.11)
            a * I.m + Omega * I.h};                              // (B.18)
  }
  Force<T> outer = tip;
  for (std::size_t i = n; i-- > 0;) {
    const Force<T> through = f[i] + outer;  // (B.4)
    tau[i] = along_joint(X[i], through);    // (B.5)
    outer = X[i].inward(through);
  }
  return tau;
}

template <class T>
Matrix<T> mdh_mass_matrix(const MdhChain& chain, In<T> q) {
  const std::vector<LinkTransform<T>> X = link_transforms<T>(chain, q);
  const int n = static_cast<int>(X.size());
  Matrix<T> H(n, n);
  CompositeBody<T> outer{T(0), {}, {}};
  for (int i = n - 1; i >= 0; --i) {
    const auto I = cast<T>(chain.links[at_index(i)].inertia);
    const CompositeBody<T> K{I.m + outer.m, I.h + outer.h, I.rotational() + outer.K};  // (B.19)
    // ⁱf_i = K_i φ_i, (B.20)
    Force<T> f = X[at_index(i)].turns ? Force<T>{{K.K.xz, K.K.yz, K.K.zz}, {-K.h.y, K.h.x, T(0)}}
                                      : Force<T>{{K.h.y, -K.h.x, T(0)}, {T(0), T(0), K.m}};
    H(i, i) = along_joint(X[at_index(i)], f);  // (B.21)
    for (int j = i - 1; j >= 0; --j) {
      f = X[at_index(j + 1)].inward(f);                    // (B.22)
      H(i, j) = H(j, i) = along_joint(X[at_index(j)], f);  // (B.23)
    }
    outer = X[at_index(i)].inward(K);
  }
  return H;
}

#define LIMBER_REFERENCE_MDH(T)                                                      \
  template std::vector<T> mdh_inverse_dynamics(const MdhChain&, In<T>, In<T>, In<T>, \
                                               const Force<T>&);                     \
  template Matrix<T> mdh_mass_matrix(const MdhChain&, In<T>);
LIMBER_FOR_EACH_REFERENCE_SCALAR(LIMBER_REFERENCE_MDH)

}  // namespace limber::reference
