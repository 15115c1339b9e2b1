#pragma once
// List: a std::vector that is indexed by int, as bodies, columns and freedoms are counted, without
// casts. Everything else is std::vector's.
#include <concepts>
#include <utility>
#include <vector>

namespace limber {

template <class T, class Allocator = std::allocator<T>>
class List : public std::vector<T, Allocator> {
 public:
  using Vector = std::vector<T, Allocator>;
  using Vector::Vector;
  List(Vector v) : Vector(std::move(v)) {}  // NOLINT(google-explicit-constructor)

  int count() const { return static_cast<int>(this->size()); }  ///< number of entries
  [[gnu::always_inline]] T& operator[](std::integral auto i) {
    return Vector::operator[](static_cast<typename Vector::size_type>(i));
  }
  [[gnu::always_inline]] const T& operator[](std::integral auto i) const {
    return Vector::operator[](static_cast<typename Vector::size_type>(i));
  }
};

}  // namespace limber
