#include <limber/contact/contact_problem.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "index.hpp"

namespace limber {

void ContactProblem::reserve(int most, int entries, int numbers) {
  const std::size_t n = at_index(most), all = n * at_index(entries);
  law.reserve(n);
  first.reserve(n + 1);
  turn.reserve(n);
  shared.reserve(n);
  place.reserve(all);
  W.reserve(all);
  W_turn.reserve(all);
  for (List<Vec3<double>>* list : {&b, &b_turn, &impulse, &turn_impulse}) list->reserve(n);
  z.reserve(at_index(numbers));
  islands.reserve(n);
  order.reserve(n);
}

void ContactProblem::clear() {
  law.clear();
  first.assign(1, 0);
  for (List<int>* list : {&place, &turn, &order}) list->clear();
  for (List<Vec3<double>>* list : {&W, &W_turn, &b, &b_turn, &impulse, &turn_impulse})
    list->clear();
  shared.clear();
  islands.clear();
}

int ContactProblem::add(const ContactLaw& contact_law, std::span<const int> places) {
  if (first.empty()) first.push_back(0);
  const bool turning = contact_law.torsion > 0 || contact_law.rolling > 0;
  law.push_back(contact_law);
  place.insert(place.end(), places.begin(), places.end());
  W.resize(place.size());
  first.push_back(place.count());
  turn.push_back(turning ? W_turn.count() : -1);
  if (turning) W_turn.resize(W_turn.size() + places.size());
  for (List<Vec3<double>>* list : {&b, &b_turn, &impulse, &turn_impulse}) list->push_back({});
  shared.push_back(0);
  return contacts() - 1;
}

void ContactProblem::join_all() {
  order.clear();
  for (int c = 0; c < contacts(); ++c) order.push_back(c);
  islands.assign(1, {0, contacts()});
}

Vec3<double> ContactProblem::velocity(int contact) const {
  Vec3<double> u = b[contact];
  for (int e = first[contact]; e < first[contact + 1]; ++e) u += W[e] * z[place[e]];
  u.x += law[contact].compliance * impulse[contact].x;
  return u;
}

Vec3<double> ContactProblem::turn_velocity(int contact) const {
  Vec3<double> w = b_turn[contact];
  const int begin = first[contact], end = first[contact + 1];
  for (int e = begin, t = turn[contact]; e < end; ++e, ++t) w += W_turn[t] * z[place[e]];
  return w;
}

void ContactProblem::fill_response(const ContactIsland& island) {
  const auto contacts_of = [&](auto&& f) {
    for (int i = island.first; i < island.first + island.contacts; ++i) f(order[i]);
  };
  contacts_of([&](int c) {
    for (int e = first[c]; e < first[c + 1]; ++e) z[place[e]] = 0;
  });
  contacts_of([&](int c) {
    for (int e = first[c]; e < first[c + 1]; ++e) z[place[e]] += dot(W[e], impulse[c]);
    if (!turns(c)) return;
    for (int e = first[c], t = turn[c]; e < first[c + 1]; ++e, ++t)
      z[place[e]] += dot(W_turn[t], turn_impulse[c]);
  });
}

namespace {

[[noreturn]] void refuse_contact_matrix(const std::string& what) {
  throw Error("contact_problem: " + what + "; A = J M⁻¹ Jᵀ is symmetric and positive semidefinite");
}

/// W with A = W Wᵀ, one column after the other; the row with the largest part left is next. Returns
/// the number of columns.
int root_of(std::span<const double> A, int n, std::vector<double>& W) {
  const auto at = [n](int i, int j) { return at_index(i * n + j); };
  std::vector<double> left(A.begin(), A.end());
  W.assign(at_index(n * n), 0);
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(A[at(i, i)]));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (!(std::abs(A[at(i, j)] - A[at(j, i)]) <= 1e-9 * largest))
        refuse_contact_matrix(fmt::format("A({0}, {1}) is not A({1}, {0})", i, j));
  int rank = 0;
  for (; rank < n; ++rank) {
    int best = 0;
    for (int i = 1; i < n; ++i)
      if (left[at(i, i)] > left[at(best, best)]) best = i;
    const double pivot = left[at(best, best)];
    if (!(pivot > 1e-13 * largest)) break;
    const double inverse = 1 / std::sqrt(pivot);
    for (int i = 0; i < n; ++i) W[at(i, rank)] = left[at(i, best)] * inverse;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) left[at(i, j)] -= W[at(i, rank)] * W[at(j, rank)];
    left[at(best, best)] = 0;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (!(std::abs(left[at(i, j)]) <= 1e-9 * largest))
        refuse_contact_matrix("A is not positive semidefinite");
  return rank;
}

}  // namespace

ContactProblem contact_problem(std::span<const double> A, std::span<const double> b,
                               std::span<const double> friction) {
  const int contacts = static_cast<int>(friction.size()), n = 3 * contacts;
  if (A.size() != at_index(n) * at_index(n) || b.size() != at_index(n))
    throw Error(
        fmt::format("contact_problem: {} contacts need a matrix of {} × {} numbers and b of {}, "
                    "and there are {} and {}",
                    contacts, n, n, n, A.size(), b.size()));
  std::vector<double> W;
  ContactProblem problem;
  problem.size = root_of(A, n, W);
  problem.z.resize(at_index(problem.size));
  std::vector<int> places(at_index(problem.size));
  for (std::size_t k = 0; k < places.size(); ++k) places[k] = static_cast<int>(k);
  for (int c = 0; c < contacts; ++c) {
    problem.add({.friction = friction[at_index(c)]}, places);
    for (int k = 0; k < problem.size; ++k)
      for (int i = 0; i < 3; ++i)
        problem.W[problem.first[c] + k][i] = W[at_index((3 * c + i) * n + k)];
    for (int i = 0; i < 3; ++i) problem.b[c][i] = b[at_index(3 * c + i)];
  }
  problem.join_all();
  return problem;
}

}  // namespace limber
