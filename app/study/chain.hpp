#pragma once
// The robot of the study: a chain of n revolute links with general geometry and inertia, as each
// family of formulations needs it described, and states to compute with.
#include <vector>

#include <limber/model/workspace.hpp>
#include <limber/reference/handbook.hpp>
#include <limber/reference/mdh.hpp>

namespace limber::app::study {

/// One state, with forces and accelerations; n numbers each.
template <class T>
struct State {
  std::vector<T> q, v, a, tau;  ///< [rad], [rad/s], [rad/s²], [N m]
};

/// State number `index` of a chain of n links, the same on every machine. With Counted all numbers
/// are variables: known only when the algorithm runs.
template <class T>
State<T> state_of(int n, int index);

template <class T>
struct Chain {
  explicit Chain(int links);
  int n;
  reference::MdhChain mdh;
  reference::HandbookChain handbook;
  BasicModel<T> model;
  BasicWorkspace<T> ws;
  std::vector<T> zero;    ///< n constants 0
  std::vector<T> result;  ///< where formulations that return values leave them
};

extern template struct Chain<double>;
extern template struct Chain<Counted>;

}  // namespace limber::app::study
