public import GarlandDiagnostics

/// A value with its place in the document.
public struct Located<Value: Sendable>: Sendable {
  /// The value itself.
  public let value: Value
  /// The value's place in the source.
  public let range: SourceRange

  /// Creates a value with its place.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - range: the value's place in the source.
  public init(_ value: Value, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
