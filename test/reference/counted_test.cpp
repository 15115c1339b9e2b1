// Every formulation computes and counts with Counted: the same numbers, and costs that grow and
// compare as the books say.
#include <functional>
#include <vector>

#include <limber/reference/reference.hpp>

#include <gtest/gtest.h>

#include <limber/model/generate.hpp>

namespace limber::test {
namespace LIMBER_TEST_FILE {

using namespace reference;

// a formulation: from a robot, q, v and a (or tau) to numbers
template <class T>
struct Formulation {
  const char* name;
  std::function<std::vector<T>(const BasicModel<T>&, In<T>, In<T>, In<T>)> compute;  // q, v, x
};

template <class T>
std::vector<Formulation<T>> formulations() {
  auto on_tree = [](auto f) {
    return [f](const BasicModel<T>& m, In<T> q, In<T> v, In<T> x) -> std::vector<T> {
      return f(tree_at<T>(m, q, v), x);
    };
  };
  return {
      {"absolute inverse dynamics", on_tree(&absolute_inverse_dynamics<T>)},
      {"explicit form", [](const BasicModel<T>& m, In<T> q, In<T> v,
                           In<T> x) { return inverse_dynamics(explicit_form<T>(m, q), v, x); }},
      {"method 1", on_tree([](const Tree<T>& t, In<T>) { return walker_orin_1(t).data; })},
      {"method 2", on_tree([](const Tree<T>& t, In<T>) { return walker_orin_2(t).data; })},
      {"method 3", on_tree([](const Tree<T>& t, In<T>) { return walker_orin_3(t).data; })},
      {"method 4", on_tree([](const Tree<T>& t, In<T> x) { return walker_orin_4(t, x).a; })},
      {"mass matrix and LDL", on_tree(&reference::forward_dynamics_by_mass_matrix<T>)},
      {"articulated bodies", on_tree(&absolute_articulated_bodies<T>)},
      {"articulated bodies without sharing",
       on_tree(&absolute_articulated_bodies_without_sharing<T>)},
      {"stacked",
       on_tree([](const Tree<T>& t, In<T> x) { return inverse_dynamics(stacked_form(t), x); })},
  };
}

std::vector<Counted> variables(const std::vector<double>& values) {
  std::vector<Counted> x;
  for (const double value : values) x.push_back(Counted::variable(value));
  return x;
}

void expect_same(const char* name, const std::vector<double>& expected,
                 const std::vector<Counted>& found) {
  ASSERT_EQ(found.size(), expected.size()) << name;
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k].value(), expected[k], 1e-12 * (1 + std::abs(expected[k]))) << name;
}

TEST(ReferenceCounted, GivesTheSameNumbers) {
  const Model model = build(generate_tree(8, 5));
  const auto counted = cast<Counted>(model);
  const RandomState s = generate_state(model, 1);
  const auto plain = formulations<double>();
  const auto counting = formulations<Counted>();
  for (std::size_t i = 0; i < plain.size(); ++i)
    expect_same(plain[i].name, plain[i].compute(model, s.q, s.v, s.a),
                counting[i].compute(counted, variables(s.q), variables(s.v), variables(s.a)));
}

TEST(ReferenceCounted, HandbookAndFloatingBaseGiveTheSameNumbers) {
  const HandbookChain chain = handbook_chain(generate_chain(6));
  const RandomState s = generate_state(build(generate_chain(6)), 1);
  const auto q = variables(s.q), v = variables(s.v), a = variables(s.a);
  expect_same("handbook", inverse_dynamics<double>(handbook_model<double>(chain, s.q, s.v), s.a),
              inverse_dynamics<Counted>(handbook_model<Counted>(chain, q, v), a));

  Spec spec = generate_chain(6);
  spec.joints[0].kind = JointKind::free;
  spec.joints[0].dofs.clear();
  const Model model = build(spec);
  const auto counted = cast<Counted>(model);
  const RandomState f = generate_state(model, 1);
  const auto tree = tree_at<double>(model, f.q, f.v);
  const auto counted_tree = tree_at<Counted>(counted, variables(f.q), variables(f.v));
  expect_same("articulated bodies", floating_articulated_bodies<double>(tree, f.tau),
              floating_articulated_bodies<Counted>(counted_tree, variables(f.tau)));
  expect_same("bordered system", floating_bordered_system<double>(tree, f.tau),
              floating_bordered_system<Counted>(counted_tree, variables(f.tau)));
}

// multiplications and additions that the result needs, for a chain of n revolute joints
long cost(const Formulation<Counted>& formulation, int n) {
  const Model model = build(generate_chain(n));
  const auto counted = cast<Counted>(model);
  const RandomState s = generate_state(model, 1);
  const auto q = variables(s.q), v = variables(s.v), x = variables(s.tau);
  Counted::start();
  const std::vector<Counted> result = formulation.compute(counted, q, v, x);
  const OperationCount count = Counted::needed_for(result);
  return count.multiplications + count.additions;
}

const Formulation<Counted>& named(const std::vector<Formulation<Counted>>& all, const char* name) {
  for (const Formulation<Counted>& f : all)
    if (std::string(name) == f.name) return f;
  throw Error(std::string("no formulation ") + name);
}

// the orders of growth that [RDA] ch. 4 to 6 gives: differences of the right order are constant
TEST(ReferenceCounted, CostsGrowAsTheBookSays) {
  const auto all = formulations<Counted>();
  for (const char* name :
       {"absolute inverse dynamics", "articulated bodies", "articulated bodies without sharing"}) {
    const auto& f = named(all, name);
    EXPECT_EQ(cost(f, 12) - cost(f, 11), cost(f, 8) - cost(f, 7)) << name;
  }
  for (const char* name : {"method 1", "method 2", "method 3"}) {
    const auto& f = named(all, name);
    auto second = [&](int n) { return cost(f, n + 1) - 2 * cost(f, n) + cost(f, n - 1); };
    EXPECT_EQ(second(12), second(8)) << name;
  }
  const auto& solve = named(all, "mass matrix and LDL");
  auto third = [&](int n) {
    return cost(solve, n + 2) - 3 * cost(solve, n + 1) + 3 * cost(solve, n) - cost(solve, n - 1);
  };
  EXPECT_EQ(third(12), third(8));
  EXPECT_EQ(third(8), 2);  // n³/6 multiplications and as many additions
}

TEST(ReferenceCounted, BetterMethodsCostLess) {
  const auto all = formulations<Counted>();
  auto at_six = [&](const char* name) { return cost(named(all, name), 6); };
  EXPECT_LT(at_six("method 3"), at_six("method 2"));
  EXPECT_LT(at_six("method 2"), at_six("method 1"));
  EXPECT_LT(at_six("articulated bodies"), at_six("articulated bodies without sharing"));
  EXPECT_LT(at_six("mass matrix and LDL"), at_six("method 4"));
  EXPECT_LT(at_six("absolute inverse dynamics"), at_six("explicit form"));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
