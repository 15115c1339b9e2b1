#pragma once
// Kernel: the innermost unit of a batch. It computes; layouts, threads and incomplete groups of
// states are handled outside of it.

namespace limber {

/// Computes `count` states; `count` is a multiple of the lanes that the kernel works with. Number j
/// of array k of state i is in[k][j * stride + i] and out[k][j * stride + i]. The arrays may have
/// any alignment and do not overlap. `context` is what the kernel was made for, with scratch of its
/// own for each thread. A kernel neither throws nor allocates.
template <class T>
using Kernel = void (*)(const void* context, long count, long stride, const T* const* in,
                        T* const* out);

}  // namespace limber
