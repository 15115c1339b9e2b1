#pragma once
// The faces, edges or corners with which two solids face each other, and where they lie over each
// other: the contact points of an extended contact.
#include <limber/collision/contact_point.hpp>

#include "collision/nearest.hpp"

namespace limber {

/// The part of a solid's surface that faces a direction: a polygon, an edge (2 corners), or a
/// point.
struct ContactFace {
  static constexpr int capacity = 16;

  std::array<Vector, capacity> corners;
  std::array<std::uint16_t, capacity> ids;  ///< of the corners among those of the solid
  std::uint16_t id = 0;                     ///< of the face
  int count = 0;

  void add(const Vector& corner, int corner_id) {
    corners[static_cast<std::size_t>(count)] = corner;
    ids[static_cast<std::size_t>(count++)] = static_cast<std::uint16_t>(corner_id);
  }
};

/// The face that points most along d (unit, in the solid's frame) of those that hold the farthest
/// point along d; with its rounding. Faces that are steep against d are left out for edges.
void find_contact_face(const Solid& s, const Vector& d, ContactFace& out);

/// The contact points of a and b for the direction and depth of `at`, in the frame of a: at most
/// four, of those that are at most `margin` apart. False if `at` has no points and the faces are
/// nowhere that deep.
bool find_contact_points(const Solid& a, const Solid& b, const Pose& X, const Nearest& at,
                         double margin, Manifold& out);

/// The contact points of a with the plane through `origin` with the unit normal n.
void find_plane_contacts(const Solid& a, const Vector& n, const Vector& origin, double margin,
                         Manifold& out);

/// For a direction and depth found otherwise: sets the two points where the faces are that deep.
/// False if there is no such place.
bool deepest_of_faces(const Solid& a, const Solid& b, const Pose& X, Nearest& at);

}  // namespace limber
