import GarlandJSON

/// A file of rows with a JSON value on each line. Empty lines are skipped.
struct JSONLines: Sendable {
  private let bytes: [UInt8]
  private let lines: [Range<Int>]

  var count: Int { lines.count }

  init(_ bytes: [UInt8]) throws(RowsError) {
    self.bytes = bytes
    var lines: [Range<Int>] = []
    var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var number = 0
    let computation = Computation.current
    while position < bytes.count {
      let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      number += 1
      let line = position..<end
      position = end + 1
      guard bytes[line].contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
      do throws(JSONParsingError) {
        _ = try JSONValue(parsing: Array(bytes[line]))
      } catch {
        throw RowsError("line \(number) is not JSON: \(error.message) at column \(error.column)")
      }
      if let computation, computation.isOver(after: 64 + line.count) { throw .outOfTime }
      lines.append(line)
    }
    self.lines = lines
  }

  subscript(index: Int) -> JSONValue {
    // The line was already parsed once without an error.
    (try? JSONValue(parsing: Array(bytes[lines[index]]))) ?? .null
  }
}
