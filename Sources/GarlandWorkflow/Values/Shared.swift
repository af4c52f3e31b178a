/// A value behind one pointer: what most steps don't have costs them one word, and what they have from the defaults is kept once.
final class Shared<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  /// Nothing of nothing.
  convenience init?(_ value: Value?) {
    guard let value else { return nil }
    self.init(value)
  }
}
