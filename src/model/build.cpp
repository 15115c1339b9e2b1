// build: Spec → Model.
#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "index.hpp"
#include "model/actuation.hpp"
#include "model/canonical.hpp"
#include "model/column_groups.hpp"
#include "model/loops.hpp"
#include "model/memory.hpp"
#include "model/nearest.hpp"
#include "model/rotors.hpp"
#include "model/validate.hpp"

namespace limber {

namespace {

struct Builder {
  const Spec& spec;
  const Structure& structure;
  CanonicalFrames& canonical;  // becomes part of the model
  Model m;

  const JointSpec& joint(int body) const {
    return spec.joints[at_index(structure.bodies[at_index(body)].joint)];
  }
  const ResolvedMimic& mimic(int body) const {
    return structure.mimic[at_index(structure.bodies[at_index(body)].joint)];
  }
  int bodies() const { return static_cast<int>(structure.bodies.size()); }

  void add_bodies() {
    m.form = std::move(canonical.form);
    m.step = std::move(canonical.step);
    m.body_placement = std::move(canonical.body_placement);
    m.inertia.resize(at_index(bodies()));
    m.subtree_end.resize(at_index(bodies()));
    for (int i = 0; i < bodies(); ++i) {
      const bool world = i == 0;
      m.parent.push_back(structure.bodies[at_index(i)].parent);
      m.kind.push_back(world ? JointKind::fixed : joint(i).kind);
      m.pitch.push_back(world ? 0 : joint(i).pitch);
      m.joint_name.push_back(world ? "" : joint(i).name);
      m.body_name.push_back(world ? "world" : joint(i).child);
      m.custom_index.push_back(-1);
      if (!world && joint(i).kind == JointKind::custom) {
        m.custom_index.back() = static_cast<int>(m.custom.size());
        m.custom.push_back(joint(i).custom);
      }
    }
    std::vector<int> body_of_joint(spec.joints.size(), -1);
    for (int i = 1; i < bodies(); ++i)
      body_of_joint[at_index(structure.bodies[at_index(i)].joint)] = i;
    m.master.assign(at_index(bodies()), -1);
    m.is_rotor.assign(at_index(bodies()), 0);
    for (int i = 1; i < bodies(); ++i) m.is_rotor[i] = mimic(i).rotor ? 1 : 0;
    for (int i = 1; i < bodies(); ++i)
      if (mimic(i).master >= 0) m.master[i] = body_of_joint[at_index(mimic(i).master)];
    for (int i = bodies() - 1; i >= 0; --i) {
      m.subtree_end[i] = std::max(m.subtree_end[i], i + 1);
      int& above = m.subtree_end[m.parent[at_index(i)]];
      above = std::max(above, m.subtree_end[i]);
    }
    // a moving body may be called `world` too (a floating robot whose root link has that name)
    for (int i = 1; i < bodies(); ++i)
      if (m.body_name[i] == "world") {
        m.body_name[0] = "ground";
        m.warnings.push_back(
            "a moving body is named 'world'; the fixed world is called 'ground' instead");
      }
  }

