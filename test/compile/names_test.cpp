// Names of robots, joints and frames in generated text: what real compilers make of hostile ones
// and of words that C, C++, CUDA and their libraries use.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limber/compile/source.hpp>
#include <limber/io/load.hpp>

#include "compile/generated_program.hpp"
#include "compile/identifier.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// The double pendulum with other names; one frame on its tip for each further name.
Model pendulum(const std::string& name, const std::vector<std::string>& joints,
               const std::vector<std::string>& frames) {
  Spec spec = load_spec("double_pendulum");
  for (std::size_t k = 0; k < frames.size(); ++k)
    spec.frames.push_back({fmt::format("frame {}", k), "lower", {}, {}});
  // build() refuses the worst of these names; generated text does not rely on that
  Model model = build(spec);
  model.name = name;
  for (std::size_t k = 0; k < joints.size(); ++k) model.joint_name[k + 1] = joints[k];
  for (std::size_t k = 0; k < frames.size(); ++k)
    model.frames[static_cast<std::size_t>(model.frame(fmt::format("frame {}", k)))].name =
        frames[k];
  return model;
}

/// Calls of all functions of a robot with the inputs of the case, and prints their results.
std::string calls(const TracedRobot& robot, const std::vector<Arrays>& inputs,
                  const std::string& prefix, const std::string& suffix = "",
                  const std::string& first = "") {
  std::string text;
  for (std::size_t p = 0; p < robot.programs.size(); ++p) {
    const FunctionShape& shape = robot.programs[p].shape;
    std::string arguments = first, prints;
    text += "{\n";
    for (std::size_t k = 0; k < shape.inputs.size(); ++k) {
      text += fmt::format("const double x{}[] = {{{}}};\n", k, list(inputs[p][k]));
      arguments += fmt::format("{}x{}", arguments.empty() ? "" : ", ", k);
    }
    for (std::size_t k = 0; k < shape.outputs.size(); ++k) {
      text += fmt::format("double y{}[{}];\n", k, shape.outputs[k].size);
      arguments += fmt::format(", y{}", k);
      prints += fmt::format("for (int i = 0; i < {}; ++i) printf(\"%.17g\\n\", y{}[i]);\n",
                            shape.outputs[k].size, k);
    }
    text += fmt::format("{}{}{}({});\n{}}}\n", prefix, robot.programs[p].name, suffix, arguments,
                        prints);
  }
  return text;
}

std::string main_text(const std::string& includes, const std::string& body) {
  return fmt::format("#include <stdio.h>\n{}int main(void) {{\n{}return 0;\n}}\n", includes, body);
}

void expect_output(const Folder& folder, const std::string& compile,
                   const std::vector<double>& expected) {
  const ShellResult built = run_in(folder.path(), compile);
  ASSERT_EQ(built.status, 0) << compile << "\n" << built.output.substr(0, 2000);
  EXPECT_LT(relative_error(run_in(folder.path(), "./main").numbers(), expected), 1e-12) << compile;
}

/// Text that makes a file before main() begins, if a compiler sees it as code, once or oftener. It
/// has no quotes, which would end it in a string.
std::string attack(const std::string& mark) {
  return fmt::format(
      "\r#include <stdio.h>\r#ifndef TEXT_{0}\r#define TEXT_{0}(x) #x\r"
      "__attribute__((constructor)) static void attack_{0}(void) {{ "
      "fclose(fopen(TEXT_{0}(mark_{0}), TEXT_{0}(w))); }}\r#endif\r//",
      mark);
}

/// Names that leave a comment or a string wherever it is possible: by the ends of lines that
/// compilers know, by trigraphs and backslashes, by quotes, by the ends of comments.
std::vector<std::string> hostile_names() {
  return {"a" + attack("return"),
          "?\?/\"};" + attack("string"),
          "a\r\n" + attack("both"),
          "a?\?/",
          "a\n" + attack("newline"),
          "a\\",
          "a?\?/\n" + attack("continued"),
          "a\\\n",
          "a*/ " + attack("comment") + " /*",
          "a\"};" + attack("quote"),
          "a\f\v" + attack("feed"),
          "a\\\"};" + attack("backslash"),
          "a\xe2\x80\xa8" + attack("separator"),
          "a\xc2\x85" + attack("next"),
          std::string("a\0b", 3) + attack("zero"),
          "a\r%:include <stdio.h>\r%:define double evil\r//"};
}

void expect_no_mark(const Folder& folder) {
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    EXPECT_FALSE(file.path().filename().string().starts_with("mark")) << file.path();
}

