#pragma once
// Contacts with meshes and height fields, triangle by triangle.
#include "collision/contact_faces.hpp"

namespace limber {

/// Of a convex shape or a mesh with a mesh or a height field, or of a mesh with a plane; b after a
/// in the order of Shape::Kind. X: pose of b in the frame of a. Results in the frame of a.
void find_surface_contacts(const Shape& a, const Shape& b, const Pose& X, double margin,
                           Manifold& out);
/// Their shortest way.
Nearest nearest_of_surfaces(const Shape& a, const Shape& b, const Pose& X);

}  // namespace limber
