// limber_closed_bench: forward dynamics of closed mechanisms against that of the same tree with its
// loops open, in one run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <limber/compile/compiled_robot.hpp>
#include <limber/constraint/articulated_loops.hpp>
#include <limber/constraint/closed_method.hpp>
#include <limber/limber.hpp>

#include "markers.hpp"
#include "timing.hpp"

namespace {

using namespace limber;
using limber::bench::thread_seconds;

struct Case {
  std::string title;
  Spec spec;
  std::vector<double> q;  // empty: neutral
  bool by_factor = true;  // the factor of the whole tree takes part
  bool in_lanes = false;  // compiled code does
};

/// A point of each foot is held where it is.
Case quadruped_on_its_feet() {
  Case c{"quadruped, four points held", load_spec("quadruped"), {}, true, true};
  const Model tree = build(c.spec);
  Workspace ws(tree);
  c.q = neutral_position(tree);
  for (std::size_t k = 7; k < c.q.size(); ++k) c.q[k] = 0.3 * std::sin(static_cast<double>(k));
  const Poses& bodies = forward_kinematics<double>(tree, c.q, ws);
  for (const BodySpec& body : std::vector<BodySpec>(c.spec.bodies)) {
    if (body.name.find("foot") == std::string::npos) continue;
    LoopSpec loop;
    loop.name = body.name;
    loop.body_b = body.name;
    loop.placement_a.p = frame_pose(tree, bodies, tree.frame(body.name)).p;
    c.spec.loops.push_back(loop);
  }
  return c;
}

/// A crank on `parent` and a rod that moves `child` as a parallelogram: joint axis u at
/// `placement`.
void add_four_bar(Spec& spec, const std::string& parent, const std::string& child,
                  const Transform<double>& placement, const Vec3<double>& u, int number) {
  const std::string crank = fmt::format("crank{}", number), rod = fmt::format("rod{}", number);
  Vec3<double> e = cross(u, std::abs(u.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0});
  e = e / norm(e);
  const Vec3<double> h = cross(u, e);
  for (const std::string& name : {crank, rod})
    spec.add_body(name, 0.1, {0.02, 0, 0}, {1e-4, 1e-4, 1e-4, 0, 0, 0});
  JointSpec& first = spec.add_joint("joint of " + crank, JointKind::revolute, parent, crank, u);
  first.placement = placement;
  first.placement.p += placement.R * (h * 0.2);
  spec.add_joint("joint of " + rod, JointKind::revolute, crank, rod, u).placement.p = e * 0.06;
  LoopSpec loop;
  loop.name = fmt::format("pin{}", number);
  loop.body_a = child;
  loop.body_b = rod;
  loop.placement_a.p = e * 0.05;
  loop.placement_b.p = h * -0.2 - e * 0.01;
  spec.loops.push_back(loop);
}

/// Four-bars that move ten of its joints.
Case humanoid_with_ten_loops() {
  Case c{"humanoid, ten four-bars", load_spec("humanoid"), {}, false, false};
  int count = 0;
  for (const JointSpec& joint : std::vector<JointSpec>(c.spec.joints)) {
    const bool wanted =
        joint.kind == JointKind::revolute && (joint.name.find("knee") != std::string::npos ||
                                              joint.name.find("elbow") != std::string::npos ||
                                              joint.name.find("ankle") != std::string::npos ||
                                              joint.name.find("hip") != std::string::npos);
    if (!wanted || count == 10) continue;
    add_four_bar(c.spec, joint.parent, joint.child, joint.placement, joint.axis / norm(joint.axis),
                 ++count);
  }
  return c;
}

/// A leg of three joints, each moved by a four-bar.
Case closed_leg() {
  Case c{"leg, three four-bars", {}, {}, true, true};
  c.spec.name = "leg";
  std::string parent;
  for (int i = 1; i <= 3; ++i) {
    const std::string link = fmt::format("link{}", i);
    const Vec3<double> axis = i == 1 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    c.spec.add_body(link, 1, {0, 0, -0.1}, {0.01, 0.01, 0.002, 0, 0, 0});
    Transform<double> placement;
    if (i > 1) placement.p = {0, 0, -0.3};
    c.spec.add_joint("joint" + std::to_string(i), JointKind::revolute, parent, link, axis)
        .placement = placement;
    add_four_bar(c.spec, parent, link, placement, axis, i);
    parent = link;
  }
  return c;
}

/// A chain in which every third body is moved by a four-bar.
Case chain_of_loops(int bodies) {
  Case c{fmt::format("chain of {} bodies, {} four-bars", bodies, bodies / 3), {}, {}, false, false};
  c.spec.name = "chain";
  std::string parent;
  for (int i = 0; i < bodies / 3; ++i) {
    const std::string link = fmt::format("link{}", i);
    c.spec.add_body(link, 1, {0.1, 0, 0}, {0.01, 0.01, 0.01, 0, 0, 0});
    Transform<double> placement;
    if (i > 0) placement.p = {0.3, 0, 0};
    c.spec.add_joint("joint of " + link, JointKind::revolute, parent, link, {0, 0, 1}).placement =
        placement;
    add_four_bar(c.spec, parent, link, placement, {0, 0, 1}, i);
    parent = link;
  }
  return c;
}

/// Two rails of links and rungs between them: the loops of all cells meet at the world.
Spec ladder(int cells) {
  Spec spec;
  spec.name = "ladder";
  std::string left, right;
  for (int i = 0; i < cells; ++i) {
    const std::string l = fmt::format("left{}", i), r = fmt::format("right{}", i),
                      rung = fmt::format("rung{}", i);
    for (const std::string& body : {l, r, rung})
      spec.add_body(body, 1, {0.25, 0, 0}, {0.02, 0.03, 0.03, 0, 0, 0});
    const auto add = [&](const std::string& parent, const std::string& child, Vec3<double> at) {
      spec.add_joint("joint of " + child, JointKind::revolute, parent, child, {0, 0, 1})
          .placement.p = at;
    };
    add(left, l, {i == 0 ? 0 : 0.5, 0, 0});
    add(right, r, {i == 0 ? 0 : 0.5, i == 0 ? 0.4 : 0, 0});
    add(l, rung, {0.5, 0, 0});
    LoopSpec end;
    end.name = "end of " + rung;
    end.kind = LoopSpec::Kind::slot;
    end.body_a = r, end.placement_a.p = {0.5, 0, 0};
    end.body_b = rung, end.placement_b.p = {0, 0.4, 0};
    spec.loops.push_back(end);
    left = l, right = r;
  }
  return spec;
}

/// The fastest of many rounds [ns per call]; calls take turns.
std::vector<double> fastest(const std::vector<std::function<void()>>& calls, int rounds,
                            int repeats) {
  std::vector<double> best(calls.size(), 1e300);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < calls.size(); ++k) {
      const double start = thread_seconds();
      for (int i = 0; i < repeats; ++i) calls[k]();
      best[k] = std::min(best[k], (thread_seconds() - start) / repeats * 1e9);
    }
  return best;
}

