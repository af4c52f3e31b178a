/// Fields while they come in.
struct FieldCollector {
  private var bytes: [UInt8] = []
  private var entries: [ReceivedFields.Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    if bytes.isEmpty {
      bytes.reserveCapacity(512)
      entries.reserveCapacity(12)
    }
    let start = bytes.count
    bytes.append(contentsOf: name)
    let middle = bytes.count
    bytes.append(contentsOf: value)
    entries.append(.init(name: start..<middle, value: middle..<bytes.count))
  }

  /// Adds to the value of the last one.
  mutating func continueLast(with value: UnsafeRawBufferPointer) {
    guard let last = entries.indices.last else { return }
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: value)
    entries[last].value = entries[last].value.lowerBound..<bytes.count
  }

  func finish() -> ReceivedFields { ReceivedFields(bytes: bytes, entries: entries) }

  /// Whether bytes are a token, as the name of a field has to be (RFC 9110, section 5.6.2).
  static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty else { return false }
    for byte in bytes where !isTokenByte[Int(byte)] { return false }
    return true
  }

  private static let isTokenByte: [Bool] = {
    var table = [Bool](repeating: false, count: 256)
    for byte in "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8 { table[Int(byte)] = true }
    return table
  }()
}
