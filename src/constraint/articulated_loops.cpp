#include "constraint/articulated_loops.ipp"

#include <algorithm>
#include <cmath>

#include "dynamics/checks.hpp"
#include "dynamics/passive.hpp"
#include "dynamics/symmetric_factor.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

constexpr const char* articulated_loops_what = "dynamics with closed loops";

/// One call: the mechanism, its plan and where the numbers are.
template <class T>
struct LoopPass {
  const BasicMechanism<T>& m;
  BasicArticulatedLoops<T>& d;
  BasicWorkspace<T>& ws;
  In<T> q, v, wanted;

  int rows(int k) const { return m.closures[k].rows; }
  RowForces<T> K(int end) const { return {&d.K[end * 6 * row_places]}; }
  T* bias(int k) const { return &d.bias[k * row_places]; }
  T* A(int k) const { return &d.A[k * 6 * row_places]; }
  T* block(int b) const { return &d.coupling[b * 6 * row_places]; }
  T* reduced(int k, int row) const { return &d.reduced[(k * 6 + row) * row_places]; }
  T* lambda(int k) const { return &d.lambda[k * row_places]; }
  T* scale(int k) const { return &d.scale[k * row_places]; }
};

/// Poses of the bodies of a loop in its carrier's frame.
template <class T>
void place_loop(const LoopPass<T>& p, int k) {
  const LoopPlan& plan = p.d.plan;
  p.d.X[plan.loops[k].carrier] = {};
  for (const int end : plan.loops[k].end) {
    if (end < 0) continue;
    for (int at = plan.ends[end].first; at < plan.ends[end].last; ++at) {
      const int i = plan.path[at];
      with_joint(p.m.tree, p.ws, i, [&](const auto& joint) {
        p.d.X[i] = joint.pose_after(p.d.X[p.m.tree.parent[i]]);
      });
    }
  }
}

/// Velocity of frame b against frame a, in the carrier's axes.
template <class T>
Vec3<T> loop_velocity(const LoopPass<T>& p, int k, const Vec3<T>& point) {
  const LoopPlan::Loop& loop = p.d.plan.loops[k];
  Vec3<T> velocity;
  const int bodies[2] = {p.m.loops[k].body_a, p.m.loops[k].body_b};
  for (int side = 0; side < 2; ++side)
    for_loop_columns(p.m, bodies[side], loop.carrier, point, p.d.X, p.ws,
                     [&](int column, const Motion<T>& S) {
                       const T& rate = p.v[at_index(column)];
                       velocity += S.linear * (side == 0 ? -rate : rate);
                     });
  return velocity;
}

