/// Objects as C holds them: by a pointer of which it knows nothing.
enum Handle {
  /// Returns a pointer that keeps the object until it is freed.
  static func make(_ object: AnyObject) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  /// Returns the object behind a pointer; it stays while the caller has it, also when the pointer is freed meanwhile.
  static func object<Object: AnyObject>(_ handle: OpaquePointer, _ type: Object.Type) -> Object {
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }

  /// Returns the object behind an argument.
  static func object<Object: AnyObject>(
    _ handle: OpaquePointer?, _ type: Object.Type, named name: String
  ) throws(CallFailure) -> Object {
    object(try Argument.present(handle, name), type)
  }

  /// Gives up the pointer's hold on its object.
  static func free<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
    guard let handle else { return }
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
  }
}
