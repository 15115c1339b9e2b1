// Closed mechanisms among the robot files of the field, where a collection lies beside the source
// tree: they load, are assembled, accelerate and move without drift.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <limber/constraint/assemble.hpp>
#include <limber/io/load.hpp>

#include "support/closed_run.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
const fs::path collection = fs::path(LIMBER_SOURCE_DIR) / ".." / "shared" / "robots";

/// Assembles from a named state (empty: the neutral position), then lets the robot fall for 0.1 s,
/// with all its joints in motion. `at_most`: of the rank, where it depends on the digits of the
/// file.
void expect_moves(const Model& model, const std::string& state, int rows, int rank,
                  int at_most = 0) {
  SCOPED_TRACE(model.name);
  ClosedRun run(model, state);
  const Assembly found = assemble(run.mechanism, 0, ClosedRun::span(run.q));
  EXPECT_TRUE(found.is_closed) << describe(found);
  for (int k = 0; k < model.nv; ++k) run.v[k] = 0.5 * std::sin(3 * k + 1);
  run.project();
  EXPECT_EQ(run.mechanism.rows, rows);
  EXPECT_GE(run.closed.solver.rank, rank);
  EXPECT_LE(run.closed.solver.rank, std::max(rank, at_most));
  const double energy = run.energy(), scale = 1 + model.mass() * 9.81 * 0.1;
  run.run(0.1, 5e-4);
  EXPECT_LT(run.largest_gap, 1e-8);  // as far as the digits of the file let them close
  EXPECT_LT(std::abs(run.energy() - energy), 1e-6 * scale);
  EXPECT_TRUE(run.acceleration(0, run.q, run.v).allFinite());
  EXPECT_LT(run.closed.solver.inconsistency, 1e-4);
}

// joints and points that close planar loops have rows that depend on others: of a point's three
// rows those in the plane count, of a revolute or prismatic joint's five two; the SDF is planar to
// its few digits only
TEST(ClosedCollection, Cassie) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  expect_moves(load((collection / "cassie.sdf").string()), "", 36, 26, 28);
  expect_moves(load((collection / "cassie.mjcf.xml").string()), "home", 12, 10);
}

TEST(ClosedCollection, TwoLegs) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  const std::string file = (collection / "digit_like_2legs.closed_loops.yaml").string();
  expect_moves(load(file), "", 36, 36);
  expect_moves(load(file, Base::floating), "", 36, 36);
}

// the mesh of the pads, which give the only mass that comes from a mesh, is not in the collection
TEST(ClosedCollection, TidybotWithABlockForItsPads) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  const fs::path folder = fs::temp_directory_path() / "limber_tidybot_meshes";
  fs::create_directories(folder);
  {
    std::ofstream stl(folder / "silicone_pad.stl");
    stl << "solid pad\n";
    const double s[4][3] = {{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 10}};  // a corner
    const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    for (const auto& face : faces) {
      stl << "facet normal 0 0 0\nouter loop\n";
      for (const int k : face)
        stl << "vertex " << s[k][0] << ' ' << s[k][1] << ' ' << s[k][2] << '\n';
      stl << "endloop\nendfacet\n";
    }
    stl << "endsolid pad\n";
  }
  const Spec spec =
      load_spec((collection / "tidybot.mjcf.xml").string(), {.mesh_folders = {folder.string()}});
  fs::remove_all(folder);
  const Model model = build(spec);
  expect_moves(model, "", 7, 5);
}

// By SDF's rules a joint is where its own <pose> says and not at the frame that it names as its
// parent, so that all axes of this file are one line, with warnings. As its drawing means it, the
// frames are where the joints are.
TEST(ClosedCollection, FourBarLoop) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  Spec spec = load_spec((collection / "four_bar_loop.sdf").string());
  EXPECT_EQ(spec.warnings.size(), 4u);
  expect_moves(build(spec), "", 5, 1);
  const auto at = [](double x, double y) {
    Transform<double> X;
    X.p = {x, y, 0};
    return X;
  };
  for (JointSpec& joint : spec.joints) {
    joint.child_placement = {};
    joint.placement = joint.name == "world_driver"     ? at(-2, 0)
                      : joint.name == "driver_coupler" ? at(0, 1)
                                                       : at(2, 0);
  }
  spec.gravity = {0, -9.81, 0};  // in the plane of the drawing
  spec.loops.at(0).placement_a = at(4.8, 0);
  spec.loops.at(0).placement_b = at(0, 2);
  expect_moves(build(spec), "", 5, 2);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