std::string row_of(const Case& c, int rounds) {
  const Model model = build(c.spec);
  const Mechanism mechanism(model);
  const Model& tree = mechanism.tree;
  Workspace ws(tree);
  ClosedDynamics closed(mechanism);
  ArticulatedLoops loops(mechanism);
  const auto nv = static_cast<std::size_t>(tree.nv);
  std::vector<double> q = c.q.empty() ? neutral_position(tree) : c.q, v(nv), tau(nv, 0.5), a(nv);
  for (std::size_t k = 0; k < nv; ++k) v[k] = 0.1 * std::sin(static_cast<double>(k + 1));
  if (c.by_factor) {
    const auto allowed = closed_velocity<double>(mechanism, 0, q, v, closed);
    std::copy(allowed.begin(), allowed.end(), v.begin());
  } else {
    std::fill(v.begin(), v.end(), 0.0);
  }
  std::vector<std::function<void()>> calls{
      [&] { forward_dynamics<double>(tree, q, v, tau, ws); },
      [&] {
        if (!closed_articulated_bodies<double>(mechanism, 0, q, v, tau, closed.wanted, ws, loops,
                                               a))
          throw Error("the loops of " + c.title + " need more care");
      }};
  if (c.by_factor)
    calls.emplace_back([&] { closed_forward_dynamics<double>(mechanism, 0, q, v, tau, closed); });
  constexpr long states = 512;
  std::vector<std::vector<double>> arrays;
  std::optional<CompiledRobot> code;
  std::vector<const double*> in;
  std::vector<double*> out;
  if (c.in_lanes) {
    CompileOptions options;
    options.functions = {RobotFunction::forward_dynamics};
    code = compile(model, options);
    const FunctionShape& shape = code->shape(RobotFunction::forward_dynamics);
    const std::vector<double>* values[] = {&q, &v, &tau};
    for (std::size_t k = 0; k < shape.inputs.size() + shape.outputs.size(); ++k) {
      const bool is_input = k < shape.inputs.size();
      const int size =
          is_input ? shape.inputs[k].size : shape.outputs[k - shape.inputs.size()].size;
      std::vector<double>& array = arrays.emplace_back(static_cast<std::size_t>(size * states));
      for (std::size_t i = 0; is_input && i < array.size(); ++i)
        array[i] = (*values[k])[i / static_cast<std::size_t>(states)];
    }
    for (std::size_t k = 0; k < arrays.size(); ++k)
      if (k < shape.inputs.size()) in.push_back(arrays[k].data());
      else out.push_back(arrays[k].data());
    const auto kernel = code->kernel<double>(RobotFunction::forward_dynamics);
    calls.emplace_back([&, kernel] { kernel(states, states, in.data(), out.data()); });
  }
  const int repeats = std::max(1, 4000 / tree.nv);
  std::vector<double> ns = fastest(calls, rounds, c.in_lanes ? 40 : repeats);
  const auto ratio = [&](std::size_t k) { return fmt::format("{:.2f}", ns[k] / ns[0]); };
  const std::size_t lanes = c.by_factor ? 3 : 2;
  return fmt::format(
      "| {} | {} | {} | {:.0f} | {} | {} | {} |\n", c.title, tree.nv, mechanism.rows, ns[0],
      ratio(1), c.by_factor ? ratio(2) : "–",
      c.in_lanes ? fmt::format("{:.1f}", ns[1] / (ns[lanes] / static_cast<double>(states))) : "–");
}

