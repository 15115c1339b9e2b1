#pragma once
// What the kernels of one thread work with.
#include <limber/constraint/articulated_loops.hpp>
#include <limber/dynamics/loads.hpp>
#include <limber/dynamics/matrix_workspace.hpp>

#include "batch/lane_set.hpp"

namespace limber {

template <class P>
struct LaneContext {
  const BasicModel<P>* model;
  const LaneRequest* request;
  Loads<P> loads;
  BasicWorkspace<P>* ws;
  BasicMatrixWorkspace<P>* mw;
  P *q, *v, *x;  ///< one state per lane; x: a or tau
  // of robots with loops
  const BasicMechanism<P>* mechanism;
  BasicArticulatedLoops<P>* loops;
  P *a, *force, *residual;
};

}  // namespace limber