/// K of both ends in their bodies' frames, and the part of the row accelerations that comes from
/// velocities at the ends; what the joints between add is found on the way.
template <class T>
void start_loop(const LoopPass<T>& p, int k) {
  const BasicLoop<T>& loop = p.m.loops[k];
  const auto& closure = p.m.closures[k];
  const LoopPlan::Loop& plan = p.d.plan.loops[k];
  p.d.closed_at[k] = -1;
  p.d.is_mixed[k] = 0;
  clear_rows(p.A(k), closure.rows);
  clear_rows(p.bias(k), 1);
  clear_rows(p.scale(k), 1);
  for (const int end : plan.end)
    if (end >= 0) clear_rows(p.K(end).x, 6);
  if (loop.kind == LoopSpec::Kind::coupling) {
    const CouplingValues<T> value = coupling_values<T>(p.m, loop, p.q);
    p.lambda(k)[0] = value.slope;  // until the forces are known
    if (loop.leader < 0) return;
    const T& rate = p.v[at_index(p.m.tree.v_index[loop.leader])];
    p.bias(k)[0] = -(value.curvature * rate * rate);
    return;
  }
  place_loop(p, k);
  const LoopPose<T> pose = loop_pose(p.m, k, p.d.X);
  const Vec3<T>& point = pose.B.p;
  const Transform<T>&X_a = p.d.X[loop.body_a], &X_b = p.d.X[loop.body_b];
  // centripetal accelerations of the points, beside the accelerations of the bodies
  const PointMotion<T> a = point_motion<T>(X_a, p.ws.w[loop.body_a], {}, point),
                       b = point_motion<T>(X_b, p.ws.w[loop.body_b], {}, point);
  const Vec3<T> velocity = plan.needs_velocity ? loop_velocity(p, k, point) : Vec3<T>{};
  const RelativeMotion<T> motion = relative_motion(a, b, velocity);
  alignas(64) T rows[6 * row_places];
  const RowForces<T> F{rows};
  clear_rows(rows, 6);
  for_row_forces(p.m, k, pose,
                 [&](int row, const Force<T>& f) { F.put(row - closure.first_row, f); });
  const bool on_world = plan.carrier == 0 && (plan.end[0] < 0 || plan.end[1] < 0);
  for (int g = 0; g < row_groups<T>(closure.rows); ++g) {
    const Force<Lanes<T>> f = F.load(g);
    if (plan.end[1] >= 0) p.K(plan.end[1]).store(g, rows_in_body(X_b, point, f));
    if (plan.end[0] >= 0) p.K(plan.end[0]).store(g, -rows_in_body(X_a, point, f));
    Lanes<T> bias = column_rows(Motion<T>{motion.w_dot, motion.a}, f);
    if (on_world) {  // an end on the world has the world's acceleration
      const Lanes<T> share = column_rows(
          p.ws.a[0], Force<Lanes<T>>{f.angular + cross(spread(point), f.linear), f.linear});
      bias = plan.end[0] < 0 ? bias - share : bias + share;
    }
    bias.store(p.bias(k) + g * lane_count<T>);
  }
  const bool rows_move = plan.needs_velocity || closure.turns == 1;
  const bool waits = plan.carrier != 0 && (plan.end[0] < 0 || plan.end[1] < 0);
  for (int r = 0; r < (rows_move || waits ? closure.rows : 0); ++r) {
    p.bias(k)[r] += moving_row(p.m, k, closure.first_row + r, pose, motion);
    if (!waits) continue;
    // on a carrier that moves, the end that is on it waits there
    const Force<T> f = F.get(r), at_origin{f.angular + cross(point, f.linear), f.linear};
    put_on_carrier(p, k, r, plan.end[0] < 0 ? -at_origin : at_origin);
  }
}

/// The end that is on the carrier from the beginning.
template <class T>
void put_on_carrier(const LoopPass<T>& p, int k, int row, const Force<T>& F) {
  T* const to = p.reduced(k, row);
  for (int c = 0; c < 3; ++c) to[c] = F.angular[c], to[c + 3] = F.linear[c];
}

/// One column of a joint, and the step to the parent where it is the only one: K is read and
/// written once.
template <class T, class Joint, class Column>
[[gnu::always_inline]] inline void pass_unit_joint(const LoopPass<T>& p, int i, const Joint& joint,
                                                   const Column& S, const Force<T>& U,
                                                   const T& D_inverse, const T& u,
                                                   const Motion<T>& c) {
  const LoopPlan& plan = p.d.plan;
  const Force<Lanes<T>> wide = spread(U);
  for (int x = plan.passing_start[i]; x < plan.passing_start[i + 1]; ++x) {
    const int end = plan.passing[x], k = plan.ends[end].loop, rows = p.rows(k);
    if (p.d.closed_at[k] >= 0) continue;
    T* const e = &p.d.e[plan.passing_e[x] * row_places];
    const int groups = row_groups<T>(rows);
    const bool is_coupling = p.m.loops[k].kind == LoopSpec::Kind::coupling;
    for (int g = 0; g < groups; ++g) {
      Force<Lanes<T>> f = p.K(end).load(g);
      Lanes<T> products = column_rows(S, f);
      if (is_coupling) products += Lanes<T>(coupled_part(p.m.loops[k], i, p.lambda(k)[0]));
      products.store(e + g * lane_count<T>);
      const Lanes<T> scaled = products * Lanes<T>(D_inverse);
      T* const bias = p.bias(k) + g * lane_count<T>;
      Lanes<T> sum = Lanes<T>::load(bias) + scaled * Lanes<T>(u);
      if constexpr (!saves_operations<T>) sum += column_rows(c, f);
      f.angular -= wide.angular * scaled;
      f.linear -= wide.linear * scaled;
      if constexpr (saves_operations<T>) sum += column_rows(c, f);
      sum.store(bias);
      add_to_scale(p.scale(k) + g * lane_count<T>, products * scaled);
      p.K(end).store(g, rows_to_parent(joint, f, T(0)));
    }
    add_row_products(e, e, rows, groups, D_inverse, p.A(k));
  }
  couple_at_joint(p, i, 0, D_inverse);
}

