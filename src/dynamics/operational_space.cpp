#include <limber/dynamics/operational_space.hpp>

#include <limber/dynamics/forward_dynamics.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "dynamics/fold.hpp"
#include "dynamics/frame_columns.ipp"
#include "dynamics/last_freedom.hpp"
#include "dynamics/symmetric_factor.hpp"
#include "dynamics/tree_factor.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

template <class T>
void check_frames(const BasicModel<T>& m, const char* name, std::span<const int> frames,
                  const BasicOperationalSpace<T>& os) {
  check_workspace(name, m, os);
  if (frames.size() > at_index(os.most_frames))
    throw Error(fmt::format("{}: {} frames, but the OperationalSpace was made for {}", name,
                            frames.size(), os.most_frames));
  for (const int frame : frames) check_frame(name, m, frame);
}

/// The factor of the mass matrix, on which everything here stands. Measured against responses by
/// articulated bodies (unit forces sent inward, [RDA] (6.47)-(6.55)): 0.74, 0.74 and 0.95 of their
/// time on arm7, quadruped and humanoid.
template <class T>
void factorize_for(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws,
                   BasicOperationalSpace<T>& os) {
  factorize(m, q, ws, os.tree);
  if (m.singular_reason.empty() && has_regular_pivots(os.tree)) return;
  const In<T> rest(ws.zeros.data(), at_index(m.nv));
  forward_dynamics_by_mass_matrix(m, q, rest, rest, ws);  // names the joint
  throw Error("the mass matrix of robot '" + m.name + "' has no inverse here");
}

/// L⁻ᵀ Jᵀ of a frame, six columns, in the rows of the path to `last`.
template <class T>
void respond(const BasicModel<T>& m, int frame, Reference reference, BasicWorkspace<T>& ws,
             const BasicTreeFactor<T>& tree, int last, T* out) {
  const TreePattern& at = tree.M.pattern;
  std::fill_n(out, 6 * (at.depth(last) + 1), T(0));
  for_frame_columns(m, frame, reference, ws, ws.motion.X_W, [&](int k, const Motion<T>& column) {
    const Fold<T>& fold = m.v_fold[k];
    T* const row = out + 6 * at.depth(fold.index);
    for (int c = 0; c < 3; ++c) {
      row[c] += fold.ratio * column.angular[c];
      row[c + 3] += fold.ratio * column.linear[c];
    }
  });
  half_solve_path<6>(at, tree.L.data(), last, out);
}

/// How many freedoms two paths share.
int common_length(const TreePattern& at, int k, int l) {
  if (k < 0 || l < 0) return 0;
  const int most = std::min(at.depth(k), at.depth(l)) + 1;
  int n = 0;
  while (n < most && at.path[at.start[k] + n] == at.path[at.start[l] + n]) ++n;
  return n;
}

/// The block of Λ⁻¹ of two frames: Σ u uᵀ / D over the freedoms that move both.
template <class T>
void add_products(const BasicOperationalSpace<T>& os, int f, int g, int width, T* out) {
  const TreePattern& at = os.tree.M.pattern;
  const T *u = os.response_of(f), *w = os.response_of(g);
  T sum[36];
  for (T& x : sum) x = T(0);
  const int n = common_length(at, os.last[f], os.last[g]);
  for (int t = 0; t < n; ++t, u += 6, w += 6) {
    const T& D_inverse = inverse_pivot(os.tree, at.path[at.start[os.last[f]] + t]);
    for (int i = 0; i < 6; ++i) {
      const T scaled = u[i] * D_inverse;
      for (int j = 0; j < 6; ++j) sum[6 * i + j] += scaled * w[j];
    }
  }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      out[(6 * f + i) * width + 6 * g + j] = sum[6 * i + j];
      out[(6 * g + j) * width + 6 * f + i] = sum[6 * i + j];
    }
}

/// M⁻¹ Jᵀ (nv × width): the accelerations that unit forces on the frames give.
template <class T>
void accelerations(int frames, BasicOperationalSpace<T>& os) {
  const TreePattern& at = os.tree.M.pattern;
  const int width = 6 * frames;
  std::fill_n(os.accelerations.begin(), at.variables() * width, T(0));
  for (int f = 0; f < frames; ++f) {
    if (os.last[f] < 0) continue;
    const T* row = os.response_of(f);
    for (int t = at.start[os.last[f]]; t < at.end[os.last[f]]; ++t, row += 6)
      std::copy_n(row, 6, os.accelerations.begin() + at.path[t] * width + 6 * f);
  }
  finish_solve_rows(at, os.tree.L.data(), os.accelerations.data(), width);
}

}  // namespace

