/// A value in a separate object. An optional property of this type takes only eight bytes in a step without the property, and steps that
/// inherit a value from `defaults:` share its object.
final class Shared<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  /// Creates a shared value. Returns nil if `value` is nil.
  convenience init?(_ value: Value?) {
    guard let value else { return nil }
    self.init(value)
  }
}