/// All loops that pass the joint of body i, at one of its columns.
template <class T, class Column>
void pass_column(const LoopPass<T>& p, int i, int local, const Column& S, const Force<T>& U,
                 const T& D_inverse, const T& u) {
  const LoopPlan& plan = p.d.plan;
  const Force<Lanes<T>> wide = spread(U);
  for (int x = plan.passing_start[i]; x < plan.passing_start[i + 1]; ++x) {
    const int end = plan.passing[x], k = plan.ends[end].loop, rows = p.rows(k);
    if (p.d.closed_at[k] >= 0) continue;
    T* const e = &p.d.e[(plan.passing_e[x] + local) * row_places];
    const int groups = row_groups<T>(rows);
    for (int g = 0; g < groups; ++g) column_rows(S, p.K(end).load(g)).store(e + g * lane_count<T>);
    if (p.m.loops[k].kind == LoopSpec::Kind::coupling)
      e[0] += coupled_part(p.m.loops[k], i, p.lambda(k)[0]);
    for (int g = 0; g < groups; ++g) {
      const Lanes<T> scaled = Lanes<T>::load(e + g * lane_count<T>) * Lanes<T>(D_inverse);
      Force<Lanes<T>> f = p.K(end).load(g);
      f.angular -= wide.angular * scaled;
      f.linear -= wide.linear * scaled;
      p.K(end).store(g, f);
      T* const bias = p.bias(k) + g * lane_count<T>;
      (Lanes<T>::load(bias) + scaled * Lanes<T>(u)).store(bias);
      add_to_scale(p.scale(k) + g * lane_count<T>, Lanes<T>::load(e + g * lane_count<T>) * scaled);
    }
    add_row_products(e, e, rows, groups, D_inverse, p.A(k));
  }
  couple_at_joint(p, i, local, D_inverse);
}

/// Products of loops that pass a joint together, at one of its columns.
template <class T>
void couple_at_joint(const LoopPass<T>& p, int i, int local, const T& D_inverse) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.product_start[i]; x < plan.product_start[i + 1]; ++x) {
    const LoopPlan::Product& product = plan.products[x];
    const int first = plan.ends[plan.passing[product.first]].loop,
              second = plan.ends[plan.passing[product.second]].loop;
    if (p.d.closed_at[first] >= 0 || p.d.closed_at[second] >= 0) continue;
    if (!p.d.is_coupled[product.block]) {
      clear_rows(p.block(product.block), 6);
      p.d.is_coupled[product.block] = 1;
    }
    const auto e = [&](int at) { return &p.d.e[(plan.passing_e[at] + local) * row_places]; };
    add_row_products(e(product.first), e(product.second), p.rows(first),
                     row_groups<T>(p.rows(second)), D_inverse, p.block(product.block));
  }
}

/// Row accelerations that the bias acceleration c of the joint's step gives.
template <class T>
void pass_bias(const LoopPass<T>& p, int i, const Motion<T>& c) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.passing_start[i]; x < plan.passing_start[i + 1]; ++x) {
    const int end = plan.passing[x], k = plan.ends[end].loop;
    if (p.d.closed_at[k] >= 0) continue;
    for (int g = 0; g < row_groups<T>(p.rows(k)); ++g) {
      T* const bias = p.bias(k) + g * lane_count<T>;
      (Lanes<T>::load(bias) + column_rows(c, p.K(end).load(g))).store(bias);
    }
  }
}

template <class T, class Joint>
void pass_joint(const LoopPass<T>& p, int i, const Joint& joint) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.passing_start[i]; x < plan.passing_start[i + 1]; ++x) {
    const int end = plan.passing[x], k = plan.ends[end].loop;
    if (p.d.closed_at[k] >= 0) continue;
    for (int g = 0; g < row_groups<T>(p.rows(k)); ++g)
      p.K(end).store(g, rows_to_parent(joint, p.K(end).load(g), T(0)));
  }
}

/// Joints with one unit column.
template <class Joint>
inline constexpr bool has_one_column = false;
template <class T, int K>
inline constexpr bool has_one_column<UnitJoint<T, K>> = true;

enum class Elimination { done, postponed, careful };

