/// A value that is stored behind a pointer. A property that most steps don't have then takes only eight bytes in each step, and steps that
/// inherit the same value from `defaults:` share it.
final class Shared<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  /// Creates a shared value. Returns nil if `value` is nil.
  convenience init?(_ value: Value?) {
    guard let value else { return nil }
    self.init(value)
  }
}
