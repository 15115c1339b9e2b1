// limber_contact_bench: a step with contact beside MuJoCo's, same robots, same step, in one run.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/io/load.hpp>
#include <limber/io/write.hpp>
#include <limber/scenario/scenario.hpp>
#include <limber/sim/contacts.hpp>
#include <limber/sim/simulation.hpp>

#include "aquarobot.hpp"
#include "contact_lanes.hpp"
#include "markers.hpp"
#include "timing.hpp"
#ifdef LIMBER_BENCH_MUJOCO
#include "mujoco_scene.hpp"
#endif

namespace {

using namespace limber;
using limber::bench::thread_seconds;

constexpr double step = 1e-3;  // [s]

/// The same scene for both.
struct Case {
  std::string title;
  Scenario scenario;
  std::string mjcf;
  std::vector<double> mujoco_q;  // where it begins there; empty: as the text says
  double settling = 1;           // before it is timed [s]
};

std::string floor_of_mujoco(double friction) {
  return fmt::format("<geom type=\"plane\" size=\"0 0 1\" friction=\"{} 0 0\"/>\n", friction);
}

/// A robot that its own springs hold up stands on the spheres of its feet.
Case standing_quadruped(const std::filesystem::path& folder) {
  Spec spec = load_spec("quadruped");
  const double bend[3] = {0, 0.6, -1.2};
  int count = 0;
  std::string joints;
  for (JointSpec& joint : spec.joints) {
    if (joint.kind != JointKind::revolute) continue;
    DofSpec& dof = joint.dofs.at(0);
    dof.stiffness = 100, dof.damping = 2, dof.friction_positive = dof.friction_negative = 0;
    dof.spring_reference = bend[count++ % 3];
    joints += fmt::format("{}{}: {}", joints.empty() ? "" : ", ", joint.name, dof.spring_reference);
  }
  const std::string file = (folder / "quadruped.yaml").string();
  std::ofstream(file) << write_robot(spec, RobotFormat::yaml).text;
  const std::string text = fmt::format(
      "robots:\n  - model: quadruped.yaml\n    xyz: [0, 0, 0.39]\n    initial: {{position: "
      "{{{}}}}}\n"
      "gravity: [0, 0, -9.81]\nduration: 1000\n"
      "contact: {{ground: 0, friction: 0.8}}\nintegrator: {{step: {}}}\n",
      joints, step);
  Case c{"quadruped on four feet", parse_scenario(text, (folder / "s.yaml").string()), {}, {}, 1};
  std::string mjcf = write_robot(spec, RobotFormat::mjcf).text;
  mjcf = std::regex_replace(mjcf, std::regex(" actuatorfrcrange=\"[^\"]*\""), "");  // of newer ones
  const std::size_t at = mjcf.find("<worldbody>") + 11;
  mjcf.insert(at, "\n" + floor_of_mujoco(0.8));
  mjcf.insert(
      mjcf.find("<worldbody>"),
      fmt::format("<option timestep=\"{}\"/>\n<default><geom friction=\"0.8 0 0\"/></default>\n",
                  step));
  c.mjcf = mjcf;
  c.mujoco_q.assign(c.scenario.q.begin(), c.scenario.q.end());
  std::rotate(c.mujoco_q.begin() + 3, c.mujoco_q.begin() + 6, c.mujoco_q.begin() + 7);  // w first
  return c;
}

Case heap_of_boxes() {
  const std::string text = fmt::format(
      "duration: 1000\ngravity: [0, 0, -9.81]\nseed: 3\nrobots:\n"
      "  - name: box\n    body: {{kind: box, size: [0.1, 0.1, 0.1], mass: 1}}\n"
      "    xyz: [0, 0, 0.06]\n"
      "    copies: {{count: [5, 5, 4], spacing: [0.13, 0.13, 0.12], jitter: 0.012}}\n"
      "contact: {{ground: 0, friction: 0.6}}\nintegrator: {{step: {}}}\n",
      step);
  Case c{"100 boxes in a heap", parse_scenario(text, "heap.yaml"), {}, {}, 2};
  c.mjcf = fmt::format(
      "<mujoco><option timestep=\"{}\"/><default><geom friction=\"0.6 0 0\"/>"
      "</default><size nconmax=\"2000\" njmax=\"8000\"/><worldbody>\n{}",
      step, floor_of_mujoco(0.6));
  for (std::size_t k = 0; k + 6 < c.scenario.q.size(); k += 7)
    c.mjcf += fmt::format(
        "<body pos=\"{} {} {}\"><freejoint/><geom type=\"box\" size=\"0.05 0.05 "
        "0.05\" mass=\"1\"/></body>\n",
        c.scenario.q[k], c.scenario.q[k + 1], c.scenario.q[k + 2]);
  c.mjcf += "</worldbody></mujoco>\n";
  return c;
}

constexpr int steps_of_round = 20;

/// Contacts and time of a step in another simulator.
struct OtherStep {
  std::string contacts = "–";
  double seconds = 0;  // 0: it is not there

