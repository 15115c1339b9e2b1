#include <limber/model/equality.hpp>

#include <algorithm>
#include <cstring>

#include "model/fields.hpp"

namespace limber {

namespace {

struct Same {
  template <class X>
  bool operator()(const X& a, const X& b) const {
    if constexpr (HasFields<X>) {
      bool all = true;
      for_each_field<X>([&](const auto& field) {
        if (field.use != FieldUse::identity) all = all && (*this)(a.*field.member, b.*field.member);
      });
      return all;
    } else if constexpr (FieldList<X>) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), *this);
    } else if constexpr (std::is_trivially_copyable_v<X>) {
      // numbers, and structs of nothing but numbers: by their bits
      // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
      return std::memcmp(&a, &b, sizeof a) == 0;
    } else {
      return a == b;
    }
  }
  bool operator()(const ModelIdentity&, const ModelIdentity&) const { return true; }
};

}  // namespace

bool equal(const Model& a, const Model& b) { return Same()(a, b); }

}  // namespace limber
