// Long programs in stages for a processor: the stages together compute what the whole does, bit by
// bit, and hand over nothing that is not there.
#include "compile/stages.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include <limber/compile/source.hpp>

#include "compile/schedule.hpp"
#include "support/passive_robots.hpp"
#include "support/run_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// Runs the stages one after the other. Every array is found by its name.
std::map<std::string, VectorXd> run_stages(const StagedProgram& staged, const Program& whole,
                                           const std::vector<VectorXd>& inputs) {
  std::map<std::string, VectorXd> arrays, results;
  for (std::size_t k = 0; k < inputs.size(); ++k) arrays[whole.shape.inputs[k].name] = inputs[k];
  arrays["from_earlier"] = VectorXd::Constant(staged.slots, NAN);
  for (const ArrayShape& array : whole.shape.outputs)
    results[array.name] = VectorXd::Constant(array.size, NAN);
  for (const Program& stage : staged.stages) {
    std::vector<VectorXd> read;
    for (const ArrayShape& array : stage.shape.inputs) read.push_back(arrays.at(array.name));
    const std::vector<VectorXd> found = run(stage, read);
    for (const Result& r : stage.results) {
      const auto k = static_cast<std::size_t>(r.array);
      const std::string& name = stage.shape.outputs[k].name;
      VectorXd& to = name == "for_later" ? arrays.at("from_earlier") : results.at(name);
      to[r.element] = found[k][r.element];
    }
  }
  return results;
}

/// No stage reads a place of the array between the stages that it writes; none compares numbers
/// that another stage chooses by; sine and cosine of an angle are computed once.
void expect_sound(const StagedProgram& staged, const Program& whole, int most) {
  int sincos = 0;
  for (const Program& stage : staged.stages) {
    std::set<int> read, written, angles;
    int instructions = 0;
    for (const Instruction& i : stage.code) {
      if (i.op == Op::sine || i.op == Op::cosine) angles.insert(i.a.value);
      if (i.op != Op::input && i.op != Op::less && i.op != Op::equal) ++instructions;
      if (i.op == Op::input &&
          stage.shape.inputs[static_cast<std::size_t>(i.array)].name == "from_earlier")
        read.insert(i.element);
    }
    for (const Result& r : stage.results)
      if (stage.shape.outputs[static_cast<std::size_t>(r.array)].name == "for_later") {
        EXPECT_TRUE(written.insert(r.element).second);
      }
    for (const int place : read) EXPECT_FALSE(written.contains(place));
    EXPECT_LE(instructions,
              most + static_cast<int>(angles.size()));  // a cosine may come to its sine
    sincos += static_cast<int>(angles.size());
  }
  std::set<int> angles;
  for (const Instruction& i : whole.code)
    if (i.op == Op::sine || i.op == Op::cosine) angles.insert(i.a.value);
  EXPECT_EQ(sincos, static_cast<int>(angles.size()));
}

TEST(Stages, ComputeWhatTheWholeDoes) {
  Random random(5);
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(share_of(30)); ++seed) {
    SCOPED_TRACE("random robot " + std::to_string(seed));
    const Model model = build(with_passive_joints(random_spec(seed)));
    if (model.nv == 0 || model.nv > 20) continue;
    FunctionOptions options;
    options.passive = Passive::included;
    for (const RobotFunction f : compilable_functions(model)) {
      const Program whole = trace(model, f, options);
      std::vector<VectorXd> inputs;
      for (const ArrayShape& array : whole.shape.inputs)
        inputs.push_back(VectorXd::NullaryExpr(array.size, [&] { return random.uniform(); }));
      const std::vector<VectorXd> expected = run(whole, inputs);
      for (const int most : {2, 37, 400}) {
        const StagedProgram staged = in_stages(whole, most);
        expect_sound(staged, whole, most);
        const std::map<std::string, VectorXd> found = run_stages(staged, whole, inputs);
        for (std::size_t k = 0; k < expected.size(); ++k)
          EXPECT_EQ(found.at(whole.shape.outputs[k].name), expected[k]) << whole.name << most;
      }
    }
  }
}

TEST(Stages, ShortProgramsStayInOnePiece) {
  const Program whole = trace(build(random_spec(3)), RobotFunction::inverse_dynamics);
  const StagedProgram staged = in_stages(whole, static_cast<int>(whole.code.size()));
  ASSERT_EQ(staged.stages.size(), 1U);
  EXPECT_EQ(staged.slots, 0);
  EXPECT_EQ(staged.stages[0].name, whole.name);
}

// places are used again: the array is hardly larger than the number of values alive at a time
TEST(Stages, LittleWaits) {
  const Program whole = trace(build(generate_chain(50)), RobotFunction::forward_dynamics);
  const StagedProgram staged = in_stages(whole, 1000);
  EXPECT_GT(staged.stages.size(), 12U);
  EXPECT_LT(staged.slots, whole.count().largest_live * 5 / 4);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
