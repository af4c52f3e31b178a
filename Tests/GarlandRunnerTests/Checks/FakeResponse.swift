import GarlandCrypto
import GarlandJSON
import GarlandTransfer
import GarlandWorkflow
import Synchronization

@testable import GarlandRunner

/// A response that a test creates. It counts how often its body is parsed as a whole.
final class FakeResponse: ResponseView {
  let status: Int
  let fields: [(name: String, value: String)]
  let body: String
  let url: String
  let time: Double
  let version: String
  let redirectCount: Int
  let method: String
  let acceptedTypes: [String]
  let security: ConnectionSecurity? = nil
  private let parses = Mutex(0)

  init(
    _ body: String = "", status: Int = 200, type: String? = "application/json", fields: [(name: String, value: String)] = [],
    url: String = "http://h/books?page=2", time: Double = 0.25, version: String = "1.1", redirects: Int = 0, method: String = "GET",
    accepts: [String] = []
  ) {
    self.body = body
    self.status = status
    self.fields = (type.map { [("Content-Type", $0)] } ?? []) + fields
    self.url = url
    self.time = time
    self.version = version
    redirectCount = redirects
    self.method = method
    acceptedTypes = accepts
  }

  var parseCount: Int { parses.withLock { $0 } }
  var size: Int { body.utf8.count }
  var allHeaders: [(name: String, value: String)] { fields }
  var allCookies: [(name: String, value: String)] {
    headers(named: "set-cookie").map { field in
      let pair = field.split(separator: ";")[0].split(separator: "=", maxSplits: 1)
      return (String(pair[0]), pair.count > 1 ? String(pair[1]) : "")
    }
  }

  func headers(named name: String) -> [String] { fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value) }
  func cookie(named name: String) -> String? { allCookies.last { $0.name == name }?.value }

  func json() throws(ResponseDataError) -> JSONValue {
    parses.withLock { $0 += 1 }
    if body.isEmpty { throw ResponseDataError("the body is empty") }
    do {
      return try JSONValue(parsing: body)
    } catch {
      throw ResponseDataError("the body is not JSON: \(error.message) at line \(error.line), column \(error.column)")
    }
  }

  func jsonValues(at places: BodyPaths) throws(ResponseDataError) -> [JSONValue?] {
    if body.isEmpty { throw ResponseDataError("the body is empty") }
    do {
      return try places.extractor.values(in: Array(body.utf8))
    } catch {
      throw ResponseDataError("the body is not JSON: \(error.message) at line \(error.line), column \(error.column)")
    }
  }

  func text() throws(ResponseDataError) -> String { body }

  func markup() throws(ResponseDataError) -> MarkupBody {
    try MarkupBody.parse(Array(body.utf8), contentType: headers(named: "content-type").last).get()
  }

  func propertyList() throws(ResponseDataError) -> JSONValue {
    do {
      return try PropertyList.parse(Array(body.utf8)).json(dates: .iso8601)
    } catch {
      throw ResponseDataError("the body is not a property list: \(error)")
    }
  }

  func firstBytes(_ count: Int) throws(ResponseDataError) -> [UInt8] { Array(body.utf8.prefix(count)) }

  func sha256() throws(ResponseDataError) -> String {
    do {
      return try Digest(of: Array(body.utf8), using: .sha256).hex
    } catch {
      throw ResponseDataError("\(error)")
    }
  }
}
