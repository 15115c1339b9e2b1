#pragma once
// The tree of a Spec after its structure has been checked: which body hangs from which, depth
// first, fixed joints merged, mimic joints resolved.
#include <string>
#include <vector>

#include <limber/model/spec.hpp>

namespace limber {

/// A link of the Spec and the moving body that it is part of.
struct PlacedLink {
  int spec_body = -1;  ///< index into spec.bodies
  int body = 0;        ///< moving body; 0: welded to the world
  Transform<double>
      placement;  ///< pose of the link's frame in the moving body's own (user's) frame
};

/// A moving body: the link that its joint carries.
struct MovingBody {
  int joint = -1;                     ///< index into spec.joints; −1 for the world
  int parent = 0;                     ///< moving body
  Transform<double> joint_placement;  ///< pose of the joint frame in the parent's user frame
};

/// q = multiplier · q(master) + offset, after chains of mimics are followed to their end.
struct ResolvedMimic {
  int master = -1;  ///< index into spec.joints; −1: not a mimic joint
  double multiplier = 1, offset = 0;
  int freedom = 0;     ///< which of the master's freedoms is followed
  bool rotor = false;  ///< a motor's rotor: only its rate matters, its angle stays 0
};

struct Structure {
  std::vector<MovingBody> bodies;    ///< depth first; entry 0 is the world
  std::vector<PlacedLink> links;     ///< depth first
  std::vector<ResolvedMimic> mimic;  ///< per joint of the Spec
  std::vector<std::string> warnings;
};

/// Checks names, tree shape and mimics; throws Error.
Structure find_structure(const Spec& spec);

}  // namespace limber
