// The recursion of [RDA] fig. 9-6 with the heuristic of §9.8.1, and what surrounds it where C is
// not definite.
#include <algorithm>
#include <cmath>

#include <limber/contact/exact_contact.hpp>
#include <limber/error.hpp>

#include "index.hpp"

namespace limber {

namespace {

/// Contacts are scaled to C_ii = 1, forces with them; these are small against that.
constexpr double proximal_term = 1e-7;
constexpr double rank_limit = 1e-9;
constexpr double solved_limit = 1e-12;
/// More wrong choices than a million: the recursion is left.
constexpr int most_leaves = 1 << 20;

}  // namespace

void UnilateralSolver::reserve(int contacts) {
  if (contacts <= most_) return;
  most_ = contacts;
  const std::size_t n = at_index(contacts), square = n * n;
  C_.resize(square);
  reduced_.resize(square);
  stack_C_.resize((n + 1) * square);
  stack_d_.resize((n + 1) * n);
  stack_index_.resize((n + 1) * n);
  found_.resize(n);
  for (List<double>* list : {&d_, &scale_, &alpha_, &w_, &x_, &step_}) list->resize(n);
  closed_.resize(n);
  order_.resize(n);
}

/// Problem of n contacts in matrix(level), vector(level); solution to found_ at index(level).
/// False: too many wrong choices.
bool UnilateralSolver::solve_definite(int n, int level) {
  const double* C = matrix(level);
  const double* d = vector(level);
  const int* place = index(level);
  int worst = -1;
  for (int i = 0; i < n; ++i) {
    found_[place[i]] = 0;
    if (d[i] < 0 && (worst < 0 || d[i] < d[worst])) worst = i;
  }
  if (worst < 0) return true;  // by inspection
  ++choices;
  if (n == 1) {
    found_[place[0]] = -d[0] / C[0];
    ++right_choices;
    return true;
  }
  if (++leaves_ > most_leaves) return false;
  // closed, (9.59), then if that was wrong: open, (9.58)
  for (const bool is_closed : {true, false}) {
    double* next_C = matrix(level + 1);
    double* next_d = vector(level + 1);
    const double* own = C + worst * n;
    const double inverse = is_closed ? 1 / own[worst] : 0;
    for (int i = 0, to = 0; i < n; ++i) {
      if (i == worst) continue;
      const double factor = own[i] * inverse;
      for (int j = 0, column = 0; j < n; ++j)
        if (j != worst) next_C[to * (n - 1) + column++] = C[i * n + j] - factor * own[j];
      next_d[to] = d[i] - factor * d[worst];
      index(level + 1)[to++] = place[i];
    }
    if (!solve_definite(n - 1, level + 1)) return false;
    if (!is_closed) break;  // needs no check
    double sum = d[worst];
    for (int j = 0; j < n; ++j)
      if (j != worst) sum += own[j] * found_[place[j]];
    found_[place[worst]] = -sum * inverse;
    if (found_[place[worst]] >= 0) {
      ++right_choices;
      return true;
    }
    found_[place[worst]] = 0;
  }
  found_[place[worst]] = 0;
  return true;
}

/// Rank of the scaled C, by elimination with the largest pivot.
int UnilateralSolver::definite_rank(int n) {
  double* R = reduced_.data();
  std::copy(C_.begin(), C_.begin() + n * n, R);
  for (int i = 0; i < n; ++i) order_[i] = i;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (R[order_[i] * n + order_[i]] > R[order_[best] * n + order_[best]]) best = i;
    std::swap(order_[k], order_[best]);
    const int p = order_[k];
    if (!(R[p * n + p] > rank_limit)) return k;
    const double inverse = 1 / R[p * n + p];
    for (int a = k + 1; a < n; ++a) {
      const int i = order_[a];
      const double factor = R[i * n + p] * inverse;
      for (int b = k + 1; b < n; ++b) R[i * n + order_[b]] -= factor * R[p * n + order_[b]];
    }
  }
  return n;
}

