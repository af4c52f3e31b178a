public import GarlandDiagnostics

/// A value with the place where the document says it.
public struct Located<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// Its place in the source.
  public let range: SourceRange

  /// - Parameters:
  ///   - value: the value.
  ///   - range: its place.
  public init(_ value: Value, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
