// The same recursions with other scalars: Dual gives derivatives, float the same within its
// precision, Counted the same values.
#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/hybrid_dynamics.hpp>
#include <limber/dynamics/jacobian.hpp>
#include <limber/model/joint_space.hpp>

#include "support/custom_joints.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// every kind, two of them by functions, half of the robots with mimic joints
Spec smooth_spec(std::uint64_t seed) {
  RandomTreeOptions options;
  options.floating_base = seed % 2 == 0;
  options.mimic = seed % 4 < 2 ? 0.4 : 0;
  options.branching = 0.6;
  Spec spec = generate_tree(12, seed, options);
  for (const CustomJoint& custom : {cam_joint(0.3), cardan_joint(0.2)}) {
    const std::string name = "custom" + std::to_string(custom.nv);
    spec.add_body(name, 0).inertia = Random(seed).inertia();
    JointSpec& joint = spec.add_joint(name, JointKind::custom, "body3", name);
    joint.custom = custom;
  }
  return spec;
}

template <class F>
void for_smooth_robots(F&& f) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    Robot robot(smooth_spec(seed), seed);
    f(robot);
  }
}

std::vector<Known> alternating(const Robot& r) {
  std::vector<Known> known(static_cast<std::size_t>(r.model.nv), Known::force);
  for (std::size_t k = 0; k < known.size(); k += 2) known[k] = Known::acceleration;
  return known;
}

template <class T>
std::vector<T> converted(const VectorXd& x) {
  std::vector<T> r;
  for (const double value : x) r.push_back(static_cast<T>(value));
  return r;
}
double value_of(float x) { return static_cast<double>(x); }
double value_of(const Dual& x) { return x.value; }
double value_of(const Counted& x) { return x.value(); }
template <class Range>
VectorXd values(const Range& x) {
  VectorXd r(static_cast<Eigen::Index>(x.size()));
  Eigen::Index k = 0;
  for (const auto& entry : x) r[k++] = value_of(entry);
  return r;
}
template <class T>
MatrixXd values(const TreeMatrixView<T>& M) {
  MatrixXd r(M.size, M.size);
  for (int i = 0; i < M.size; ++i)
    for (int j = 0; j < M.size; ++j) r(i, j) = value_of(M(i, j));
  return r;
}

template <class T>
void expect_values_like_double(Robot& r, double tolerance, double solve_tolerance) {
  const BasicModel<T> model = cast<T>(r.model);
  BasicWorkspace<T> ws(model);
  const std::vector<T> q = converted<T>(r.q), v = converted<T>(r.v), a = converted<T>(r.a),
                       tau = converted<T>(r.tau);
  EXPECT_TRUE(near(values(inverse_dynamics(model, q, v, a, ws)),
                   matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)), tolerance));
  EXPECT_TRUE(near(values(mass_matrix(model, q, ws)), matrix(mass_matrix(r.model, in(r.q), r.ws)),
                   tolerance));
  EXPECT_TRUE(near(value_of(kinetic_energy(model, q, v, ws)),
                   kinetic_energy(r.model, in(r.q), in(r.v), r.ws), tolerance));
  EXPECT_TRUE(near(value_of(potential_energy(model, q, ws)),
                   potential_energy(r.model, in(r.q), r.ws), tolerance));
  EXPECT_TRUE(near(values(forward_dynamics(model, q, v, tau, ws)),
                   matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws)),
                   solve_tolerance));
  const std::vector<Known> known = alternating(r);
  const Hybrid<T> found = hybrid_dynamics(model, q, v, known, tau, ws);
  const Hybrid<double> expected =
      hybrid_dynamics<double>(r.model, in(r.q), in(r.v), known, in(r.tau), r.ws);
  EXPECT_TRUE(near(values(found.a), matrix(expected.a), solve_tolerance));
  EXPECT_TRUE(near(values(found.tau), matrix(expected.tau), solve_tolerance));
}

// double may fuse a product and a sum, Counted never does and Dual elsewhere; potential energies
// cancel by some digits
TEST(Scalars, DualHasTheValuesOfDouble) {
  for_smooth_robots([](Robot& r) { expect_values_like_double<Dual>(r, 1e-12, 1e-10); });
}
TEST(Scalars, CountedHasTheValuesOfDouble) {
  for_smooth_robots([](Robot& r) { expect_values_like_double<Counted>(r, 1e-12, 1e-10); });
}
// 24 bits carry 6e-8; some hundred operations and the conditioning of M lie between
TEST(Scalars, FloatIsNearDouble) {
  for_smooth_robots([](Robot& r) { expect_values_like_double<float>(r, 5e-4, 5e-2); });
}

