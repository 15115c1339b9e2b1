// The kernels of one instruction set: the library's own recursions, run with Pack.
#include <limber/dynamics/derivatives.hpp>
#include <limber/dynamics/jacobian.hpp>

#include "batch/lanes/context.hpp"
#include "batch/lanes/transpose.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class P>
void load(const typename P::Number* from, long stride, int count, P* to) {
  for (int j = 0; j < count; ++j) to[j] = P::load(from + j * stride);
}
template <class P>
void store(std::span<const P> from, typename P::Number* to, long stride) {
  for (std::size_t j = 0; j < from.size(); ++j) from[j].store(to + static_cast<long>(j) * stride);
}
template <class View, class T>
void store(const View& A, std::span<const MatrixPlace> places, T* to, long stride) {
  for (const MatrixPlace& place : places) {
    A(place.row, place.column).store(to);
    to += stride;
  }
}
template <class P>
void store(const Transform<P>& X, typename P::Number* to, long stride) {
  const Mat3<P>& R = X.R;
  for (const P& number :
       {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz, X.p.x, X.p.y, X.p.z}) {
    number.store(to);
    to += stride;
  }
}

/// One call of a kernel; its functions compute one state in every lane.
template <class P>
struct LaneCall {
  using T = typename P::Number;
  const LaneContext<P>& c;
  long stride;
  const T* const* in;
  T* const* out;
  const BasicModel<P>& m = *c.model;
  std::span<const P> q{c.q, static_cast<std::size_t>(m.nq)};
  std::span<const P> v{c.v, static_cast<std::size_t>(m.nv)};
  std::span<const P> x{c.x, static_cast<std::size_t>(m.nv)};

  void load_q(long i) const { load(in[0] + i, stride, m.nq, c.q); }
  void load_motion(long i) const {
    load_q(i);
    load(in[1] + i, stride, m.nv, c.v);
  }
  void load_all(long i) const {
    load_motion(i);
    load(in[2] + i, stride, m.nv, c.x);
  }

  void inverse_dynamics(long i) const {
    load_all(i);
    store(limber::inverse_dynamics(m, q, v, x, *c.ws, c.loads), out[0] + i, stride);
  }
  void bias_forces(long i) const {
    load_motion(i);
    store(limber::bias_forces(m, q, v, *c.ws, c.loads), out[0] + i, stride);
  }
  void mass_matrix(long i) const {
    load_q(i);
    store(limber::mass_matrix(m, q, *c.ws), c.request->matrices[0], out[0] + i, stride);
  }
  void forward_dynamics(long i) const {
    load_all(i);
    store(limber::forward_dynamics(m, q, v, x, *c.ws, c.loads), out[0] + i, stride);
  }
  void closed_forward_dynamics(long i) const {
    load_all(i);
    const auto rows = static_cast<std::size_t>(c.mechanism->rows),
               nv = static_cast<std::size_t>(m.nv);
    const std::span<P> a{c.a, nv}, force{c.force, rows}, residual{c.residual, rows};
    closed_forward_dynamics_proximal<P>(*c.mechanism, P(0), q, v, x, *c.ws, *c.loops, a, force,
                                        residual, c.loads);
    store(std::span<const P>(a), out[0] + i, stride);
    store(std::span<const P>(force), out[1] + i, stride);
    store(std::span<const P>(residual), out[2] + i, stride);
  }
  void frame_poses(long i) const {
    load_q(i);
    const BasicPoses<P>& bodies = forward_kinematics(m, q, *c.ws);
    T* to = out[0] + i;
    for (const int frame : c.request->frames) {
      store(frame_pose(m, bodies, frame), to, stride);
      to += 12 * stride;
    }
  }
  void jacobian(long i) const {
    load_q(i);
    const auto J = limber::jacobian(m, q, c.request->frames[0], c.request->reference, *c.ws);
    for (int row = 0; row < 6; ++row)
      for (int k = 0; k < m.nv; ++k) J(row, k).store(out[0] + i + (row * m.nv + k) * stride);
  }
  void inverse_dynamics_derivatives(long i) const {
    load_all(i);
    const auto d = inverse_dynamics_tangent_derivatives(m, q, v, x, *c.ws, *c.mw, c.loads);
    store(d.tau_q, c.request->matrices[0], out[0] + i, stride);
    store(d.tau_v, c.request->matrices[1], out[1] + i, stride);
    store(d.tau_a, c.request->matrices[2], out[2] + i, stride);
  }
  void forward_dynamics_derivatives(long i) const {
    load_all(i);
    const auto d = forward_dynamics_tangent_derivatives(m, q, v, x, *c.ws, *c.mw, c.loads);
    store(d.a, out[0] + i, stride);
    store(d.a_q, c.request->matrices[0], out[1] + i, stride);
    store(d.a_v, c.request->matrices[1], out[2] + i, stride);
    store(d.a_tau, c.request->matrices[2], out[3] + i, stride);
  }
};

/// A function of LaneCall as a kernel.
template <class P, void (LaneCall<P>::*function)(long) const>
void kernel(const void* context, long count, long stride, const typename P::Number* const* in,
            typename P::Number* const* out) {
  const LaneCall<P> call{*static_cast<const LaneContext<P>*>(context), stride, in, out};
  for (long i = 0; i < count; i += P::lanes) (call.*function)(i);
}

}  // namespace

template <class P>
const LaneSet<typename P::Number>& lane_set() {
  using Call = LaneCall<P>;
  static constexpr LaneSet<typename P::Number> set{P::lanes,
                                                   lane_memory<P>,
                                                   kernel<P, &Call::inverse_dynamics>,
                                                   kernel<P, &Call::bias_forces>,
                                                   kernel<P, &Call::mass_matrix>,
                                                   kernel<P, &Call::forward_dynamics>,
                                                   kernel<P, &Call::closed_forward_dynamics>,
                                                   kernel<P, &Call::frame_poses>,
                                                   kernel<P, &Call::jacobian>,
                                                   kernel<P, &Call::inverse_dynamics_derivatives>,
                                                   kernel<P, &Call::forward_dynamics_derivatives>,
                                                   to_lanes<P>,
                                                   to_states<P>,
                                                   mark_bad<P>};
  return set;
}

#define LIMBER_LANE_SET(P) template const LaneSet<P::Number>& lane_set<P>();
LIMBER_FOR_EACH_REAL(LIMBER_LANE_SET)

}  // namespace limber
