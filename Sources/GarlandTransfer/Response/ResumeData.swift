import GarlandJSON
import HTTPTypes

/// What is needed to continue a download that broke off: where its bytes are, where the rest comes from, and how to tell whether that is still the same.
///
/// ```swift
/// let data = await request.cancelProducingResumeData()
/// try data?.json.write(…)                                       // it may outlive the process
/// …
/// let path = try await session.download(resuming: ResumeData(json: bytes), to: target).validate().file
/// ```
/// It holds no header fields, since these may carry credentials: give them anew.
public struct ResumeData: Sendable, Hashable {
  /// What changes when the resource does (RFC 9110, section 8.8).
  public enum Validator: Sendable, Hashable {
    /// A strong entity tag, with its quotes.
    case entityTag(String)
    /// The date of the last change, as the server wrote it.
    case lastModified(String)
  }

  /// The URL that was asked for, without user and password.
  public var url: String
  /// The file that holds the beginning.
  public var path: String
  /// What the server's resource is recognised by.
  public var validator: Validator
  /// How long the whole is, nil if the server did not say.
  public var length: Int64?

  /// All of it, for files that something else has begun to download.
  public init(url: String, path: String, validator: Validator, length: Int64? = nil) {
    self.url = url
    self.path = path
    self.validator = validator
    self.length = length
  }

  // MARK: As JSON

  private static let format = 1

  /// Reads what ``json`` wrote. Throws ``NetworkingError/Reason/invalidRequest(_:)`` for anything else.
  public init(json bytes: [UInt8]) throws(NetworkingError) {
    guard let value = try? JSONValue(parsing: bytes), value["garland_resume"]?.intValue == Self.format,
      let url = value["url"]?.stringValue, let path = value["path"]?.stringValue
    else { throw NetworkingError(.invalidRequest("these are no resume data")) }
    self.url = url
    self.path = path
    if let tag = value["etag"]?.stringValue, Self.isStrong(tag) {
      validator = .entityTag(tag)
    } else if let date = value["last_modified"]?.stringValue {
      validator = .lastModified(date)
    } else {
      throw NetworkingError(.invalidRequest("these resume data do not say what the resource is recognised by"))
    }
    length = value["length"]?.intValue.map { Int64($0) }
  }

  /// As JSON, for ``init(json:)``.
  public var json: [UInt8] {
    var object = JSONObject()
    object["garland_resume"] = JSONValue(Self.format)
    object["url"] = JSONValue(url)
    object["path"] = JSONValue(path)
    switch validator {
    case .entityTag(let tag): object["etag"] = JSONValue(tag)
    case .lastModified(let date): object["last_modified"] = JSONValue(date)
    }
    if let length { object["length"] = JSONValue(Int(length)) }
    return JSONValue.object(object).jsonBytes()
  }

  // MARK: From a response

  /// What a URL's resource is known by: without user, password and fragment.
  package static func resource(of url: String) -> String {
    guard var parts = try? URLReference(url) else { return url }
    parts.fragment = nil
    parts.userInfo = nil
    return parts.description
  }

  /// What a response can be continued with; nil if it says nothing that could be relied on.
  init?(url: String, path: String, status: Int, fields: HTTPFields, length: Int64?) {
    guard status == 200, let validator = Self.validator(in: fields), Self.isIdentity(fields) else { return nil }
    // It said that it will not give a part.
    if fields[.acceptRanges]?.lowercased() == "none" { return nil }
    self.init(url: url, path: path, validator: validator, length: length)
  }

  /// A strong validator. Where there is an entity tag, the date does not count (RFC 9110, section 13.1.5).
  static func validator(in fields: HTTPFields) -> Validator? {
    if let tag = fields[.eTag] { return isStrong(tag) ? .entityTag(tag) : nil }
    guard let text = fields[.lastModified], let modified = CookieDate.parse(text) else { return nil }
    // Section 8.8.2.2: it is strong if the response was made at least a second later.
    guard let date = fields[.date].flatMap(CookieDate.parse), date > modified else { return nil }
    return .lastModified(text)
  }

  static func isStrong(_ tag: String) -> Bool {
    let bytes = tag.utf8
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return false }
    return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
  }

  /// Whether the bytes are those of the resource, and not of a coded form of it.
  static func isIdentity(_ fields: HTTPFields) -> Bool {
    guard let coding = fields[.contentEncoding] else { return true }
    return coding.isEmpty || coding.lowercased() == "identity"
  }

  /// Whether what a response says of the resource's state, if anything, is the same.
  func isNotContradicted(by fields: HTTPFields) -> Bool {
    switch validator {
    case .entityTag(let tag): fields[.eTag] ?? tag == tag
    case .lastModified(let date): fields[.lastModified] ?? date == date
    }
  }

  /// Whether a response is of the same state of the resource. One that does not say is not.
  func isSame(as fields: HTTPFields) -> Bool {
    switch validator {
    case .entityTag(let tag): fields[.eTag] == tag
    case .lastModified(let date): fields[.lastModified] == date
    }
  }
}
