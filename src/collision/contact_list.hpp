#pragma once
// Lists of contact points and what of them is kept.
#include <span>

#include <limber/collision/contact_point.hpp>

namespace limber {

/// Moves the points to keep to the front and returns their number, at most four: the deepest, the
/// one farthest from it, and the two that span the largest triangle with these to either side, all
/// seen along `normal`.
int keep_four(const Vec3<double>& normal, std::span<ContactPoint> points);

/// Adds a point; of points that are closer than `close` to each other and have practically the same
/// normal, only the deepest stays. A full list loses points that have practically the same normal
/// as four others, then the one that is least deep.
void add_apart(Manifold& list, const ContactPoint& point, double close);

/// Of each set of points with practically the same normal four at most.
void keep_four_of_each_normal(Manifold& list);

/// Changes the numbers of features that occur twice.
void give_unique_features(Manifold& list);

}  // namespace limber
