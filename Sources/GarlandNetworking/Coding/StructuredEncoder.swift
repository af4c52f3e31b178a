/// Encodes values of `Encodable` types as trees, without converting them to text.
///
/// ```swift
/// struct Book: Encodable { var title: String; var price: Double }
/// try StructuredEncoder().encode(Book(title: "Dune", price: 9.5))   // ["title": "Dune", "price": 9.5]
/// ```
/// Properties keep the order in which the type writes them, usually the order of declaration; dictionaries have no order and are sorted.
/// Dates, data, URLs and decimal numbers keep their types. Properties that are nil are omitted unless ``keepsNils`` is true.
public struct StructuredEncoder: Sendable {
  /// The `userInfo` of the encoder that `encode(to:)` receives.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Whether properties that are nil become null; otherwise they are omitted. Defaults to false.
  public var keepsNils = false

  /// Creates an encoder.
  public init() {}

  /// Returns the value as a tree. Throws ``ParameterEncodingError``; an error of the value's own
  /// `encode(to:)` becomes ``ParameterEncodingError/failed(_:)``.
  public func encode(_ value: some Encodable) throws(ParameterEncodingError) -> StructuredValue {
    let node = EncodingNode()
    do {
      try NodeEncoder(node: node, codingPath: [], options: NodeEncoder.Options(userInfo: userInfo, keepsNils: keepsNils)).write(any: value)
      return node.value()
    } catch let error as ParameterEncodingError {
      throw error
    } catch {
      throw .failed(.init(error))
    }
  }
}