  void add_links_and_frames() {
    std::set<std::string> names;
    std::map<std::string, int, std::less<>> frame_of_body;
    for (const PlacedLink& link : structure.links) {
      const BodySpec& body = spec.bodies[at_index(link.spec_body)];
      const Transform<double> placement = m.body_placement[link.body] * link.placement;
      m.inertia[link.body] += placement * body.inertia;
      if (m.is_rotor[link.body]) continue;
      frame_of_body[body.name] = static_cast<int>(m.frames.size());
      m.frames.push_back({body.name, link.body, placement});
      m.shapes.push_back(body.shapes);
      names.insert(body.name);
    }
    if (names.insert(m.body_name[0]).second) {
      m.frames.push_back({m.body_name[0], 0, {}});
      m.shapes.push_back(spec.world_shapes);
    } else {  // a link of this name, which stands where the world does
      std::vector<ShapeSpec>& shapes = m.shapes[m.frame(m.body_name[0])];
      shapes.insert(shapes.end(), spec.world_shapes.begin(), spec.world_shapes.end());
    }
    for (const FrameSpec& frame : spec.frames) {
      if (!names.insert(frame.name).second)
        throw Error(
            frame.source,
            fmt::format("a second frame or body named '{}'; names must differ", frame.name));
      BasicFrame<double> placed{frame.name, 0, frame.placement};
      if (!frame.body.empty()) {
        const auto carrier = frame_of_body.find(frame.body);
        if (carrier == frame_of_body.end())
          throw Error(frame.source, fmt::format("body '{}' does not exist{}", frame.body,
                                                did_you_mean(frame.body, m.body_name)));
        placed.body = m.frames[carrier->second].body;
        placed.placement = m.frames[carrier->second].placement * frame.placement;
      }
      m.frames.push_back(placed);
      m.shapes.emplace_back();
    }
    m.frames_by_name.resize(m.frames.size());
    std::iota(m.frames_by_name.begin(), m.frames_by_name.end(), 0);
    std::sort(m.frames_by_name.begin(), m.frames_by_name.end(),
              [&](int a, int b) { return m.frames[a].name < m.frames[b].name; });
  }

  void add_variables() {
    std::vector<int> user_q(spec.joints.size(), -1), user_v(spec.joints.size(), -1);
    m.q_index.assign(at_index(bodies()), 0);
    m.v_index = m.q_count = m.v_count = m.q_index;
    std::vector<int> last_column(at_index(bodies()), -1);
    for (int i = 1; i < bodies(); ++i) {
      const JointSpec& j = joint(i);
      const bool custom = j.kind == JointKind::custom;
      m.q_index[i] = m.tree_nq;
      m.v_index[i] = m.tree_nv;
      m.q_count[i] = custom ? j.custom.nq : position_count(j.kind);
      m.v_count[i] = custom ? j.custom.nv : velocity_count(j.kind);
      m.tree_nq += m.q_count[i];
      m.tree_nv += m.v_count[i];
      last_column[at_index(i)] = last_column[at_index(m.parent[i])];
      for (int k = 0; k < m.v_count[i]; ++k) {
        m.column_body.push_back(i);
        m.column_parent.push_back(last_column[at_index(i)]);
        last_column[at_index(i)] = m.v_index[i] + k;
        const DofSpec dof = j.dofs.empty()       ? DofSpec{}
                            : j.dofs.size() == 1 ? j.dofs[0]
                                                 : j.dofs[at_index(k)];
        m.armature.push_back(
            dof.rotor_mount.empty() ? dof.gear_ratio * dof.gear_ratio * dof.rotor_inertia : 0);
        m.column_dof.push_back(dof);
        m.column_q.push_back(m.q_count[i] == m.v_count[i] ? m.q_index[i] + k : -1);
        if (m.master[i] >= 0) continue;
        m.dof.push_back(dof);
        m.dof_q.push_back(m.q_count[i] == m.v_count[i] ? m.nq + k : -1);
      }
      if (m.master[i] >= 0) continue;
      user_q[at_index(structure.bodies[at_index(i)].joint)] = m.nq;
      user_v[at_index(structure.bodies[at_index(i)].joint)] = m.nv;
      m.nq += m.q_count[i];
      m.nv += m.v_count[i];
    }
    for (int i = 1; i < bodies(); ++i) {
      const ResolvedMimic& r = mimic(i);
      const int source = r.master >= 0 ? r.master : structure.bodies[at_index(i)].joint;
      for (int k = 0; k < m.q_count[i]; ++k)
        m.q_fold.push_back({user_q[at_index(source)] + k, r.rotor ? 0 : r.multiplier, r.offset});
      for (int k = 0; k < m.v_count[i]; ++k)
        m.v_fold.push_back({user_v[at_index(source)] + r.freedom + k, r.multiplier, 0});
    }
    m.dof_parent = m.has_mimic() ? elimination_tree() : m.column_parent;
  }

