#include "compile/fingerprint.hpp"

#include <string_view>
#include <type_traits>

#include <limber/compile/program.hpp>

#include "compile/sha256.hpp"
#include "model/fields.hpp"

namespace limber {

namespace {

class Hash {
 public:
  void add(std::string_view text) {
    add(text.size());
    sum_.add(text.data(), text.size());
  }
  /// What code depends on: numbers, enumerations, structs of nothing but doubles, lists of these,
  /// and what has a table of its fields.
  template <class T>
  void add(const T& value) {
    if constexpr (HasFields<T>) {
      for_each_field<T>([&](const auto& field) {
        if constexpr (!std::is_same_v<decltype(value.*field.member), const ModelIdentity&>)
          if (field.use == FieldUse::code) add(value.*field.member);
      });
    } else if constexpr (FieldList<T>) {
      add(value.size());
      for (const auto& entry : value) add(entry);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                    sizeof(T) % sizeof(double) == 0);
      sum_.add(&value, sizeof value);
    }
  }
  void add(const std::string& text) { add(std::string_view(text)); }
  void add(const FreeParameter& p) { add(p.kind), add(p.where); }
  void add(const ContactCandidate& c) { add(c.link), add(c.point), add(c.radius); }
  void add(const ContactField& f) {
    add(f.columns), add(f.rows), add(f.width), add(f.depth), add(f.pose);
  }
  void add(const StepContact& c) {
    add(c.candidates.size());
    for (const ContactCandidate& candidate : c.candidates) add(candidate);
    add(c.normal), add(c.height), add(c.friction), add(c.sweeps), add(c.correction);
    add(c.fastest_push), add(c.newton_steps), add(c.start);
    add(c.field.has_value());
    if (c.field) add(*c.field);
  }
  void add(const CylinderDrag& c) {
    add(c.start), add(c.end), add(c.radius), add(c.coefficient), add(c.end_coefficient);
    add(c.skin_coefficient);
  }
  void add(const SurfaceDrag& s) {
    add(s.patches.size());
    for (const SurfacePatch& patch : s.patches) add(patch.point), add(patch.area);
    add(s.coefficient), add(s.skin_coefficient), add(s.sphere.has_value());
    if (s.sphere) add(s.sphere->center), add(s.sphere->radius);
  }
  void add(const LiftingSurface& f) {
    add(f.center), add(f.chord), add(f.normal), add(f.area), add(f.slope);
    add(f.drag_coefficient), add(f.induced_drag), add(f.most_lift);
  }
  /// What submerged() takes of it.
  void add(const LinkHydrodynamics& link) {
    const Hydrodynamics& body = link.hydrodynamics;
    add(link.link), add(body.added_mass), add(body.displacement);
    add(body.linear_damping), add(body.quadratic_damping), add(body.damping_frame);
    add(body.cylinders.size());
    for (const CylinderDrag& cylinder : body.cylinders) add(cylinder);
    add(body.surfaces.size());
    for (const SurfaceDrag& surface : body.surfaces) add(surface);
    add(body.foils.size());
    for (const LiftingSurface& foil : body.foils) add(foil);
  }
  void add(const CompiledWater& water) {
    add(water.density), add(water.links.size());
    for (const LinkHydrodynamics& link : water.links) add(link);
  }

  std::string hexadecimal() const { return sum_.hexadecimal(); }

 private:
  Sha256 sum_;
};

/// What joints given as functions have become.
void add_program(const Program& program, Hash& hash) {
  auto add = [&](const Operand& x) {
    hash.add(x.value), hash.add(x.negative), hash.add(x.constant), hash.add(x.in_float);
  };
  for (const Instruction& i : program.code) {
    hash.add(i.op), hash.add(i.array), hash.add(i.element);
    add(i.a), add(i.b), add(i.c);
  }
  for (const Result& r : program.results) {
    hash.add(r.array), hash.add(r.element);
    add(r.value);
  }
}

}  // namespace

std::string fingerprint(const Model& model, RobotFunction function, const FunctionOptions& options,
                        const std::string& environment) {
  Hash hash;
  hash.add(std::string_view(source_fingerprint()));
  hash.add(environment);
  hash.add(function);
  hash.add(options.frames), hash.add(options.parameters);
  hash.add(options.passive), hash.add(options.method), hash.add(options.registers);
  hash.add(options.longest_function), hash.add(options.contact), hash.add(options.water);
  hash.add(model);
  if (!model.custom.empty()) add_program(trace(model, function, options), hash);
  return hash.hexadecimal();
}

}  // namespace limber
