import GarlandJSON

/// Writes JSON text directly as bytes, member by member, without building a value first. Secrets in strings are masked before the strings
/// are escaped.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false
  private let printer = JSONPrinter()
  private let mask: Mask

  init(mask: Mask) { self.mask = mask }

  mutating func object(_ members: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    members(&self)
    close(UInt8(ascii: "}"))
  }

  mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
    key(name)
    object(members)
  }

  mutating func array<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements, _ element: (inout JSONWriter, Elements.Element) -> Void
  ) {
    key(name)
    open(UInt8(ascii: "["))
    for value in elements { element(&self, value) }
    close(UInt8(ascii: "]"))
  }

  mutating func member(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  /// Writes a member whose value is a fixed word of the report's format, such as an outcome. The word is not masked, even if it equals a
  /// secret.
  mutating func word(_ name: StaticString, _ value: String) {
    key(name)
    printer.print(value, into: &bytes)
    needsComma = true
  }

  /// Writes a member with a string, or nothing if the value is nil.
  mutating func member(_ name: StaticString, _ value: String?) {
    if let value { member(name, value) }
  }

  /// Writes a member with a number, or nothing if the value is nil.
  mutating func member(_ name: StaticString, _ value: Int?) {
    if let value { raw(name, "\(value)") }
  }

  mutating func member(_ name: StaticString, _ value: Bool) { raw(name, value ? "true" : "false") }

  /// Writes a member with a duration, or nothing if the value is nil.
  mutating func member(_ name: StaticString, _ value: Duration?) {
    if let value { raw(name, Readable.seconds(value)) }
  }

  /// Writes a member whose name is known only at run time. The caller must already have masked the secrets in the value.
  mutating func member(named name: String, _ value: JSONValue) {
    separate()
    printer.print(name, into: &bytes)
    bytes.append(UInt8(ascii: ":"))
    printer.print(value, into: &bytes)
    needsComma = true
  }

  /// Writes a member with a name that is known only at run time. The text `json`, which must be valid JSON, is inserted unchanged as the
  /// value. The caller must already have masked the secrets in the name and in the value.
  mutating func raw(named name: String, _ json: String) {
    separate()
    printer.print(name, into: &bytes)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: json.utf8)
    needsComma = true
  }

  /// Writes a member whose value is `json`. This text must be valid JSON, and is written unchanged.
  mutating func raw(_ name: StaticString, _ json: String) {
    key(name)
    separate()
    bytes.append(contentsOf: json.utf8)
    needsComma = true
  }

  /// Writes a duration in seconds as an element of an array.
  mutating func duration(_ value: Duration) {
    separate()
    Readable.append(seconds: value, to: &bytes)
    needsComma = true
  }

  mutating func number(_ value: Int) {
    separate()
    bytes.append(contentsOf: String(value).utf8)
    needsComma = true
  }

  mutating func stringOrNull(_ value: String?) {
    if let value { return string(value) }
    separate()
    bytes.append(contentsOf: "null".utf8)
    needsComma = true
  }

  mutating func string(_ value: String) {
    separate()
    printer.print(mask.text(value), into: &bytes)
    needsComma = true
  }

  private mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }
}

extension Duration {
  /// Creates a duration from a number of seconds in a report; nil for any other value.
  init?(reported value: JSONValue?) {
    guard let seconds = value?.doubleValue, seconds.isFinite, seconds >= 0, seconds < 1e9 else { return nil }
    self = .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