  void add_lists() {
    m.rest_angle = std::move(canonical.rest_angle);
    for (int i = 0; i < bodies(); ++i) {
      const int last = m.subtree_end[i] - 1;
      m.columns_end.push_back(m.v_index[last] + m.v_count[last]);
    }
    for (int i = 1; i < bodies(); ++i) {
      const JointForm form = m.form[i];
      if (form == JointForm::revolute || form == JointForm::screw) {
        m.turning.push_back(i);
        m.turning_q.push_back(m.q_index[i]);
      }
      if (form != JointForm::revolute) m.placed.push_back(i);
    }
  }

  // pairs of variables that tie together what moves together: for every column of the tree those
  // that carry it are all tied to each other, and neighbours in the order of their numbers suffice
  // to say so. Of variable j those after it are listed
  std::vector<std::vector<int>> later_neighbours() const {
    std::vector<std::vector<int>> later(at_index(m.nv));
    std::vector<int> path;       // columns from the root to the present one
    std::map<int, int> on_path;  // their variables, each with how often it is there
    for (int k = 0; k < m.tree_nv; ++k) {
      for (; !path.empty() && path.back() != m.column_parent[k]; path.pop_back()) {
        const auto gone = on_path.find(m.v_fold[path.back()].index);
        if (--gone->second == 0) on_path.erase(gone);
      }
      path.push_back(k);
      const int variable = m.v_fold[k].index;
      const auto [place, is_new] = on_path.emplace(variable, 0);
      ++place->second;
      if (!is_new) continue;
      if (const auto after = std::next(place); after != on_path.end())
        later[at_index(variable)].push_back(after->first);
      if (place != on_path.begin()) later[at_index(std::prev(place)->first)].push_back(variable);
    }
    return later;
  }

  // the tree along which Lᵀ D L fills in when mimic joints tie branches together: the parent of a
  // variable is its nearest earlier neighbour once all later variables are eliminated. From the
  // last variable to the first, each becomes the parent of the groups that it is tied to
  std::vector<int> elimination_tree() const {
    const std::vector<std::vector<int>> later = later_neighbours();
    std::vector<int> tree(at_index(m.nv), -1);
    std::vector<int> towards_root(at_index(m.nv));  // of the group so far; shortened on the way
    for (int j = m.nv - 1; j >= 0; --j) {
      towards_root[at_index(j)] = j;
      for (int i : later[at_index(j)]) {
        while (towards_root[at_index(i)] != i) {
          int& next = towards_root[at_index(i)];
          next = towards_root[at_index(next)];
          i = next;
        }
        if (i == j) continue;
        tree[at_index(i)] = j;
        towards_root[at_index(i)] = j;
      }
    }
    return tree;
  }

  // warns of bodies without mass, and finds variables that nothing resists: no body that they move
  // has inertia, and no rotor loads them
  void find_massless_bodies() {
    std::vector<char> massless(at_index(bodies()), 1);  // the whole subtree
    std::vector<char> resisted(at_index(m.nv), 0);
    const std::vector<double> reflected = m.reflected_inertias();
    std::vector<char> between_joints(at_index(bodies()), 0);
    for (const PlacedLink& link : structure.links)
      if (spec.bodies[at_index(link.spec_body)].is_between_joints)
        between_joints[at_index(link.body)] = 1;
    auto fold = [&](int body, int k) -> const Fold<double>& {
      return m.v_fold[m.v_index[at_index(body)] + k];
    };
    for (int i = bodies() - 1; i > 0; --i) {
      const Inertia<double>& I = m.inertia[i];
      if (I.m != 0 || trace(I.J) != 0) massless[at_index(i)] = 0;
      if (massless[at_index(i)]) {
        warn(i, "nothing that joint '" + m.joint_name[i] + "' moves has mass");
        continue;
      }
      massless[at_index(m.parent[i])] = 0;
      if (I.m == 0 && !m.is_rotor[i] && !between_joints[at_index(i)])
        warn(i, "moving body '" + m.body_name[i] + "' has no mass of its own");
      for (int k = 0; k < m.v_count[i]; ++k)
        if (fold(i, k).ratio != 0) resisted[at_index(fold(i, k).index)] = 1;
    }
    for (int i = 1; i < bodies() && m.singular_reason.empty(); ++i)
      for (int k = 0; k < m.v_count[i]; ++k) {
        const int dof = fold(i, k).index;
        if (m.master[i] >= 0 || resisted[at_index(dof)] || reflected[at_index(dof)] > 0) continue;
        m.singular_reason = fmt::format(
            "joint '{}' moves nothing that has mass or rotor inertia, so its acceleration is "
            "not determined; give body '{}' an inertia or fix the joint",
            m.joint_name[i], m.body_name[i]);
        break;
      }
  }

