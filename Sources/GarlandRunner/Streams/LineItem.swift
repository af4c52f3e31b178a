import GarlandJSON
import GarlandWorkflow

/// A line of a JSON Lines stream. It is parsed as soon as it arrives, since every line must be
/// JSON.
final class LineItem: TextItem {
  private let line: String
  private let parsed: Result<JSONValue, ResponseDataError>

  init(_ bytes: UnsafeRawBufferPointer) {
    line = String(utf8IfRoom: bytes)
    parsed = ItemJSON.parse(line)
  }

  var noun: String { "line" }
  var itemText: String { line }
  var weight: Int { 100 + line.utf8.count + ((try? parsed.get().weight) ?? 0) }
  func json() throws(ResponseDataError) -> JSONValue {
    try parsed.mapError { ResponseDataError("the line \($0.message)") }.get()
  }

  func value(of member: StreamItemMember) throws(ResponseDataError) -> JSONValue {
    try member == .json ? json() : .string(line)
  }

  /// The JSON value of the line; if the line is not JSON, a JSON string with the text of the line.
  var whole: JSONValue { (try? parsed.get()) ?? .string(line) }

  var flaw: String? {
    if case .failure(let error) = parsed { error.message } else { nil }
  }
}
