#pragma once
// What the machine can do at best, measured: the yardstick of what is computed with it.

namespace limber::bench {

/// Fused multiply-adds per second of one core, in vectors of eight doubles.
double peak_fused_vector();
/// The same in single doubles.
double peak_fused_scalar();

/// Bytes per second, read and written, that `threads` threads copy in memory far beyond the caches.
double copy_bandwidth(int threads);

/// Seconds since some moment, by the clock on the wall.
double wall_seconds();

}  // namespace limber::bench