/// Puts K, the bias less what is wanted, of each row side by side: (K, l − c, 1/d).
template <class T>
void gather_rows(const LoopPass<T>& p, int k, int body) {
  const LoopPlan::Loop& loop = p.d.plan.loops[k];
  const bool is_coupling = p.m.loops[k].kind == LoopSpec::Kind::coupling;
  const bool waits = loop.carrier != 0 && !is_coupling && (loop.end[0] < 0 || loop.end[1] < 0);
  for (int r = 0; r < p.rows(k); ++r) {
    T* const row = p.reduced(k, r);
    Force<T> K;
    if (waits && body == loop.carrier) K = {{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
    for (const int end : loop.end)
      if (end >= 0) K += p.K(end).get(r);
    for (int c = 0; c < 3; ++c) row[c] = K.angular[c], row[c + 3] = K.linear[c];
    const int own = p.m.closures[k].first_row + r;
    row[6] = p.bias(k)[r] - p.wanted[at_index(own)] - p.d.target[own];
    row[7] = T(0);
  }
}

/// Eliminates one row of loop k from the rows after it and from coupled loops. inverse: 1/d.
template <class T>
void eliminate_row(const LoopPass<T>& p, int k, int row, const T& inverse) {
  const LoopPlan& plan = p.d.plan;
  const T* const a = p.A(k) + row * row_places;
  const int rows = p.rows(k);
  for (int i = row + 1; i < rows; ++i) {
    if (known_zero(a[i])) continue;
    const T factor = a[i] * inverse;
    subtract_scaled(p.A(k) + i * row_places, a, factor, row_places);
    subtract_scaled(p.reduced(k, i), p.reduced(k, row), factor, row_places);
  }
  for (int x = plan.loops[k].first_pair; x < plan.loops[k].last_pair; ++x) {
    const LoopPlan::Pair& pair = plan.pairs[x];
    if (!p.d.is_coupled[pair.block] || p.d.closed_at[pair.later] >= 0) continue;
    const T* const b = p.block(pair.block) + row * row_places;
    for (int i = row + 1; i < rows; ++i)
      if (!known_zero(a[i]))
        subtract_scaled(p.block(pair.block) + i * row_places, b, a[i] * inverse, row_places);
    p.d.is_mixed[pair.later] = 1;
    const int later_rows = p.rows(pair.later);
    for (int i = 0; i < later_rows; ++i)
      subtract_scaled(p.A(pair.later) + i * row_places, b, b[i] * inverse, row_places);
    const T* const own = p.reduced(k, row);
    for (int c = 0; c < 6; ++c)
      subtract_scaled(p.K(pair.end).x + c * row_places, b, own[c] * inverse, row_places);
    subtract_scaled(p.bias(pair.later), b, own[6] * inverse, row_places);
    for (int y = x + 1; y < plan.loops[k].last_pair; ++y) {
      const LoopPlan::Pair& other = plan.pairs[y];
      if (!p.d.is_coupled[other.block] || p.d.closed_at[other.later] >= 0) continue;
      couple_later(p, pair, other, row, inverse);
    }
  }
}

/// What a row couples two later loops by.
template <class T>
void couple_later(const LoopPass<T>& p, const LoopPlan::Pair& x, const LoopPlan::Pair& y, int row,
                  const T& inverse) {
  const LoopPlan& plan = p.d.plan;
  const auto find = [&](int earlier, int later) {
    for (int at = plan.loops[earlier].first_pair; at < plan.loops[earlier].last_pair; ++at)
      if (plan.pairs[at].later == later) return plan.pairs[at].block;
    return -1;
  };
  const bool in_order = find(x.later, y.later) >= 0;
  const LoopPlan::Pair &first = in_order ? x : y, &second = in_order ? y : x;
  const int block = find(first.later, second.later);
  if (!p.d.is_coupled[block]) {
    clear_rows(p.block(block), 6);
    p.d.is_coupled[block] = 1;
  }
  const T* const a = p.block(first.block) + row * row_places;
  const T* const b = p.block(second.block) + row * row_places;
  for (int i = 0; i < p.rows(first.later); ++i)
    subtract_scaled(p.block(block) + i * row_places, b, a[i] * inverse, row_places);
}

/// Eliminates the rows of loop k at `body`, whose inertia and bias force take them up.
template <class T>
Elimination eliminate_loop(const LoopPass<T>& p, int k, int body) {
  constexpr bool is_number = !std::is_class_v<T>;
  const T small = T(std::is_same_v<T, float> ? 1e-3 : 1e-6);
  const T none = T(std::is_same_v<T, float> ? 1e-6 : 1e-13);
  const int rows = p.rows(k);
  const bool is_early = body != p.d.plan.loops[k].carrier;
  if constexpr (is_number) {
    if (is_early && !is_well_conditioned(p, k, small)) return Elimination::postponed;
  } else {
    if (is_early) return Elimination::postponed;
  }
  gather_rows(p, k, body);
  p.d.closed_at[k] = body;
  for (int r = 0; r < rows; ++r) {
    T* const own = p.reduced(k, r);
    const T& d = p.A(k)[r * row_places + r];
    if constexpr (is_number) {
      if (!(d > small * p.scale(k)[r])) {
        if (!(d <= none * p.scale(k)[r]) || p.d.is_mixed[k]) return Elimination::careful;
        for (int x = p.d.plan.loops[k].first_pair; x < p.d.plan.loops[k].last_pair; ++x)
          if (p.d.is_coupled[p.d.plan.pairs[x].block]) return Elimination::careful;
        own[7] = T(0);  // it depends on the rows before it
        continue;
      }
    }
    if constexpr (is_number) {
      own[7] = T(1) / d;
    } else {
      if (known_zero(p.scale(k)[r])) {  // no joint moves it, whatever the state
        own[7] = T(0);
        continue;
      }
      own[7] = T(1) / (d + T(proximal_weight<T>) * p.scale(k)[r]);
    }
    eliminate_row(p, k, r, own[7]);  // writes to the eighth place of the rows after it, too
    if (body == 0) continue;
    const Force<T> f{{own[0], own[1], own[2]}, {own[3], own[4], own[5]}};
    eliminate(p.ws.IA[body], f, f * -own[7]);
    p.ws.p[body] += f * (own[6] * own[7]);
  }
  return Elimination::done;
}

/// Whether the limb alone can give the rows any acceleration: pivots of A against its largest
/// entry.
template <class T>
bool is_well_conditioned(const LoopPass<T>& p, int k, const T& small) {
  T a[6][6];
  const int rows = p.rows(k);
  T largest(0);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) a[i][j] = p.A(k)[i * row_places + j];
    largest = std::max(largest, a[i][i]);
  }
  for (int r = 0; r < rows; ++r) {
    if (!(a[r][r] > small * largest)) return false;
    for (int i = r + 1; i < rows; ++i)
      for (int j = i; j < rows; ++j) a[i][j] -= a[r][i] * a[r][j] / a[r][r];
  }
  return true;
}

