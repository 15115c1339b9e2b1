#include <limber/model/generate.hpp>

#include <numbers>

#include <limber/model/joint_space.hpp>

#include "model/entries.hpp"

namespace limber {

namespace {

// splitmix64: the same numbers on every machine, unlike the distributions of <random>
class Random {
 public:
  // a hashed start: the streams of neighbouring seeds would otherwise be one stream, shifted
  explicit Random(std::uint64_t seed) : state_(seed) { state_ = next(); }
  double uniform(double low, double high) {
    const double unit = static_cast<double>(next() >> 11) * 0x1.0p-53;
    return low + unit * (high - low);
  }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  Vec3<double> vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Vec3<double> direction() {
    for (;;) {
      const Vec3<double> v = vector(1);
      const double length = norm(v);
      if (0.1 < length && length < 1) return v / length;
    }
  }
  Quat<double> rotation() {
    for (;;) {
      const Quat<double> q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      const double n2 = squared_norm(q);
      if (0.01 < n2 && n2 < 1) return normalized(q);
    }
  }
  Transform<double> pose(double size) {
    const Mat3<double> R = to_matrix(rotation());
    return {R, vector(size)};
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

// a solid ellipsoid of random size, turned and moved: always a possible body
void add_random_body(Spec& spec, const std::string& name, Random& random) {
  const double mass = random.uniform(0.5, 3);
  const Vec3<double> s{random.uniform(0.05, 0.3), random.uniform(0.05, 0.3),
                       random.uniform(0.05, 0.3)};
  const auto J = Sym3<double>::diagonal(s.x * s.x, s.y * s.y, s.z * s.z) * (mass / 5);
  const Inertia<double> centred{mass, {}, J};
  spec.add_body(name, 0).inertia = random.pose(0.3) * centred;
}

DofSpec random_dof(Random& random, double rotor_chance) {
  DofSpec dof;
  if (random.chance(rotor_chance)) {
    dof.rotor_inertia = random.uniform(1e-5, 1e-4);
    dof.gear_ratio = random.uniform(10, 100);
  }
  return dof;
}

JointSpec& add_random_joint(Spec& spec, int number, JointKind kind, const std::string& parent,
                            const std::string& child, Random& random, double rotor_chance) {
  // drawn one after the other: the order in which arguments are evaluated is the compiler's choice
  const Transform<double> placement = random.pose(0.4);
  const Vec3<double> axis = random.direction();
  JointSpec& joint =
      spec.add_joint("joint" + std::to_string(number), kind, parent, child, axis, placement);
  const Vec3<double> across = cross(joint.axis, random.direction());
  joint.axis2 = across / norm(across);
  joint.pitch = random.uniform(-0.3, 0.3);
  joint.dofs = {random_dof(random, rotor_chance)};
  return joint;
}

// all that move and need no function
const std::vector<JointKind>& every_kind() {
  static const std::vector<JointKind> kinds = [] {
    std::vector<JointKind> found;
    for (const JointFacts& kind : joint_facts)
      if (!kind.velocities.empty()) found.push_back(kind.kind);
    return found;
  }();
  return kinds;
}

bool can_mimic(JointKind kind) { return velocity_count(kind) == 1; }

// some one-freedom joints follow others, earlier or later, also nested, but never in a circle: a
// joint follows only those that stand before it in a random order
void add_mimics(Spec& spec, Random& random, double chance) {
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < spec.joints.size(); ++j)
    if (can_mimic(spec.joints[j].kind)) order.push_back(j);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
  for (std::size_t i = 1; i < order.size(); ++i)
    if (random.chance(chance)) {
      const std::string& master =
          spec.joints[order[static_cast<std::size_t>(random.below(static_cast<int>(i)))]].name;
      spec.joints[order[i]].mimic = MimicSpec{master, random.uniform(-2, 2), random.uniform(-1, 1)};
    }
}

std::string body_name(int i) { return i == 0 ? "" : "body" + std::to_string(i); }

}  // namespace

Spec generate_chain(int n, JointKind kind, std::uint64_t seed) {
  RandomTreeOptions options;
  options.kinds = {kind};
  options.branching = 0;
  options.rotor = 0;
  Spec spec = generate_tree(n, seed, options);
  spec.name = "chain" + std::to_string(n);
  return spec;
}

Spec generate_tree(int n, std::uint64_t seed, const RandomTreeOptions& options) {
  if (n < 1)
    throw Error("generate_tree: " + std::to_string(n) + " bodies asked for, at least 1 needed");
  Random random(seed);
  Spec spec;
  spec.name = "tree" + std::to_string(n);
  for (int i = 1; i <= n; ++i) {
    const int before = i - 1;
    const int parent = before > 0 && random.chance(options.branching) ? random.below(i) : before;
    JointKind kind =
        every_kind()[static_cast<std::size_t>(random.below(static_cast<int>(every_kind().size())))];
    if (!options.kinds.empty())
      kind = options.kinds[static_cast<std::size_t>(
          random.below(static_cast<int>(options.kinds.size())))];
    const bool base = options.floating_base && i == 1;
    add_random_body(spec, body_name(i), random);
    JointSpec& joint = add_random_joint(spec, i, base ? JointKind::free : kind, body_name(parent),
                                        body_name(i), random, options.rotor);
    if (base) joint.placement = {}, joint.dofs.clear();
  }
  if (options.mimic > 0) add_mimics(spec, random, options.mimic);
  return spec;
}

RandomState generate_state(const Model& m, std::uint64_t seed) {
  Random random(seed);
  RandomState state;
  for_each_joint(m, [&](const JointPlace& joint) {
    // a joint that only slides, and the origin of a free one, move by 1 m
    const bool slides = mobility(joint.kind).slides > 0 && mobility(joint.kind).turns == 0;
    for (int k = 0; k < joint.q_count; ++k) {
      const bool origin = joint.origin >= 0 && joint.q + k < joint.quaternion;
      const double size = slides || origin ? 1 : std::numbers::pi;
      state.q.push_back(random.uniform(-size, size));
    }
    if (joint.quaternion >= 0) put(random.rotation(), std::span(state.q), joint.quaternion);
  });
  for (auto* rates : {&state.v, &state.a, &state.tau})
    for (int k = 0; k < m.nv; ++k) rates->push_back(random.uniform(-2, 2));
  return state;
}

}  // namespace limber
