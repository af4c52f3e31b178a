/// A value behind one pointer: a property that most steps don't have costs them one word, and a
/// value of the defaults is stored once.
final class Shared<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  /// Makes nil of nil.
  convenience init?(_ value: Value?) {
    guard let value else { return nil }
    self.init(value)
  }
}
