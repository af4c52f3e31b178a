import GarlandJSON

/// A table of comma-separated values (RFC 4180). The first line contains the names. All cells are texts.
///
/// The table accepts files as spreadsheets write them: quoted cells may contain separators, line breaks and doubled quotes; lines end in CR
/// LF or LF; a byte order mark and empty lines are skipped.
struct SeparatedValues: Sendable {
  let names: [String]
  private let bytes: [UInt8]
  private let separator: UInt8
  /// The offset of each row in the bytes of the file.
  private let starts: [Int]

  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  var count: Int { starts.count }

  init(_ bytes: [UInt8], separator: UInt8) throws(RowsError) {
    self.bytes = bytes
    self.separator = separator
    var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var line = 1
    func skipEmptyLines() {
      while position < bytes.count, bytes[position] == Self.lineFeed || bytes[position] == Self.carriageReturn {
        if bytes[position] == Self.lineFeed { line += 1 }
        position += 1
      }
    }
    skipEmptyLines()
    guard position < bytes.count else { throw RowsError("it is empty", help: "the first line must have the names of the columns") }
    var names: [String] = []
    try Self.readRow(bytes, separator, &position, &line) { names.append($0) }
    var known: Set<String> = []
    for (index, name) in names.enumerated() {
      guard !name.isEmpty else {
        throw RowsError("column \(index + 1) has no name", help: "the first line must have the names of the columns")
      }
      guard known.insert(name).inserted else { throw RowsError("two columns are named `\(Words.excerpt(name))`") }
    }
    self.names = names
    var starts: [Int] = []
    skipEmptyLines()
    while position < bytes.count {
      starts.append(position)
      let first = line
      var count = 0
      try Self.readRow(bytes, separator, &position, &line) { _ in count += 1 }
      guard count == names.count else {
        throw RowsError(
          "line \(first) has \(count) \(count == 1 ? "cell" : "cells"), but the number of columns in the first line is \(names.count)",
          help: "put double quotes (`\"`) around a cell that contains a separator or a line break")
      }
      skipEmptyLines()
    }
    self.starts = starts
  }

  /// Returns the character that separates the cells of a CSV file. It is the semicolon if the first line contains a semicolon but no comma,
  /// as in files of spreadsheets in countries with a decimal comma. Otherwise it is the comma.
  static func separator(of bytes: [UInt8]) -> UInt8 {
    let comma = UInt8(ascii: ",")
    let semicolon = UInt8(ascii: ";")
    let isBreak: (UInt8) -> Bool = { $0 == lineFeed || $0 == carriageReturn }
    guard let start = bytes.firstIndex(where: { !isBreak($0) }) else { return comma }
    var hasSemicolon = false
    var isQuoted = false
    for byte in bytes[start...] {
      if byte == quote { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == comma { return comma }
      if isBreak(byte) { break }
      if byte == semicolon { hasSemicolon = true }
    }
    return hasSemicolon ? semicolon : comma
  }

  subscript(index: Int) -> JSONValue {
    var object = JSONObject()
    object.reserveCapacity(names.count)
    var position = starts[index]
    var line = 1
    var column = 0
    // The row was already read once and is well-formed.
    try? Self.readRow(bytes, separator, &position, &line) { cell in
      object[names[column]] = .string(cell)
      column += 1
    }
    return .object(object)
  }

  private static func readRow(
    _ bytes: [UInt8], _ separator: UInt8, _ position: inout Int, _ line: inout Int, _ take: (String) -> Void
  ) throws(RowsError) {
    let computation = Computation.current
    while true {
      let start = position
      take(try readCell(bytes, separator, &position, &line))
      if let computation, computation.isOver(after: 64 + position - start) { throw .outOfTime }
      guard position < bytes.count else { return }
      let byte = bytes[position]
      position += 1
      if byte == separator { continue }
      if byte == carriageReturn, position < bytes.count, bytes[position] == lineFeed { position += 1 }
      line += 1
      return
    }
  }

  /// Reads the cell at `position`, and moves `position` to the end of the cell.
  private static func readCell(
    _ bytes: [UInt8], _ separator: UInt8, _ position: inout Int, _ line: inout Int
  ) throws(RowsError) -> String {
    func ends(_ byte: UInt8) -> Bool { byte == separator || byte == lineFeed || byte == carriageReturn }
    let start = position
    guard position < bytes.count, bytes[position] == quote else {
      while position < bytes.count, !ends(bytes[position]) {
        guard bytes[position] != quote else {
          throw RowsError(
            "line \(line) has a `\"` inside a cell without quotes", help: "put the whole cell in `\"`, and write a quote inside it twice")
        }
        position += 1
      }
      return try text(bytes[start..<position], line)
    }
    let first = line
    position += 1
    var cell: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == lineFeed { line += 1 }
      guard byte == quote else {
        cell.append(byte)
        continue
      }
      if position < bytes.count, bytes[position] == quote {
        cell.append(quote)
        position += 1
        continue
      }
      guard position == bytes.count || ends(bytes[position]) else {
        throw RowsError("line \(line) has text after the closing `\"` of a cell", help: "double a quote that belongs to the cell: `\"\"`")
      }
      return try text(cell[...], line)
    }
    throw RowsError("the quoted cell that begins in line \(first) does not end")
  }

  private static func text(_ bytes: ArraySlice<UInt8>, _ line: Int) throws(RowsError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw RowsError("line \(line) is not UTF-8") }
    return text
  }
}
