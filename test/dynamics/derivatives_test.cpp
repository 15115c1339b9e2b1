// Derivatives in tangent space against Dual run through the recursions (which share no code with
// them), against central differences, and against each other.
#include <limber/dynamics/derivatives.hpp>

#include "support/dual_robots.hpp"
#include "support/random_inertia.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// Columns side by side in registers of every width that this processor has: forward dynamics goes
/// through articulated bodies where eight go together, through the factor of M where fewer do.
class Derivatives : public testing::TestWithParam<InstructionSet> {};
INSTANTIATE_TEST_SUITE_P(Sets, Derivatives, testing::ValuesIn(available_instruction_sets()),
                         [](const auto& set) { return std::string(name(set.param)); });

/// Random external forces (rotors get none: their frames do not turn) and motion of the base, the
/// same for double and Dual; also with inertia added to bodies (to rotors none) and freedoms.
struct RandomLoads {
  std::vector<Force<double>> forces;
  std::vector<Force<Dual>> dual_forces;
  std::vector<ArticulatedInertia<double>> inertias;
  std::vector<ArticulatedInertia<Dual>> dual_inertias;
  std::vector<double> joints;
  std::vector<Dual> dual_joints;
  Loads<double> loads, heavy;
  Loads<Dual> dual_loads, dual_heavy;
  RandomLoads(const Model& model, Passive passive, Random& random) {
    for (int i = 0; i < model.bodies(); ++i) {
      const Force<double> force = random.force();
      forces.push_back(model.is_rotor[static_cast<std::size_t>(i)] ? Force<double>{} : force);
      dual_forces.push_back(cast<Dual>(forces.back()));
    }
    loads = {forces, random.motion(), random.motion(), passive};
    dual_loads = {dual_forces, cast<Dual>(loads.base_velocity), cast<Dual>(loads.base_acceleration),
                  passive};
    add_inertia(model);
  }
  void add_inertia(const Model& model) {
    Random random(9);
    for (int i = 0; i < model.bodies(); ++i) {
      const ArticulatedInertia<double> inertia = random_inertia(random);
      inertias.push_back(model.is_rotor[i] ? ArticulatedInertia<double>{} : inertia);
      dual_inertias.push_back(cast<Dual>(inertias.back()));
    }
    for (int k = 0; k < model.nv; ++k) {
      joints.push_back(random.uniform(0, 2));
      dual_joints.emplace_back(joints.back());
    }
    heavy = loads, dual_heavy = dual_loads;
    heavy.body_inertia = inertias, dual_heavy.body_inertia = dual_inertias;
    heavy.joint_inertia = joints, dual_heavy.joint_inertia = dual_joints;
  }
};

TEST_P(Derivatives, InverseDynamicsByDual) {
  Random random(4);
  for_random_robots(200, [&](Robot& r) {
    MatrixWorkspace mw(r.model, GetParam());
    const RandomLoads loads(r.model, Passive::included, random);
    for (const auto& both :
         {std::pair{Loads<double>{}, Loads<Dual>{}}, std::pair{loads.loads, loads.dual_loads},
          std::pair{loads.heavy, loads.dual_heavy}}) {
      const Loads<double>& l = both.first;
      const Loads<Dual>& d = both.second;
      const auto found =
          inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a), r.ws, mw, l);
      const ByDual expected = by_dual(r, r.a, [&](auto& model, auto q, auto v, auto a, auto& ws) {
        return inverse_dynamics(model, q, v, a, ws, d);
      });
      EXPECT_TRUE(near(matrix(found.tau_q), expected.q, 1e-9));
      EXPECT_TRUE(near(matrix(found.tau_v), expected.v, 1e-10));
      EXPECT_TRUE(near(matrix(found.tau_a), expected.third, 1e-10));
    }
  });
}