/// λ of a loop for the acceleration of the body where it was eliminated.
template <class T>
void find_forces(const LoopPass<T>& p, int k, const Motion<T>& a) {
  const LoopPlan& plan = p.d.plan;
  const int rows = p.rows(k);
  T* const lambda = p.lambda(k);
  clear_rows(lambda, 1);
  bool all = true;
  for (int r = rows - 1; r >= 0; --r) {
    const T* own = p.reduced(k, r);
    T sum = -(own[6] + dot(a, Force<T>{{own[0], own[1], own[2]}, {own[3], own[4], own[5]}}));
    for (int x = plan.loops[k].first_pair; x < plan.loops[k].last_pair; ++x) {
      const LoopPlan::Pair& pair = plan.pairs[x];
      if (!p.d.is_coupled[pair.block]) continue;
      const T* const b = p.block(pair.block) + r * row_places;
      for (int i = 0; i < p.rows(pair.later); ++i) sum -= b[i] * p.lambda(pair.later)[i];
    }
    if constexpr (!std::is_class_v<T>) {
      if (own[7] == T(0)) {
        all = false;
        --p.d.rank;
        if (p.d.inconsistent_row < 0 || std::abs(sum) > p.d.inconsistency)
          p.d.inconsistency = std::abs(sum), p.d.inconsistent_row = p.m.closures[k].first_row + r;
        continue;
      }
    }
    for (int j = r + 1; j < rows; ++j) sum -= p.A(k)[r * row_places + j] * lambda[j];
    lambda[r] = sum * own[7];
  }
  if constexpr (!std::is_class_v<T>)
    if (!all) choose_loop_forces(p, k);
}

