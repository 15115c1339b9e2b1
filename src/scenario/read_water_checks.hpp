#pragma once
// What readers of water and vehicles refuse alike: too many of a thing, numbers that no unit makes
// sense of, and degrees.
#include "scenario/read.hpp"

namespace limber {

/// The entries of a list. Throws Error for more than `most`.
std::vector<YamlNode> list_up_to(const YamlMap& map, const std::string& key, std::size_t most);

/// open(), for a mapping none of whose numbers, in lists and mappings within it too, is beyond
/// 1e12. Throws Error for others.
YamlMap open_sized(const YamlNode& node, const std::string& file, const std::string& element,
                   const std::string& section);
/// The same of a mapping that is open.
void refuse_huge(const YamlMap& map, const std::string& section);

/// An angle. Throws Error for one of more than `most`, which are degrees. [rad]
double read_angle(const YamlMap& map, const std::string& key, double fallback, double most);
/// The same of a value that is known already.
void refuse_degrees(const YamlMap& map, const std::string& key, double angle, double most);

}  // namespace limber
