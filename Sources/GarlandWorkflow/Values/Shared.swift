/// A value in a separate object. Steps that inherit the value from `defaults:` share this object. An optional property of this type needs
/// only eight bytes in a step that does not have the value.
final class Shared<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  /// Creates a shared value. Returns nil if `value` is nil.
  convenience init?(_ value: Value?) {
    guard let value else { return nil }
    self.init(value)
  }
}
