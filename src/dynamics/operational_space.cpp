#include <limber/dynamics/operational_space.hpp>

#include <limber/dynamics/forward_dynamics.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "dynamics/fold.hpp"
#include "dynamics/kinematics.ipp"
#include "dynamics/mass_matrix.ipp"
#include "dynamics/symmetric_factor.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class T>
void check_frames(const BasicModel<T>& m, const char* name, std::span<const int> frames,
                  const BasicOperationalSpace<T>& os) {
  check_workspace(name, m, os);
  if (frames.size() > static_cast<std::size_t>(os.most_frames))
    throw Error(fmt::format("{}: {} frames, but the OperationalSpace was made for {}", name,
                            frames.size(), os.most_frames));
  for (const int frame : frames) check_frame(name, m, frame);
}

/// Names the joint that makes the inertia matrix singular, by the road of forward dynamics.
template <class T>
[[noreturn]] void refuse(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws) {
  const In<T> rest(ws.zeros.data(), static_cast<std::size_t>(m.nv));
  forward_dynamics_by_mass_matrix(m, q, rest, rest, ws);
  throw Error("the inertia matrix of robot '" + m.name + "' has no inverse here");
}

/// Articulated inertias at rest: U = IA S and 1/D of every column. Joints must be placed. Returns
/// false where a pivot is not positive. [RDA] (6.47), (6.48)
template <class T>
bool articulated_inertias(const BasicModel<T>& m, BasicWorkspace<T>& ws) {
  for (std::size_t i = 1; i < ws.IA.size(); ++i) ws.IA[i] = ArticulatedInertia<T>(m.inertia[i]);
  bool good = true;
  for (int i = m.bodies() - 1; i > 0; --i)
    with_joint(m, ws, i, [&](const auto& joint) {
      ArticulatedInertia<T> IA = ws.IA[static_cast<std::size_t>(i)];
      joint.for_columns_reversed([&](const auto& S, int column) {
        const auto k = static_cast<std::size_t>(column);
        ws.U[k] = IA * S;
        const T D = dot(S, ws.U[k]) + m.armature[k];
        good = good && is_regular_pivot(D);
        ws.D_inverse[k] = T(1) / D;
        eliminate_column(IA, S, ws.U[k], ws.D_inverse[k], m.armature[k]);
      });
      if (const int p = m.parent[static_cast<std::size_t>(i)])
        ws.IA[static_cast<std::size_t>(p)] += joint.reduced_to_parent(IA);
    });
  return good;
}

/// A unit force of a frame, given in the reference, in the canonical frame of its body.
template <class T>
Force<T> unit_force(const BasicModel<T>& m, const BasicWorkspace<T>& ws, int frame,
                    Reference reference, int row) {
  const BasicFrame<T>& f = m.frames[static_cast<std::size_t>(frame)];
  Force<T> force;
  (row < 3 ? force.angular : force.linear)[row % 3] = T(1);
  if (reference == Reference::world)
    return apply_inverse(ws.X_W[static_cast<std::size_t>(f.body)], force);
  if (reference == Reference::world_aligned) {
    const Mat3<T> R = frame_pose(m, ws, frame).R;
    force = {transpose_times(R, force.angular), transpose_times(R, force.linear)};
  }
  return f.placement * force;
}

/// u of every column for every unit force: the column's share of the force, once what lies further
/// out has given way. These are the columns of L⁻ᵀ Jᵀ, so that Λ⁻¹ = Σ u uᵀ / D.
template <class T>
void unit_responses(const BasicModel<T>& m, std::span<const int> frames, Reference reference,
                    BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os) {
  const std::size_t width = 6 * frames.size();
  std::fill_n(os.response.begin(), static_cast<std::size_t>(m.nv) * width, T(0));
  for (std::size_t f = 0; f < frames.size(); ++f) {
    std::array<Force<T>, 6> force;
    for (int row = 0; row < 6; ++row)
      force[static_cast<std::size_t>(row)] = unit_force(m, ws, frames[f], reference, row);
    for (int i = m.frames[static_cast<std::size_t>(frames[f])].body; i > 0;
         i = m.parent[static_cast<std::size_t>(i)])
      with_joint(m, ws, i, [&](const auto& joint) {
        joint.for_columns_reversed([&](const auto& S, int column) {
          const auto k = static_cast<std::size_t>(column);
          for (std::size_t row = 0; row < 6; ++row) {
            const T u = dot(S, force[row]);
            os.response[k * width + 6 * f + row] = u;
            force[row] -= ws.U[k] * (u * ws.D_inverse[k]);
          }
        });
        for (Force<T>& x : force) x = joint.to_parent(x);
      });
  }
}

/// Jacobians of all frames, stacked.
template <class T>
void stack_jacobians(const BasicModel<T>& m, In<T> q, std::span<const int> frames,
                     Reference reference, BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os) {
  for (std::size_t f = 0; f < frames.size(); ++f) {
    jacobian(m, q, frames[f], reference, ws);
    std::copy(ws.J.begin(), ws.J.end(),
              os.J.begin() + static_cast<std::ptrdiff_t>(f * ws.J.size()));
  }
}