TEST(HostileNames, AreNotRun) {
  const std::vector<std::string> names = hostile_names();
  FunctionOptions options;
  options.frames = names;
  options.parameters = {{FreeParameter::Kind::payload, names[0]}};
  std::vector<double> payload{1, 0, 0, 0, 0.01, 0.01, 0.01, 0, 0, 0};
  for (std::size_t k = 0; k < names.size(); k += 2) {
    const Model model = pendulum(names[k], {names[k], names[k + 1]}, names);
    const Folder folder;
    Case c(model, {RobotFunction::kinematics, RobotFunction::inverse_dynamics}, options, payload);
    folder.write(write_source(c.robot, {Target::cpp, Target::lanes, Target::c, Target::cuda}));
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
      std::ifstream stream(file.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      EXPECT_EQ(text.find_first_of(std::string("\r\f\v\0", 4)), std::string::npos) << file.path();
      EXPECT_EQ(text.find("??"), std::string::npos) << file.path();
    }
    folder.write("main.c", main_text("#include \"robot.h\"\n", calls(c.robot, c.inputs, "robot_")));
    folder.write("main.cpp",
                 main_text("#include \"robot.hpp\"\n#include \"robot_lanes.hpp\"\n",
                           calls(c.robot, c.inputs, "robot::") +
                               calls(c.robot, c.inputs, "robot::", "_batch<double>", "1, 1")));
    expect_output(folder, "cc -std=c99 -pedantic -Wall -Werror main.c robot.c -lm -o main",
                  c.expected);
    expect_no_mark(folder);
    if (k > 0) continue;  // the texts of all languages are made by the same functions
    std::vector<double> twice = c.expected;
    twice.insert(twice.end(), c.expected.begin(), c.expected.end());
    for (const std::string& compiler : compilers())
      expect_output(folder, compiler + " -std=c++17 -trigraphs -Wall -Werror -O0 main.cpp -o main",
                    twice);
    expect_no_mark(folder);
    if (const std::string nvcc = LIMBER_TEST_NVCC; !nvcc.empty()) {
      const ShellResult built = run_in(
          folder.path(), nvcc + " -std=c++17 -arch=sm_80 -Werror all-warnings -c example.cu");
      EXPECT_EQ(built.status, 0) << built.output.substr(0, 2000);
      EXPECT_EQ(run_in(folder.path(), "nm example.o | grep attack").output, "");
    }
  }
}

/// Words that are something else already, and what is no identifier at all.
std::vector<std::string> awkward_names() {
  return {"and",    "asm",     "sin",     "printf", "pack",  "NULL",          "example",
          "class",  "main",    "math",    "stdio",  "std",   "limber",        "linux",
          "count",  "print",   "T",       "V",      "S",     "detail",        "lanes",
          "nq",     "step",    "size_t",  "M_PI",   "sinf",  "_Bool",         "__FILE__",
          "__x",    "",        "_",       "日本",   "Pack",  "EXAMPLE",       "bool",
          "typeof", "nullptr", "int8_t",  "EOF",    "stdin", "float4",        "cudaMalloc",
          "7 axes", "a b",     "defined", "q",      "x",     "position_names"};
}

TEST(AwkwardNames, CompileSideBySide) {
  const Folder folder;
  std::string includes, c_includes, body, c_body, sources;
  std::vector<double> expected;
  std::set<std::string> identifiers;
  for (const std::string& name : awkward_names()) {
    const std::string frame = name.empty() ? "?" : name;
    GenerateOptions options;
    options.functions = {RobotFunction::kinematics, RobotFunction::bias_forces};
    options.function.frames = {frame};
    const Model model = pendulum(name, {}, {frame});
    TracedRobot robot = trace_robot(model, options);
    while (!identifiers.insert(robot.identifier).second) {  // robots do not know of each other
      options.identifier = robot.identifier + "_again";
      robot = trace_robot(model, options);
    }
    std::vector<Arrays> inputs;
    for (const Program& program : robot.programs) {
      inputs.push_back(random_inputs(model, program.shape, 3));
      const std::vector<double> results = joined(evaluated(program, inputs.back()));
      expected.insert(expected.end(), results.begin(), results.end());
    }
    // no file is written twice, whatever the file system thinks of capitals
    std::set<std::string> own;
    for (const GeneratedFile& file :
         write_source(robot, {Target::cpp, Target::lanes, Target::c, Target::cuda})) {
      std::string small = file.name;
      for (char& c : small) c = static_cast<char>(std::tolower(c));
      EXPECT_TRUE(own.insert(small).second) << file.name;
      folder.write(file.name, file.text);
    }
    const std::string& id = robot.identifier;
    includes += fmt::format("#include \"{0}.hpp\"\n#include \"{0}_lanes.hpp\"\n", id);
    c_includes += fmt::format("#include \"{0}.h\"\n", id);
    body += calls(robot, inputs, id + "::");
    c_body += calls(robot, inputs, id + "_");
    sources += " " + id + ".c";
  }
  folder.write("main.cpp", main_text(includes, body));
  folder.write("main.c", main_text(c_includes, c_body));
  expect_output(folder, "c++ -std=gnu++17 -O0 -I. main.cpp -o main", expected);
  expect_output(folder, "cc -std=gnu99 -O0 -I. main.c " + sources + " -lm -o main", expected);
}

