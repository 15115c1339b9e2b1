// What touches in a scenario: ground, scenery, materials, and how contact is computed.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/sim/contacts.hpp>

#include "io/yaml_parts.hpp"
#include "model/nearest.hpp"
#include "scenario/height_field.hpp"
#include "scenario/read.hpp"

namespace limber {

std::vector<Section> contact_sections() {
  return {
      {"contact",
       "Without this key nothing touches. With it the collision shapes of all robots (docs/"
       "robot-files.md) touch each other, the ground and the scenery, but for neighbours on one "
       "joint and what files exclude; `limber info` lists what is left out. docs/contact.md says "
       "how it is computed. An empty mapping `contact: {}` is ground at height 0 with the defaults "
       "below.",
       {{"method", "one of stepping, compliant, event", "",
         "stepping; compliant where the integrator is another method than time_stepping",
         "stepping: hard contact, solved in every step of the integrator time_stepping; compliant: "
         "springs and dampers, for every other integrator; event: hard contact with exact "
         "switching between sticking, sliding and flight, for at most 16 contacts at once and "
         "every other integrator, dopri5 unless another is chosen"},
        {"ground", "number, mapping, or `none`", "m", "0", "its height; see *contact ground*"},
        {"scenery", "list of mappings", "", "none", "what stands around, see *contact scenery*"},
        {"friction", "number or mapping", "", "as in the robot files; 1 of the scenery",
         "of all shapes that give none themselves; see *contact material*"},
        {"restitution", "number", "", "0", "of all shapes that give none themselves"},
        {"materials", "list of mappings", "", "none",
         "of certain links or scenery, see *contact material*"},
        {"pairs", "list of mappings", "", "none",
         "what holds between two things instead of the combination of their materials, see "
         "*contact pairs*"},
        {"combine_friction", "one of geometric_mean, mean, smallest, largest, product", "",
         "geometric_mean", "the coefficient of a pair from those of its two surfaces"},
        {"combine_restitution", "one of geometric_mean, mean, smallest, largest, product", "",
         "largest", "likewise"},
        {"exclude", "list of lists of 2 texts", "", "none", "links that do not touch each other"},
        {"meshes_as", "one of convex_hull, surface", "", "convex_hull",
         "how meshes of robot files are touched"},
        {"compliance", "mapping", "", "see there", "of `compliant`, see *contact compliance*"},
        {"solver", "mapping", "", "see there", "of `stepping`, see *contact solver*"}},
       {}},
      {"contact ground",
       "A plane without end; solid below.",
       {{"height", "number", "m", "0", "of its origin"},
        {"rpy", "list of 3 numbers", "rad", "[0, 0, 0]", "its tilt"}},
       {"contact material"}},
      {"contact material",
       "Friction is one number, or a mapping. The friction of a pair at rest and in sliding are "
       "combined as `combine_friction` says, torsion and rolling are the larger ones.",
       {{"of", "text or list of texts", "", "needed in `materials`", "links or scenery"},
        {"friction", "number or mapping", "", "that of `contact`",
         "Coulomb's coefficient, or {static: 0.6, sliding: 0.5, torsional: 0.01, rolling: 0.001}: "
         "torsional and rolling friction are the moment over the normal force [m] and are 0 unless "
         "they are given here"},
        {"restitution", "number", "", "that of `contact`", "0 to 1"},
        {"softness", "number", "", "1",
         "how soft the surface is beside others, of a pair the mean: loads that the laws leave "
         "open "
         "(four legs of a table) are shared as between springs, see docs/contact.md"},
        {"belt", "list of 3 numbers", "m/s", "[0, 0, 0]",
         "how the surface moves by itself, in the axes of the shape: a conveyor"}},
       {}},
      {"contact friction",
       "",
       {{"static", "number", "", "", "at rest"},
        {"sliding", "number", "", "that at rest", "at most that at rest"},
        {"torsional", "number", "m", "0", "moment about the normal over the normal force"},
        {"rolling", "number", "m", "0", "moment about tangents over the normal force"}},
       {}},
      {"contact scenery",
       "Shapes that stand in the world, or on a link.",
       {{"name", "text", "", "", "in messages, columns and `pairs`"},
        {"kind", "one of box, sphere, cylinder, capsule, ellipsoid, plane, height_field", "", "",
         ""},
        {"size", "list of numbers", "m", "needed but of planes and height fields",
         "box: edges; sphere: radius; cylinder, capsule: radius, length along z; ellipsoid: "
         "semi-axes; height field: width along x, depth along y, and what the heights of a file "
         "are multiplied with"},
        {"xyz", "list of 3 numbers", "m", "[0, 0, 0]", "where it stands"},
        {"rpy", "list of 3 numbers", "rad", "[0, 0, 0]", "its roll, pitch and yaw"},
        {"frame", "text", "", "the world", "a frame of a robot that carries it"},
        {"heights", "list of lists of numbers", "m", "this, `file` or `random`",
         "of a height field: rows along y, numbers along x"},
        {"random", "mapping", "", "this, `heights` or `file`",
         "of a height field: {points: [60, 20], seed: 1}: so many points along x and y, each of a "
         "height between 0 and the third `size`, another ground for each seed"},
        {"file", "text", "", "this, `heights` or `random`",
         "of a height field, beside the scenario file: a table of numbers (.csv, .txt), or a grey "
         "image (.pgm) from black, 0, to white, 1"},
        {"color", "list of 4 numbers", "", "grey", "in the report"}},
       {"contact material"}},
      {"contact pairs",
       "",
       {{"a", "text", "", "", "a link or scenery"},
        {"b", "text", "", "", "the other one"},
        {"friction", "number or mapping", "", "the combined one", "see *contact material*"},
        {"restitution", "number", "", "the combined one", ""},
        {"softness", "number", "", "the combined one", ""}},
       {}},
      {"contact compliance",
       "The laws are those of docs/contact.md.",
       {{"law", "one of hunt_crossley, linear", "", "hunt_crossley", ""},
        {"stiffness", "number", "N/m^exponent", "1e6", ""},
        {"damping", "number", "N s/m", "0", "of `linear`"},
        {"exponent", "number", "", "1.5", "of `hunt_crossley`"},
        {"dissipation", "number", "s/m", "0.5", "of `hunt_crossley`"},
        {"friction", "one of sticking, regularised", "", "sticking",
         "sticking: a spring and damper before a slider; regularised: smooth, creeps"},
        {"tangential_stiffness", "number", "N/m", "1e5", "of `sticking`"},
        {"tangential_damping", "number", "N s/m", "200", "of `sticking`"},
        {"slip_speed", "number", "m/s", "1e-3",
         "of `regularised`: width of the step; and where sliding friction begins"}},
       {}},
      {"contact solver",
       "",
       {{"tolerance", "number", "m/s", "1e-9", "of the residual; what is above is reported"},
        {"sweeps", "number", "", "200", "at most, in one step"},
        {"shape", "one of cone, pyramid", "", "cone", "what friction bears; pyramid to compare"},
        {"slop", "number", "m", "1e-5", "depth that is not corrected"},
        {"correction", "number", "", "0.2", "share of a depth that one step takes away"},
        {"rest_speed", "number", "m/s", "1e-3", "slower approaches do not bounce"},
        {"stick_speed", "number", "m/s", "1e-4", "faster contacts have sliding friction"},
        {"impact", "one of newton, poisson, energetic", "", "newton",
         "the law of restitution of located impacts, docs/contact.md"},
        {"impact_order", "one of simultaneous, sequential", "", "simultaneous",
         "impacts of one instant all at once, or one after the other"},
        {"located_impacts", "number", "", "16",
         "in one step: impacts with restitution whose instant is located"},
        {"sleep_speed", "number", "m/s", "nothing sleeps",
         "loose bodies that touch each other and have all been slower for half a second are left "
         "alone until something that moves comes near"},
        {"most_contacts", "number", "", "64 + 12 for each shape that moves",
         "that can act at one instant"}},
       {}},
  };
}

namespace {

// shapes of two things
bool may_touch(const Contacts& contacts, int thing_a, int thing_b) {
  const int shapes = static_cast<int>(contacts.scene().shapes().size());
  for (int i = 0; i < shapes; ++i)
    for (int k = 0; k < shapes && contacts.thing_of(i) == thing_a; ++k)
      if (contacts.thing_of(k) == thing_b && contacts.scene().may_touch(i, k)) return true;
  return false;
}

struct ContactReader {
  Reading& reading;
  YamlMap map;
  ContactSettings settings{};
  std::vector<SceneryShape> scenery{};
  std::vector<std::optional<YamlMap>> scenery_maps{};  // where their materials stand
  std::optional<ContactMaterial> common_friction{};
  double common_restitution = 0;