/// The same u by the factor of the inertia matrix: x := L⁻ᵀ Jᵀ.
template <class T>
void unit_responses_by_factor(const BasicModel<T>& m, In<T> q, std::span<const int> frames,
                              Reference reference, BasicWorkspace<T>& ws,
                              BasicOperationalSpace<T>& os) {
  stack_jacobians(m, q, frames, reference, ws, os);
  const std::size_t width = 6 * frames.size(), nv = static_cast<std::size_t>(m.nv);
  for (std::size_t k = 0; k < nv; ++k)
    for (std::size_t c = 0; c < width; ++c) os.response[k * width + c] = os.J[c * nv + k];
  for (std::size_t k = nv; k-- > 0;)
    for (int e = m.path_start[k]; e < m.path_end[k] - 1; ++e) {
      const auto t = static_cast<std::size_t>(m.path[static_cast<std::size_t>(e)]);
      for (std::size_t c = 0; c < width; ++c)
        os.response[t * width + c] -=
            ws.L[static_cast<std::size_t>(e)] * os.response[k * width + c];
    }
}

/// 1/D of a user's variable in the factor at hand.
template <class T>
const T& inverse_pivot(const BasicModel<T>& m, const BasicWorkspace<T>& ws, std::size_t k) {
  return m.has_mimic() ? ws.L[static_cast<std::size_t>(m.path_end[k]) - 1] : ws.D_inverse[k];
}

template <class T>
bool factor_inertia(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws) {
  if (!m.singular_reason.empty()) return false;
  if (!m.has_mimic()) return articulated_inertias(m, ws);
  mass_matrix(m, q, ws);
  factorize_mass_matrix(m, ws);
  for (std::size_t k = 0; k < static_cast<std::size_t>(m.nv); ++k)
    if (!is_regular_pivot(inverse_pivot(m, ws, k))) return false;
  return true;
}

/// response becomes M⁻¹ Jᵀ: the accelerations that the unit forces give.
template <class T>
void accelerations_of_responses(const BasicModel<T>& m, std::size_t width, BasicWorkspace<T>& ws,
                                BasicOperationalSpace<T>& os) {
  if (m.has_mimic()) {  // L⁻¹ D⁻¹
    for (std::size_t k = 0; k < static_cast<std::size_t>(m.nv); ++k)
      for (std::size_t c = 0; c < width; ++c) {
        T sum = os.response[k * width + c] * inverse_pivot(m, ws, k);
        for (int e = m.path_start[k]; e < m.path_end[k] - 1; ++e)
          sum -= ws.L[static_cast<std::size_t>(e)] *
                 os.response[static_cast<std::size_t>(m.path[static_cast<std::size_t>(e)]) * width +
                             c];
        os.response[k * width + c] = sum;
      }
    return;
  }
  for (std::size_t c = 0; c < width; ++c) {  // outward, [RDA] (6.54)
    ws.computed.accelerations = false;
    ws.a[0] = {};
    for (int i = 1; i < m.bodies(); ++i)
      with_joint(m, ws, i, [&](const auto& joint) {
        const auto b = static_cast<std::size_t>(i);
        Motion<T> a = joint.to_child(ws.a[static_cast<std::size_t>(m.parent[b])]);
        joint.for_columns([&](const auto& S, int column) {
          const auto k = static_cast<std::size_t>(column);
          T& u = os.response[k * width + c];
          u = (u - dot(a, ws.U[k])) * ws.D_inverse[k];
          a += S * u;
        });
        ws.a[b] = a;
      });
  }
}

}  // namespace

template <class T>
BasicOperationalSpace<T>::BasicOperationalSpace(const BasicModel<T>& m, int frames)
    : model(m.identity), most_frames(frames) {
  check_built("OperationalSpace", m);
  if (frames < 1)
    throw Error(fmt::format("OperationalSpace needs room for at least one frame, not {}", frames));
  const auto rows = 6 * static_cast<std::size_t>(frames), nv = static_cast<std::size_t>(m.nv);
  J.resize(rows * nv);
  response.resize(nv * rows);
  consistent.resize(nv * rows);
  inverse_inertia.resize(rows * rows);
  inertia.resize(rows * rows);
  factor.resize(rows * rows);
  bias.resize(rows);
}

