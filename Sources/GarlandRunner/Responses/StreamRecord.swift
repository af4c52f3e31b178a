import GarlandJSON
import GarlandResults
import GarlandTransfer
import GarlandWorkflow
import Synchronization

/// The result of reading a stream of items, such as events or lines.
package struct StreamRecord: Sendable {
  /// The format of the stream, such as server-sent events.
  let format: StreamFormat
  /// The number of items that arrived.
  let count: Int
  /// The items that were kept in memory for expressions and reports. If the number of kept items is limited, these are the last items.
  let items: StreamItems
  /// The time from the request to the first item; nil if no item arrived.
  let timeToFirst: Duration?
  /// The failures of the stream and its items.
  let failures: [CheckFailure]
  /// The number of expectations that were checked against the items of the stream.
  let checkCount: Int
  /// The values that were extracted from the items, by the index of the step's extract.
  var extracted: [Value?] = []
}

/// The items of a stream that are kept for expressions and reports.
final class StreamItems: Sendable {
  private let all: [any StreamItem]
  /// A cache of the items as JSON values, filled when they are first needed.
  private let made = Mutex<[JSONValue]?>(nil)
  /// The approximate memory size of the items in bytes.
  let weight: Int

  init(_ all: [any StreamItem], weight: Int) {
    self.all = all
    self.weight = weight
  }

  /// The items as JSON values, for expressions.
  var values: [JSONValue] {
    made.withLock { made in
      if let made { return made }
      let values = all.map(\.whole)
      made = values
      return values
    }
  }
}

/// An item of a stream, such as a single event. Expectations can check an item in the same way as a response.
protocol StreamItem: StreamItemData, ResponseView {
  /// The whole item as a JSON value, which is an element of a list such as `response.events`.
  var whole: JSONValue { get }
  /// The approximate memory size of the item in bytes.
  var weight: Int { get }
  /// The reason why the item is invalid, such as a line that is not JSON in a stream of JSON lines; nil if the item is valid.
  var flaw: String? { get }
  /// Whether the item can mark the end of its stream, as the event `[DONE]` does in a stream of JSON events.
  var isMark: Bool { get }
}

extension StreamItem {
  /// Default implementation: nil, since every item is valid.
  var flaw: String? { nil }
  /// Default implementation: false, because only an event can mark the end of a stream.
  var isMark: Bool { false }

  var status: Int { 200 }
  func headers(named name: String) -> [String] { [] }
  var allHeaders: [(name: String, value: String)] { [] }
  func cookie(named name: String) -> String? { nil }
  var allCookies: [(name: String, value: String)] { [] }
  var url: String { "" }
  var time: Double { 0 }
  var version: String { "" }
  var redirectCount: Int { 0 }
  var method: String { "" }
  var acceptedTypes: [String] { [] }
  var security: ConnectionSecurity? { nil }
  func sha256() throws(ResponseDataError) -> String { throw noBody }
  func markup() throws(ResponseDataError) -> MarkupBody { throw noBody }
  func propertyList() throws(ResponseDataError) -> JSONValue { throw noBody }

  private var noBody: ResponseDataError { ResponseDataError("the \(noun) has only text") }
}
