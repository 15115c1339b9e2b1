#pragma once
// MJCF: the content of a body with its frames, replicated parts and attached models unfolded.
#include <optional>
#include <string>
#include <vector>

#include "io/mjcf.hpp"

namespace limber {

/// Where the content of a body stands: <frame> and <replicate> within it are gone through.
struct MjcfPlace {
  Transform<double> pose;  ///< of the present frame in the body's
  std::string childclass;
  std::string suffix;  ///< of names, by <replicate>
  MjcfScope* scope;
  int level = 0;  ///< of bodies and frames within one another
};

/// A body, joint, geom, site or inertial.
struct MjcfItem {
  XmlElement element;
  MjcfPlace place;
};

/// The class that `childclass` of an element gives to what is in it.
std::string mjcf_class_of(const XmlElement& element, const MjcfPlace& place);

class MjcfUnfolding {
 public:
  explicit MjcfUnfolding(MjcfReader& reader) : reader_(reader) {}

  /// The content of a body.
  void unfold(const XmlElement& element, const MjcfPlace& place, std::vector<MjcfItem>& items);
  /// All that is in the world of a model.
  void unfold_world(const MjcfPlace& place, std::vector<MjcfItem>& items);

 private:
  void attach(const XmlElement& element, const MjcfPlace& place, std::vector<MjcfItem>& items);
  std::optional<MjcfItem> find_body(const XmlElement& element, const MjcfPlace& place,
                                    const std::string& suffix);
  std::vector<std::string> copy_suffixes(const XmlElement& element);
  void replicate(const XmlElement& element, const MjcfPlace& place, std::vector<MjcfItem>& items);

  MjcfReader& reader_;
  std::size_t elements_ = 0;  // that were made
  std::size_t searched_ = 0;  // in search of bodies to attach
};

}  // namespace limber
