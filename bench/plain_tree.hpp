#pragma once
// PlainTree: a robot as every library can take it: moving bodies only, one joint each, the body's
// frame being the joint's moving frame. It is made from the Spec and not from the canonical frames
// of the Model, so that the peers check those too; only the places in q and v come from the Model.
#include <optional>
#include <string>
#include <vector>

#include <limber/model/model.hpp>

namespace limber::bench {

struct PlainBody {
  std::string name;  ///< of the Spec's body
  JointKind kind = JointKind::revolute;
  int parent = -1;  ///< index into PlainTree::bodies; −1: the world
  Transform<double>
      placement;             ///< pose of the joint frame (and of the body at q = 0) in the parent
  Vec3<double> axis, axis2;  ///< unit vectors in the joint frame
  double pitch = 0;          ///< helical [m/rad]
  double mass = 0;           ///< [kg]
  Vec3<double> com;          ///< in the body's frame [m]
  Sym3<double> inertia;      ///< rotational, about the centre of mass, body axes [kg m²]
  std::vector<double> armature;  ///< reflected rotor inertia per degree of freedom [kg m² or kg]
  int q = 0, nq = 0, v = 0, nv = 0;  ///< where the joint's variables are in Limber's q and v
};

struct PlainTree {
  std::string name;
  Vec3<double> gravity;  ///< world axes [m/s²]
  int nq = 0, nv = 0;
  std::vector<PlainBody> bodies;  ///< depth first, parents before children
  Transform<double> tip;          ///< pose of the last body's own frame in its PlainBody's frame
  double welded_potential = 0;    ///< potential energy of what is welded to the world [J]
  bool has_mimic = false;

  /// True if the bodies form one chain from the world.
  bool is_chain() const;
};

/// The moving bodies of a robot, with everything that is fixed to them merged in.
PlainTree plain_tree(const Spec& spec, const Model& model);

/// The same robot without rotor inertia, for peers that do not know it.
Spec without_rotors(Spec spec);
/// The robot with its rotors on the diagonal of the mass matrix only.
Spec without_mounts(Spec spec);
/// The robot with a rotor behind a gear for every joint of one freedom, on the body before it.
Spec with_mounted_rotors(Spec spec);

/// The first body without mass or with a zero moment of inertia; empty: there is none.
std::string massless_body(const PlainTree& tree);

/// The first joint kind of the tree that is not in `known`, or none.
std::optional<JointKind> first_unknown_kind(const PlainTree& tree,
                                            const std::vector<JointKind>& known);

}  // namespace limber::bench
