#pragma once
// McMillan's algorithms for one serial chain with a fixed base, described by modified
// Denavit-Hartenberg parameters. [McM] app. A (planar transforms) and app. B (tables 25, 27, 29)
//
// Frame i sits at the inboard end of link i with z along joint i; frame 0 is fixed. Here
// accelerations are classical, as in the thesis, and gravity is an acceleration −g of the base.
#include <limber/model/spec.hpp>
#include <limber/reference/tree.hpp>

namespace limber::reference {

/// One row of the table and the link that it places.
struct MdhLink {
  JointKind kind = JointKind::revolute;  ///< revolute or prismatic
  double a = 0;                          ///< along x of the link before [m]
  double alpha = 0;                      ///< about x of the link before [rad]
  double d = 0;                          ///< along z; q is added to it if prismatic [m]
  double theta = 0;                      ///< about z; q is added to it if revolute [rad]
  Inertia<double> inertia;               ///< in frame i, about its origin
};

/// A serial chain as a table of modified Denavit-Hartenberg parameters.
struct MdhChain {
  std::vector<MdhLink> links;
  Vec3<double> gravity{0, 0, -9.81};  ///< in frame 0 [m/s²]
};

/// Joint forces for the acceleration a. [McM] table 25 by (B.1), (B.4)-(B.6), (B.8), (B.9),
/// (B.11)-(B.18). q, v, a: one number per link. `tip` is the force that the last link exerts on its
/// surroundings, in its own frame.
template <class T>
std::vector<T> mdh_inverse_dynamics(const MdhChain& chain, In<T> q, In<T> v, In<T> a,
                                    const Force<T>& tip = {});

/// The joint-space mass matrix, composite rigid bodies. [McM] table 27
template <class T>
Matrix<T> mdh_mass_matrix(const MdhChain& chain, In<T> q);

/// The acceleration that tau gives, articulated bodies. [McM] table 29
template <class T>
std::vector<T> mdh_forward_dynamics(const MdhChain& chain, In<T> q, In<T> v, In<T> tau,
                                    const Force<T>& tip = {});

/// The same robot for build(): bodies `link1`, …, joints `joint1`, …; body frames are the frames
/// of the table.
Spec to_spec(const MdhChain& chain);

/// n links with general parameters and inertias, joints all of one kind, the same on every
/// machine. θ (revolute) or d (prismatic) is zero at q = 0, so that the joint variable is the
/// table's own.
MdhChain mdh_test_chain(int n, JointKind kind = JointKind::revolute);

}  // namespace limber::reference
