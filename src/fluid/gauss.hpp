#pragma once
// Four points of Gauss and Legendre on 0 to 1. [McM] (6.29)
namespace limber {

inline constexpr double gauss_node[4] = {0.06943184420297371, 0.33000947820757187,
                                         0.66999052179242813, 0.93056815579702629};
inline constexpr double gauss_weight[4] = {0.17392742256872693, 0.32607257743127307,
                                           0.32607257743127307, 0.17392742256872693};

}  // namespace limber