/// Proximal iteration for the scaled C and d: x, with step the last change. False: there is no
/// solution, as x grows along step for ever.
bool UnilateralSolver::iterate(int n) {
  double size = 0;
  for (int i = 0; i < n; ++i) {
    x_[i] = 0;
    size = std::max(size, std::abs(d_[i]));
  }
  double moved = 0;
  for (int k = 0; k < 200; ++k) {
    ++iterations;
    double* C = matrix(0);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) C[i * n + j] = C_[i * n + j];
      C[i * n + i] += proximal_term;
      vector(0)[i] = d_[i] - proximal_term * x_[i];
      index(0)[i] = i;
    }
    leaves_ = 0;
    if (!solve_definite(n, 0)) return false;
    moved = 0;
    for (int i = 0; i < n; ++i) {
      step_[i] = found_[i] - x_[i];
      moved = std::max(moved, std::abs(step_[i]));
      x_[i] = found_[i];
    }
    // what is left of the equations is ε · step
    if (proximal_term * moved <= solved_limit * size) return true;
    // a direction p ≥ 0 with C p = 0 and dᵀ p < 0 leads on for ever
    double along = 0, curved = 0, back = 0;
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += C_[i * n + j] * step_[j];
      curved = std::max(curved, std::abs(sum));
      along += d_[i] * step_[i];
      back = std::max(back, -step_[i]);
    }
    if (k > 0 && curved <= rank_limit * moved && back <= rank_limit * moved &&
        along < -rank_limit * size * moved)
      return false;
  }
  return proximal_term * moved <= rank_limit * size;  // contacts that nearly depend on each other
}

/// With the solution in x_: whether C p = 0 has a p that leads to other solutions. [RDA] §9.8.2
bool UnilateralSolver::has_other_solutions(int n) {
  // closed contacts first, then those that carry nothing and do not separate either
  double size = 0, largest = 0;
  for (int i = 0; i < n; ++i) {
    size = std::max(size, std::abs(d_[i]));
    largest = std::max(largest, x_[i]);
  }
  int closed = 0, all = 0;
  const auto still = [&](int i) { return std::abs(w_[i]) <= 1e-8 * size; };
  for (int i = 0; i < n; ++i)
    if (still(i) && x_[i] > 1e-8 * largest) order_[all++] = i;
  closed = all;
  for (int i = 0; i < n; ++i)
    if (still(i) && !(x_[i] > 1e-8 * largest)) order_[all++] = i;
  double* R = reduced_.data();
  for (int a = 0; a < all; ++a)
    for (int b = 0; b < all; ++b) R[a * n + b] = C_[order_[a] * n + order_[b]];
  for (int k = 0; k < closed; ++k) {
    int best = k;
    for (int i = k + 1; i < closed; ++i)
      if (R[i * n + i] > R[best * n + best]) best = i;
    if (best != k) {
      for (int b = 0; b < all; ++b) std::swap(R[k * n + b], R[best * n + b]);
      for (int a = 0; a < all; ++a) std::swap(R[a * n + k], R[a * n + best]);
    }
    if (!(R[k * n + k] > rank_limit)) return true;
    const double inverse = 1 / R[k * n + k];
    for (int i = k + 1; i < all; ++i) {
      const double factor = R[i * n + k] * inverse;
      for (int j = k + 1; j < all; ++j) R[i * n + j] -= factor * R[k * n + j];
    }
  }
  // those that carry nothing can only begin to: is there a p ≥ 0 among them? Exactly if nothing
  // solves the problem with d = −1
  const int rest = all - closed;
  if (rest == 0) return false;
  for (int a = 0; a < rest; ++a) {
    for (int b = 0; b < rest; ++b) C_[a * rest + b] = R[(closed + a) * n + closed + b];
    d_[a] = -1;
  }
  const int own_choices = choices, own_right = right_choices, own_iterations = iterations;
  const bool solvable = iterate(rest);
  choices = own_choices, right_choices = own_right, iterations = own_iterations;
  return !solvable;
}