/// Microseconds per cell by cross-inertias and by the other methods.
std::string ladder_row(int cells, int rounds) {
  const Model model = build(ladder(cells));
  const Mechanism mechanism(model);
  const Model& tree = mechanism.tree;
  Workspace ws(tree);
  CrossInertia cross(mechanism);
  const auto nv = static_cast<std::size_t>(tree.nv);
  const std::vector<double> q(nv), v(nv), tau(nv, 0.5),
      wanted(static_cast<std::size_t>(mechanism.rows));
  std::vector<double> a(nv);
  const auto by_cross = [&] {
    if (!cross_inertia_dynamics(mechanism, 0, q, v, tau, wanted, ws, cross, a, few_null_forces))
      throw Error("the loops of the ladder need more care");
  };
  const int repeats = std::max(1, 1000 / cells);
  const std::vector<double> own =
      fastest({[&] { forward_dynamics<double>(tree, q, v, tau, ws); }, by_cross}, rounds, repeats);
  std::string others = "– | –";
  if (cells <= 100) {  // beyond, the others take seconds
    ClosedDynamics closed(mechanism);
    const auto by = [&](ClosedMethod method) {
      return [&, method] {
        closed_forward_dynamics(mechanism, 0, q, v, tau, {method, {}}, closed);
      };
    };
    const int few = cells > 30 ? 3 : rounds;
    const double rows = fastest({by(ClosedMethod::rows)}, few, 1)[0];
    double articulated = 0;
    try {
      articulated = fastest({by(ClosedMethod::articulated)}, few, 1)[0];
    } catch (const Error&) {  // rows nearly depend on each other
    }
    others = fmt::format("{} | {:.2f}",
                         articulated > 0 ? fmt::format("{:.2f}", articulated / cells / 1e3) : "–",
                         rows / cells / 1e3);
  }
  return fmt::format("| {} | {} | {} | {:.2f} | {:.2f} | {} |\n", cells, tree.nv, mechanism.rows,
                     own[0] / cells / 1e3, own[1] / cells / 1e3, others);
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 40;
  std::string write;
  CLI::App app(
      "Times forward dynamics of closed mechanisms beside that of their trees.\n"
      "Example: limber_closed_bench --rounds 100");
  app.add_option("--rounds", rounds, "rounds; the fastest counts")->check(CLI::PositiveNumber);
  app.add_option("--write", write, "also write the table between the markers of this file");
  CLI11_PARSE(app, argc, argv);
  try {
    std::vector<Case> cases{quadruped_on_its_feet(), humanoid_with_ten_loops(), closed_leg()};
    for (const int bodies : {10, 30, 100, 300, 1000}) cases.push_back(chain_of_loops(bodies));
    std::string text =
        "| mechanism | freedoms of the tree | rows | forward dynamics of the tree ns | articulated "
        "bodies with loops / tree | factor of the tree / tree | compiled lanes: times faster |\n"
        "|---|---:|---:|---:|---:|---:|---:|\n";
    for (const Case& c : cases) text += row_of(c, rounds);
    std::string ladders =
        "| cells of the ladder | freedoms of the tree | rows | forward dynamics of the tree µs per "
        "cell | cross-inertias | articulated bodies with loops | rows |\n"
        "|---:|---:|---:|---:|---:|---:|---:|\n";
    for (const int cells : {3, 10, 30, 100, 300, 1000}) ladders += ladder_row(cells, rounds);
    std::fputs((text + "\n" + ladders).c_str(), stdout);
    if (!write.empty()) {
      limber::bench::write_between_markers(write, "closed", text);
      limber::bench::write_between_markers(write, "ladders", ladders);
    }
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "limber_closed_bench: {}\n", e.what());
    return 1;
  }
}
