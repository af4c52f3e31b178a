import GarlandJSON
import GarlandResults
import GarlandTransfer
import GarlandWorkflow
import Synchronization

/// A stream that was read, after its end.
package struct StreamRecord: Sendable {
  /// The format.
  let format: StreamFormat
  /// The number of items that arrived.
  let count: Int
  /// The items that were kept.
  let items: StreamItems
  /// The time from the request to the first item; nil if there was none.
  let timeToFirst: Duration?
  /// The reasons why the stream is not what the step reads.
  let failures: [CheckFailure]
  /// The number of expectations that were judged while it was read.
  let checkCount: Int
}

/// The kept items of a stream.
final class StreamItems: Sendable {
  private let all: [any StreamItem]
  /// Made when they are first needed.
  private let made = Mutex<[JSONValue]?>(nil)
  /// How many bytes of memory they take, roughly.
  let weight: Int

  init(_ all: [any StreamItem], weight: Int) {
    self.all = all
    self.weight = weight
  }

  /// The items as expressions see them.
  var values: [JSONValue] {
    made.withLock { made in
      if let made { return made }
      let values = all.map(\.whole)
      made = values
      return values
    }
  }
}

/// An item of a stream: of events, one of them. It is judged as a response would be.
protocol StreamItem: StreamItemData, ResponseView {
  /// The whole item, as a member of `response.events`.
  var whole: JSONValue { get }
  /// How many bytes of memory it takes, roughly.
  var weight: Int { get }
  /// The reason why the stream can't have such an item; nil if it can.
  var flaw: String? { get }
}

extension StreamItem {
  /// None: any will do.
  var flaw: String? { nil }

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
