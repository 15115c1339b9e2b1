// A controller in plain C99, as it would run on a microcontroller: computed torque for an arm that
// moves from one posture to another in a second. inverse_dynamics and step are straight-line code
// that `limber compile` wrote for this arm while the example was built (see examples/CMakeLists.txt);
// no other part of Limber is in the program. The error that stays is due to the friction of the
// joints: `step` has it, the controller's model does not.
#include <math.h>
#include <stdio.h>

#include "puma560.h"

enum { joints = PUMA560_NV };

// what the arm should do at a time t [s]
typedef struct {
  double q[joints], v[joints], a[joints];
} Motion;

// a polynomial of fifth degree, at rest at both ends
static Motion desired(double t) {
  static const double from[joints] = {0, 0, 0, 0, 0, 0};
  static const double to[joints] = {0.8, -0.9, 0.7, 0.4, -0.5, 1};
  const double x = t < 1 ? t : 1;
  const double way = x * x * x * (10 - x * (15 - x * 6)), rate = 30 * x * x * (1 - x) * (1 - x);
  const double bend = 60 * x * (1 - x) * (1 - 2 * x);
  Motion m;
  for (int i = 0; i < joints; ++i) {
    m.q[i] = from[i] + (to[i] - from[i]) * way;
    m.v[i] = (to[i] - from[i]) * rate;
    m.a[i] = (to[i] - from[i]) * bend;
  }
  return m;
}

// torques that make the error of each joint vanish like a damped oscillation of 5 Hz
static void control(double t, const double* q, const double* v, double* tau) {
  const double stiffness = 1000, damping = 63;  // [1/s²], [1/s]
  Motion m = desired(t);
  for (int i = 0; i < joints; ++i) m.a[i] += stiffness * (m.q[i] - q[i]) + damping * (m.v[i] - v[i]);
  puma560_inverse_dynamics(q, v, m.a, tau);
}

int main(void) {
  const double none[joints] = {0}, h = 0.001;
  double q[joints] = {0.05, 0.05, 0.05, 0.05, 0.05, 0.05}, v[joints] = {0};  // not where it should be
  for (int k = 0; k <= 1500; ++k) {
    if (k % 250 == 0) {
      const Motion m = desired(k * h);
      double error = 0;
      for (int i = 0; i < joints; ++i) error = fmax(error, fabs(m.q[i] - q[i]));
      printf("t = %.2f s: largest error %.4f rad\n", k * h, error);
    }
    double tau[joints];
    control(k * h, q, v, tau);
    puma560_rollout(1, q, v, tau, none, none, none, &h, q, v);  // the arm itself
  }
  return 0;
}
