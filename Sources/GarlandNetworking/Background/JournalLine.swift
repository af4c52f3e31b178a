import CZlib
import GarlandJSON
import GarlandText

/// A line of a journal: the checksum of its text in eight hexadecimal digits, a space, the text as
/// JSON, and a line break.
enum JournalLine {
  static func encode(_ entry: BackgroundEntry, into bytes: inout [UInt8]) {
    let text = entry.json.jsonBytes()
    bytes += checksum(text[...])
    bytes.append(UInt8(ascii: " "))
    bytes += text
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Returns the entry of a line; nil if the line is incomplete or damaged.
  static func decode(_ line: ArraySlice<UInt8>) -> BackgroundEntry? {
    guard line.count > 9, line[line.startIndex + 8] == UInt8(ascii: " ") else { return nil }
    let text = line.dropFirst(9)
    guard checksum(text).elementsEqual(line.prefix(8)), let json = try? JSONValue(parsing: Array(text)) else { return nil }
    return BackgroundEntry(json)
  }

  /// Returns the state that a journal describes. An incomplete last line is ignored; `damaged`
  /// counts other unreadable lines.
  static func read(_ bytes: [UInt8]) -> (state: BackgroundState, damaged: Int) {
    var state = BackgroundState()
    var damaged = 0
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if let entry = decode(rest[..<end]) { state.apply(entry) } else { damaged += 1 }
      rest = rest[(end + 1)...]
    }
    return (state, damaged)
  }

  /// Returns the checksum in eight hexadecimal digits.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let sum = bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, UInt32($0.count))) }
    return Array(Hex.padded(sum).utf8)
  }
}