/// Of all forces of a loop with the same effect, those of the smallest norm.
template <class T>
void choose_loop_forces(const LoopPass<T>& p, int k) {
  const int rows = p.rows(k);
  T* const lambda = p.lambda(k);
  T null[6][6] = {}, gram[36], weight[6] = {};
  int missing = 0;
  for (int row = 0; row < rows; ++row) {
    if (p.reduced(k, row)[7] != T(0)) continue;
    T* const N = null[missing++];
    N[row] = T(1);
    for (int r = row - 1; r >= 0; --r) {
      const T* const a = p.A(k) + r * row_places;
      T sum(0);
      for (int j = r + 1; j <= row; ++j) sum += a[j] * N[j];
      N[r] = p.reduced(k, r)[7] != T(0) ? -sum * p.reduced(k, r)[7] : T(0);
    }
  }
  const auto n = at_index(missing);
  for (int i = 0; i < missing; ++i) {
    for (int r = 0; r < rows; ++r) weight[i] += null[i][r] * lambda[r];
    for (int j = 0; j < missing; ++j) {
      T& sum = gram[i * missing + j] = T(0);
      for (int r = 0; r < rows; ++r) sum += null[i][r] * null[j][r];
    }
  }
  factorize_symmetric(gram, n, n, T(0));
  solve_symmetric(gram, n, n, weight);
  for (int r = 0; r < rows; ++r) {
    T size(0);
    for (int i = 0; i < missing; ++i) {
      lambda[r] -= null[i][r] * weight[i];
      size += null[i][r] * null[i][r];
    }
    const T own = p.scale(k)[r] > T(0) ? p.scale(k)[r] : T(1);
    T largest(0);
    for (int j = 0; j < rows; ++j) largest = std::max(largest, p.scale(k)[j]);
    p.d.is_determinate[p.m.closures[k].first_row + r] =
        size * own < T(1e-12) * std::max(largest, own) ? 1 : 0;
  }
}

/// Loops that are eliminated at a body, after what it carries. False: more care is needed.
template <class T>
bool close_loops_at(const LoopPass<T>& p, int body) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.closing_start[body]; x < plan.closing_start[body + 1]; ++x)
    if (p.d.closed_at[plan.closing[x]] < 0 &&
        eliminate_loop(p, plan.closing[x], body) == Elimination::careful)
      return false;
  for (int x = plan.early_start[body]; x < plan.early_start[body + 1]; ++x)
    if (eliminate_loop(p, plan.early[x], body) == Elimination::careful) return false;
  return true;
}

/// Forces of the loops that were eliminated at a body, whose acceleration is known now.
template <class T>
void find_forces_at(const LoopPass<T>& p, int body) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.early_start[body + 1] - 1; x >= plan.early_start[body]; --x)
    if (p.d.closed_at[plan.early[x]] == body) find_forces(p, plan.early[x], p.ws.a[body]);
  for (int x = plan.closing_start[body + 1] - 1; x >= plan.closing_start[body]; --x)
    if (p.d.closed_at[plan.closing[x]] == body) find_forces(p, plan.closing[x], p.ws.a[body]);
}

/// What the loops' forces add to u of a column.
template <class T>
T loop_forces_at(const LoopPass<T>& p, int i, int local) {
  const LoopPlan& plan = p.d.plan;
  T sum(0);
  for (int x = plan.passing_start[i]; x < plan.passing_start[i + 1]; ++x) {
    const int k = plan.ends[plan.passing[x]].loop;
    if (p.d.closed_at[k] >= i) continue;  // it was eliminated further out
    const T* const e = &p.d.e[(plan.passing_e[x] + local) * row_places];
    for (int r = 0; r < p.rows(k); ++r) sum += e[r] * p.lambda(k)[r];
  }
  return sum;
}