TEST(Scalars, CountedCounts) {
  Robot r(generate_chain(4));
  const auto model = cast<Counted>(r.model);
  BasicWorkspace<Counted> ws(model);
  std::vector<Counted> x;
  for (const double value : r.q) x.push_back(Counted::variable(value));
  Counted::start();
  inverse_dynamics(model, x, x, x, ws);
  EXPECT_GT(Counted::count().multiplications, 0);
  EXPECT_GT(Counted::count().additions, 0);
  EXPECT_EQ(Counted::count().sincos, 4);
  EXPECT_GE(Counted::count().executed,
            Counted::count().multiplications + Counted::count().additions);
}

// --- derivatives ---

// q, v and one more input with a direction each: the positions move along the velocity `direction`
struct Directed {
  std::vector<Dual> q, v, x;
};
Directed directed(const Robot& r, const VectorXd& x, const VectorXd& direction) {
  VectorXd q_dot(r.model.nq);
  position_rate(r.model, in(r.q), in(direction),
                {q_dot.data(), static_cast<std::size_t>(q_dot.size())});
  Directed d;
  for (int k = 0; k < r.model.nq; ++k) d.q.emplace_back(r.q[k], q_dot[k]);
  for (int k = 0; k < r.model.nv; ++k) {
    d.v.emplace_back(r.v[k], 0.7 * direction[k]);
    d.x.emplace_back(x[k], -0.3 * direction[k]);
  }
  return d;
}

// the same direction by central differences of fourth order
template <class F>
VectorXd difference_quotient(const Robot& r, const VectorXd& x, const VectorXd& direction, F&& f) {
  const double step = 1e-3;
  auto value_at = [&](double h) -> VectorXd {
    VectorXd q(r.model.nq);
    integrate(r.model, in(r.q), in(direction), h, {q.data(), static_cast<std::size_t>(q.size())});
    return f(q, VectorXd(r.v + 0.7 * h * direction), VectorXd(x - 0.3 * h * direction));
  };
  auto change = [&](double h) -> VectorXd { return value_at(h) - value_at(-h); };
  return (8 * change(step) - change(2 * step)) / (12 * step);
}

VectorXd derivatives(std::span<const Dual> x) {
  VectorXd r(static_cast<Eigen::Index>(x.size()));
  for (std::size_t k = 0; k < x.size(); ++k) r[static_cast<Eigen::Index>(k)] = x[k].derivative;
  return r;
}

TEST(Scalars, DualDifferentiatesInverseDynamics) {
  for_smooth_robots([](Robot& r) {
    const auto model = cast<Dual>(r.model);
    BasicWorkspace<Dual> ws(model);
    const VectorXd direction = r.tau;
    const Directed d = directed(r, r.a, direction);
    const VectorXd expected = difference_quotient(
        r, r.a, direction, [&](const VectorXd& q, const VectorXd& v, const VectorXd& a) {
          return matrix(inverse_dynamics(r.model, in(q), in(v), in(a), r.ws));
        });
    EXPECT_TRUE(near(derivatives(inverse_dynamics(model, d.q, d.v, d.x, ws)), expected, 1e-7));
  });
}

TEST(Scalars, DualDifferentiatesForwardDynamics) {
  for_smooth_robots([](Robot& r) {
    const auto model = cast<Dual>(r.model);
    BasicWorkspace<Dual> ws(model);
    const VectorXd direction = 0.1 * r.a;
    const Directed d = directed(r, r.tau, direction);
    const VectorXd expected = difference_quotient(
        r, r.tau, direction, [&](const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
          return matrix(forward_dynamics(r.model, in(q), in(v), in(tau), r.ws));
        });
    EXPECT_TRUE(near(derivatives(forward_dynamics(model, d.q, d.v, d.x, ws)), expected, 1e-7));
    EXPECT_TRUE(near(derivatives(forward_dynamics_by_mass_matrix(model, d.q, d.v, d.x, ws)),
                     expected, 1e-7));
  });
}

TEST(Scalars, DualDifferentiatesHybridDynamics) {
  for_smooth_robots([](Robot& r) {
    const auto model = cast<Dual>(r.model);
    BasicWorkspace<Dual> ws(model);
    const VectorXd direction = 0.1 * r.a;
    const Directed d = directed(r, r.tau, direction);
    const std::vector<Known> known = alternating(r);
    auto both = [](const VectorXd& a, const VectorXd& tau) {
      VectorXd all(a.size() + tau.size());
      all << a, tau;
      return all;
    };
    const VectorXd expected = difference_quotient(
        r, r.tau, direction, [&](const VectorXd& q, const VectorXd& v, const VectorXd& given) {
          const Hybrid<double> x =
              hybrid_dynamics<double>(r.model, in(q), in(v), known, in(given), r.ws);
          return both(matrix(x.a), matrix(x.tau));
        });
    const Hybrid<Dual> found = hybrid_dynamics(model, d.q, d.v, known, d.x, ws);
    EXPECT_TRUE(near(both(derivatives(found.a), derivatives(found.tau)), expected, 1e-7));
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
