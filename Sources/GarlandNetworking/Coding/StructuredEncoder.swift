/// Turns values of `Encodable` types into trees, without a detour over text.
///
/// ```swift
/// struct Book: Encodable { var title: String; var price: Double }
/// try StructuredEncoder().encode(Book(title: "Dune", price: 9.5))   // ["title": "Dune", "price": 9.5]
/// ```
/// Properties keep the order in which the type writes them, which is that of their declaration; dictionaries have none and are sorted. Dates, data,
/// URLs and decimal numbers are known: they come out as such. Properties that are nil are left out, unless ``keepsNils`` says otherwise.
public struct StructuredEncoder: Sendable {
  /// What the encoder hands to `encode(to:)` as its `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Whether properties that are nil are null; otherwise they are left out. Defaults to false.
  public var keepsNils = false

  /// An encoder.
  public init() {}

  /// The tree. Throws ``ParameterEncodingError``, or what the value's own `encode(to:)` throws as ``ParameterEncodingError/failed(_:)``.
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
