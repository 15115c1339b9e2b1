#pragma once
// Names that differ from each other.
#include <map>
#include <set>
#include <string>

#include <limber/model/spec.hpp>

namespace limber {

/// Names that are taken, and new ones that are not. Takes time in proportion to the number of
/// names, also where all are wanted alike.
class FreshNames {
 public:
  FreshNames() = default;
  /// Those of bodies, joints and frames are taken.
  explicit FreshNames(const Spec& spec);

  /// Takes the name; false if it is taken already.
  bool take(const std::string& name) { return taken_.insert(name).second; }
  bool contains(const std::string& name) const { return taken_.contains(name); }
  /// `wanted`, or this with a number, whichever no one has; it is taken from then on.
  std::string operator()(const std::string& wanted);
  void clear();

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> last_;  // number that was given, by the name that was wanted
};

}  // namespace limber
