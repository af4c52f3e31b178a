public import GarlandDiagnostics

/// A value together with its source range in the document, for diagnostics.
public struct Located<Value: Sendable>: Sendable {
  /// The value as it was decoded from the document.
  public let value: Value
  /// The source range of the value.
  public let range: SourceRange

  /// Creates a value with its source range.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - range: the source range of the value.
  public init(_ value: Value, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
