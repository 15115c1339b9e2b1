#pragma once
// Robot dynamics as a handbook chapter has it: a serial chain by axis vectors and
// centre-to-joint vectors, its equations of motion by the recursive matrices Λ, Γ, Ξ, Δ.
// [HB] §20.1, §20.2 and its appendix (Vukobratović and Potkonjak)
//
// Link j has a frame at its mass centre C_j. Vectors with a tilde in the chapter are in link axes.
// Joint S_j is revolute or linear. A revolute joint's coordinate is zero in the *extended*
// position, in which the projections of −r_{j−1,j} and r_jj on the plane across the axis are
// parallel; where one of them is along the axis (the chapter's "specificity") another vector r*
// takes its place.
#include <limber/model/spec.hpp>
#include <limber/reference/tree.hpp>

namespace limber::reference {

/// Link j and the joint S_j that carries it.
struct HandbookLink {
  enum class Joint { revolute, linear };  ///< indicator s_j = 0, 1. (20.6)
  Joint joint = Joint::revolute;
  Vec3<double> e;         ///< joint axis, unit, in frame j
  Vec3<double> e_before;  ///< the same in frame j − 1
  Vec3<double> r;         ///< r_jj: from S_j (its moved point, if linear) to C_j, in frame j [m]
  Vec3<double> r_before;  ///< r_{j−1,j}: from S_j (its zero point, if linear) to C_{j−1}, in frame
                          ///< j − 1; link 0 has its centre at the origin of the external frame [m]
  Vec3<double> r_star;         ///< in place of r for the extended position: r itself, or r*_jj
  Vec3<double> r_star_before;  ///< in place of r_before: r_before itself, or r*_{j−1,j}
  double alpha = 0;     ///< linear: the constant angle from the extended position [rad]. Fig. 20.20
  double mass = 0;      ///< [kg]
  Sym3<double> J;       ///< tensor of inertia about C_j, axes of frame j [kg m²]. (20.15)
  double armature = 0;  ///< reflected rotor inertia, on the diagonal of H [kg m² or kg]. §20.3
  double offset = 0;    ///< the chapter's coordinate at our q = 0 [rad or m]
};

/// A serial chain as the chapter describes it.
struct HandbookChain {
  std::string name;
  std::vector<HandbookLink> links;
  Vec3<double> gravity{0, 0, -9.81};  ///< in the external frame [m/s²]
};

/// The same robot by the chapter's vectors: link frames have the axes of the bodies' frames. Throws
/// Error unless the Spec is one serial chain of revolute and prismatic joints, without mimic.
HandbookChain handbook_chain(const Spec& spec);

/// τ = H q̈ + h, (20.59), and the recursive matrices of every link on the way to it.
template <class T>
struct HandbookModel {
  std::string name;  ///< of the robot
  Matrix<T> H;
  std::vector<T> h;

  struct Link {
    Mat3<T> A;                        ///< frame j to the external frame. (20.9), (20.111)
    std::vector<Vec3<T>> Lambda, Xi;  ///< columns λ_k, ξ_k, k ≤ j. (20.36), (20.38)
    Vec3<T> Gamma, Delta;             ///< γ, δ. (20.37), (20.39)
    Vec3<T> w;                        ///< angular velocity, external frame. (20.23)
    Vec3<T> e;                        ///< joint axis, external frame
    Vec3<T> joint;                    ///< S_j (its zero point, if linear), external frame
    Vec3<T> centre;                   ///< C_j, external frame. (20.25)
  };
  std::vector<Link> links;
};

/// q, v: one number per joint, in *our* coordinates (the offset is added inside).
/// (20.23)-(20.60), (20.100)-(20.111)
template <class T>
HandbookModel<T> handbook_model(const HandbookChain& chain, In<T> q, In<T> v);

/// τ for the accelerations a: what the chapter calls direct dynamics.
template <class T>
std::vector<T> inverse_dynamics(const HandbookModel<T>& model, In<T> a);
/// q̈ for the drives τ, (20.61), by LDLᵀ: what the chapter calls inverse dynamics.
template <class T>
std::vector<T> forward_dynamics(const HandbookModel<T>& model, In<T> tau);

/// What link j − 1 does to link j through joint S_j: force F_S and couple M_S, moment about S_j
/// (its zero point, if linear), external frame. Without the rotors. (20.44)-(20.48)
template <class T>
struct HandbookReaction {
  Vec3<T> force, couple;
};
template <class T>
std::vector<HandbookReaction<T>> joint_forces(const HandbookChain& chain,
                                              const HandbookModel<T>& model, In<T> a);

}  // namespace limber::reference
