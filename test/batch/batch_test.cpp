// Batches against the ordinary calls, state by state: every function, layout, instruction set, odd
// counts, several threads.
#include <limber/batch/batch.hpp>
#include <limber/dynamics/derivatives.hpp>
#include <limber/dynamics/jacobian.hpp>

#include "batch/batch_support.hpp"
#include "support/dual_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// All results of one state, one after the other, as the batch and the ordinary calls have them.
class Comparison {
 public:
  Comparison(Robot& robot, long number) : r(robot), states(robot.model, number), mw(robot.model) {}

  template <class T>
  void run(const BatchOptions& options, Layout layout, double tolerance) {
    BasicBatch<T> batch(r.model, options);
    const long n = states.count;
    const int nv = r.model.nv;
    auto inputs = [&](const std::vector<double>& x, int width) {
      return arranged<T>(x, width, n, layout);
    };
    const std::vector<T> q = inputs(states.q, r.model.nq), v = inputs(states.v, nv),
                         a = inputs(states.a, nv), tau = inputs(states.tau, nv);
    auto results = [&](int width) {
      return std::vector<T>(static_cast<std::size_t>(n * width), -1);
    };
    auto compare = [&](const char* what, const std::vector<T>& found, int width, double allowed,
                       auto&& expected) {
      for (long i = 0; i < n; ++i)
        ASSERT_TRUE(near(state_of(found, width, n, layout, i), expected(i), allowed))
            << what << ", state " << i;
    };
    auto good = [](const BatchStatus& status) { EXPECT_TRUE(status.good()); };
    Loads<double> loads;
    loads.passive = options.passive;

    std::vector<T> x = results(nv);
    good(batch.inverse_dynamics(n, q, v, a, x, layout));
    compare("inverse dynamics", x, nv, tolerance, [&](long i) {
      return matrix(inverse_dynamics(r.model, q_of(i), v_of(i), a_of(i), r.ws, loads));
    });
    good(batch.bias_forces(n, q, v, x, layout));
    compare("bias forces", x, nv, tolerance,
            [&](long i) { return matrix(bias_forces(r.model, q_of(i), v_of(i), r.ws, loads)); });
    std::vector<T> M = results(nv * nv);
    good(batch.mass_matrix(n, q, M, layout));
    compare("mass matrix", M, nv * nv, tolerance,
            [&](long i) { return flat(matrix(mass_matrix(r.model, q_of(i), r.ws))); });

    std::vector<int> frames{static_cast<int>(r.model.frames.size()) - 1};
    if (frames[0] > 0) frames.push_back(0);
    const int poses_width = 12 * static_cast<int>(frames.size());
    std::vector<T> poses = results(poses_width);
    good(batch.frame_poses(n, frames, q, poses, layout));
    compare("poses", poses, poses_width, tolerance, [&](long i) {
      const Poses& bodies = forward_kinematics(r.model, q_of(i), r.ws);
      VectorXd all(poses_width);
      for (std::size_t k = 0; k < frames.size(); ++k)
        all.segment<12>(static_cast<Eigen::Index>(12 * k)) =
            numbers(frame_pose(r.model, bodies, frames[k]));
      return all;
    });
    for (const Reference reference :
         {Reference::body, Reference::world, Reference::world_aligned}) {
      std::vector<T> J = results(6 * nv);
      good(batch.jacobian(n, frames[0], reference, q, J, layout));
      compare("Jacobian", J, 6 * nv, tolerance, [&](long i) {
        return flat(matrix(jacobian(r.model, q_of(i), frames[0], reference, r.ws)));
      });
    }

    std::vector<T> A = results(nv * nv), B = results(nv * nv);
    good(batch.inverse_dynamics_tangent_derivatives(n, q, v, a, A, B, M, layout));
    auto derivatives = [&](long i) {
      return inverse_dynamics_tangent_derivatives(r.model, q_of(i), v_of(i), a_of(i), r.ws, mw,
                                                  loads);
    };
    compare("tau_q", A, nv * nv, tolerance,
            [&](long i) { return flat(matrix(derivatives(i).tau_q)); });
    compare("tau_v", B, nv * nv, tolerance,
            [&](long i) { return flat(matrix(derivatives(i).tau_v)); });
    compare("tau_a", M, nv * nv, tolerance,
            [&](long i) { return flat(matrix(derivatives(i).tau_a)); });

    compare_solutions(batch, layout, tolerance, q, v, tau, loads);
  }

