// One Model for many threads, each with its own Workspace: bit for bit the same as one after
// another.
#include <cstring>
#include <thread>

#include <limber/limber.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// every number that the public calls give at one state, in one list
std::vector<double> everything(const Model& m, const RandomState& s, Workspace& ws) {
  std::vector<double> all;
  auto add = [&](std::span<const double> x) { all.insert(all.end(), x.begin(), x.end()); };
  auto add_number = [&](double x) { all.push_back(x); };
  add(inverse_dynamics(m, s.q, s.v, s.a, ws));
  add(bias_forces(m, s.q, s.v, ws));
  add(gravity_forces(m, s.q, ws));
  add(forward_dynamics(m, s.q, s.v, s.tau, ws));
  add(forward_dynamics_by_mass_matrix(m, s.q, s.v, s.tau, ws));
  mass_matrix(m, s.q, ws);
  add(ws.factor.M.values);
  MatrixWorkspace mw(m);
  const auto d = forward_dynamics_tangent_derivatives(m, s.q, s.v, s.tau, ws, mw);
  for (int row = 0; row < m.nv; ++row)
    add({d.a_q.data + row * d.a_q.stride, static_cast<std::size_t>(m.nv)});
  const int frame = static_cast<int>(m.frames.size()) - 1;
  OperationalSpace os(m, 1);
  add({operational_space_inverse_inertia(m, s.q, std::vector<int>{frame}, Reference::world, ws, os)
           .data,
       36});
  add({jacobian(m, s.q, frame, Reference::world, ws).data, static_cast<std::size_t>(6 * m.nv)});
  add_number(jacobian_dot_times_v(m, s.q, s.v, frame, Reference::body, ws).linear.x);
  add_number(kinetic_energy(m, s.q, s.v, ws));
  add_number(potential_energy(m, s.q, ws));
  add_number(momentum(m, s.q, s.v, ws).angular.z);
  std::vector<double> q = s.q;
  integrate(m, s.q, s.v, 0.01, q);
  add(q);
  return all;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

class Threads : public testing::TestWithParam<double> {  // the chance of mimic joints
 protected:
  Model model() const {
    RandomTreeOptions options;
    options.mimic = GetParam();
    options.floating_base = true;
    return build(generate_tree(12, 21, options));
  }
};

TEST_P(Threads, ShareOneModel) {
  const Model m = model();
  constexpr std::uint64_t threads = 8, states = 5;
  std::vector<std::vector<double>> serial, parallel(threads * states);
  Workspace ws(m);
  for (std::uint64_t s = 0; s < threads * states; ++s)
    serial.push_back(everything(m, generate_state(m, s), ws));
  std::vector<std::thread> pool;
  for (std::uint64_t t = 0; t < threads; ++t)
    pool.emplace_back([&, t] {
      Workspace own(m);
      for (std::uint64_t s = t * states; s < (t + 1) * states; ++s)
        parallel[s] = everything(m, generate_state(m, s), own);
    });
  for (std::thread& thread : pool) thread.join();
  for (std::uint64_t s = 0; s < threads * states; ++s)
    EXPECT_TRUE(same_bits(parallel[s], serial[s])) << "state " << s;
}

TEST_P(Threads, SameCallGivesSameBits) {
  const Model m = model();
  Workspace ws(m), fresh(m);
  const RandomState state = generate_state(m, 1);
  const std::vector<double> first = everything(m, state, ws);
  everything(m, generate_state(m, 2), ws);  // leaves other numbers in the workspace
  EXPECT_TRUE(same_bits(everything(m, state, ws), first));
  EXPECT_TRUE(same_bits(everything(m, state, fresh), first));
  const Model again = model();
  Workspace other(again);
  EXPECT_TRUE(same_bits(everything(again, state, other), first));
}

INSTANTIATE_TEST_SUITE_P(Mimics, Threads, testing::Values(0.0, 0.5),
                         [](const auto& chance) { return chance.param > 0 ? "some" : "none"; });

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