template <class T>
BasicOperationalSpace<T>::BasicOperationalSpace(const BasicModel<T>& m, int frames)
    : model(m.identity), most_frames(frames) {
  check_built("OperationalSpace", m);
  if (frames < 1)
    throw Error(fmt::format("OperationalSpace needs room for at least one frame, not {}", frames));
  tree = BasicTreeFactor<T>(m);
  for (int k = 0; k < m.nv; ++k)
    response_length = std::max(response_length, 6 * (tree.M.pattern.depth(k) + 1));
  const auto rows = 6 * at_index(frames), nv = at_index(m.nv);
  last.resize(at_index(frames));
  response.resize(at_index(frames * response_length));
  accelerations.resize(nv * rows);
  consistent.resize(nv * rows);
  inverse_inertia.resize(rows * rows);
  inertia.resize(rows * rows);
  factor.resize(rows * rows);
  bias.resize(rows);
}

template <class T>
void operational_space_inverse_inertia(const BasicModel<T>& m, In<T> q, std::span<const int> frames,
                                       Reference reference, BasicWorkspace<T>& ws,
                                       BasicOperationalSpace<T>& os, Out<T> out) {
  const char* name = "operational_space_inverse_inertia";
  check_frames(m, name, frames, os);
  const int count = static_cast<int>(frames.size()), width = 6 * count;
  check_size(name, "out", out.size(), width * width, m.name);
  forward_kinematics(m, q, ws, ws.motion);
  factorize_for(m, q, ws, os);
  for (int f = 0; f < count; ++f) {
    const int frame = frames[at_index(f)];
    os.last[f] = last_freedom(m, os.tree.M.pattern, m.frames[frame].body);
    if (os.last[f] >= 0) respond(m, frame, reference, ws, os.tree, os.last[f], os.response_of(f));
  }
  for (int f = 0; f < count; ++f)
    for (int g = 0; g <= f; ++g) add_products(os, f, g, width, out.data());
}

template <class T>
void operational_space_inertia(const BasicModel<T>& m, In<T> q, std::span<const int> frames,
                               Reference reference, BasicWorkspace<T>& ws,
                               BasicOperationalSpace<T>& os, Out<T> out) {
  check_frames(m, "operational_space_inertia", frames, os);
  const std::size_t width = 6 * frames.size();
  check_size("operational_space_inertia", "out", out.size(), static_cast<int>(width * width),
             m.name);
  const std::span<T> factor(os.factor.data(), width * width);
  operational_space_inverse_inertia<T>(m, q, frames, reference, ws, os, factor);
  T largest(0);
  for (std::size_t i = 0; i < width; ++i)
    if (factor[i * (width + 1)] > largest) largest = factor[i * (width + 1)];
  const std::size_t bad = factorize_symmetric(factor.data(), width, width, largest * T(1e-12));
  if (bad < width) {
    const int frame = frames[bad / 6];
    throw Error(fmt::format(
        "operational-space inertia of robot '{}': row {} of frame '{}' depends on the rows before "
        "it at this position (singular position, too few joints, or frames on one body); ask for "
        "the inverse inertia, or leave frames out",
        m.name, bad % 6, m.frames[frame].name));
  }
  for (std::size_t c = 0; c < width; ++c) {  // symmetric: rows are columns
    T* row = out.data() + c * width;
    std::fill_n(row, width, T(0));
    row[c] = T(1);
    solve_symmetric(factor.data(), width, width, row);
  }
}

template <class T>
void dynamically_consistent_inverse(const BasicModel<T>& m, In<T> q, std::span<const int> frames,
                                    Reference reference, BasicWorkspace<T>& ws,
                                    BasicOperationalSpace<T>& os, Out<T> out) {
  check_frames(m, "dynamically_consistent_inverse", frames, os);
  const int count = static_cast<int>(frames.size()), width = 6 * count;
  check_size("dynamically_consistent_inverse", "out", out.size(), m.nv * width, m.name);
  const MatrixView<T> inertia = operational_space_inertia(m, q, frames, reference, ws, os);
  accelerations(count, os);
  for (int k = 0; k < m.nv; ++k)
    for (int c = 0; c < width; ++c) {
      T sum(0);
      for (int i = 0; i < width; ++i) sum += os.accelerations[k * width + i] * inertia(i, c);
      out[at_index(k * width + c)] = sum;
    }
}

