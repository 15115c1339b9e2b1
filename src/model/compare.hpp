#pragma once
// Differences: what a comparison of two robots notes, part by part.
#include <map>
#include <span>
#include <string>
#include <vector>

#include <limber/model/compare.hpp>

namespace limber {

class Differences {
 public:
  Differences(double tolerance, RobotDifferences& result)
      : tolerance_(tolerance), result_(result) {}

  /// What follows is about this part.
  void about(std::string element) { element_ = std::move(element); }

  void text(const std::string& what, const std::string& a, const std::string& b);
  /// Numbers count as different by more than the tolerance times the largest of them, at least
  /// `least`.
  void numbers(const std::string& what, std::span<const double> a, std::span<const double> b,
               double least = 0);
  void number(const std::string& what, double a, double b, double least = 0);
  void vector(const std::string& what, const Vec3<double>& a, const Vec3<double>& b,
              double least = 0);
  void rotation(const std::string& what, const Mat3<double>& a, const Mat3<double>& b);
  void pose(const std::string& what, const Transform<double>& a, const Transform<double>& b);

  /// Notes the parts that one of the two lacks, and compares those that have the same name. `kind`:
  /// "body".
  template <class Item, class Compare>
  void match(const std::string& kind, const std::vector<Item>& a, const std::vector<Item>& b,
             const Compare& compare) {
    // several of one name, which loops may have, by their order
    std::map<std::string, std::vector<const Item*>> of_b;
    for (const Item& item : b) of_b[item.name].push_back(&item);
    std::map<std::string, std::size_t> matched;
    for (const Item& item : a) {
      about(kind + " '" + item.name + "'");
      const std::vector<const Item*>& others = of_b[item.name];
      const std::size_t k = matched[item.name]++;
      if (k < others.size()) compare(item, *others[k]);
      else text("is there", "yes", "no");
    }
    for (const Item& item : b) {
      std::size_t& count = matched[item.name];
      if (count > 0) {
        --count;
        continue;
      }
      about(kind + " '" + item.name + "'");
      text("is there", "no", "yes");
    }
  }

 private:
  double tolerance_;
  RobotDifferences& result_;
  std::string element_;
};

/// Loops, actuators, sensors, states, exclusions.
void compare_extras(const Spec& a, const Spec& b, Differences& found);

}  // namespace limber