TEST(AwkwardNames, ExamplesCompileByTheLineInThem) {
  GenerateOptions options;
  options.functions = {RobotFunction::bias_forces};
  const Folder folder;
  folder.write(generate(pendulum("example", {}, {}), options));
  for (const std::string file : {"example.cpp", "example_lanes.cpp", "example.c"}) {
    std::ifstream text(folder.path() + "/" + file);
    std::string line;
    while (std::getline(text, line) && !line.starts_with("//   ")) continue;
    const ShellResult ran = run_in(folder.path(), line.substr(5));
    EXPECT_EQ(ran.status, 0) << line << "\n" << ran.output;
  }
}

TEST(AwkwardNames, FramesWithOneIdentifierGetNumbers) {
  GenerateOptions options;
  options.functions = {RobotFunction::kinematics, RobotFunction::jacobians};
  options.function.frames = {"a b", "a_b", "a-b", "a_b_pose", "a_b_pose_2", "a_b_2", "a b"};
  const Model model = pendulum("two", {}, {"a b", "a_b", "a-b", "a_b_pose", "a_b_pose_2", "a_b_2"});
  const TracedRobot robot = trace_robot(model, options);
  EXPECT_EQ(robot.programs[0].shape.outputs[0].name, "a_b_pose");
  EXPECT_EQ(robot.programs[0].shape.outputs[1].name, "a_b_pose_2");
  const Folder folder;
  folder.write(write_source(robot, {Target::cpp, Target::lanes, Target::c}));
  for (const char* command : {"cc -std=c99 -fsyntax-only example.c two.c",
                              "c++ -std=c++17 -fsyntax-only example.cpp example_lanes.cpp"}) {
    const ShellResult built = run_in(folder.path(), command);
    EXPECT_EQ(built.status, 0) << built.output;
  }
}

/// Everything that stands for something where generated text and its examples are compiled.
std::set<std::string> words_of_headers(const Folder& folder, const std::string& preprocess) {
  std::istringstream text(run_in(folder.path(), preprocess).output);
  std::set<std::string> words;
  auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::string line; std::getline(text, line);) {
    std::string word;
    for (const char c : line + " ") {
      if (is_part(c)) word += c;
      else if (!word.empty() && !std::isdigit(static_cast<unsigned char>(word[0])))
        words.insert(word), word.clear();
      else word.clear();
    }
  }
  return words;
}

/// A namespace with the name of a function, a type, a variable, a macro or a keyword is an error.
void expect_no_word_taken(const std::string& includes, const std::string& file,
                          const std::string& compiler, const std::string& check) {
  const Folder folder;
  folder.write(file, includes);
  std::set<std::string> words = words_of_headers(folder, compiler + " -E " + file);
  EXPECT_GT(words.size(), 2000U);
  for (const char* word : {"and", "asm", "xor_eq", "co_await", "wchar_t"}) words.insert(word);
  std::string text = includes;
  for (const std::string& word : words)
    text += fmt::format("namespace {} {{ extern int value; }}\n", robot_identifier(word));
  folder.write(file, text);
  const ShellResult built = run_in(folder.path(), compiler + " " + check + " " + file);
  EXPECT_EQ(built.status, 0) << built.output.substr(0, 2000);
}

TEST(AwkwardNames, NoWordOfTheHeadersIsTaken) {
  const std::string includes =
      "#include <cmath>\n#include <cstddef>\n#include <cstdint>\n#include <cstdio>\n"
      "#include <cstdlib>\n#include <cstring>\n#include <mutex>\n#include <type_traits>\n"
      "#include <vector>\n";
  for (const std::string& compiler : compilers())
    expect_no_word_taken(includes, "words.cpp", compiler + " -std=gnu++17 -dD", "-fsyntax-only");
  if (const std::string nvcc = LIMBER_TEST_NVCC; !nvcc.empty())
    expect_no_word_taken("#include <cuda_runtime.h>\n" + includes, "words.cu",
                         nvcc + " -std=c++17 -arch=sm_80", "-c");
}

TEST(AwkwardNames, HonestOnesStay) {
  for (const std::string name :
       {"puma560", "double_pendulum", "arm7", "quadruped", "humanoid", "robot", "UR5", "Panda",
        "scara", "link6", "KR16", "arm", "lever", "swing", "every_joint", "delta", "gantry"})
    EXPECT_EQ(robot_identifier(name), name);
  EXPECT_EQ(plain_text("left elbow.x [2] (m/s^2)"), "left elbow.x [2] (m/s^2)");
  EXPECT_EQ(plain_text("Gelenk für \"links\"?\\"), "Gelenk f_r _links___");
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
