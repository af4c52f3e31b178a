import GarlandCrypto
import GarlandJSON
import GarlandWorkflow
import HTTPTypes
import Synchronization

/// A part of a multipart body, as expressions and expectations read it. The content of the part is parsed as JSON when it is first needed.
final class PartItem: StreamItem {
  private let fields: HTTPFields
  private let bytes: [UInt8]
  private let parsed = Mutex<Result<JSONValue, ResponseDataError>?>(nil)

  init(_ fields: HTTPFields, _ bytes: [UInt8]) {
    self.fields = fields
    self.bytes = bytes
  }

  var noun: String { "part" }
  var size: Int { bytes.count }
  /// The approximate memory size of the item. The bytes count twice, since the list of items contains them again as text.
  var weight: Int { 500 + 2 * bytes.count }

  func headers(named name: String) -> [String] {
    let name = name.lowercased()
    var values: [String] = []
    for field in fields where field.name.canonicalName == name { values.append(field.value) }
    return values
  }
  var allHeaders: [(name: String, value: String)] { fields.map { ($0.name.rawName, $0.value) } }

  func value(of member: StreamItemMember) throws(ResponseDataError) -> JSONValue {
    switch member {
    case .type: .string(fields[.contentType] ?? "")
    case .headers: headersValue
    case .size: JSONValue(size)
    case .json: try json()
    case .text: .string(try text())
    case .data, .id, .base64: throw ResponseDataError("a part has no `data` and no `id`")
    }
  }

  func json() throws(ResponseDataError) -> JSONValue {
    try parsed.withLock { parsed in
      if let parsed { return parsed }
      let result = BodyParsing.json(bytes)
      parsed = result
      return result
    }.get()
  }

  func text() throws(ResponseDataError) -> String {
    try BodyText.decode(bytes, charset: fields[.contentType].flatMap(BodyText.charset(ofContentType:))).get()
  }

  func firstBytes(_ count: Int) -> [UInt8] { Array(bytes.prefix(count)) }

  func sha256() throws(ResponseDataError) -> String {
    do throws(CryptoError) {
      return try Digest(of: bytes, using: .sha256).hex
    } catch {
      throw ResponseDataError("the digest of the body can't be computed: \(error)")
    }
  }

  private var headersValue: JSONValue {
    var members = JSONObject()
    for field in fields where members[field.name.canonicalName] == nil {
      let values = fields[values: field.name].map { JSONValue.string($0) }
      members[field.name.canonicalName] = values.count == 1 ? values[0] : .array(values)
    }
    return .object(members)
  }

  /// The part as an object. It has the member `text` only if the body is text, and the member `json` only if the body is JSON.
  var whole: JSONValue {
    var members: JSONObject = ["type": .string(fields[.contentType] ?? ""), "headers": headersValue, "size": JSONValue(size)]
    if let text = try? text() { members["text"] = .string(text) }
    if let json = try? json() { members["json"] = json }
    return .object(members)
  }
}