  // a carrier's data hold its rotors locked: what is left without them must be a body's
  void check_carriers() {
    for (int i = 1; i < bodies(); ++i) {
      const int carrier = m.parent[i];
      if (!m.is_rotor[i] || carrier == 0) continue;
      if (physical_defect(m.inertia[carrier]) == InertiaDefect::not_positive)
        warn(i, fmt::format("body '{}' has less rotational inertia than the rotors mounted on it; "
                            "its inertia must include them, locked",
                            m.body_name[carrier]));
    }
  }

  // each link is checked already; what is welded together may still be too much
  void check_sums() {
    for (int i = 1; i < bodies(); ++i)
      if (physical_defect(m.inertia[i]) == InertiaDefect::not_finite)
        throw Error(
            joint(i).source,
            fmt::format("the links welded to body '{}' have masses or inertias that are too "
                        "large to compute with when added; check their numbers",
                        m.body_name[i]));
  }

  // one link that outweighs all others: usually grams taken for kilograms
  void compare_masses() {
    constexpr double absurd = 1000;
    double total = 0;
    int heaviest = 1;
    for (int i = 1; i < bodies(); ++i) {
      total += m.inertia[i].m;
      if (m.inertia[i].m > m.inertia[heaviest].m) heaviest = i;
    }
    if (bodies() < 2) return;
    const double most = m.inertia[heaviest].m, others = total - most;
    if (others > 0 && most > absurd * others)
      warn(heaviest, fmt::format("body '{}' weighs {:.4g} kg, all other moving bodies together "
                                 "{:.4g} kg; check its mass and the units",
                                 m.body_name[heaviest], most, others));
  }

  void warn(int body, const std::string& text) {
    m.warnings.push_back(to_string(joint(body).source) + ": " + text);
  }
};

}  // namespace

ModelIdentity ModelIdentity::next() {
  static std::atomic<std::uint64_t> last{0};
  ModelIdentity identity;
  identity.number_ = ++last;
  return identity;
}

Model build(const Spec& description) {
  std::vector<std::string> warnings = description.warnings;
  validate(description, warnings);
  // rotors become bodies of a copy; most robots have none
  std::optional<Spec> with_rotors;
  std::vector<RotorJoint> rotors;
  if (has_mounted_rotors(description)) {
    with_rotors = description;
    rotors = mount_rotors(*with_rotors);
  }
  const Spec& spec = with_rotors ? *with_rotors : description;
  Structure structure = find_structure(spec);
  couple_rotors(spec, rotors, structure);
  CanonicalFrames canonical = choose_canonical_frames(spec, structure);
  Builder builder{spec, structure, canonical, {}};
  Model& m = builder.m;
  m.name = spec.name;
  m.identity = ModelIdentity::next();
  m.gravity = spec.gravity;
  m.warnings = warnings;
  m.warnings.insert(m.warnings.end(), structure.warnings.begin(), structure.warnings.end());
  builder.add_bodies();
  builder.add_links_and_frames();
  builder.add_variables();
  builder.add_lists();
  m.branching = branching(m, Rotors::are_bodies);
  m.together = find_column_groups(m);
  builder.find_massless_bodies();
  builder.check_carriers();
  builder.check_sums();
  builder.compare_masses();
  add_actuation(spec, structure, m);
  add_loops(spec, m);
  add_keyframes(spec, m);
  return m;
}

}  // namespace limber
