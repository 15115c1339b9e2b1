// Paths that take absurdly long are refused before they are solved point by point.
#include <gtest/gtest.h>

#include <limber/scenario/scenario.hpp>

namespace limber::test {
namespace {

TEST(LongPath, IsRefusedWithItsNumberOfPoints) {
  const std::string begin = R"(duration: 1
robots: [{model: arm7, initial: {position: [0.3, 0.5, 0, -1.2, 0, 0.8, 0]}}]
trajectories:
  - name: slow
    steps: [{kind: line, frame: tool, by: [0, 0, 0.01], duration: )";
  for (const std::string duration : {"1e5", "1e12", "1e300"}) try {
      parse_scenario(begin + duration + "}]\n", "test.yaml");
      ADD_FAILURE() << duration;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("test.yaml:5"), std::string::npos) << message;
      EXPECT_NE(message.find("give it less time"), std::string::npos) << message;
    }
  EXPECT_NO_THROW(parse_scenario(begin + "10}]\n", "test.yaml"));
}

}  // namespace
}  // namespace limber::test
