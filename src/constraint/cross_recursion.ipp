#pragma once
// Cross-inertias: bodies are eliminated in the order of the plan, and accelerations found back.
#include "constraint/cross_rows.ipp"

namespace limber {

/// Eliminates the body at a place of the order: its joint's columns, and itself
/// into its parent.
inline void eliminate_body(const CrossPass& c, int n,
                           const ArticulatedTree<double, Extras::any>& of) {
  CrossInertia& d = c.d;
  const int i = c.plan.order[n], parent = c.parent(i);
  const auto begin = c.plan.neighbours.begin() + c.plan.neighbour_start[n],
             end = c.plan.neighbours.begin() + c.plan.neighbour_start[n + 1];
  with_joint(c.tree, c.ws, i, [&](const auto& joint) {
    ArticulatedInertia<double>& IA = d.IA[i];
    Force<double> f = d.p[i] + IA * c.ws.c[i];
    for (auto j = begin; j != end; ++j)
      for (int r = 0; r < 6; ++r)
        add_component(d.p[j->body], r, dot(c.ws.c[i], d.E[j->block][at_index(r)]));
    joint.for_columns_reversed([&](const auto& S, int k) {
      const int local = k - c.tree.v_index[i];
      const Force<double> U = d.U[k] = IA * S;
      const double D_inverse = d.D_inverse[k] =
          1 / (dot(S, U) + eliminated_inertia(c.tree, c.loads, of, k, c.ws));
      const double u = d.u[k] = d.tau[k] - dot(S, f);
      for (auto j = begin; j != end; ++j) {
        CrossBlock& E = d.E[j->block];
        Force<double> y;
        for (int r = 0; r < 6; ++r) {
          const double entry = dot(S, E[at_index(r)]);
          add_component(y, r, entry);
          E[at_index(r)] -= U * (entry * D_inverse);
        }
        d.y[j->first_product + local] = y;
        d.p[j->body] += y * (D_inverse * u);
        eliminate(d.IA[j->body], y, y * D_inverse);
      }
      for (int x = c.plan.pair_start[n]; x < c.plan.pair_start[n + 1]; ++x) {
        const CrossPlan::Pair& pair = c.plan.pairs[x];
        const Force<double>& later = d.y[c.plan.neighbours[pair.later].first_product + local];
        const Force<double> earlier =
            d.y[c.plan.neighbours[pair.earlier].first_product + local] * D_inverse;
        for (int r = 0; r < 6; ++r) d.E[pair.block][at_index(r)] -= earlier * component(later, r);
      }
      eliminate(IA, U, U * D_inverse);
      f += U * (u * D_inverse);
    });
    if (parent != 0) {
      d.IA[parent] += joint.to_parent(IA);
      d.p[parent] += joint.to_parent(f);
    }
    for (auto j = begin; j != end; ++j) {
      CrossBlock E;
      for (int r = 0; r < 6; ++r) E[at_index(r)] = joint.to_parent(d.E[j->block][at_index(r)]);
      if (parent == 0) {
        for (int r = 0; r < 6; ++r) add_component(d.p[j->body], r, dot(c.ws.a[0], E[at_index(r)]));
      } else if (j->body == parent) {
        add_with_transpose(E, d.IA[parent]);
      } else {
        CrossBlock& to = d.E[j->with_parent];
        const bool is_later = c.plan.place[j->body] > c.plan.place[parent];
        for (int r = 0; r < 6; ++r) {
          if (is_later) to[at_index(r)] += E[at_index(r)];
          else
            for (int s = 0; s < 6; ++s)
              add_component(to[at_index(s)], r, component(E[at_index(r)], s));
        }
      }
    }
  });
}

/// Accelerations from the world out; c: bias accelerations of the joints, or
/// none. x: of columns.
template <class C>
void accelerate(const CrossPass& c, List<Motion<double>>& a, List<double>& x, C&& bias) {
  CrossInertia& d = c.d;
  for (int n = c.plan.order.count() - 1; n >= 0; --n) {
    const int i = c.plan.order[n];
    with_joint(c.tree, c.ws, i, [&](const auto& joint) {
      Motion<double> own = joint.to_child(a[c.parent(i)]);
      joint.for_columns([&](const auto& S, int k) {
        double u = d.u[k] - dot(own, d.U[k]);
        for (int j = c.plan.neighbour_start[n]; j < c.plan.neighbour_start[n + 1]; ++j) {
          const CrossPlan::Neighbour& other = c.plan.neighbours[j];
          u -= dot(a[other.body], d.y[other.first_product + k - c.tree.v_index[i]]);
        }
        x[k] = u * d.D_inverse[k];
        own += S * x[k];
      });
      a[i] = bias(own, i);
    });
  }
}

/// Accelerations (change, x) of the robot at rest under the forces −p and u.
inline void respond(const CrossPass& c) {
  CrossInertia& d = c.d;
  for (int n = 0; n < c.plan.order.count(); ++n) {
    const int i = c.plan.order[n];
    with_joint(c.tree, c.ws, i, [&](const auto& joint) {
      Force<double> f = d.p[i];
      joint.for_columns_reversed([&](const auto& S, int k) {
        d.u[k] -= dot(S, f);
        const double share = d.u[k] * d.D_inverse[k];
        for (int j = c.plan.neighbour_start[n]; j < c.plan.neighbour_start[n + 1]; ++j) {
          const CrossPlan::Neighbour& other = c.plan.neighbours[j];
          d.p[other.body] += d.y[other.first_product + k - c.tree.v_index[i]] * share;
        }
        f += d.U[k] * share;
      });
      if (const int parent = c.parent(i)) d.p[parent] += joint.to_parent(f);
    });
  }
  d.change[0] = {};
  accelerate(c, d.change, d.x, [](const Motion<double>& own, int) { return own; });
}

}  // namespace limber