template <class T>
MatrixView<T> operational_space_inverse_inertia(const BasicModel<T>& m, In<T> q,
                                                std::span<const int> frames, Reference reference,
                                                BasicWorkspace<T>& ws,
                                                BasicOperationalSpace<T>& os) {
  check_frames(m, "operational_space_inverse_inertia", frames, os);
  forward_kinematics(m, q, ws);
  if (!factor_inertia(m, q, ws)) refuse(m, q, ws);
  if (m.has_mimic()) unit_responses_by_factor(m, q, frames, reference, ws, os);
  else unit_responses(m, frames, reference, ws, os);
  const std::size_t width = 6 * frames.size();
  std::fill_n(os.inverse_inertia.begin(), width * width, T(0));
  for (std::size_t k = 0; k < static_cast<std::size_t>(m.nv); ++k) {
    const T* u = os.response.data() + k * width;
    for (std::size_t i = 0; i < width; ++i) {
      const T scaled = u[i] * inverse_pivot(m, ws, k);
      for (std::size_t j = 0; j <= i; ++j) os.inverse_inertia[i * width + j] += scaled * u[j];
    }
  }
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = i + 1; j < width; ++j)
      os.inverse_inertia[i * width + j] = os.inverse_inertia[j * width + i];
  return {os.inverse_inertia.data(), static_cast<int>(width), static_cast<int>(width)};
}

template <class T>
MatrixView<T> operational_space_inertia(const BasicModel<T>& m, In<T> q,
                                        std::span<const int> frames, Reference reference,
                                        BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os) {
  operational_space_inverse_inertia(m, q, frames, reference, ws, os);
  const std::size_t width = 6 * frames.size();
  std::copy_n(os.inverse_inertia.begin(), width * width, os.factor.begin());
  T largest(0);
  for (std::size_t i = 0; i < width; ++i)
    if (os.factor[i * (width + 1)] > largest) largest = os.factor[i * (width + 1)];
  const std::size_t bad = factorize_symmetric(os.factor.data(), width, width, largest * T(1e-12));
  if (bad < width) {
    const int frame = frames[bad / 6];
    throw Error(fmt::format(
        "operational-space inertia of robot '{}': row {} of frame '{}' depends on the rows before "
        "it at this position (singular position, too few joints, or frames on one body); ask for "
        "the inverse inertia, or leave frames out",
        m.name, bad % 6, m.frames[static_cast<std::size_t>(frame)].name));
  }
  for (std::size_t c = 0; c < width; ++c) {  // symmetric: rows are columns
    T* row = os.inertia.data() + c * width;
    std::fill_n(row, width, T(0));
    row[c] = T(1);
    solve_symmetric(os.factor.data(), width, width, row);
  }
  return {os.inertia.data(), static_cast<int>(width), static_cast<int>(width)};
}

template <class T>
MatrixView<T> dynamically_consistent_inverse(const BasicModel<T>& m, In<T> q,
                                             std::span<const int> frames, Reference reference,
                                             BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os) {
  operational_space_inertia(m, q, frames, reference, ws, os);
  const std::size_t width = 6 * frames.size();
  accelerations_of_responses(m, width, ws, os);
  for (std::size_t k = 0; k < static_cast<std::size_t>(m.nv); ++k)
    for (std::size_t c = 0; c < width; ++c) {
      T sum(0);
      for (std::size_t i = 0; i < width; ++i)
        sum += os.response[k * width + i] * os.inertia[i * width + c];
      os.consistent[k * width + c] = sum;
    }
  return {os.consistent.data(), m.nv, static_cast<int>(width)};
}

template <class T>
std::span<const T> operational_space_bias(const BasicModel<T>& m, In<T> q, In<T> v,
                                          std::span<const int> frames, Reference reference,
                                          BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os) {
  check_frames(m, "operational_space_bias", frames, os);
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const Motion<T> x = jacobian_dot_times_v(m, q, v, frames[f], reference, ws);
    for (int row = 0; row < 3; ++row) {
      os.bias[6 * f + static_cast<std::size_t>(row)] = x.angular[row];
      os.bias[6 * f + 3 + static_cast<std::size_t>(row)] = x.linear[row];
    }
  }
  return {os.bias.data(), 6 * frames.size()};
}

#define LIMBER_OPERATIONAL_SPACE(T)                                                                \
  template struct BasicOperationalSpace<T>;                                                        \
  template MatrixView<T> operational_space_inverse_inertia(                                        \
      const BasicModel<T>&, In<T>, std::span<const int>, Reference, BasicWorkspace<T>&,            \
      BasicOperationalSpace<T>&);                                                                  \
  template MatrixView<T> operational_space_inertia(const BasicModel<T>&, In<T>,                    \
                                                   std::span<const int>, Reference,                \
                                                   BasicWorkspace<T>&, BasicOperationalSpace<T>&); \
  template MatrixView<T> dynamically_consistent_inverse(                                           \
      const BasicModel<T>&, In<T>, std::span<const int>, Reference, BasicWorkspace<T>&,            \
      BasicOperationalSpace<T>&);                                                                  \
  template std::span<const T> operational_space_bias(                                              \
      const BasicModel<T>&, In<T>, In<T>, std::span<const int>, Reference, BasicWorkspace<T>&,     \
      BasicOperationalSpace<T>&);
LIMBER_FOR_EACH_REAL(LIMBER_OPERATIONAL_SPACE)

}  // namespace limber