template <class T>
void operational_space_bias(const BasicModel<T>& m, In<T> q, In<T> v, std::span<const int> frames,
                            Reference reference, BasicWorkspace<T>& ws,
                            BasicOperationalSpace<T>& os, Out<T> out) {
  const char* name = "operational_space_bias";
  check_frames(m, name, frames, os);
  check_size(name, "out", out.size(), 6 * static_cast<int>(frames.size()), m.name);
  T* to = out.data();
  for (const int frame : frames) {
    const Motion<T> x = jacobian_dot_times_v(m, q, v, frame, reference, ws);
    for (int row = 0; row < 3; ++row, ++to) to[0] = x.angular[row], to[3] = x.linear[row];
    to += 3;
  }
}

// --- the same in the memory of the OperationalSpace ---

template <class T>
MatrixView<T> operational_space_inverse_inertia(const BasicModel<T>& m, In<T> q,
                                                std::span<const int> frames, Reference reference,
                                                BasicWorkspace<T>& ws,
                                                BasicOperationalSpace<T>& os) {
  check_frames(m, "operational_space_inverse_inertia", frames, os);
  const int width = 6 * static_cast<int>(frames.size());
  const std::span<T> out(os.inverse_inertia.data(), at_index(width * width));
  operational_space_inverse_inertia<T>(m, q, frames, reference, ws, os, out);
  return {out.data(), width, width};
}

template <class T>
MatrixView<T> operational_space_inertia(const BasicModel<T>& m, In<T> q,
                                        std::span<const int> frames, Reference reference,
                                        BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os) {
  check_frames(m, "operational_space_inertia", frames, os);
  const int width = 6 * static_cast<int>(frames.size());
  const std::span<T> out(os.inertia.data(), at_index(width * width));
  operational_space_inertia<T>(m, q, frames, reference, ws, os, out);
  return {out.data(), width, width};
}

template <class T>
MatrixView<T> dynamically_consistent_inverse(const BasicModel<T>& m, In<T> q,
                                             std::span<const int> frames, Reference reference,
                                             BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os) {
  check_frames(m, "dynamically_consistent_inverse", frames, os);
  const int width = 6 * static_cast<int>(frames.size());
  const std::span<T> out(os.consistent.data(), at_index(m.nv * width));
  dynamically_consistent_inverse<T>(m, q, frames, reference, ws, os, out);
  return {out.data(), m.nv, width};
}

template <class T>
std::span<const T> operational_space_bias(const BasicModel<T>& m, In<T> q, In<T> v,
                                          std::span<const int> frames, Reference reference,
                                          BasicWorkspace<T>& ws, BasicOperationalSpace<T>& os) {
  check_frames(m, "operational_space_bias", frames, os);
  const std::span<T> out(os.bias.data(), 6 * frames.size());
  operational_space_bias<T>(m, q, v, frames, reference, ws, os, out);
  return out;
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
      BasicOperationalSpace<T>&);                                                                  \
  template void operational_space_inverse_inertia(                                                 \
      const BasicModel<T>&, In<T>, std::span<const int>, Reference, BasicWorkspace<T>&,            \
      BasicOperationalSpace<T>&, Out<T>);                                                          \
  template void operational_space_inertia(const BasicModel<T>&, In<T>, std::span<const int>,       \
                                          Reference, BasicWorkspace<T>&,                           \
                                          BasicOperationalSpace<T>&, Out<T>);                      \
  template void dynamically_consistent_inverse(const BasicModel<T>&, In<T>, std::span<const int>,  \
                                               Reference, BasicWorkspace<T>&,                      \
                                               BasicOperationalSpace<T>&, Out<T>);                 \
  template void operational_space_bias(const BasicModel<T>&, In<T>, In<T>, std::span<const int>,   \
                                       Reference, BasicWorkspace<T>&, BasicOperationalSpace<T>&,   \
                                       Out<T>);
LIMBER_FOR_EACH_REAL(LIMBER_OPERATIONAL_SPACE)

}  // namespace limber
