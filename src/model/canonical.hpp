#pragma once
// Canonical body frames: from joints in the user's frames to steps made of screws about x and z.
#include <vector>

#include <limber/model/model.hpp>

#include "model/structure.hpp"

namespace limber {

struct CanonicalFrames {
  std::vector<JointForm> form;                    ///< per body
  std::vector<StepConstants<double>> step;        ///< per body
  std::vector<Transform<double>> body_placement;  ///< user's body frame in the canonical frame
  std::vector<double> rest_angle;                 ///< screw steps: angle of the last screw at q = 0
};

/// True of joints to whose description a pitch belongs.
bool has_pitch(JointKind kind);

/// The axes that a joint's variables belong to, in the joint frame: z along the only axis; x and y
/// along two.
Mat3<double> joint_axes(const JointSpec& joint);

CanonicalFrames choose_canonical_frames(const Spec& spec, const Structure& structure);

}  // namespace limber
