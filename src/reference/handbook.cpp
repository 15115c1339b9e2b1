// The handbook's recursive matrices and its equations of motion. [HB] §20.2 and appendix
#include <limber/reference/handbook.hpp>

#include "reference/input.hpp"
#include "reference/passes.hpp"
#include "reference/scalars.hpp"

namespace limber::reference {

namespace {

template <class T>
using LinkState = typename HandbookModel<T>::Link;

// s_j = 1
bool linear(const HandbookLink& link) { return link.joint == HandbookLink::Joint::linear; }

// unit vector along e × (r × e), (20.101)
Vec3<double> extended_direction(const Vec3<double>& e, const Vec3<double>& r) {
  const Vec3<double> a = cross(e, cross(r, e));
  return a / norm(a);
}

// A⁰_{j−1,j} of the extended joint, (20.101)-(20.106); both triples are orthonormal, so the inverse
// is the transpose
Mat3<double> extended_matrix(const HandbookLink& link) {
  const Vec3<double> a_before = -extended_direction(link.e_before, link.r_star_before);
  const Vec3<double> a = extended_direction(link.e, link.r_star);
  return Mat3<double>::from_columns(link.e_before, a_before, cross(link.e_before, a_before)) *
         Mat3<double>::from_rows(link.e, a, cross(link.e, a));
}

// A_{j−1,j}: the columns of A⁰ turned about e, (20.107)-(20.109). The chapter's print of Rodrigues'
// formula (20.108) must read (1 − cos q) (e · V⁰) e
template <class T>
Mat3<T> step_matrix(const HandbookLink& link, const T& angle) {
  const auto e = cast<T>(link.e_before);
  const auto A0 = cast<T>(extended_matrix(link));
  T s, c;
  sincos(angle, s, c);
  auto turned = [&](const Vec3<T>& V0) {
    return V0 * c + e * ((T(1) - c) * dot(e, V0)) + cross(e, V0) * s;
  };
  return Mat3<T>::from_columns(turned(A0.column(0)), turned(A0.column(1)), turned(A0.column(2)));
}

// one step of the recursion: link j after link j − 1 (`before`; its state is zero for the base)
template <class T>
LinkState<T> next_link(const HandbookLink& data, const LinkState<T>& before, const T& q,
                       const T& rate) {
  LinkState<T> link;
  const bool slides = linear(data);
  const T coordinate = q + T(data.offset);
  link.A = before.A * step_matrix(data, slides ? T(data.alpha) : coordinate);
  link.e = before.A * cast<T>(data.e_before);
  const Vec3<T> r_before = before.A * cast<T>(data.r_before);
  Vec3<T> r = link.A * cast<T>(data.r);  // r'_jj
  if (slides) r += link.e * coordinate;  // (20.8)
  link.joint = before.centre - r_before;
  link.centre = link.joint + r;  // (20.25)

  link.w = slides ? before.w : before.w + link.e * rate;                             // (20.23)
  link.Gamma = slides ? before.Gamma : before.Gamma + cross(link.w, link.e) * rate;  // (20.41)
  link.Lambda = before.Lambda;                                                       // (20.40)
  link.Lambda.push_back(slides ? Vec3<T>{} : link.e);
  for (std::size_t k = 0; k < before.Xi.size(); ++k)  // (20.42)
    link.Xi.push_back(before.Xi[k] - cross(before.Lambda[k], r_before) + cross(link.Lambda[k], r));
  link.Xi.push_back(slides ? link.e : cross(link.e, r));
  // (20.43), from (20.27): the vectors to the centre are r'_jj, also of linear joints
  link.Delta = before.Delta - cross(before.Gamma, r_before) + cross(link.Gamma, r) -
               cross(before.w, cross(before.w, r_before)) + cross(link.w, cross(link.w, r));
  if (slides) link.Delta += cross(link.w, link.e) * (rate + rate);
  return link;
}

// A J̃ A⁻¹ x of one link
template <class T>
Vec3<T> inertial(const HandbookLink& data, const LinkState<T>& link, const Vec3<T>& x) {
  return link.A * (cast<T>(data.J) * transpose_times(link.A, x));
}

// what link k adds to the rows j ≤ k of H and h
template <class T>
void add_link(const HandbookChain& chain, std::size_t k, HandbookModel<T>& model) {
  const HandbookLink& data = chain.links[k];
  const LinkState<T>& link = model.links[k];
  const T m(data.mass);
  // the drive of joint j that gives C_k a force and link k a couple, (20.50), (20.51) with (20.49)
  auto drive = [&](std::size_t j, const Vec3<T>& force, const Vec3<T>& couple) {
    const LinkState<T>& carrier = model.links[j];
    if (linear(chain.links[j])) return dot(carrier.e, force);
    return dot(carrier.e, couple + cross(link.centre - carrier.joint, force));
  };
  const Vec3<T> force = (link.Delta - cast<T>(chain.gravity)) * m;
  const Vec3<T> couple =
      inertial<T>(data, link, link.Gamma) + cross(link.w, inertial<T>(data, link, link.w));
  for (std::size_t j = 0; j <= k; ++j) model.h[j] += drive(j, force, couple);  // (20.54), (20.58)
  for (std::size_t i = 0; i <= k; ++i) {
    const Vec3<T> momentum = link.Xi[i] * m, spin = inertial<T>(data, link, link.Lambda[i]);
    for (std::size_t j = 0; j <= k; ++j)
      model.H(static_cast<int>(j), static_cast<int>(i)) += drive(j, momentum, spin);
  }
}

}  // namespace

template <class T>
HandbookModel<T> handbook_model(const HandbookChain& chain, In<T> q, In<T> v) {
  const std::size_t n = chain.links.size();
  const int count = static_cast<int>(n);
  check_input<T>("q", q, count, chain.name);
  check_input<T>("v", v, count, chain.name);
  HandbookModel<T> model;
  model.name = chain.name;
  model.H = Matrix<T>(count, count);
  model.h.resize(n);
  LinkState<T> link;
  link.A = Mat3<T>::identity();
  for (std::size_t j = 0; j < n; ++j) {
    link = next_link<T>(chain.links[j], link, q[j], v[j]);
    model.links.push_back(link);
  }
  for (std::size_t k = 0; k < n; ++k) add_link(chain, k, model);
  for (int j = 0; j < count; ++j) model.H(j, j) += T(chain.links[at_index(j)].armature);
  return model;
}

template <class T>
std::vector<T> inverse_dynamics(const HandbookModel<T>& model, In<T> a) {
  check_input<T>("a", a, model.H.rows, model.name);
  std::vector<T> tau = model.H * std::vector<T>(a.begin(), a.end());
  for (std::size_t j = 0; j < tau.size(); ++j) tau[j] += model.h[j];
  return tau;
}

template <class T>
std::vector<T> forward_dynamics(const HandbookModel<T>& model, In<T> tau) {
  check_input<T>("tau", tau, model.H.rows, model.name);
  std::vector<T> x(tau.begin(), tau.end());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] -= model.h[j];
  Ldlt<T>(model.H, "handbook model of robot '" + model.name + "'").solve(x);
  return x;
}