 private:
  /// What M⁻¹ is part of: rounding grows by the condition of M.
  template <class T>
  void compare_solutions(BasicBatch<T>& batch, Layout layout, double tolerance,
                         const std::vector<T>& q, const std::vector<T>& v,
                         const std::vector<T>& tau, const Loads<double>& loads) {
    const long n = states.count;
    const int nv = r.model.nv;
    auto results = [&](int width) {
      return std::vector<T>(static_cast<std::size_t>(n * width), -1);
    };
    std::vector<T> a = results(nv), a_again = results(nv), A = results(nv * nv),
                   B = results(nv * nv), C = results(nv * nv);
    EXPECT_TRUE(batch.forward_dynamics(n, q, v, tau, a, layout).good());
    EXPECT_TRUE(
        batch.forward_dynamics_tangent_derivatives(n, q, v, tau, a_again, A, B, C, layout).good());
    for (long i = 0; i < n; ++i) {
      const double allowed = tolerance * condition(matrix(mass_matrix(r.model, q_of(i), r.ws)));
      const VectorXd acceleration =
          matrix(forward_dynamics(r.model, q_of(i), v_of(i), tau_of(i), r.ws, loads));
      EXPECT_TRUE(near(state_of(a, nv, n, layout, i), acceleration, allowed)) << i;
      EXPECT_TRUE(near(state_of(a_again, nv, n, layout, i), acceleration, allowed)) << i;
      const auto d = forward_dynamics_tangent_derivatives(r.model, q_of(i), v_of(i), tau_of(i),
                                                          r.ws, mw, loads);
      EXPECT_TRUE(near(state_of(A, nv * nv, n, layout, i), flat(matrix(d.a_q)), allowed)) << i;
      EXPECT_TRUE(near(state_of(B, nv * nv, n, layout, i), flat(matrix(d.a_v)), allowed)) << i;
      EXPECT_TRUE(near(state_of(C, nv * nv, n, layout, i), flat(matrix(d.a_tau)), allowed)) << i;
    }
  }
  static VectorXd numbers(const Transform<double>& X) {
    VectorXd n(12);
    n << X.R.xx, X.R.xy, X.R.xz, X.R.yx, X.R.yy, X.R.yz, X.R.zx, X.R.zy, X.R.zz, X.p.x, X.p.y,
        X.p.z;
    return n;
  }
  std::span<const double> q_of(long i) const { return states.of(states.q, states.nq, i); }
  std::span<const double> v_of(long i) const { return states.of(states.v, states.nv, i); }
  std::span<const double> a_of(long i) const { return states.of(states.a, states.nv, i); }
  std::span<const double> tau_of(long i) const { return states.of(states.tau, states.nv, i); }

  Robot& r;
  States states;
  MatrixWorkspace mw;
};

/// Random robots with a count, a layout and a number of threads that change from one to the next.
template <class T>
void compare_random_robots(InstructionSet set, double tolerance) {
  int number = 0;
  const int robots = std::max(share_of(30), 9);
  for_random_robots(robots, [&](Robot& r) {
    if (!r.model.singular_reason.empty()) return;
    const long count = std::array{7L, 8L, 9L, 1L, 33L, 0L}[static_cast<std::size_t>(number % 6)];
    const BatchOptions options{.threads = number % 4 == 0 ? 3 : 1,
                               .instruction_set = set,
                               .passive = number % 3 == 0 ? Passive::included : Passive::left_out};
    Comparison(r, count).run<T>(options, every_layout[number % 2], tolerance);
    ++number;
  });
  EXPECT_GT(3 * number, 2 * robots);
}

class BatchOf : public testing::TestWithParam<InstructionSet> {};
INSTANTIATE_TEST_SUITE_P(Sets, BatchOf, testing::ValuesIn(available_instruction_sets()),
                         [](const auto& set) { return std::string(name(set.param)); });

TEST_P(BatchOf, DoubleAgreesWithOrdinaryCalls) { compare_random_robots<double>(GetParam(), 1e-12); }
TEST_P(BatchOf, FloatAgreesWithOrdinaryCalls) { compare_random_robots<float>(GetParam(), 1e-5); }

TEST_P(BatchOf, AThousandStatesInBothLayouts) {
  Robot r(generate_chain(7));
  for (const Layout layout : every_layout)
    Comparison(r, 1000).run<double>({.threads = 3, .instruction_set = GetParam()}, layout, 1e-12);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
