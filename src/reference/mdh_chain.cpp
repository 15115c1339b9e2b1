// MDH chains as robots, and a chain for tests and study.
#include <cmath>

#include <limber/reference/mdh.hpp>

namespace limber::reference {

Spec to_spec(const MdhChain& chain) {
  Spec spec;
  spec.name = "mdh_chain";
  spec.gravity = chain.gravity;
  const Vec3<double> x{1, 0, 0}, z{0, 0, 1};
  std::string parent;
  for (std::size_t i = 0; i < chain.links.size(); ++i) {
    const MdhLink& link = chain.links[i];
    const std::string number = std::to_string(i + 1), child = "link" + number;
    spec.add_body(child, 0).inertia = link.inertia;
    const Transform<double> along_x{rotation(x, link.alpha), x * link.a};
    const Transform<double> along_z{rotation(z, link.theta), z * link.d};
    spec.add_joint("joint" + number, link.kind, parent, child, z, along_x * along_z);
    parent = child;
  }
  return spec;
}

MdhChain mdh_test_chain(int n, JointKind kind) {
  MdhChain chain;
  chain.gravity = {1.1, -2.3, -9.4};
  for (int i = 1; i <= n; ++i) {
    // numbers without pattern between −1 and 1
    auto number = [i](int k) { return std::sin(12.9898 * i + 78.233 * k); };
    MdhLink link;
    link.kind = kind;
    link.a = 0.3 + 0.1 * number(1);
    link.alpha = 0.8 + 0.5 * number(2);
    if (kind == JointKind::revolute) link.d = 0.2 + 0.1 * number(3);
    else link.theta = 0.7 + 0.5 * number(3);
    // three rods across a centre of mass off the axes: a possible body
    const double mass = 2 + number(4);
    const Vec3<double> com{0.2 + 0.1 * number(5), 0.1 * number(6), 0.15 + 0.1 * number(7)};
    Sym3<double> J = Sym3<double>::diagonal(0.01, 0.01, 0.01);
    for (int rod = 0; rod < 3; ++rod)
      J += square(Vec3<double>{0.1 * number(8 + rod), 0.1 * number(11 + rod),
                               0.1 * number(14 + rod)}) *
           mass;
    link.inertia = {mass, com * mass, J + square(com) * mass};
    chain.links.push_back(link);
  }
  return chain;
}

}  // namespace limber::reference
