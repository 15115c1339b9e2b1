#include "compile/fingerprint.hpp"

#include <string_view>
#include <type_traits>

#include <limber/compile/program.hpp>

#include "compile/sha256.hpp"

namespace limber {

namespace {

class Hash {
 public:
  void add(std::string_view text) {
    add(text.size());
    sum_.add(text.data(), text.size());
  }
  /// Numbers, enumerations, and structs of nothing but doubles.
  template <class T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T> || sizeof(T) % sizeof(double) == 0);
    sum_.add(&value, sizeof value);
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(values.size());
    for (const T& value : values) add(value);
  }
  template <class T>
  void add(const List<T>& values) {
    add(static_cast<const std::vector<T>&>(values));
  }
  void add(const std::string& text) { add(std::string_view(text)); }
  void add(const StepConstants<double>& s) {
    add(s.has_z0), add(s.has_y), add(s.x), add(s.slide), add(s.origin), add(s.direction);
    add(s.z0), add(s.y), add(s.placement);
  }
  void add(const Fold<double>& f) { add(f.index), add(f.ratio), add(f.offset); }
  void add(const DofSpec& d) {
    for (const double x : {d.damping, d.friction_positive, d.friction_negative, d.rotor_inertia,
                           d.gear_ratio, d.stiffness, d.spring_reference})
      add(x);
    add(d.rotor_mount), add(d.rotor_axis);
  }
  void add(const BasicFrame<double>& f) { add(f.name), add(f.body), add(f.placement); }
  void add(const FreeParameter& p) { add(p.kind), add(p.where); }

  std::string hexadecimal() const { return sum_.hexadecimal(); }

 private:
  Sha256 sum_;
};

/// All names and numbers of a model that enter its code; what follows from others is left out.
void add_model(const Model& m, Hash& hash) {
  hash.add(m.name), hash.add(m.body_name), hash.add(m.joint_name);
  hash.add(m.nq), hash.add(m.nv), hash.add(m.gravity);
  hash.add(m.parent), hash.add(m.kind), hash.add(m.form);
  hash.add(m.q_count), hash.add(m.v_count), hash.add(m.master);
  hash.add(m.step), hash.add(m.pitch), hash.add(m.rest_angle), hash.add(m.custom_index);
  hash.add(m.inertia), hash.add(m.body_placement);
  hash.add(m.is_rotor), hash.add(m.has_actuation), hash.add(m.actuation);
  hash.add(m.armature), hash.add(m.dof_armature), hash.add(m.column_dof), hash.add(m.dof);
  hash.add(m.q_fold), hash.add(m.v_fold), hash.add(m.dof_q), hash.add(m.frames);
}

/// What joints given as functions have become.
void add_program(const Program& program, Hash& hash) {
  auto add = [&](const Operand& x) {
    hash.add(x.value), hash.add(x.negative), hash.add(x.constant);
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
  hash.add(options.longest_function);
  add_model(model, hash);
  if (!model.custom.empty()) add_program(trace(model, function, options), hash);
  return hash.hexadecimal();
}

}  // namespace limber
