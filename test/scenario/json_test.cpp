// JSON from outside: what is refused, and where.
#include "scenario/json.hpp"

#include <nlohmann/json.hpp>

#include <limber/scenario/run.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::string message_for(const std::string& text, int line = 0) {
  return message_of([&] { parse_json(text, {"file.json", line, ""}); });
}

TEST(Json, IsReadAsItIsWritten) {
  const auto value = parse_json(R"({"b":[1,2.5,-3e-2],"a":{"x":null,"y":true},"c":"ä\u00e4"})", {});
  EXPECT_EQ(value.dump(), R"({"b":[1,2.5,-0.03],"a":{"x":null,"y":true},"c":"ää"})");
}

TEST(Json, MistakesAreNamedWithLineAndColumn) {
  EXPECT_TRUE(mentions(message_for("{\n \"a\": 1,\n \"b\" 2}"), {"file.json:3: column 7: "}));
  EXPECT_TRUE(mentions(message_for("[1, x]", 7), {"file.json:7: column 5: "}));
  EXPECT_TRUE(mentions(message_for("[1, 2"), {"file.json:1: column 5: ", "unexpected end"}));
  EXPECT_TRUE(mentions(message_for(""), {"file.json:1: column 1: "}));
  EXPECT_TRUE(mentions(message_for("[1] 2"), {"file.json:1: column 5: "}));
  EXPECT_TRUE(mentions(message_for("[1,\n1e999]"), {"file.json:2: ", "1e999"}));
  EXPECT_TRUE(mentions(message_for("[NaN]"), {"file.json:1: "}));
  EXPECT_TRUE(mentions(message_for("[\"\xff\"]"), {"file.json:1: ", "UTF-8"}));
  for (const char* message : {"[1, x]", "[1e999]"})  // in our words, not in the library's
    EXPECT_EQ(message_for(message).find("json.exception"), std::string::npos);
}

TEST(Json, AKeyThatIsThereTwiceIsRefused) {
  EXPECT_TRUE(
      mentions(message_for("{\"a\":1,\n\"b\":2,\n\"a\":1}"), {"file.json:3: ", "'a'", "twice"}));
  EXPECT_TRUE(mentions(message_for(R"({"x":[{"a":{}},{"k":1,"\u006b":2}]})"), {"'k'", "twice"}));
  EXPECT_EQ(message_for(R"({"a":{"a":[{"a":1},{"a":2}]},"b":{"a":1}})"), no_error);
}

TEST(Json, DepthIsLimited) {
  const auto nested = [](std::size_t depth, const std::string& open, const std::string& close) {
    std::string text;
    for (std::size_t k = 0; k < depth; ++k) text += open;
    text += "1";
    for (std::size_t k = 0; k < depth; ++k) text += close;
    return text;
  };
  for (const auto& [open, close] : {std::pair("[", "]"), {"{\"a\":", "}"}}) {
    EXPECT_EQ(message_for(nested(most_json_depth, open, close)), no_error);
    EXPECT_TRUE(mentions(message_for(nested(most_json_depth + 1, open, close)),
                         {"file.json:1: column ", "nested", "64"}));
    EXPECT_TRUE(mentions(message_for(nested(1'000'000, open, close)), {"nested"}));
    EXPECT_TRUE(mentions(message_for(nested(1'000'000, open, "")), {"nested"}));
  }
}

TEST(Json, SizeIsLimited) {
  EXPECT_TRUE(mentions(message_for(std::string(most_json_bytes + 1, ' ')), {"bytes", "67108864"}));
}

TEST(Json, MembersSayWhatIsExpected) {
  const auto object = parse_json(
      R"({"n":1.5,"list":[1,true],"whole":-1,"big":1e300,"many":9223372036854775807,"t":"x"})", {});
  const Source place{"run.json", 4, ""};
  const auto says = [&](auto&& call, const std::string& key, const std::string& expected) {
    EXPECT_TRUE(mentions(message_of(call), {"run.json:4", "'" + key + "'", expected}));
  };
  EXPECT_EQ(number_of(object, "n", place), 1.5);
  EXPECT_EQ(text_of(object, "t", place), "x");
  says([&] { number_of(object, "t", place); }, "t", "found \"x\", expected a number");
  says([&] { number_of(object, "none", place); }, "none", "missing");
  says([&] { number_of(parse_json("[1]", {}), "n", place); }, "n", "missing");
  says([&] { text_of(object, "n", place); }, "n", "a text");
  says([&] { numbers_of(object, "list", place); }, "list", "a list of numbers");
  says([&] { numbers_of(object, "n", place); }, "n", "a list of numbers");
  says([&] { counts_of(object, "list", place); }, "list", "whole numbers");
  for (const char* key : {"whole", "big", "many", "n", "t"})
    says([&] { count_of(object, key, place); }, key, "a whole number from 0 to 2^53");
  says(
      [&] {
        expect_keys(object, {"n", "list", "whole", "big", "many", "text"}, place);
      },
      "t", "unknown");
}

TEST(Json, SavedRunsAreChecked) {
  const Scenario scenario = read_scenario("double_pendulum");
  const std::string good = saved_run_text(scenario, SavedRun{});
  EXPECT_NO_THROW(parse_saved_run(scenario, good, "saved.json"));
  const auto with = [&](const std::string& key, const nlohmann::ordered_json& value) {
    auto data = nlohmann::ordered_json::parse(good);
    data[key] = value;
    return message_of([&] { parse_saved_run(scenario, data.dump(), "saved.json"); });
  };
  EXPECT_TRUE(mentions(with("t", "soon"), {"saved.json", "'t'", "a number"}));
  EXPECT_TRUE(mentions(with("x", {1, nullptr}), {"saved.json", "'x'", "a list of numbers"}));
  EXPECT_TRUE(mentions(with("samples", {1e300}), {"saved.json", "'samples'", "whole numbers"}));
  EXPECT_TRUE(mentions(with("records", -1), {"saved.json", "'records'", "whole number"}));
  EXPECT_TRUE(mentions(with("events", {{{"time", 1}}}), {"saved.json", "'text'"}));
  EXPECT_TRUE(mentions(with("changes", {{{"time", 1}}}), {"saved.json", "'step'"}));
  EXPECT_TRUE(mentions(with("limber_run", "1"), {"saved.json", "'limber_run'"}));
  EXPECT_TRUE(mentions(with("colour", 1), {"saved.json", "'colour'", "unknown"}));
  EXPECT_TRUE(mentions(
      message_of([&] { parse_saved_run(scenario, std::string(100'000, '['), "saved.json"); }),
      {"saved.json:1", "nested"}));
}

// what was done to a run goes with its state, to the last bit
TEST(Json, InputsAndChangesOfASavedRunSurvive) {
  const Scenario scenario = read_scenario("double_pendulum");
  SavedRun saved;
  saved.inputs = {0.1, -1e-300};
  saved.steps = 12345;
  saved.events = {{0.3, "elbow passes zero"}};
  saved.changes = {{1.0 / 3, 7, {{"elbow.velocity", 0.1 + 0.2}, {"hand of 'x'.offset", -0.0}}},
                   {0.5, 9, {{"hand.offset", 2}}}};
  const SavedRun read = parse_saved_run(scenario, saved_run_text(scenario, saved), "saved.json");
  EXPECT_EQ(read.inputs, saved.inputs);
  EXPECT_EQ(read.steps, saved.steps);
  EXPECT_EQ(read.changes, saved.changes);
  ASSERT_EQ(read.events.size(), 1u);
  EXPECT_EQ(read.events[0].text, saved.events[0].text);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
