import CInline
import Parameters

/// Memory of a plug-in in which writes outside of what it has allocated are found: each of its blocks lies right before a
/// page that traps, and so does a block that was freed. For checks, in a child: it takes much memory, and stays.
enum GuardedMemory {
  /// Guards what the plug-in's library allocates from here on, where the system can: with glibc.
  ///
  /// A write into the few bytes between a block and its page is found at the next mark of the child.
  static func install(for library: PluginLibrary) {
    guard let function = library.functions.pointee.insert else { return }
    if evl_guard_library(unsafeBitCast(function, to: UnsafeRawPointer.self)) > 0 {
      SignsOfLife.inspection = { evl_check_guarded_blocks() }
    }
  }
}
