#pragma once
// TreeFactor: the factor of the mass matrix for one position, for any number of right-hand sides.
// M = Lᵀ D L with unit lower L that has entries only along the branches: no fill-in. [RDA] §5.3,
// the elimination from the leaves to the root.
#include <cstdint>
#include <span>

#include <limber/dynamics/inverse_dynamics.hpp>

namespace limber {

using TreeFactor = BasicTreeFactor<double>;

/// factor := that of M(q), with the inertia that the loads add. known (nv, or empty: all forces):
/// rows and columns of freedoms whose acceleration is known become those of the identity; solve()
/// then gives the accelerations of the others, [RDA] (7.34). `factor` is made for the model
/// (`TreeFactor factor(model)`). O(nv · depth²), no allocation. A pivot that is not positive is not
/// refused here: has_regular_pivots() tells.
template <class T>
void factorize(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws,
               BasicTreeFactor<T>& factor, const Loads<T>& loads = {},
               std::span<const Known> known = {});

/// The same for the matrix that `factor` holds, as mass_matrix() leaves it in the workspace's:
/// factorize(ws.factor).
template <class T>
void factorize(BasicTreeFactor<T>& factor, std::span<const Known> known = {});

/// The same with the factor that the workspace has; valid until the next call of a function that
/// needs one: mass_matrix(), forward dynamics of models with mimic joints, derivatives.
template <class T>
const BasicTreeFactor<T>& factorize(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws,
                                    const Loads<T>& loads = {});

/// True if every freedom meets an inertia that is positive and finite.
template <class T>
bool has_regular_pivots(const BasicTreeFactor<T>& factor);

/// X := M⁻¹ X. X: one column of nv numbers, or several (nv × columns, row by row).
template <class T>
void solve(const BasicTreeFactor<T>& factor, std::span<T> X);

/// X := L⁻ᵀ X, the first half of solve(). For rows J of any kind Y = L⁻ᵀ Jᵀ gives
/// J M⁻¹ Jᵀ = Yᵀ D⁻¹ Y, with 1/D from inverse_pivot().
template <class T>
void half_solve(const BasicTreeFactor<T>& factor, std::span<T> X);

/// X := L⁻¹ D⁻¹ X, the other half.
template <class T>
void finish_solve(const BasicTreeFactor<T>& factor, std::span<T> X);

/// 1/D of a freedom.
template <class T>
const T& inverse_pivot(const BasicTreeFactor<T>& factor, int freedom) {
  return factor.L[factor.M.pattern.end[freedom] - 1];
}

}  // namespace limber