/// The recursion of articulated_bodies() with loops. No joint follows another: freedoms are
/// columns.
template <Extras E, class T>
bool articulated_loops(const LoopPass<T>& p, const Loads<T>& loads, const T* tau, T* qdd) {
  const BasicModel<T>& m = p.m.tree;
  BasicWorkspace<T>& ws = p.ws;
  const ArticulatedTree<T, E> tree = articulated_tree<E>(m, loads, nullptr, false, ws);
  start_articulated_bodies(m, p.q.data(), p.v.data(), ws, loads, tree);
  std::fill(p.d.is_coupled.begin(), p.d.is_coupled.end(), std::uint8_t(0));
  for (int k = 0; k < p.m.loops.count(); ++k) start_loop(p, k);
  for (int i = m.bodies() - 1; i > 0; --i) {
    if (!close_loops_at(p, i)) return false;
    const bool has_loops = p.d.plan.passing_start[i] < p.d.plan.passing_start[i + 1];
    with_joint(m, ws, i, [&](const auto& joint) {
      ArticulatedInertia<T> IA = carried_inertia(m, tree, loads, ws, i);
      Force<T> f = joint.bias_force(IA, ws.p[i], ws.c[i]);
      Pivot<T> pivot;
      constexpr bool is_unit = has_one_column<std::decay_t<decltype(joint)>>;
      if (has_loops && !is_unit && !saves_operations<T>) pass_bias(p, i, ws.c[i]);
      joint.for_columns_reversed([&](const auto& S, int k) {
        const Force<T> U = IA * S;
        ws.U[k] = joint.in_column_frame(U);
        pivot = {eliminated_inertia(m, loads, tree, k, ws), T(0), nullptr};
        pivot.D_inverse = T(1) / (dot(S, U) + pivot.inertia);
        ws.D_inverse[k] = pivot.D_inverse;
        ws.u[k] = tau[k] - dot(S, f);
        if constexpr (is_unit) {
          if (has_loops) pass_unit_joint(p, i, joint, S, U, pivot.D_inverse, ws.u[k], ws.c[i]);
        } else if (has_loops) {
          pass_column(p, i, k - m.v_index[i], S, U, pivot.D_inverse, ws.u[k]);
        }
        joint.eliminate(IA, S, U, pivot);
        f += U * (ws.u[k] * pivot.D_inverse);
      });
      if (has_loops && !is_unit) {
        if (saves_operations<T>) pass_bias(p, i, ws.c[i]);
        pass_joint(p, i, joint);
      }
      if (const int parent = m.parent[i]) {
        add_to_parent(m, tree, loads, ws, i, joint.to_parent_without_columns(IA, pivot));
        ws.p[parent] += joint.to_parent(joint.reduced_bias_force(IA, f, ws.c[i], pivot));
      }
    });
  }
  if (!close_loops_at(p, 0)) return false;
  find_forces_at(p, 0);
  for (int i = 1; i < m.bodies(); ++i) {
    const bool has_loops = p.d.plan.passing_start[i] < p.d.plan.passing_start[i + 1];
    with_joint(m, ws, i, [&](const auto& joint) {
      Motion<T> a = joint.acceleration_before_columns(ws.a[m.parent[i]], ws.c[i]);
      joint.for_columns([&](const auto& S, int k) {
        T u = ws.u[k];
        if (has_loops) u += loop_forces_at(p, i, k - m.v_index[i]);
        const T acceleration = (u - dot(a, ws.U[k])) * ws.D_inverse[k];
        qdd[k] = acceleration;
        a += S * acceleration;
      });
      ws.a[i] = joint.acceleration_after_columns(a, ws.c[i]);
    });
    find_forces_at(p, i);
  }
  return true;
}

/// Accelerations of targets that move.
template <class T>
void target_accelerations(const BasicMechanism<T>& m, const T& t, BasicArticulatedLoops<T>& d) {
  if constexpr (std::is_same_v<T, double>) {
    for (const LoopMotion& motion : m.motions) {
      double values[9];
      const auto& closure = m.closures[motion.loop];
      motion.compute(t, std::span<double>(values, at_index(3 * closure.slides)));
      for (int i = 0; i < closure.slides; ++i)
        d.target[closure.first_row + closure.turns + i] = values[3 * i + 2];
    }
  }
}

}  // namespace

