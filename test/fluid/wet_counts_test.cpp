// Operations under water beside [McM] tables 16 and 19.
#include <limber/fluid/submerged.hpp>

#include <limber/dynamics/hybrid_dynamics.hpp>
#include <limber/dynamics/star_dynamics.hpp>
#include <limber/model/generate.hpp>
#include <limber/reference/mdh.hpp>
#include <limber/scalar/counted.hpp>

#include "support/water_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

struct Cost {
  long multiplications, additions;
};
Cost operator-(const Cost& a, const Cost& b) {
  return {a.multiplications - b.multiplications, a.additions - b.additions};
}
void expect_at_most(const Cost& found, long multiplications, long additions) {
  EXPECT_LE(found.multiplications, multiplications);
  EXPECT_LE(found.additions, additions);
}

// how the chains are fixed to the body: by a screw each, or with the first joint's axis in its
// frame
enum class Mount { screws, frame };

Spec wet_star(int legs, int joints, Mount mount) {
  Spec spec;
  const bool is_star = mount == Mount::screws;
  spec.add_body("body", 0).inertia = {10, {}, Sym3<double>::diagonal(1, 2, 3)};
  if (!is_star) spec.bodies[0].inertia = reference::mdh_test_chain(2).links[1].inertia;
  spec.add_joint("float", JointKind::free, "", "body");
  const reference::MdhChain chain = reference::mdh_test_chain(joints);
  const Vec3<double> x{1, 0, 0}, z{0, 0, 1};
  for (int k = 0; k < legs; ++k) {
    std::string parent = "body";
    for (int i = 0; i < joints; ++i) {
      const reference::MdhLink& link = chain.links[static_cast<std::size_t>(i)];
      Transform<double> place = Transform<double>{rotation(x, link.alpha), x * link.a} *
                                Transform<double>{rotation(z, link.theta), z * link.d};
      if (i == 0)
        place = is_star ? Transform<double>{rotation(z, 0.1 + k), z * (0.1 + 0.05 * k)} * place
                        : Transform<double>{};
      std::string name = std::to_string(k);
      name += "_" + std::to_string(i);
      spec.add_body(name, 0).inertia = link.inertia;
      spec.add_joint("j" + name, link.kind, parent, name, z, place);
      parent = name;
    }
  }
  return spec;
}

// a full matrix of added mass, a centre of buoyancy off the axes, a cylinder along x
std::vector<LinkHydrodynamics> thesis_water(const Spec& spec) {
  Random random(3);
  std::vector<LinkHydrodynamics> links;
  for (const BodySpec& body : spec.bodies) {
    Hydrodynamics water;
    water.added_mass = random.articulated();
    water.displacement = {1e-2, random.vec3(0.3)};
    water.cylinders.push_back({{}, {0.7, 0, 0}, 0.05});
    links.push_back({body.name, water});
  }
  return links;
}

enum class Place { land, water };
enum class Algorithm { composite, articulated, general, decoupled };

// a square root counts as a multiplication, as in the thesis
Cost count(const Spec& spec, Algorithm algorithm, Place place) {
  const Model plain = build(spec);
  const RandomState state = generate_state(plain, 1);
  const auto model = cast<Counted>(plain);
  BasicWorkspace<Counted> ws(model);
  auto fluid = cast<Counted>(submerged(plain, thesis_water(spec)));
  Counted::start();
  const auto variables = [](const std::vector<double>& values) {
    std::vector<Counted> r;
    for (const double x : values) r.push_back(Counted::variable(x));
    return r;
  };
  const auto q = variables(state.q), v = variables(state.v), tau = variables(state.tau);
  for (int k = 0; k < 3; ++k)
    fluid.velocity[k] = fluid.acceleration[k] = Counted::variable(0.1 + 0.1 * k);
  Loads<Counted> loads;
  if (place == Place::water) loads.fluid = &fluid;
  std::vector<Counted> a(tau.size());
  if (algorithm == Algorithm::general) {
    forward_dynamics<Counted>(model, q, v, tau, ws, a, loads);
  } else if (algorithm == Algorithm::decoupled) {
    std::vector<Known> known(6, Known::acceleration);
    known.resize(tau.size(), Known::force);
    const auto result = hybrid_dynamics<Counted>(model, q, v, known, tau, ws, loads).a;
    a.assign(result.begin() + 6, result.end());
  } else {
    BasicStar<Counted> star(model);
    star_dynamics<Counted>(model, q, v, tau,
                           algorithm == Algorithm::composite ? StarMethod::composite_bodies
                                                             : StarMethod::articulated_bodies,
                           ws, star, a, loads);
  }
  const OperationCount found = Counted::needed_for(a);
  return {found.multiplications + Counted::count().roots, found.additions};
}

