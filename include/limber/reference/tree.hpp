#pragma once
// Tree: a robot at one state, written out in absolute coordinates: what the textbooks' formulations
// start from. Every spatial quantity is about the world's origin and in the world's axes, so that
// nothing has to be transformed any more. [RDA] §4.3, §4.4, ch. 7
//
// The formulations of this room are slow, plain and independent of limber/dynamics: oracles for
// tests and material for study. They allocate and return values. All are compiled for double and
// Counted.
#include <string>
#include <vector>

#include <limber/dynamics/inverse_dynamics.hpp>  // In, Loads
#include <limber/model/model.hpp>
#include <limber/reference/dense.hpp>

namespace limber::reference {

/// How weight enters. [RDA] §4.4
enum class Gravity {
  acceleration,  ///< the world accelerates with −g: cheaper, the book's choice
  force          ///< a force on every body: plainer, and all accelerations are the true ones
};

/// One body with the joint that carries it, at one state.
template <class T>
struct TreeBody {
  std::string joint;  ///< name of the joint that carries it
  JointKind kind = JointKind::fixed;
  int parent = 0;
  int first = 0, count = 0;  ///< columns first … first + count − 1 of its joint
  Transform<T> X;            ///< ₀Xᵢ: pose of the body's inner frame in the world
  Inertia<T> I;              ///< about the world's origin, world axes
  Force<T> w;                ///< external force on the body, its weight included if so chosen
  Motion<T> bias;            ///< S° v, the joint's own part of Ṡ v (S seen in the moving body)
};

/// Body 0 is the world. Mimic joints are unfolded: a tree variable is `ratio` times a variable of
/// the user's, see BasicModel::v_fold.
template <class T>
struct Tree {
  std::string name;
  int nv = 0;  ///< number of the user's velocity variables
  std::vector<TreeBody<T>> bodies;
  std::vector<Motion<T>> S;     ///< columns
  std::vector<T> v;             ///< velocity variables of the tree
  std::vector<T> armature;      ///< reflected rotor inertia of each column [kg m² or kg]
  std::vector<Fold<T>> fold;    ///< from the user's velocity variables to the tree's
  Motion<T> base_velocity;      ///< of the world
  Motion<T> base_acceleration;  ///< of the world, spatial, with −g if so chosen
};

/// The tree of `model` at (q, v) under `loads`; q (nq), v (nv). Throws Error for wrong sizes.
template <class T>
Tree<T> tree_at(const BasicModel<T>& model, In<T> q, In<T> v, const Loads<T>& loads = {},
                Gravity gravity = Gravity::acceleration);

/// For each body the coefficients D_jk = D_kj of S° v = Σ Σ D_jk v_j v_k of its joint, in the axes
/// of the body's inner frame; j and k count the joint's own columns.
template <class T>
std::vector<Matrix<Motion<T>>> bias_coefficients(const BasicModel<T>& model, In<T> q);

/// The tree's velocity variables (or accelerations) that the user's mean. Throws Error, naming the
/// argument, for a wrong size and for what is no number.
template <class T>
std::vector<T> unfold(const Tree<T>& tree, In<T> rates, const char* argument);
/// Forces of the tree's variables as those of the user's: Gᵀ x, with rates = G · user's rates.
template <class T>
std::vector<T> fold(const Tree<T>& tree, const std::vector<T>& forces);
/// A symmetric matrix of the tree's variables as one of the user's: Gᵀ A G.
template <class T>
Matrix<T> fold(const Tree<T>& tree, const Matrix<T>& A);

}  // namespace limber::reference