template <class T>
bool closed_articulated_bodies(const BasicMechanism<T>& m, std::type_identity_t<T> t, In<T> q,
                               In<T> v, In<T> tau, In<T> wanted, BasicWorkspace<T>& ws,
                               BasicArticulatedLoops<T>& d, Out<T> a, const Loads<T>& loads) {
  const char* name = "closed_articulated_bodies";
  const char* what = articulated_loops_what;
  check_workspace(name, m.tree, ws);
  if (!d.plan.reason.empty()) refuse_articulated_loops(m.tree.name, d.plan.reason);
  check_regular(m.tree.name, m.tree.singular_reason);
  check_size(name, "q", q.size(), m.tree.nq, m.tree.name);
  check_size(name, "v", v.size(), m.tree.nv, m.tree.name);
  check_size(name, "tau", tau.size(), m.tree.nv, m.tree.name);
  check_size(name, "wanted", wanted.size(), m.rows, m.tree.name);
  check_size(name, "a", a.size(), m.tree.nv, m.tree.name);
  d.rank = m.rows;
  d.inconsistency = T(0);
  d.inconsistent_row = -1;
  std::fill(d.is_determinate.begin(), d.is_determinate.end(), std::uint8_t(1));
  for (std::size_t k = 0; k < tau.size(); ++k) d.tau[k] = tau[k];
  if (loads.passive == Passive::included) add_passive_forces(m.tree, q, v, T(-1), d.tau.data());
  target_accelerations<T>(m, t, d);
  const LoopPass<T> pass{m, d, ws, q, v, wanted};
  const bool plain = loads.body_inertia.empty() && loads.joint_inertia.empty();
  const bool done = plain ? articulated_loops<Extras::none>(pass, loads, d.tau.data(), a.data())
                          : articulated_loops<Extras::any>(pass, loads, d.tau.data(), a.data());
  if (!done) return false;
  for (int k = 0; k < m.loops.count(); ++k)
    for (int r = 0; r < m.closures[k].rows; ++r)
      d.force[m.closures[k].first_row + r] = pass.lambda(k)[r];
  check_pivots<T>(m.tree, what, q, false, ws);
  check_result<T>(m.tree, what, q, v, "tau", tau, a);
  return true;
}

template <class T>
void closed_forward_dynamics_in_two(const BasicMechanism<T>& m, std::type_identity_t<T> t, In<T> q,
                                    In<T> v, In<T> tau, BasicWorkspace<T>& ws,
                                    BasicArticulatedLoops<T>& d, Out<T> a, Out<T> force,
                                    Out<T> residual, const Loads<T>& loads) {
  const char* name = "closed_forward_dynamics_in_two";
  check_size(name, "force", force.size(), m.rows, m.tree.name);
  check_size(name, "residual", residual.size(), m.rows, m.tree.name);
  for (T& x : residual) x = T(0);
  closed_articulated_bodies<T>(m, t, q, v, tau, residual, ws, d, a, loads);
  const T w = T(proximal_weight<T>);
  const auto place = [&](int k, int r) { return k * row_places + r; };
  const auto for_rows = [&](auto&& f) {
    for (int k = 0; k < m.loops.count(); ++k)
      for (int r = 0; r < m.closures[k].rows; ++r)
        f(at_index(m.closures[k].first_row + r), place(k, r));
  };
  for_rows([&](std::size_t row, int at) {
    force[row] = d.force[row];
    residual[row] = w * d.scale[at] * force[row];
  });
  closed_articulated_bodies<T>(m, t, q, v, tau, residual, ws, d, a, loads);
  for_rows([&](std::size_t row, int at) {
    residual[row] = w * d.scale[at] * (d.force[row] - force[row]);
    force[row] = d.force[row];
  });
}

#define LIMBER_ARTICULATED_LOOPS(T)                                                          \
  template bool closed_articulated_bodies(const BasicMechanism<T>&, std::type_identity_t<T>, \
                                          In<T>, In<T>, In<T>, In<T>, BasicWorkspace<T>&,    \
                                          BasicArticulatedLoops<T>&, Out<T>, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_ARTICULATED_LOOPS)
// built-in numbers go by closed_forward_dynamics()
#if defined(LIMBER_SCALARS_EXPR) || defined(LIMBER_SCALARS_LANES)
#define LIMBER_IN_TWO(T)                                                                          \
  template void closed_forward_dynamics_in_two(                                                   \
      const BasicMechanism<T>&, std::type_identity_t<T>, In<T>, In<T>, In<T>, BasicWorkspace<T>&, \
      BasicArticulatedLoops<T>&, Out<T>, Out<T>, Out<T>, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_IN_TWO)
#endif

}  // namespace limber
