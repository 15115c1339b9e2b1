#pragma once
// The joint-space mass matrix by the methods of Walker and Orin, in absolute coordinates.
// [RDA] §5.2, §5.3. Rotor inertia is on the diagonal; results are n × n in the user's variables.
#include <limber/reference/tree.hpp>

namespace limber::reference {

/// H u by velocity- and gravity-free inverse dynamics, IDA2. [RDA] (5.5)
template <class T>
std::vector<T> inertia_times(const Tree<T>& tree, In<T> u);

/// Method 1: column i is H δ_i, n calls of inertia_times(). O(n²)
template <class T>
Matrix<T> walker_orin_1(const Tree<T>& tree);

/// Method 2: the same, but only the lower triangle: for a unit acceleration of joint i nothing
/// moves but what it carries, and only the forces of those joints are computed. O(n²)
template <class T>
Matrix<T> walker_orin_2(const Tree<T>& tree);

/// Method 3: composite rigid bodies. [RDA] (5.7)-(5.10), on a tree (7.9), several columns (7.18)
template <class T>
Matrix<T> walker_orin_3(const Tree<T>& tree);

}  // namespace limber::reference
