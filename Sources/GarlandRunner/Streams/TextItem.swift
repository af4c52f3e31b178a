import GarlandJSON
import GarlandWorkflow

/// An item of a stream that consists of text, such as an event or a message.
protocol TextItem: StreamItem {
  /// The text of the item. The bytes of a binary message are decoded as UTF-8.
  var itemText: String { get }
}

extension TextItem {
  func text() -> String { itemText }
  var size: Int { itemText.utf8.count }
  func firstBytes(_ count: Int) -> [UInt8] { Array(itemText.utf8.prefix(count)) }
}

/// Parses items as JSON.
enum ItemJSON {
  /// Parses a text as JSON. The message of an error has no subject, as in `is not JSON: …`, so that the caller can add one, as in `the data
  /// is not JSON: …`.
  static func parse(_ text: String) -> Result<JSONValue, ResponseDataError> {
    // The texts in the value need as many bytes as in their source. The parser asks for the memory of everything else.
    guard Computation.hasRoom(for: text.utf8.count) else { return .failure(ResponseDataError("does not fit into the memory as JSON")) }
    do throws(JSONParsingError) {
      return .success(try JSONValue(parsing: text))
    } catch {
      return .failure(ResponseDataError("is not JSON: \(error.message) at line \(error.line), column \(error.column)"))
    }
  }
}
