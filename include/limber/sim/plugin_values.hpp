#pragma once
// PluginValues: the settings of a plug-in by name, as a scenario or a program hands them over.
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>

namespace limber {

struct PluginValues {
  std::map<std::string, std::variant<double, std::string>> values;

  /// The number or text called `key`, or `fallback` where there is none. Throws Error if it is of
  /// the other kind. Call it in the constructor: a value that was not read when the plug-in is made
  /// is taken for a typing mistake.
  double number(const std::string& key, double fallback) const;
  std::string text(const std::string& key, const std::string& fallback) const;

  /// Throws Error with the nearest name for a value that was not read.
  void expect_all_asked_for() const;

 private:
  // shared by copies
  std::shared_ptr<std::set<std::string>> asked_ = std::make_shared<std::set<std::string>>();
};

}  // namespace limber
