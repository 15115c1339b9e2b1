#pragma once
// The table behind box_added_mass().

namespace limber {

struct BoxEntry {
  double mass[3], inertia[3];
};

/// Of a box with edges 1 ≤ 2^(i/2) ≤ 2^(j/2), 0 ≤ i ≤ j ≤ 6, density 1.
const BoxEntry& box_entry_of(int i, int j);

}  // namespace limber
