public import GarlandJSON

/// The rows of a file, which a loop reads one by one. Rows of CSV and JSON lines are stored as bytes, and are decoded only when they are
/// read.
///
/// ```swift
/// let users = try RowsFile.read("/work/users.csv", .csv, SystemFiles())
/// for index in 0..<users.count { print(users[index]) }     // {"name": "alice", "role": "admin"}
/// ```
public struct RowsFile: Sendable {
  /// The maximum size of a file with rows: 256 MiB.
  public static let limit = 256 << 20

  private enum Content: Sendable {
    case table(SeparatedValues)
    case lines(JSONLines)
    case values([JSONValue])
  }

  private let content: Content

  /// The number of rows in the file.
  public var count: Int {
    switch content {
    case .table(let table): table.count
    case .lines(let lines): lines.count
    case .values(let values): values.count
    }
  }

  /// The member names that every row has. Nil if a row is not a mapping, or if checking all rows would take too long.
  public var names: [String]? {
    switch content {
    case .table(let table): return table.names
    case .lines: return nil
    case .values(let values):
      guard values.count <= 10_000 else { return nil }
      var names: [String]?
      for value in values {
        guard let object = value.objectValue else { return nil }
        if names == nil { names = Array(object.keys) } else { names?.removeAll { object[$0] == nil } }
      }
      return names
    }
  }

  /// Returns the row at an index. A row of CSV or TSV is a mapping from the names in the first line to texts. Any other row is a JSON
  /// value.
  public subscript(index: Int) -> JSONValue {
    switch content {
    case .table(let table): table[index]
    case .lines(let lines): lines[index]
    case .values(let values): values[index]
    }
  }

  /// Reads a whole file and checks every row.
  ///
  /// - Parameters:
  ///   - path: an absolute path.
  ///   - format: the format of the file.
  ///   - files: the file system.
  public static func read(_ path: String, _ format: RowsFormat, _ files: any WorkflowFiles) throws(RowsError) -> RowsFile {
    let bytes: [UInt8]
    do throws(WorkflowFileError) {
      bytes = try files.read(path, limit: limit)
    } catch {
      throw RowsError(error.message)
    }
    return try RowsFile(bytes, format)
  }

  /// Decodes the bytes of a file and checks every row.
  public init(_ bytes: [UInt8], _ format: RowsFormat) throws(RowsError) {
    switch format {
    case .csv: content = .table(try SeparatedValues(bytes, separator: SeparatedValues.separator(of: bytes)))
    case .tsv: content = .table(try SeparatedValues(bytes, separator: UInt8(ascii: "\t")))
    case .jsonl: content = .lines(try JSONLines(bytes))
    case .json:
      let value: JSONValue
      do throws(JSONParsingError) {
        value = try JSONValue(parsing: bytes)
      } catch {
        throw RowsError("it is not JSON: \(error.message) at line \(error.line), column \(error.column)")
      }
      guard case .array(let items) = value else { throw RowsError("it contains \(Words.kind(value.kind)), but rows must be a list") }
      content = .values(items)
    }
  }
}

/// The format of a file of rows.
public enum RowsFormat: String, Sendable, Hashable, CaseIterable {
  /// Comma-separated values (RFC 4180); the first line contains the names.
  case csv
  /// Tab-separated values; the first line contains the names.
  case tsv
  /// A text file with a JSON value on each line.
  case jsonl
  /// A JSON list; each item is a row.
  case json

  /// Returns the format for the extension of a file name; nil if the extension is unknown or missing.
  public init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    switch fileName[fileName.index(after: dot)...].lowercased() {
    case "csv": self = .csv
    case "tsv": self = .tsv
    case "jsonl", "ndjson": self = .jsonl
    case "json": self = .json
    default: return nil
    }
  }
}

/// The error that is thrown if a file contains no usable rows.
public struct RowsError: Error, Sendable {
  /// The message of the error, as a sentence without a full stop, such as "line 3 has 4 cells, and the first line names 5".
  public let message: String
  /// Advice on how to correct the file.
  public let help: String?

  static let outOfTime = RowsError("the file could not be read within the time limit")

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
