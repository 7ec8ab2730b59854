#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// True if this is a release build, where there is time for more.
package let isOptimized: Bool = {
  #if DEBUG
    false
  #else
    true
  #endif
}()

/// True if the environment asks for tests that take hours: `EVICTIONLAB_THOROUGH=1`.
package let isThorough = getenv("EVICTIONLAB_THOROUGH") != nil