  std::string ratio(double own) const {
    return seconds > 0 ? fmt::format("{:.2f}", own / seconds) : "–";
  }
};

/// MuJoCo's npm package, which is WebAssembly, in a node of its own; none where it is not
/// installed.
OtherStep npm_step(const Case& c, const std::filesystem::path& folder, int rounds) {
  const std::filesystem::path source = LIMBER_SOURCE_DIR,
                              package = source / "build/peers/node_modules/@mujoco/mujoco";
  if (!std::filesystem::exists(package)) return {};
  const std::filesystem::path scene = folder / "scene.xml";
  // what was room for contacts and rows is memory there
  std::ofstream(scene) << std::regex_replace(c.mjcf, std::regex("<size [^>]*/>"),
                                             "<size memory=\"256M\"/>");
  const std::string command =
      fmt::format("node '{}' '{}' '{}' '{}' {} {} {}", (source / "bench/mujoco_step.mjs").string(),
                  package.string(), scene.string(), fmt::join(c.mujoco_q, ","),
                  static_cast<int>(c.settling / step), rounds, steps_of_round);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  int contacts = 0;
  OtherStep found;
  if (!pipe || std::fscanf(pipe.get(), "%d %lf", &contacts, &found.seconds) != 2) return {};
  found.contacts = std::to_string(contacts);
  return found;
}

/// A row, and the time of Limber's step [s].
struct Row {
  std::string text;
  double seconds;
};
Row row_of(const Case& c, const std::filesystem::path& folder, int rounds) {
  Simulation simulation(c.scenario.make_system(), c.scenario.simulation, c.scenario.q,
                        c.scenario.v);
  simulation.advance(c.settling);
  const int steps = steps_of_round;
  double own = 1e9;
  OtherStep debian;
#ifdef LIMBER_BENCH_MUJOCO
  std::string refusal;
  const auto scene = limber::bench::make_mujoco_scene(c.mjcf, refusal);
  if (!scene) throw Error("MuJoCo: " + refusal);
  if (!c.mujoco_q.empty())
    std::copy(c.mujoco_q.begin(), c.mujoco_q.end(), scene->positions().begin());
  for (double t = 0; t < c.settling; t += step) scene->step();
#endif
  for (int r = 0; r < rounds; ++r) {
    double begin = thread_seconds();
    for (int i = 0; i < steps; ++i) simulation.step();
    own = std::min(own, (thread_seconds() - begin) / steps);
#ifdef LIMBER_BENCH_MUJOCO
    begin = thread_seconds();
    for (int i = 0; i < steps; ++i) scene->step();
    const double other = (thread_seconds() - begin) / steps;
    debian.seconds = debian.seconds > 0 ? std::min(debian.seconds, other) : other;
    debian.contacts = std::to_string(scene->contacts());
#endif
  }
  const OtherStep npm = npm_step(c, folder, rounds);
  int contacts = 0;
  {
    Workspace ws(c.scenario.model);
    CollisionScene shapes = c.scenario.contacts->scene();
    const auto q = simulation.x().first(static_cast<std::size_t>(c.scenario.model.nq));
    for (const SceneContact& contact :
         shapes.find(forward_kinematics<double>(c.scenario.model, q, ws), 1e-4))
      contacts += contact.at.depth > -1e-4 ? 1 : 0;
  }
  if (simulation.status() != RunStatus::running) throw Error(simulation.message());
  return {fmt::format("| {} | {} | {} | {:.1f} | {} | {} | {} | {} |\n", c.title,
                      c.scenario.model.nv, contacts, 1e6 * own, debian.contacts, debian.ratio(own),
                      npm.contacts, npm.ratio(own)),
          own};
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 100;
  std::string write;
  CLI::App app(
      "Times a step with contact beside MuJoCo's.\nExample: limber_contact_bench --rounds 100");
  app.add_option("--rounds", rounds, "rounds; the fastest counts")->check(CLI::PositiveNumber);
  app.add_option("--write", write, "also write the table between the markers of this file");
  CLI11_PARSE(app, argc, argv);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("limber-contact-{}", ::getpid());
  try {
    std::filesystem::create_directory(folder);
    std::string text =
        "| scene | freedoms | contacts | step µs | contacts in Debian's MuJoCo | step / its | "
        "contacts in npm's MuJoCo (WebAssembly) | step / its |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|\n";
    const Row quadruped = row_of(standing_quadruped(folder), folder, rounds);
    text += quadruped.text + row_of(heap_of_boxes(), folder, rounds).text;
    const std::string lanes = limber::bench::contact_lanes_table(quadruped.seconds, rounds);
    const std::string aquarobot = limber::bench::aquarobot_table(rounds);
    fmt::print("{}\n{}\n{}", text, lanes, aquarobot);
    if (!write.empty()) {
      limber::bench::write_between_markers(write, "contact", text);
      limber::bench::write_between_markers(write, "contact lanes", lanes);
      limber::bench::write_between_markers(write, "aquarobot", aquarobot);
    }
    std::filesystem::remove_all(folder);
    return 0;
  } catch (const std::exception& e) {
    std::filesystem::remove_all(folder);
    fmt::print(stderr, "limber_contact_bench: {}\n", e.what());
    return 1;
  }
}