// the differentiated equation of motion, M a_q + ∂tau/∂q = 0, with both matrices by Dual: this is
// sharp whatever the condition of M
TEST_P(Derivatives, ForwardDynamicsObeyTheEquationOfMotion) {
  Random random(5);
  for_random_robots(200, [&](Robot& r) {
    if (!r.model.singular_reason.empty()) return;
    MatrixWorkspace mw(r.model, GetParam());
    const RandomLoads loads(r.model, Passive::included, random);
    for (const auto& both :
         {std::pair{Loads<double>{}, Loads<Dual>{}}, std::pair{loads.loads, loads.dual_loads},
          std::pair{loads.heavy, loads.dual_heavy}}) {
      const Loads<double>& l = both.first;
      const Loads<Dual>& d = both.second;
      const auto found =
          forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, mw, l);
      const VectorXd a = matrix(found.a);
      const ByDual tau = by_dual(r, a, [&](auto& model, auto q, auto v, auto rate, auto& ws) {
        return inverse_dynamics(model, q, v, rate, ws, d);
      });
      EXPECT_LT(residual(tau.third, matrix(found.a_q), tau.q), 1e-12);
      EXPECT_LT(residual(tau.third, matrix(found.a_v), tau.v), 1e-12);
      EXPECT_LT(
          residual(tau.third, matrix(found.a_tau), -MatrixXd::Identity(r.model.nv, r.model.nv)),
          1e-12);
      Workspace other(r.model);
      const VectorXd tau_a = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(a), other, l));
      EXPECT_TRUE(near(tau_a, r.tau,
                       1e-9 * std::max(1.0, (tau.third.cwiseAbs() * a.cwiseAbs()).maxCoeff())));
    }
  });
}

TEST_P(Derivatives, ForwardDynamicsByDual) {
  int compared = 0;
  for_random_robots(200, [&](Robot& r) {
    // derivatives of a solution lose the condition of M twice
    if (!r.model.singular_reason.empty()) return;
    if (condition(matrix(mass_matrix(r.model, in(r.q), r.ws))) > 1e5) return;
    ++compared;
    MatrixWorkspace mw(r.model, GetParam());
    const auto found =
        forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, mw);
    const ByDual expected = by_dual(r, r.tau, [&](auto& model, auto q, auto v, auto tau, auto& ws) {
      return forward_dynamics(model, q, v, tau, ws);
    });
    EXPECT_TRUE(near(matrix(found.a_q), expected.q, 1e-9));
    EXPECT_TRUE(near(matrix(found.a_v), expected.v, 1e-9));
    EXPECT_TRUE(near(matrix(found.a_tau), expected.third, 1e-9));
  });
  EXPECT_GT(compared, 100);
}

// bit for bit
void expect_same_derivatives(Robot& r, MatrixWorkspace& used, MatrixWorkspace& fresh) {
  const auto again =
      inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a), r.ws, used);
  const auto first =
      inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a), r.ws, fresh);
  EXPECT_EQ(matrix(again.tau_q), matrix(first.tau_q));
  EXPECT_EQ(matrix(again.tau_v), matrix(first.tau_v));
  EXPECT_EQ(matrix(again.tau_a), matrix(first.tau_a));
  const auto third =
      forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, used);
  const auto fourth =
      forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, fresh);
  EXPECT_EQ(matrix(third.a_q), matrix(fourth.a_q));
  EXPECT_EQ(matrix(third.a_v), matrix(fourth.a_v));
  EXPECT_EQ(matrix(third.a_tau), matrix(fourth.a_tau));
}

// one workspace for calls of every sort: nothing of an earlier matrix may stay
TEST_P(Derivatives, LeaveNothingBehind) {
  for_random_robots(40, [&](Robot& r) {
    if (!r.model.singular_reason.empty()) return;
    MatrixWorkspace used(r.model, GetParam()), fresh(r.model, GetParam());
    forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, used);
    expect_same_derivatives(r, used, fresh);
  });
}

// nor of inertia that loads have added
TEST_P(Derivatives, InertiaOfLoadsLeavesNothingBehind) {
  Random random(6);
  for_random_robots(40, [&](Robot& r) {
    if (!r.model.singular_reason.empty()) return;
    MatrixWorkspace used(r.model, GetParam()), fresh(r.model, GetParam());
    const RandomLoads loads(r.model, Passive::left_out, random);
    for (int round = 0; round < 2; ++round) {
      if (round == 0)
        inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a), r.ws, used,
                                             loads.heavy);
      else
        forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, used,
                                             loads.heavy);
      expect_same_derivatives(r, used, fresh);
    }
  });
}

// nor may anything of a call that was refused
TEST_P(Derivatives, RecoverFromARefusedCall) {
  for_random_robots(40, [&](Robot& r) {
    if (!r.model.singular_reason.empty() || r.model.nv == 0) return;
    MatrixWorkspace used(r.model, GetParam()), fresh(r.model, GetParam());
    const VectorXd bad = VectorXd::Constant(r.model.nv, std::nan(""));
    EXPECT_THROW(
        forward_dynamics_tangent_derivatives(r.model, in(r.q), in(bad), in(r.tau), r.ws, used),
        Error);
    const auto found =
        forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, used);
    const auto expected =
        forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.tau), r.ws, fresh);
    EXPECT_EQ(matrix(found.a_q), matrix(expected.a_q));
    EXPECT_EQ(matrix(found.a_v), matrix(expected.a_v));
    EXPECT_EQ(matrix(found.a_tau), matrix(expected.a_tau));
  });
}

