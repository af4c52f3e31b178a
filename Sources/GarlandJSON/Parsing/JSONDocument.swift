/// The value of a parsed document, and a list of the duplicate names in its objects. The value
/// contains only one member for each name.
///
/// ```swift
/// let document = try JSONDocument(parsing: body)
/// for duplicate in document.duplicateKeys { print("\(duplicate.key) again in line \(duplicate.line)") }
/// ```
public struct JSONDocument: Sendable {
  /// A name that is repeated in the same object.
  public struct DuplicateKey: Sendable, Hashable {
    /// The member name that occurs more than once in one object.
    public let key: String
    /// The byte offset from the start of the document at which the name occurs again.
    public let offset: Int
    /// The line in which the name occurs again in the same object, counted from 1.
    public let line: Int
    /// The column of the repeated name, counted from 1 in Unicode scalars.
    public let column: Int
  }

  /// The value of the document.
  public let value: JSONValue
  /// The first 16 member names that occur more than once in an object, in the order in which the objects end.
  public let duplicateKeys: [DuplicateKey]

  /// Parses a complete document.
  public init(parsing bytes: UnsafeRawBufferPointer, options: JSONParsingOptions = JSONParsingOptions()) throws(JSONParsingError) {
    self = try JSONScanner.withScanner(over: bytes) { scanner in
      Result { () throws(JSONParsingError) in try JSONDocument(scanner: scanner, options: options) }
    }
  }

  private init(scanner: JSONScanner, options: JSONParsingOptions) throws(JSONParsingError) {
    var builder = JSONTreeBuilder(scanner: scanner, options: options)
    var position = try scanner.startOfValue()
    value = try builder.value(&position, depth: 0)
    try scanner.requireEnd(&position)
    duplicateKeys = builder.duplicates.map { duplicate in
      let place = scanner.failure(.duplicateKey, at: duplicate.offset, "")
      return DuplicateKey(key: duplicate.key, offset: place.offset, line: place.line, column: place.column)
    }
  }

  /// Parses a complete document.
  public init(parsing bytes: [UInt8], options: JSONParsingOptions = JSONParsingOptions()) throws(JSONParsingError) {
    self = try bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(JSONParsingError) in try JSONDocument(parsing: UnsafeRawBufferPointer(buffer), options: options) }
    }.get()
  }
}

extension JSONValue {
  /// Parses a complete document strictly, as defined by [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
  ///
  /// A byte order mark is skipped.
  ///
  /// ```swift
  /// let value = try JSONValue(parsing: Array(#"{"a":[1,2.50]}"#.utf8))
  /// ```
  public init(parsing bytes: UnsafeRawBufferPointer, options: JSONParsingOptions = JSONParsingOptions()) throws(JSONParsingError) {
    self = try JSONDocument(parsing: bytes, options: options).value
  }

  /// Parses a complete document.
  public init(parsing bytes: [UInt8], options: JSONParsingOptions = JSONParsingOptions()) throws(JSONParsingError) {
    self = try JSONDocument(parsing: bytes, options: options).value
  }

  /// Parses a complete document.
  public init(parsing bytes: Span<UInt8>, options: JSONParsingOptions = JSONParsingOptions()) throws(JSONParsingError) {
    self = try bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(JSONParsingError) in try JSONDocument(parsing: UnsafeRawBufferPointer(buffer), options: options).value }
    }.get()
  }

  /// Parses a complete document.
  public init(parsing text: String, options: JSONParsingOptions = JSONParsingOptions()) throws(JSONParsingError) {
    var text = text
    self = try text.withUTF8 { buffer in
      Result { () throws(JSONParsingError) in try JSONDocument(parsing: UnsafeRawBufferPointer(buffer), options: options).value }
    }.get()
  }
}
