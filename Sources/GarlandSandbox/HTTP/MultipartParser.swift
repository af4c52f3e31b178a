import GarlandText
import Glibc

/// Parses multipart/form-data (RFC 7578; RFC 2046, section 5.1) from pieces of any size. It needs memory only for a delimiter and the
/// header section of a part.
struct MultipartParser {
  enum Event {
    case partBegan([HeaderField])
    case data(UnsafeRawBufferPointer)
    case partEnded
  }

  private enum State: Equatable {
    /// The parser is before the first delimiter. Unlike later delimiters, the first one need not follow a line break.
    case preamble
    /// The parser is after a delimiter. Here `--` ends the body, and a line break begins a part.
    case delimiter
    case headers
    case content
    case epilogue
    case failed(String)
  }

  private static let headerLimit = 16 << 10
  private static let partLimit = 10_000

  private let delimiter: [UInt8]
  private var window: [UInt8] = []
  private var state = State.preamble
  private var parts = 0
  /// Whether the parser is at the start of a part's content. At this point, the line break that ends the header section is not read yet: if
  /// the part is empty, the next delimiter begins with this line break.
  private var isAtContentStart = false

  init(boundary: String) {
    delimiter = Array("\r\n--\(boundary)".utf8)
    // With this line break, a delimiter at the very start looks like any other delimiter.
    window = [0x0D, 0x0A]
  }

  /// Returns the reason why the body is invalid; nil if it is valid so far. If `atEnd` is true, an incomplete body is also invalid.
  func fault(atEnd: Bool) -> String? {
    switch state {
    case .failed(let reason): reason
    case .epilogue: nil
    default: atEnd ? "the body ends before the closing boundary" : nil
    }
  }

  mutating func feed(_ bytes: UnsafeRawBufferPointer, _ emit: (Event) -> Void) {
    switch state {
    case .epilogue, .failed: return
    default: break
    }
    // Most pieces of a large file leave no remainder, and are searched in place without a copy.
    if window.isEmpty {
      let start = run(bytes, emit)
      if start < bytes.count { window.append(contentsOf: bytes[start...]) }
    } else {
      bytes.withMemoryRebound(to: UInt8.self) { window.append(contentsOf: $0) }
      let held = window
      let start = held.withUnsafeBytes { run($0, emit) }
      window = start == held.count ? [] : Array(held[start...])
    }
    switch state {
    case .epilogue, .failed: window = []
    default: break
    }
  }

  /// Parses bytes, and passes the resulting events to `emit`. Returns the number of parsed bytes. The caller must pass the other bytes
  /// again, together with the bytes that arrive next.
  private mutating func run(_ bytes: UnsafeRawBufferPointer, _ emit: (Event) -> Void) -> Int {
    var start = 0
    while step(bytes, &start, emit) {}
    return start
  }

  /// Parses the next element, such as a delimiter or a header section, and moves `start` to the byte after the element. Returns false if no
  /// element was parsed: the element has not arrived completely, or the body has ended or is invalid. After the end and after a mistake,
  /// the parser ignores all further input.
  private mutating func step(_ window: UnsafeRawBufferPointer, _ start: inout Int, _ emit: (Event) -> Void) -> Bool {
    let rest = UnsafeRawBufferPointer(rebasing: window[start...])
    return switch state {
    case .preamble, .content: readContent(rest, &start, emit)
    case .delimiter: readDelimiterLine(rest, &start)
    case .headers: readHeaders(rest, &start, emit)
    case .epilogue, .failed: false
    }
  }

  /// Reads up to the next delimiter: the content of a part, or the text before the first delimiter.
  private mutating func readContent(_ rest: UnsafeRawBufferPointer, _ start: inout Int, _ emit: (Event) -> Void) -> Bool {
    let isContent = state == .content
    if isContent, isAtContentStart {
      guard rest.count >= delimiter.count else { return false }
      isAtContentStart = false
      if !rest.starts(with: delimiter) { start += 2 }
      return true
    }
    if let position = Self.find(delimiter, in: rest) {
      if isContent {
        if position > 0 { emit(.data(UnsafeRawBufferPointer(rebasing: rest[..<position]))) }
        emit(.partEnded)
      }
      start += position + delimiter.count
      state = .delimiter
      return true
    }
    // A delimiter can continue in the next bytes only if it has begun, with a line break, in the last few bytes.
    let tail = max(0, rest.count - (delimiter.count - 1))
    let certain = rest[tail...].firstIndex(of: 0x0D) ?? rest.count
    if certain > 0 {
      if isContent { emit(.data(UnsafeRawBufferPointer(rebasing: rest[..<certain]))) }
      start += certain
    }
    return false
  }

  /// Reads the rest of a line that begins with a delimiter. Returns true if the headers of a part follow. Returns false if the line has not
  /// arrived completely, ends the multipart body, or is invalid.
  private mutating func readDelimiterLine(_ rest: UnsafeRawBufferPointer, _ start: inout Int) -> Bool {
    guard rest.count >= 2 else { return false }
    if rest[0] == 0x2D, rest[1] == 0x2D {
      state = .epilogue
      return false
    }
    guard let line = Self.find([0x0D, 0x0A], in: rest) else {
      if rest.count > Self.headerLimit { state = .failed("a boundary is not followed by a line break") }
      return false
    }
    guard rest[..<line].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
      state = .failed("a boundary is followed by other text")
      return false
    }
    parts += 1
    guard parts <= Self.partLimit else {
      state = .failed("there are more than \(Self.partLimit) parts")
      return false
    }
    // The line break is kept, so that the end of an empty header section looks like the end of any other header section.
    start += line
    state = .headers
    return true
  }

  /// Reads the header section of a part.
  private mutating func readHeaders(_ rest: UnsafeRawBufferPointer, _ start: inout Int, _ emit: (Event) -> Void) -> Bool {
    guard let end = Self.find([0x0D, 0x0A, 0x0D, 0x0A], in: rest) else {
      if rest.count > Self.headerLimit { state = .failed("the header section of a part is over \(Self.headerLimit) bytes") }
      return false
    }
    guard let fields = Self.fields(rest[..<end]) else {
      state = .failed("the header section of a part is not valid")
      return false
    }
    emit(.partBegan(fields))
    // The second line break is kept, since the delimiter of an empty part may begin with it.
    start += end + 2
    isAtContentStart = true
    state = .content
    return true
  }

  private static func fields(_ bytes: Slice<UnsafeRawBufferPointer>) -> [HeaderField]? {
    var fields: [HeaderField] = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
      fields.append(HeaderField(String(line[..<colon]), String(line[line.index(after: colon)...].withoutBlanks)))
    }
    return fields
  }

  /// Finds a text by jumping with `memchr` from one occurrence of its first byte to the next. This is fast, since that byte is rare in most
  /// content.
  private static func find(_ needle: [UInt8], in haystack: UnsafeRawBufferPointer) -> Int? {
    guard let base = haystack.baseAddress, let first = needle.first else { return nil }
    var start = 0
    while start + needle.count <= haystack.count {
      guard let found = memchr(base + start, Int32(first), haystack.count - needle.count + 1 - start) else { return nil }
      let position = UnsafeRawPointer(found) - base
      if memcmp(found, needle, needle.count) == 0 { return position }
      start = position + 1
    }
    return nil
  }
}
