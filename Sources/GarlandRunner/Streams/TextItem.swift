import GarlandJSON
import GarlandTransfer
import GarlandWorkflow

/// An item of a stream whose text is judged as the body of a response would be.
protocol TextItem: StreamItem, ResponseView {
  /// The text.
  var itemText: String { get }
}

extension TextItem {
  private var noBody: ResponseDataError { ResponseDataError("the \(noun) has only text") }

  func text() -> String { itemText }
  var status: Int { 200 }
  func headers(named name: String) -> [String] { [] }
  var allHeaders: [(name: String, value: String)] { [] }
  func cookie(named name: String) -> String? { nil }
  var allCookies: [(name: String, value: String)] { [] }
  var url: String { "" }
  var time: Double { 0 }
  var size: Int { itemText.utf8.count }
  var version: String { "" }
  var redirectCount: Int { 0 }
  var method: String { "" }
  var acceptedTypes: [String] { [] }
  var security: ConnectionSecurity? { nil }
  func sha256() throws(ResponseDataError) -> String { throw noBody }
  func markup() throws(ResponseDataError) -> MarkupBody { throw noBody }
  func propertyList() throws(ResponseDataError) -> JSONValue { throw noBody }
  func firstBytes(_ count: Int) -> [UInt8] { Array(itemText.utf8.prefix(count)) }
}

/// Items as JSON.
enum ItemJSON {
  /// Parses a text. The error is half a sentence about the text.
  static func parse(_ text: String) -> Result<JSONValue, ResponseDataError> {
    do throws(JSONParsingError) {
      return .success(try JSONValue(parsing: text))
    } catch {
      return .failure(ResponseDataError("is not JSON: \(error.message) at line \(error.line), column \(error.column)"))
    }
  }
}