void UnilateralSolver::solve(std::span<const double> C, std::span<const double> d) {
  const int n = static_cast<int>(d.size());
  if (C.size() != d.size() * d.size())
    throw Error("UnilateralSolver: " + std::to_string(n) + " contacts need a matrix of " +
                std::to_string(n * n) + " numbers, and there are " + std::to_string(C.size()));
  reserve(n);
  count_ = d.size();
  status = ContactStatus::unique;
  rank = choices = right_choices = iterations = 0;
  const auto all_finite = [](std::span<const double> x) {
    return std::all_of(x.begin(), x.end(), [](double y) { return std::isfinite(y); });
  };
  if (!all_finite(C) || !all_finite(d)) {
    std::fill(alpha_.begin(), alpha_.end(), 0.0);
    std::fill(w_.begin(), w_.end(), 0.0);
    status = ContactStatus::infeasible;
    return;
  }
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, C[at_index(i * n + i)]);
  for (int i = 0; i < n; ++i) {
    const double own = C[at_index(i * n + i)];
    scale_[i] = own > 1e-12 * largest ? 1 / std::sqrt(own) : 0;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) C_[i * n + j] = C[at_index(i * n + j)] * scale_[i] * scale_[j];
    d_[i] = d[at_index(i)] * (scale_[i] > 0 ? scale_[i] : 1);
  }
  rank = definite_rank(n);
  bool solved = true;
  if (rank == n) {
    std::copy(C_.begin(), C_.begin() + n * n, matrix(0));
    for (int i = 0; i < n; ++i) {
      vector(0)[i] = d_[i];
      index(0)[i] = i;
    }
    leaves_ = 0;
    if (solve_definite(n, 0)) std::copy(found_.begin(), found_.begin() + n, x_.begin());
    else solved = iterate(n);
  } else {
    solved = iterate(n);
  }
  for (int i = 0; i < n; ++i) {
    if (!std::isfinite(x_[i])) x_[i] = 0, solved = false;  // beyond all bounds
    alpha_[i] = x_[i] * scale_[i];
  }
  for (int i = 0; i < n; ++i) {
    double sum = d_[i];
    for (int j = 0; j < n; ++j) sum += C_[i * n + j] * x_[j];
    w_[i] = sum;
  }
  if (!solved) status = ContactStatus::infeasible;
  else if (rank < n && has_other_solutions(n)) status = ContactStatus::not_unique;
  for (int i = 0; i < n; ++i) w_[i] /= scale_[i] > 0 ? scale_[i] : 1;
}

std::vector<DependentContacts> dependent_contacts(std::span<const double> C, int contacts) {
  const int n = contacts;
  if (C.size() != at_index(n) * at_index(n))
    throw Error("dependent_contacts: " + std::to_string(n) + " contacts need a matrix of " +
                std::to_string(n * n) + " numbers, and there are " + std::to_string(C.size()));
  // those before a contact that are independent, in scaled form: the contact by them
  std::vector<int> basis;
  std::vector<DependentContacts> found;
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, C[at_index(i * n + i)]);
  const auto scaled = [&](int i, int j) {
    return C[at_index(i * n + j)] / std::sqrt(C[at_index(i * n + i)] * C[at_index(j * n + j)]);
  };
  for (int c = 0; c < n; ++c) {
    if (!(C[at_index(c * n + c)] > 1e-12 * largest)) {
      found.push_back({Dependency::null, {c}, {1.0}, c});
      continue;
    }
    // C_BB y = C_Bc by elimination, which is definite; what is left of C_cc
    const std::size_t m = basis.size();
    std::vector<double> R((m + 1) * (m + 1));
    const auto at = [&](std::size_t i) { return i < m ? basis[i] : c; };
    for (std::size_t i = 0; i <= m; ++i)
      for (std::size_t j = 0; j <= m; ++j) R[i * (m + 1) + j] = scaled(at(i), at(j));
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t i = k + 1; i <= m; ++i) {
        const double factor = R[i * (m + 1) + k] / R[k * (m + 1) + k];
        for (std::size_t j = k; j <= m; ++j) R[i * (m + 1) + j] -= factor * R[k * (m + 1) + j];
      }
    if (R[m * (m + 1) + m] > rank_limit) {
      basis.push_back(c);
      continue;
    }
    std::vector<double> y(m);
    for (std::size_t k = m; k-- > 0;) {
      y[k] = R[k * (m + 1) + m];
      for (std::size_t j = k + 1; j < m; ++j) y[k] -= R[k * (m + 1) + j] * y[j];
      y[k] /= R[k * (m + 1) + k];
    }
    DependentContacts set;
    int positive = 0, negative = 0;
    for (std::size_t k = 0; k <= m; ++k) {
      const double a = k < m ? y[k] : -1.0;
      if (std::abs(a) <= 1e-6) continue;
      set.contacts.push_back(at(k));
      set.coefficients.push_back(a / std::sqrt(C[at_index(at(k) * n + at(k))]));
      ++(a > 0 ? positive : negative);
    }
    const int odd = positive == 1 ? 1 : negative == 1 ? -1 : 0;
    if (positive == 0 || negative == 0) set.kind = Dependency::cannot_break;
    else if (odd != 0) {
      set.kind = Dependency::redundant;
      for (std::size_t k = 0; k < set.contacts.size(); ++k)
        if (set.coefficients[k] * odd > 0) set.redundant = set.contacts[k];
    }
    found.push_back(std::move(set));
  }
  return found;
}

}  // namespace limber