// central differences of the recursion itself, step 1e-5: error about 1e-10 of the third derivative
TEST_P(Derivatives, InverseDynamicsByDifferences) {
  for_random_robots(40, [&](Robot& r) {
    MatrixWorkspace mw(r.model, GetParam());
    const auto found =
        inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a), r.ws, mw);
    const MatrixXd tau_q = matrix(found.tau_q), tau_v = matrix(found.tau_v);
    const double h = 1e-5;
    for (int k = 0; k < r.model.nv; ++k) {
      const VectorXd unit = VectorXd::Unit(r.model.nv, k);
      auto at = [&](double step) {
        VectorXd q(r.model.nq);
        integrate(r.model, in(r.q), in(unit), step, {q.data(), static_cast<std::size_t>(q.size())});
        return VectorXd(matrix(inverse_dynamics(r.model, in(q), in(r.v), in(r.a), r.ws)));
      };
      auto with = [&](double step) {
        const VectorXd v = r.v + step * unit;
        return VectorXd(matrix(inverse_dynamics(r.model, in(r.q), in(v), in(r.a), r.ws)));
      };
      const double scale =
          std::max(1.0, std::max(tau_q.cwiseAbs().maxCoeff(), tau_v.cwiseAbs().maxCoeff()));
      EXPECT_LT(((at(h) - at(-h)) / (2 * h) - tau_q.col(k)).cwiseAbs().maxCoeff(), 1e-6 * scale);
      EXPECT_LT(((with(h) - with(-h)) / (2 * h) - tau_v.col(k)).cwiseAbs().maxCoeff(),
                1e-6 * scale);
    }
  });
}

TEST_P(Derivatives, FloatAgreesWithDouble) {
  for_random_robots(20, [&](Robot& r) {
    const BasicModel<float> model = cast<float>(r.model);
    BasicWorkspace<float> ws(model);
    BasicMatrixWorkspace<float> mw(model, GetParam());
    auto narrow = [](const VectorXd& x) {
      return std::vector<float>(x.data(), x.data() + x.size());
    };
    const auto found = inverse_dynamics_tangent_derivatives<float>(model, narrow(r.q), narrow(r.v),
                                                                   narrow(r.a), ws, mw);
    MatrixWorkspace wide(r.model);
    const MatrixXd expected = matrix(
        inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(r.a), r.ws, wide).tau_q);
    for (int i = 0; i < r.model.nv; ++i)
      for (int j = 0; j < r.model.nv; ++j)
        EXPECT_NEAR(found.tau_q(i, j), expected(i, j),
                    3e-4 * std::max(1.0, expected.cwiseAbs().maxCoeff()));
  });
}

TEST_P(Derivatives, HaveTheLanesOfTheirInstructionSet) {
  const Model model = build(generate_chain(4, JointKind::revolute, 1));
  const int lanes = GetParam() == InstructionSet::avx512 ? 8
                    : GetParam() == InstructionSet::avx2 ? 4
                                                         : 2;
  EXPECT_EQ(MatrixWorkspace(model, GetParam()).lanes, lanes);
  EXPECT_EQ(BasicMatrixWorkspace<float>(cast<float>(model), GetParam()).lanes,
            std::min(8, 2 * lanes));
  if (GetParam() == available_instruction_sets().back()) {
    EXPECT_EQ(MatrixWorkspace(model).lanes, lanes);
  }
}

TEST_P(Derivatives, RefuseWhatForwardDynamicsRefuses) {
  Robot r(generate_chain(4, JointKind::revolute, 1), 1);
  MatrixWorkspace mw(r.model, GetParam());
  VectorXd bad = r.tau;
  bad[2] = std::nan("");
  EXPECT_THROW(forward_dynamics_tangent_derivatives(r.model, in(r.q), in(r.v), in(bad), r.ws, mw),
               Error);
  const VectorXd shorter = r.v.head(3);
  EXPECT_THROW(
      inverse_dynamics_tangent_derivatives(r.model, in(r.q), in(shorter), in(r.a), r.ws, mw),
      Error);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
