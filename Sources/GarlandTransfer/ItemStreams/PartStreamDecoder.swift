import GarlandText
import Glibc
import HTTPTypes

/// Decodes a multipart body part by part while it arrives, by [RFC 2046, section 5.1](https://www.rfc-editor.org/rfc/rfc2046#section-5.1).
///
/// A part with `Content-Length` ends after that many bytes, so it is complete before the next boundary arrives. Any other part ends at the
/// boundary. The decoder also accepts two deviations that are common in cameras: lines that end with a line feed alone, and a `boundary`
/// parameter that already contains the two hyphens of the boundary line.
package struct PartStreamDecoder {
  /// A piece of a part of the multipart stream: its head, some of its body, or its end.
  package enum Token: Hashable {
    /// The start of a part, with its header fields.
    case head(HTTPFields)
    /// A piece of the part's body.
    case body(ArraySlice<UInt8>)
    /// The part is complete.
    case end
  }

  /// The reason why bytes are not a multipart body.
  package enum Fault: Error, Hashable {
    /// The header of a part is longer than `limit` bytes.
    case headTooLong(limit: Int)
    /// A line of a part's header is not a header field.
    case noField(String)
    /// A part has a `Content-Length`, but its body does not end after this number of bytes.
    case wrongLength(Int64)
  }

  private enum State: Equatable {
    /// The decoder is before the first boundary. If `isInLine` is true, the decoder skips the rest of the current line.
    case preamble(isInLine: Bool)
    case head
    /// The decoder is in the body of a part. `rest` is the number of bytes of this body that have not arrived yet; nil if the length is
    /// unknown. `isAtStart` is true until the first byte of the body is decoded.
    case body(rest: Int64?, isAtStart: Bool)
    /// The decoder has read the whole body of a part whose header contains the length of the body. The associated value is this length.
    case afterBody(length: Int64)
    case closed
  }

  /// The result of checking whether a boundary begins at a position.
  private enum Boundary {
    case none
    /// More bytes must arrive before the decoder can decide whether a boundary begins at the checked position.
    case unknown
    /// A boundary that begins a part. The associated value is the index of the part's first byte.
    case part(Int)
    /// The boundary that ends the body.
    case close
  }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  /// The maximum size in bytes of a part's header.
  private static let headLimit = 64 << 10
  /// The maximum number of spaces after a boundary.
  private static let paddingLimit = 256

  /// The texts with which a boundary line may begin: `--` and the boundary. If the boundary itself begins with `--`, also the boundary
  /// alone. After the first boundary line, the array contains only the text with which the first boundary line began.
  private var delimiters: [[UInt8]]
  private var state = State.preamble(isInLine: false)
  private var buffer: [UInt8] = []
  /// The index of the first byte in the buffer that was not decoded yet.
  private var start = 0
  private var length: Int64 = 0

  /// Returns the boundary in the value of a `Content-Type`; nil if there is no valid boundary.
  package static func boundary(ofContentType value: String) -> String? {
    var scanner = ParameterScanner(value)
    while let (name, value) = scanner.next() {
      // RFC 2046, section 5.1.1, allows 70 characters; some servers send longer boundaries.
      if name == "boundary" { return value.isEmpty || value.utf8.count > 200 ? nil : value }
    }
    return nil
  }

  /// Creates a decoder.
  ///
  /// - Parameter boundary: The value of the parameter `boundary` in the field `Content-Type`.
  package init(boundary: String) {
    let bytes = Array(boundary.utf8)
    delimiters = [Array("--".utf8) + bytes]
    if boundary.hasPrefix("--") { delimiters.append(bytes) }
  }

  /// Whether a part has begun but is not complete.
  package var isInPart: Bool {
    switch state {
    case .body: true
    case .head: start < buffer.count
    case .preamble, .afterBody, .closed: false
    }
  }

  /// Whether the first boundary has arrived.
  package var hasBoundary: Bool { if case .preamble = state { false } else { true } }

  /// Whether the body has ended. Bytes after its last boundary are ignored.
  package var isClosed: Bool { state == .closed }

  /// Adds received bytes, which ``next()`` decodes.
  package mutating func add(_ piece: some Collection<UInt8>) {
    guard state != .closed else { return }
    if start > 0 {
      buffer.removeSubrange(..<start)
      start = 0
    }
    buffer.append(contentsOf: piece)
  }

  /// Returns the next ``Token``: the header of a part, a piece of its body, or its end. Returns nil if more bytes are needed, or after the
  /// last part.
  package mutating func next() throws(Fault) -> Token? {
    while true {
      switch state {
      case .preamble(let isInLine): guard skipPreamble(isInLine) else { return nil }
      case .head: return try takeHead()
      case .body(let rest?, _): return takeBody(rest: rest)
      case .body(nil, let isAtStart): return takeBody(isAtStart: isAtStart)
      case .afterBody(let length): guard try skipToBoundary(length) else { return nil }
      case .closed: return nil
      }
    }
  }

  // MARK: Boundaries

  private func boundary(at place: Int) -> Boundary {
    var result = Boundary.none
    for delimiter in delimiters {
      switch boundary(delimiter, at: place) {
      case .none: continue
      case .unknown: result = .unknown
      case let found: return found
      }
    }
    return result
  }

  private func boundary(_ delimiter: [UInt8], at place: Int) -> Boundary {
    let count = min(delimiter.count, buffer.count - place)
    guard buffer[place..<place + count].elementsEqual(delimiter[..<count]) else { return .none }
    var end = place + delimiter.count
    guard end < buffer.count else { return .unknown }
    if buffer[end] == UInt8(ascii: "-") {
      guard end + 1 < buffer.count else { return .unknown }
      return buffer[end + 1] == UInt8(ascii: "-") ? .close : .none
    }
    // RFC 2046, section 5.1.1: a boundary may have spaces after it.
    while end < buffer.count, buffer[end].isBlank { end += 1 }
    guard end - place - delimiter.count <= Self.paddingLimit else { return .none }
    if end < buffer.count, buffer[end] == Self.carriageReturn { end += 1 }
    guard end < buffer.count else { return .unknown }
    return buffer[end] == Self.lineFeed ? .part(end + 1) : .none
  }

  /// Moves to the header of the next part after a boundary, or to the end after the last boundary.
  private mutating func pass(_ boundary: Boundary) {
    switch boundary {
    case .part(let next):
      start = next
      state = .head
    case .close:
      start = buffer.count
      state = .closed
    case .none, .unknown: break
    }
  }

  private mutating func skipPreamble(_ isInLine: Bool) -> Bool {
    var isInLine = isInLine
    while start < buffer.count {
      if !isInLine {
        switch boundary(at: start) {
        case .unknown:
          state = .preamble(isInLine: false)
          return false
        case .none: break
        case let found:
          if delimiters.count > 1 { delimiters = delimiters.filter { buffer[start...].starts(with: $0) } }
          pass(found)
          return true
        }
      }
      if let end = lineFeed(from: start) {
        start = end + 1
        isInLine = false
      } else {
        start = buffer.count
        isInLine = true
      }
    }
    state = .preamble(isInLine: isInLine)
    return false
  }

  /// Skips the line breaks after a body of known length, and the boundary that follows them. Returns false if more bytes are needed.
  private mutating func skipToBoundary(_ length: Int64) throws(Fault) -> Bool {
    while start < buffer.count, buffer[start] == Self.carriageReturn || buffer[start] == Self.lineFeed { start += 1 }
    guard start < buffer.count else { return false }
    switch boundary(at: start) {
    case .none: throw .wrongLength(length)
    case .unknown: return false
    case let found:
      pass(found)
      return true
    }
  }

  private func lineFeed(from place: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard place < bytes.count, let base = bytes.baseAddress, let found = memchr(base + place, Int32(Self.lineFeed), bytes.count - place)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  // MARK: Parts

  private mutating func takeHead() throws(Fault) -> Token? {
    var lines: [Range<Int>] = []
    var place = start
    while let end = lineFeed(from: place) {
      let lineEnd = end > place && buffer[end - 1] == Self.carriageReturn ? end - 1 : end
      let line = place..<lineEnd
      place = end + 1
      if line.isEmpty {
        let fields = try fields(lines)
        start = place
        let length = Self.length(of: fields)
        self.length = length ?? 0
        state = .body(rest: length, isAtStart: true)
        return .head(fields)
      }
      guard place - start <= Self.headLimit else { break }
      lines.append(line)
    }
    guard buffer.count - start <= Self.headLimit else { throw .headTooLong(limit: Self.headLimit) }
    return nil
  }

  /// Returns the header fields in the given lines of the buffer.
  private func fields(_ lines: [Range<Int>]) throws(Fault) -> HTTPFields {
    var fields = HTTPFields()
    var last: (name: HTTPField.Name, value: String)?
    for range in lines {
      let line = buffer[range]
      // RFC 5322, section 2.2.3: a line that begins with a space continues the previous field.
      if let field = last, let first = line.first, first.isBlank {
        let rest = String(decoding: line.drop(while: \.isBlank), as: UTF8.self)
        last = (field.name, field.value.isEmpty ? rest : field.value + " " + rest)
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
      else { throw .noField(String(decoding: line, as: UTF8.self)) }
      if let last { fields.append(HTTPField(name: last.name, value: last.value)) }
      last = (name, String(decoding: line[(colon + 1)...].drop(while: \.isBlank), as: UTF8.self))
    }
    if let last { fields.append(HTTPField(name: last.name, value: last.value)) }
    return fields
  }

  /// Returns the length of a part according to its `Content-Length`. Returns nil if this field is missing, repeated or invalid.
  private static func length(of fields: HTTPFields) -> Int64? {
    var length: String?
    for field in fields where field.name == .contentLength {
      guard length == nil else { return nil }
      length = field.value
    }
    guard let length, length.utf8.count <= 18, length.utf8.allSatisfy(\.isDigit) else { return nil }
    return Int64(length)
  }

  private mutating func takeBody(rest: Int64) -> Token? {
    guard rest > 0 else {
      state = .afterBody(length: length)
      return .end
    }
    let count = Int(min(rest, Int64(buffer.count - start)))
    guard count > 0 else { return nil }
    defer { start += count }
    state = .body(rest: rest - Int64(count), isAtStart: false)
    return .body(buffer[start..<start + count])
  }

  private mutating func takeBody(isAtStart: Bool) -> Token? {
    // In an empty body, the line end before the boundary belongs to the header.
    if isAtStart, start < buffer.count {
      let found = boundary(at: start)
      switch found {
      case .unknown: return nil
      case .part, .close:
        pass(found)
        return .end
      case .none: break
      }
    }
    var place = start
    while let end = lineFeed(from: place) {
      let found = boundary(at: end + 1)
      place = end + 1
      if case .none = found { continue }
      // RFC 2046, section 5.1.1: the line end before a boundary belongs to the boundary.
      let bodyEnd = end > start && buffer[end - 1] == Self.carriageReturn ? end - 1 : end
      if bodyEnd > start { return take(upTo: bodyEnd) }
      if case .unknown = found { return nil }
      pass(found)
      return .end
    }
    return take(upTo: buffer.last == Self.carriageReturn ? buffer.count - 1 : buffer.count)
  }

  private mutating func take(upTo end: Int) -> Token? {
    guard end > start else { return nil }
    defer { start = end }
    state = .body(rest: nil, isAtStart: false)
    return .body(buffer[start..<end])
  }
}