  void read_friction(const YamlMap& from, ContactMaterial& out) const;
  void read_impact_and_load(const YamlMap& from, ContactMaterial& out) const;
  void read_material(const YamlMap& from, ContactMaterial& out, Vec3<double>& belt) const;
  void read_ground();
  void read_scenery(const YamlNode& node);
  void read_laws();
  CollisionScene make_scene() const;
  int find_thing(const Contacts& contacts, const YamlMap& from, const std::string& key,
                 const std::string& name) const;
  std::shared_ptr<const Contacts> make();
};

void ContactReader::read_friction(const YamlMap& from, ContactMaterial& out) const {
  if (!from.has("friction")) return;
  if (!from.node("friction").is_mapping()) {
    out.friction = out.sliding_friction = from.magnitude("friction", 1);
    return;
  }
  const YamlMap own = from.map("friction", keys_of("contact friction"));
  out.friction = own.number("static");
  if (!(out.friction >= 0))
    throw own.error("static", fmt::format("{} is negative; it must be zero or more", out.friction));
  out.sliding_friction = own.magnitude("sliding", out.friction);
  out.torsion = own.magnitude("torsional", 0);
  out.rolling = own.magnitude("rolling", 0);
  if (!(out.friction >= out.sliding_friction))
    throw own.error(own.has("sliding") ? "sliding" : "static",
                    fmt::format("friction in sliding, {}, must be between 0 and that at rest, {}",
                                out.sliding_friction, out.friction));
}

void ContactReader::read_impact_and_load(const YamlMap& from, ContactMaterial& out) const {
  out.restitution = from.magnitude("restitution", out.restitution);
  if (out.restitution > 1)
    throw from.error("restitution", fmt::format("{} found, 0 to 1 is possible", out.restitution));
  out.softness = from.number("softness", out.softness);
  if (!(out.softness >= 1e-6 && out.softness <= 1e6))
    throw from.error(
        "softness",
        fmt::format("{} found, 1e-6 to 1e6 is possible; other surfaces have 1", out.softness));
}

void ContactReader::read_material(const YamlMap& from, ContactMaterial& out,
                                  Vec3<double>& belt) const {
  read_friction(from, out);
  read_impact_and_load(from, out);
  belt = from.vec3("belt", belt);
}

void ContactReader::read_ground() {
  SceneryShape ground;
  ground.name = "ground";
  if (map.has("ground") && map.node("ground").is_mapping()) {
    const YamlMap own = map.map("ground", keys_of("contact ground"));
    ground.placement = read_pose(own);
    ground.placement.p = {0, 0, own.number("height", 0)};
    scenery.push_back(ground);
    scenery_maps.push_back(own);
    return;
  }
  if (map.has("ground")) {
    if (map.node("ground").is_word() && map.node("ground").text() == "none") return;
    ground.placement.p.z = map.number("ground");
  }
  scenery.push_back(ground);
  scenery_maps.emplace_back();
}

void ContactReader::read_scenery(const YamlNode& node) {
  const YamlMap own = open(node, reading.file, "scenery", "contact scenery");
  const std::vector<std::string> kinds = {"box",       "sphere", "cylinder",    "capsule",
                                          "ellipsoid", "plane",  "height_field"};
  const std::vector<std::size_t> counts = {3, 1, 2, 2, 3, 0, 3};
  const std::size_t kind = choice(own, "kind", kinds);
  SceneryShape one;
  one.name = own.text("name");
  for (const SceneryShape& other : scenery)
    if (other.name == one.name)
      throw own.error("name", fmt::format("there is scenery '{}' already", one.name));
  one.frame = own.text("frame", "");
  one.placement = read_pose(own);
  std::vector<double> size = own.numbers("size", {counts[kind]});
  if (size.empty() && counts[kind] > 0) throw own.error("size", "is missing; add `size: […]`");
  size.resize(3, 0);
  const auto check = [&](auto make) {
    try {
      return make();
    } catch (const Error& error) {
      const char* key = kind == 6 && own.has("file")      ? "file"
                        : kind == 6 && own.has("heights") ? "heights"
                        : own.has("size")                 ? "size"
                                                          : "kind";
      throw own.error(key, error.what());
    }
  };
  one.shape = check([&] {
    switch (kind) {
      case 0:
        return Shape::box({size[0], size[1], size[2]});
      case 1:
        return Shape::sphere(size[0]);
      case 2:
        return Shape::cylinder(size[0], size[1]);
      case 3:
        return Shape::capsule(size[0], size[1]);
      case 4:
        return Shape::ellipsoid({size[0], size[1], size[2]});
      case 5:
        return Shape::plane();
      default:
        return Shape::height_field(read_height_field(own, size, reading));
    }
  });
  constexpr std::array spec_kinds = {ShapeSpec::Kind::box,         ShapeSpec::Kind::sphere,
                                     ShapeSpec::Kind::cylinder,    ShapeSpec::Kind::capsule,
                                     ShapeSpec::Kind::ellipsoid,   ShapeSpec::Kind::plane,
                                     ShapeSpec::Kind::height_field};
  one.properties.kind = spec_kinds[kind];
  one.properties.size = {size[0], size[1], size[2]};
  if (own.has("color")) {
    const std::vector<double> color = own.numbers("color", {4});
    std::copy(color.begin(), color.end(), one.properties.color.begin());
  }
  scenery.push_back(one);
  scenery_maps.push_back(own);
}

void ContactReader::read_laws() {
  const std::vector<std::string> rules = {"geometric_mean", "mean", "smallest", "largest",
                                          "product"};
  settings.friction_rule =
      static_cast<Combine>(choice(map, "combine_friction", rules, "geometric_mean"));
  settings.restitution_rule =
      static_cast<Combine>(choice(map, "combine_restitution", rules, "largest"));
  if (map.has("compliance")) {
    const YamlMap own = map.map("compliance", keys_of("contact compliance"));
    NormalLaw& normal = settings.normal;
    normal.kind = choice(own, "law", {"hunt_crossley", "linear"}, "hunt_crossley")
                      ? NormalLaw::Kind::linear
                      : NormalLaw::Kind::hunt_crossley;
    normal.stiffness = own.number("stiffness", normal.stiffness);
    normal.damping = own.magnitude("damping", normal.damping);
    normal.exponent = own.number("exponent", normal.exponent);
    normal.dissipation = own.magnitude("dissipation", normal.dissipation);
    FrictionLaw& along = settings.tangential;
    along.kind = choice(own, "friction", {"sticking", "regularised"}, "sticking")
                     ? FrictionLaw::Kind::regularised
                     : FrictionLaw::Kind::sticking;
    along.stiffness = own.number("tangential_stiffness", along.stiffness);
    along.damping = own.number("tangential_damping", along.damping);
    along.slip_speed = settings.transition_speed = own.number("slip_speed", along.slip_speed);
  }
  if (!map.has("solver")) return;
  const YamlMap own = map.map("solver", keys_of("contact solver"));
  ConeSettings& cone = settings.solver;
  cone.tolerance = own.number("tolerance", cone.tolerance);
  cone.most_sweeps = whole_number(own, "sweeps", cone.most_sweeps);
  cone.shape = choice(own, "shape", {"cone", "pyramid"}, "cone") ? FrictionShape::pyramid
                                                                 : FrictionShape::cone;
  settings.slop = own.number("slop", settings.slop);
  settings.correction = own.number("correction", settings.correction);
  settings.rest_speed = own.number("rest_speed", settings.rest_speed);
  settings.sleep_speed = own.magnitude("sleep_speed", settings.sleep_speed);
  settings.stick_speed = own.number("stick_speed", settings.stick_speed);
  settings.impact_law = static_cast<RestitutionLaw>(
      choice(own, "impact", {"newton", "poisson", "energetic"}, "newton"));
  settings.impact_order = static_cast<ImpactOrder>(
      choice(own, "impact_order", {"simultaneous", "sequential"}, "simultaneous"));
  settings.located_impacts = whole_number(own, "located_impacts", settings.located_impacts);
  settings.most_contacts = whole_number(own, "most_contacts", settings.most_contacts);
}

CollisionScene ContactReader::make_scene() const {
  const Scenario& scenario = reading.scenario;
  CollisionSettings collision;
  collision.mesh_folders = scenario.mesh_folders;
  collision.meshes_as = choice(map, "meshes_as", {"convex_hull", "surface"}, "convex_hull")
                            ? CollisionSettings::MeshAs::surface
                            : CollisionSettings::MeshAs::convex_hull;
  for (const YamlNode& node : map.list("exclude")) {
    const YamlNode wrapped = YamlNode::mapping("exclude", node);
    const YamlMap pair(wrapped, map.file(), map.source().element, {"exclude"});
    const std::vector<std::string> links = words(pair, "exclude");
    if (links.size() != 2)
      throw map.error("exclude",
                      fmt::format("{} names found, a pair of links is needed", links.size()));
    collision.exclusions.push_back({links[0], links[1]});
  }
  return with_location(
      map, [&] { return CollisionScene(scenario.spec, scenario.model, scenery, collision); });
}

int ContactReader::find_thing(const Contacts& contacts, const YamlMap& from, const std::string& key,
                              const std::string& name) const {
  const std::vector<std::string>& things = contacts.things();
  const auto found = std::find(things.begin(), things.end(), name);
  if (found == things.end())
    throw from.error(key, fmt::format("nothing that can be touched is called '{}'{}", name,
                                      did_you_mean(name, things)));
  return static_cast<int>(found - things.begin());
}

std::shared_ptr<const Contacts> ContactReader::make() {
  CollisionScene scene = make_scene();
  settings.takes_pairs_of_file = true;
  if (map.has("friction")) {
    settings.takes_pairs_of_file = false;
    common_friction.emplace();
    read_friction(map, *common_friction);
  }
  common_restitution = map.magnitude("restitution", 0);
  if (common_restitution > 1)
    throw map.error("restitution", fmt::format("{} found, 0 to 1 is possible", common_restitution));
  settings.scenery = scenery;
  const std::span<const SceneShape> shapes = scene.shapes();
  settings.belts.assign(shapes.size(), {});
  for (const SceneShape& shape : shapes) {
    ContactMaterial own;
    own.friction = own.sliding_friction = shape.properties.friction.x;
    if (common_friction) own = *common_friction;
    own.restitution = common_restitution;
    settings.materials.push_back(own);
  }
  for (std::size_t k = 0; k < scenery.size(); ++k)
    for (std::size_t i = 0; i < shapes.size(); ++i)
      if (shapes[i].name == scenery[k].name && scenery_maps[k])
        read_material(*scenery_maps[k], settings.materials[i], settings.belts[i]);
  const auto with_names = [&] { return Contacts(scene, settings); };
  const Contacts draft = with_location(map, with_names);
  for (const YamlNode& node : map.list("materials")) {
    const YamlMap own = open(node, reading.file, "materials", "contact material");
    const std::vector<std::string> names = words(own, "of");
    if (names.empty()) throw Error(own.source(), "key 'of' is missing; add `of: LINK`");
    for (const std::string& name : names) {
      const int thing = find_thing(draft, own, "of", name);
      for (std::size_t i = 0; i < shapes.size(); ++i)
        if (draft.thing_of(static_cast<int>(i)) == thing)
          read_material(own, settings.materials[i], settings.belts[i]);
    }
  }
  const Contacts combined = with_location(map, with_names);
  for (const YamlNode& node : map.list("pairs")) {
    const YamlMap own = open(node, reading.file, "pairs", "contact pairs");
    const int a = find_thing(combined, own, "a", own.text("a")),
              b = find_thing(combined, own, "b", own.text("b"));
    int shape_a = 0, shape_b = 0;
    while (combined.thing_of(shape_a) != a) ++shape_a;
    while (combined.thing_of(shape_b) != b) ++shape_b;
    ContactMaterial material = combined.material(shape_a, shape_b);
    if (!may_touch(combined, a, b))
      throw own.error("b", fmt::format("'{}' and '{}' cannot touch each other",
                                       combined.things()[static_cast<std::size_t>(a)],
                                       combined.things()[static_cast<std::size_t>(b)]));
    read_friction(own, material);
    read_impact_and_load(own, material);
    settings.pairs[{std::min(a, b), std::max(a, b)}] = material;
  }
  if (std::all_of(settings.belts.begin(), settings.belts.end(),
                  [](const Vec3<double>& belt) { return norm(belt) == 0; }))
    settings.belts.clear();
  return with_location(
      map, [&] { return std::make_shared<const Contacts>(std::move(scene), settings); });
}

}  // namespace

ContactMethod contact_method(const YamlMap& root, const Scenario& scenario) {
  const bool steps = steps_over_contact(scenario.simulation.integrator.method);
  const YamlMap map = root.map("contact", keys_of("contact"));
  const std::size_t method =
      choice(map, "method", {"stepping", "compliant", "event"}, steps ? "stepping" : "compliant");
  if (method == 0 && !steps)
    throw map.error("method", fmt::format("stepping needs the integrator time_stepping, and {} is "
                                          "chosen; leave `integrator.method` out, or take "
                                          "`compliant`",
                                          scenario.simulation.integrator.method));
  if (method != 0 && steps)
    throw map.error("method",
                    fmt::format("{} contact needs another integrator than time_stepping; choose "
                                "one, e.g. `integrator: {{method: dopri5}}`",
                                method == 1 ? "compliant" : "event-driven"));
  return static_cast<ContactMethod>(method);
}

void read_contact(const YamlMap& root, Reading& reading) {
  if (!root.has("contact")) return;
  ContactReader reader{reading, root.map("contact", keys_of("contact"))};
  reader.settings.method = contact_method(root, reading.scenario);
  reader.read_ground();
  for (const YamlNode& node : reader.map.list("scenery")) reader.read_scenery(node);
  reader.read_laws();
  std::shared_ptr<const Contacts> contacts = reader.make();
  if (contacts->scene().pair_count() == 0)
    throw root.error("contact",
                     fmt::format("no two shapes can touch{}; give the links collision shapes",
                                 contacts->scene().left_out().empty()
                                     ? ""
                                     : ": " + contacts->scene().left_out().front()));
  for (const std::string& text : contacts->scene().left_out())
    reading.scenario.contact_left_out.push_back(text);
  reading.scenario.contacts = contacts;
  add_part(reading, reader.map, std::move(contacts));
}

std::vector<std::string> overlaps_at_start(const Scenario& scenario) {
  constexpr double noticeable = 1e-3;  // [m]
  constexpr std::size_t most_named = 6;
  std::vector<std::string> texts;
  if (!scenario.contacts || scenario.q.size() != static_cast<std::size_t>(scenario.model.nq))
    return texts;
  CollisionScene scene = scenario.contacts->scene();
  Workspace ws(scenario.model);
  std::map<std::pair<int, int>, double> deepest;
  for (const SceneContact& one : scene.find(forward_kinematics(scenario.model, scenario.q, ws)))
    if (one.at.depth > noticeable) {
      double& depth = deepest[{one.shape_a, one.shape_b}];
      depth = std::max(depth, one.at.depth);
    }
  for (const auto& [pair, depth] : deepest) {
    if (texts.size() == most_named) {
      texts.push_back(fmt::format("{} pairs overlap in all", deepest.size()));
      break;
    }
    const auto name = [&](int shape) -> const std::string& {
      return scene.shapes()[static_cast<std::size_t>(shape)].name;
    };
    texts.push_back(fmt::format("'{}' and '{}' overlap by {:.3g} m; they are pushed apart",
                                name(pair.first), name(pair.second), depth));
  }
  return texts;
}

}  // namespace limber
