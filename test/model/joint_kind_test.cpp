// One table of joint kinds: what it says agrees with what the variables do, and few files know a
// kind by its name.
#include <limber/model/joint_kind.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <limber/model/generate.hpp>
#include <limber/model/model.hpp>

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

TEST(JointKinds, FactsAgreeWithTheModel) {
  for (const JointFacts& kind : joint_facts) {
    if (kind.velocities.empty()) continue;
    const Model m = build(generate_chain(1, kind.kind));
    EXPECT_EQ(static_cast<std::size_t>(m.nq), kind.positions.size()) << kind.name;
    EXPECT_EQ(static_cast<std::size_t>(m.nv), kind.velocities.size()) << kind.name;
    EXPECT_EQ(kind.quaternion >= 0, m.nq == m.nv + 1) << kind.name;
    if (kind.quaternion < 0) continue;
    const char* labels[] = {"qx", "qy", "qz", "qw"};
    for (int k = 0; k < 4; ++k)
      EXPECT_EQ(kind.positions[static_cast<std::size_t>(kind.quaternion + k)].label, labels[k]);
  }
}

// CONTRIBUTING lists what a new kind touches, at most eight files. The kinds without a part beside
// their own (readers make revolute joints, bases are free, …) show that it is enough.
TEST(JointKinds, FewFilesKnowAKind) {
  for (const char* kind :
       {"helical", "cylindrical", "planar", "universal", "spherical", "translation"}) {
    std::vector<std::string> files;
    for (const char* folder : {"include", "src", "app"})
      for (const auto& entry :
           fs::recursive_directory_iterator(fs::path(LIMBER_SOURCE_DIR) / folder)) {
        const std::string path = entry.path().string();
        // oracles for tests, which share no code with the library
        if (!entry.is_regular_file() || path.find("/reference/") != std::string::npos) continue;
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        if (text.str().find(std::string("JointKind::") + kind) != std::string::npos)
          files.push_back(path);
      }
    EXPECT_LE(files.size(), 7u) << kind;
    EXPECT_GE(files.size(), 2u) << kind;
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
