// libFuzzer target: whatever a robot, its joints, its frames and --name are called, the generated
// text is that of an honest robot with other identifiers. The names are the input, with the byte
// 255 between them: robot, --name, two joints, three frames. Every 2000th text is compiled too, or
// every Nth one, as the environment variable LIMBER_NAMES_COMPILE_EVERY says.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <limber/compile/source.hpp>
#include <limber/error.hpp>
#include <limber/io/load.hpp>

#include "c_tokens.hpp"

namespace {

using limber::GeneratedFile;
using limber::fuzz::Token;
using limber::fuzz::Trigraphs;

constexpr std::size_t name_count = 7;
using Names = std::array<std::string, name_count>;
const Names honest_names{"honest", "", "hip", "knee", "frame_a", "frame_b", "frame_c"};

[[noreturn]] void fail(const std::string& what, const std::string& file, const std::string& found) {
  std::fprintf(stderr, "%s: %s: %s\n", file.c_str(), what.c_str(), found.c_str());
  std::abort();
}

Names names_of(const std::uint8_t* data, std::size_t size) {
  Names names;
  std::size_t k = 0;
  for (std::size_t i = 0; i < size && k < name_count; ++i)
    if (data[i] == 0xff) ++k;
    else names[k] += static_cast<char>(data[i]);
  return names;
}

/// The double pendulum with these names. build() refuses control characters in them; generated text
/// does not rely on that, so they are set afterwards. Names that do not differ throw Error.
limber::Model renamed(const Names& names) {
  static const limber::Model plain = [] {
    limber::Spec spec = limber::load_spec("double_pendulum");
    for (std::size_t k = 4; k < name_count; ++k)
      spec.frames.push_back({honest_names[k], "lower", {}, {}});
    return limber::build(spec);
  }();
  limber::Model model = plain;
  model.name = names[0];
  for (std::size_t k = 0; k < 2; ++k) model.joint_name[k + 1] = names[2 + k];
  for (std::size_t k = 4; k < name_count; ++k)
    model.frames[static_cast<std::size_t>(plain.frame(honest_names[k]))].name = names[k];
  std::set<std::string> frames{""};
  for (const auto& frame : model.frames)
    if (!frames.insert(frame.name).second)
      throw limber::Error("frames must have names that differ");
  if (names[2].empty() || names[3].empty() || names[2] == names[3])
    throw limber::Error("joints must have names that differ");
  return model;
}

std::vector<GeneratedFile> generated(const Names& names) {
  limber::GenerateOptions options;
  options.identifier = names[1];
  for (std::size_t k = 4; k < name_count; ++k) options.function.frames.push_back(names[k]);
  options.functions = {limber::RobotFunction::kinematics, limber::RobotFunction::bias_forces};
  options.function.parameters = {{limber::FreeParameter::Kind::payload, names[4]}};
  options.targets = limber::targets();
  return limber::generate(renamed(names), options);
}

/// Which identifier stands for which one of the honest robot.
class Renaming {
 public:
  explicit Renaming(std::string file) : file_(std::move(file)) {}
  void add(const std::string& honest, const std::string& found) {
    const auto known = found_.emplace(honest, found);
    if (known.first->second != found) fail("not the same identifier everywhere", file_, found);
    if (honest == found) return check_unique(honest, found);
    auto is_allowed = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (!std::all_of(found.begin(), found.end(), is_allowed) || found.find("__") != found.npos ||
        found.front() == '_')
      fail("no plain identifier", file_, found);
    check_unique(honest, found);
  }

 private:
  /// A namespace may have the name of something in it.
  void check_unique(const std::string& honest, const std::string& found) {
    if (honest == honest_names[0]) return;
    if (honest_.emplace(found, honest).first->second != honest)
      fail("one identifier for two things", file_, found);
  }
  std::string file_;
  std::map<std::string, std::string> found_, honest_;
};

void check_text(const std::string& honest, const std::string& found, const std::string& file) {
  if (honest == found) return;
  for (const char c : found)
    if (c < ' ' || c > '~' || c == '\\' || c == '"' || c == '?') fail("text", file, found);
}

/// A file of the honest robot, as compilers see it.
struct Expected {
  std::string text;
  std::vector<Token> with_trigraphs, without;
  explicit Expected(const std::string& t)
      : text(t),
        with_trigraphs(tokens(t, Trigraphs::replaced)),
        without(tokens(t, Trigraphs::left)) {}
};

void compare(const std::vector<Token>& expected, const std::vector<Token>& all,
             const std::string& file) {
  if (all.size() != expected.size()) fail("another number of tokens", file, "");
  Renaming names(file);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Token &x = expected[i], &y = all[i];
    if (x.kind != y.kind || y.kind == Token::Kind::broken) fail("token", file, y.spelling);
    if (x.kind == Token::Kind::identifier) names.add(x.spelling, y.spelling);
    else if (x.kind == Token::Kind::text) check_text(x.spelling, y.spelling, file);
    else if (x.spelling != y.spelling) fail("token", file, y.spelling);
  }
}

void compare(const Expected& honest, const GeneratedFile& found) {
  if (honest.text == found.text) return;
  compare(honest.without, tokens(found.text, Trigraphs::left), found.name);
  if (found.text.find("?\?") != std::string::npos)
    compare(honest.with_trigraphs, tokens(found.text, Trigraphs::replaced), found.name);
}

void run(const std::string& folder, const std::string& command) {
  if (std::system(("cd '" + folder + "' && " + command).c_str()) != 0)
    fail("does not compile", folder, command);
}

/// The files as they would lie in a folder of a user.
void compile(const std::vector<GeneratedFile>& files) {
  std::string folder = std::filesystem::temp_directory_path() / "limber_names_XXXXXX";
  if (!mkdtemp(folder.data())) return;
  std::string c_source;
  for (const GeneratedFile& file : files) {
    if (std::filesystem::exists(folder + "/" + file.name)) fail("written twice", file.name, "");
    std::ofstream(folder + "/" + file.name, std::ios::binary) << file.text;
    if (file.name.ends_with(".c") && file.name != "example.c") c_source = file.name;
  }
  run(folder, "cc -std=c99 -fsyntax-only -I. example.c " + c_source);
  run(folder, "c++ -std=c++17 -fsyntax-only -I. example.cpp example_lanes.cpp");
  std::filesystem::remove_all(folder);
}

bool is_time_to_compile() {
  static const char* const wanted = std::getenv("LIMBER_NAMES_COMPILE_EVERY");
  static const long every = std::max(1L, wanted ? std::atol(wanted) : 2000);
  static long count = 0;
  return count++ % every == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Expected> honest = [] {
    std::vector<Expected> files;
    for (const GeneratedFile& file : generated(honest_names)) files.emplace_back(file.text);
    return files;
  }();
  std::vector<GeneratedFile> files;
  try {
    files = generated(names_of(data, size));
  } catch (const limber::Error&) {
    return 0;  // a refusal is an answer: names must differ
  }
  if (files.size() != honest.size()) fail("another number of files", "", "");
  for (std::size_t k = 0; k < files.size(); ++k) compare(honest[k], files[k]);
  if (is_time_to_compile()) compile(files);
  return 0;
}
