// The example of docs/compiler.md: its text is what the compiler writes, its values are those of
// the textbook's two-link arm.
#include <cmath>
#include <fstream>
#include <sstream>

#include <limber/compile/source.hpp>
#include <limber/io/load.hpp>

#include "support/random.hpp"
#include "support/run_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Program example() { return trace(load("double_pendulum"), RobotFunction::inverse_dynamics); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t i = text.find(from); i != std::string::npos; i = text.find(from, i + to.size()))
    text.replace(i, from.size(), to);
  return text;
}

/// The function as `limber compile` writes it in C, with `double` for the robot's type of numbers.
std::string written_c() {
  GenerateOptions options;
  options.functions = {RobotFunction::inverse_dynamics};
  options.targets = {Target::c};
  std::string text;
  for (const GeneratedFile& file : generate(load("double_pendulum"), options))
    if (file.name == "double_pendulum.c") text = file.text;
  text = replaced(text, "(double_pendulum_real)", "");
  text = replaced(text, "double_pendulum_real", "double");
  const std::size_t start = text.find("void double_pendulum_inverse_dynamics");
  return start == std::string::npos ? text : text.substr(start);
}

/// The code block after a mark on the page.
std::string block_after(const std::string& mark) {
  std::ifstream file(LIMBER_SOURCE_DIR "/docs/compiler.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str();
  const std::string open = mark + "\n```c\n";
  const std::size_t start = page.find(open);
  if (start == std::string::npos) return "(the page has no block after " + mark + ")";
  const std::size_t first = start + open.size();
  return page.substr(first, page.find("```", first) - first);
}

TEST(WorkedExample, PageShowsWhatTheCompilerWrites) {
  EXPECT_EQ(block_after("<!-- double_pendulum inverse_dynamics -->"), written_c());
  EXPECT_EQ(example().count().instructions(), 16);
  EXPECT_EQ(example().count().operations(), 24);
  EXPECT_EQ(example().count().sincos, 2);
}

// rods of length l and mass m with moments of inertia I about their middle, hanging down at 0
TEST(WorkedExample, ValuesAreThoseOfTheTextbook) {
  Random random(2);
  const Program program = example();
  const double l = 1, m = 1, I = 0.08343333333, g = 9.81, r = l / 2;
  for (int k = 0; k < 100; ++k) {
    const Eigen::Vector2d q(random.angle(), random.angle()), v(random.uniform(), random.uniform()),
        a(random.uniform(), random.uniform());
    const double c2 = std::cos(q[1]), s2 = std::sin(q[1]);
    const double s1 = std::sin(q[0]), s12 = std::sin(q[0] + q[1]);
    const double M11 = 2 * I + m * r * r + m * (l * l + r * r + 2 * l * r * c2);
    const double M12 = I + m * (r * r + l * r * c2), M22 = I + m * r * r;
    const Eigen::Vector2d expected(
        M11 * a[0] + M12 * a[1] - m * l * r * s2 * (2 * v[0] * v[1] + v[1] * v[1]) +
            g * (m * r * s1 + m * (l * s1 + r * s12)),
        M12 * a[0] + M22 * a[1] + m * l * r * s2 * v[0] * v[0] + g * m * r * s12);
    EXPECT_TRUE(near(run(program, {q, v, a})[0], expected, 1e-14));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