TEST(WetCounts, AtMostTable16) {
  for (const long m : {1, 2, 4, 6, 8})
    for (const long n : {1, 2, 3, 4, 6, 8}) {
      SCOPED_TRACE(std::to_string(m) + " legs, " + std::to_string(n) + " joints");
      const Spec spec = wet_star(static_cast<int>(m), static_cast<int>(n), Mount::screws);
      expect_at_most(count(spec, Algorithm::articulated, Place::water), 377 * m * n + 83 * m + 256,
                     333 * m * n + 77 * m + 202);
    }
  // as printed
  expect_at_most(count(wet_star(6, 3, Mount::screws), Algorithm::articulated, Place::water), 7540,
                 6658);
  expect_at_most(count(wet_star(1, 6, Mount::screws), Algorithm::articulated, Place::water), 2601,
                 2277);
}

// the thesis's last link has work done off-line, which counts for short arms; from four joints on
// there is nothing in it
TEST(WetCounts, AtMostTable19) {
  for (const long n : {4, 5, 6, 8, 10}) {
    SCOPED_TRACE(n);
    const Spec spec = wet_star(1, static_cast<int>(n), Mount::frame);
    expect_at_most(count(spec, Algorithm::general, Place::water), 377 * n + 132, 333 * n + 95);
    expect_at_most(count(spec, Algorithm::decoupled, Place::water), 377 * n - 265, 333 * n - 265);
  }
  const Spec spec = wet_star(1, 6, Mount::frame);
  expect_at_most(count(spec, Algorithm::general, Place::water), 2394, 2093);
  expect_at_most(count(spec, Algorithm::decoupled, Place::water), 1997, 1733);
}

// the velocity of origins and the water's acceleration are carried on (20 and 12), added mass makes
// inertia full (0 and 6), the rest is hydrodynamics: 133 and 110 in the thesis
TEST(WetCounts, OfOneLinkMore) {
  const auto slope = [](Place place) {
    return count(wet_star(1, 6, Mount::screws), Algorithm::articulated, place) -
           count(wet_star(1, 5, Mount::screws), Algorithm::articulated, place);
  };
  const Cost link = slope(Place::water) - slope(Place::land);
  expect_at_most(link, 20 + 133, 12 + 6 + 110);
  EXPECT_GE(link.multiplications, 100);  // and something is there
}

TEST(WetCounts, WetAgainstDryAndArticulatedAgainstComposite) {
  for (const int n : {1, 2, 3, 6, 10}) {
    SCOPED_TRACE(n);
    const Spec spec = wet_star(6, n, Mount::screws);
    const auto operations = [&](Algorithm algorithm, Place place) {
      const Cost cost = count(spec, algorithm, place);
      return static_cast<double>(cost.multiplications + cost.additions);
    };
    const double wet = operations(Algorithm::articulated, Place::water);
    EXPECT_LT(wet / operations(Algorithm::articulated, Place::land), 1.75);
    EXPECT_GT(wet / operations(Algorithm::articulated, Place::land), 1.5);
    EXPECT_LT(wet, operations(Algorithm::composite, Place::water));  // [McM] §7.4
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