template <class T>
std::vector<HandbookReaction<T>> joint_forces(const HandbookChain& chain,
                                              const HandbookModel<T>& model, In<T> a) {
  const std::size_t n = model.links.size();
  check_input<T>("a", a, model.H.rows, model.name);
  check_size("reference::joint_forces", "chain", chain.links.size(), static_cast<int>(n),
             model.name);
  std::vector<HandbookReaction<T>> reactions(n);
  for (std::size_t k = 0; k < n; ++k) {
    const LinkState<T>& link = model.links[k];
    Vec3<T> acceleration = link.Delta, turning = link.Gamma;  // (20.34), (20.35)
    for (std::size_t i = 0; i <= k; ++i) {
      acceleration += link.Xi[i] * a[i];
      turning += link.Lambda[i] * a[i];
    }
    // (20.44) to (20.46)
    const Vec3<T> force = (acceleration - cast<T>(chain.gravity)) * T(chain.links[k].mass);
    const Vec3<T> couple = inertial<T>(chain.links[k], link, turning) +
                           cross(link.w, inertial<T>(chain.links[k], link, link.w));
    for (std::size_t j = 0; j <= k; ++j) {
      reactions[j].force += force;                                                       // (20.47)
      reactions[j].couple += couple + cross(link.centre - model.links[j].joint, force);  // (20.48)
    }
  }
  return reactions;
}

#define LIMBER_REFERENCE_HANDBOOK(T)                                            \
  template HandbookModel<T> handbook_model(const HandbookChain&, In<T>, In<T>); \
  template std::vector<T> inverse_dynamics(const HandbookModel<T>&, In<T>);     \
  template std::vector<T> forward_dynamics(const HandbookModel<T>&, In<T>);     \
  template std::vector<HandbookReaction<T>> joint_forces(const HandbookChain&,  \
                                                         const HandbookModel<T>&, In<T>);
LIMBER_FOR_EACH_REFERENCE_SCALAR(LIMBER_REFERENCE_HANDBOOK)

}  // namespace limber::reference
