#include <limber/constraint/mechanism.hpp>

#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include <limber/model/joint_kind.hpp>

#include "model/checks.hpp"
#include "model/loops.hpp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

using Kind = LoopSpec::Kind;

/// A constant of the model as a plain number.
template <class T>
double plain_number(const T& x) {
  if constexpr (requires { x.is_constant(); }) return x.value();
  else if constexpr (requires { x.value; }) return static_cast<double>(x.value);
  else if constexpr (requires { x.x[0]; }) return static_cast<double>(x.x[0]);
  else return static_cast<double>(x);
}

/// Directions in frame a whose last is `axis`; the frame's own axes where they do.
Mat3<double> basis_along(const Vec3<double>& axis) {
  for (int k = 0; k < 3; ++k) {  // x, y or z: the next two axes of the frame are the others
    Vec3<double> unit, first, second;
    unit[k] = first[(k + 1) % 3] = second[(k + 2) % 3] = 1;
    if (norm(axis - unit) == 0) return Mat3<double>::from_columns(first, second, unit);
  }
  // across the axis and that axis of the frame which is furthest from it
  int far = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(axis[k]) < std::abs(axis[far])) far = k;
  Vec3<double> other;
  other[far] = 1;
  Vec3<double> first = cross(other, axis);
  first = first / norm(first);
  return Mat3<double>::from_columns(first, cross(axis, first), axis);
}

/// What a loop leaves free: turns and displacements, counted.
template <class T>
JointMobility freedom_of(const BasicLoop<T>& loop) {
  switch (loop.kind) {
    case Kind::weld:
      return {0, 0};
    case Kind::connect:
      return {3, 0};
    case Kind::slot:
      return {3, 1};
    case Kind::surface:
      return {3, 2};
    case Kind::joint:
      return mobility(loop.joint_kind);
    case Kind::distance:
    case Kind::coupling:
      return {3, 2};
    case Kind::rolling:
      return {3, 0};
  }
  return {};
}

}  // namespace

template <class T>
BasicMechanism<T>::BasicMechanism(const BasicModel<T>& model) : tree(model) {
  check_built("Mechanism", model);
  tree.loops.clear();
  for (const BasicLoop<T>& loop : model.loops) add(loop);
}

template <class T>
int BasicMechanism<T>::add(const BasicLoop<T>& loop) {
  if (!custom.empty())
    throw Error(
        fmt::format("loop '{}' must be added before the constraint '{}', whose rows come "
                    "after those of all loops",
                    loop.name, custom[0].name));
  const JointMobility free = freedom_of(loop);
  Closure closure;
  closure.turns = 3 - free.turns;
  closure.slides = 3 - free.slides;
  closure.rows = closure.turns + closure.slides;
  closure.first_row = rows;
  const bool has_axis = loop.kind == Kind::slot || loop.kind == Kind::surface ||
                        (loop.kind == Kind::joint && facts(loop.joint_kind).axes > 0);
  const Vec3<double> axis{plain_number(loop.axis.x), plain_number(loop.axis.y),
                          plain_number(loop.axis.z)};
  closure.basis = cast<T>(has_axis ? basis_along(axis) : Mat3<double>::identity());
  rows += closure.rows;
  loops.push_back(loop);
  closures.push_back(closure);
  return loops.count() - 1;
}

template <class T>
int BasicMechanism<T>::add(const LoopSpec& loop) {
  if constexpr (std::is_same_v<T, double>) return add(resolve_loop(loop, tree));
  else throw Error("a loop is added by its description in double precision only");
}

template <class T>
int BasicMechanism<T>::add(CustomConstraint constraint) {
  if constexpr (std::is_same_v<T, double>) {
    if (constraint.rows < 1 || !constraint.compute)
      throw Error(
          fmt::format("constraint '{}' needs a function and at least one row", constraint.name));
    custom_first_row.push_back(rows);
    rows += constraint.rows;
    custom.push_back(std::move(constraint));
    return custom.count() - 1;
  } else {
    throw Error("constraints of your own exist in double precision only");
  }
}

template <class T>
void BasicMechanism<T>::add(LoopMotion motion) {
  if (motion.loop < 0 || motion.loop >= loops.count() || !motion.compute)
    throw Error(fmt::format("there is no loop {} that could move, or no function that says how",
                            motion.loop));
  for (const LoopMotion& other : motions)
    if (other.loop == motion.loop)
      throw Error(fmt::format("loop '{}' has a motion already", loops[motion.loop].name));
  if (loops[motion.loop].kind == Kind::rolling || closures[motion.loop].slides == 0)
    throw Error(
        fmt::format("loop '{}' holds no displacement that could move", loops[motion.loop].name));
  motions.push_back(std::move(motion));
}

template <class T>
int BasicMechanism<T>::owner(int row) const {
  for (int k = 0; k < loops.count(); ++k)
    if (row < closures[k].first_row + closures[k].rows) return k;
  for (int k = 0; k < custom.count(); ++k)
    if (row < custom_first_row[k] + custom[k].rows) return loops.count() + k;
  throw Error(fmt::format("there is no row {} among the {} of robot '{}'", row, rows, tree.name));
}

template <class T>
std::string BasicMechanism<T>::owner_name(int k) const {
  return k < loops.count() ? fmt::format("loop '{}'", loops[k].name)
                           : fmt::format("constraint '{}'", custom[k - loops.count()].name);
}

template <class T>
std::string BasicMechanism<T>::row_name(int row) const {
  const int k = owner(row);
  if (k >= loops.count())
    return fmt::format("{}, row {}", owner_name(k), row - custom_first_row[k - loops.count()]);
  const Closure& closure = closures[k];
  const int place = row - closure.first_row;
  if (closure.rows == 1) return owner_name(k);
  constexpr const char* axes[] = {"x", "y", "z"};
  return place < closure.turns
             ? fmt::format("{}, moment {}", owner_name(k), axes[place])
             : fmt::format("{}, force {}", owner_name(k), axes[place - closure.turns]);
}

template <class T>
const char* BasicMechanism<T>::row_unit(int row) const {
  const int k = owner(row);
  if (k >= loops.count()) return "";
  if (loops[k].kind == Kind::coupling)
    return mobility(tree.kind[loops[k].joint]).slides > 0 ? "N" : "N m";
  return row - closures[k].first_row < closures[k].turns ? "N m" : "N";
}

template <class T>
bool BasicMechanism<T>::holds_position(int row) const {
  const int k = owner(row);
  return k >= loops.count() || loops[k].kind != Kind::rolling || row == closures[k].first_row + 2;
}

#define LIMBER_MECHANISM(T) template struct BasicMechanism<T>;
LIMBER_FOR_EACH_SCALAR(LIMBER_MECHANISM)

}  // namespace limber
