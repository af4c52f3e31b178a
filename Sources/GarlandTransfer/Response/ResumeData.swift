import GarlandJSON
import Glibc
import HTTPTypes
import Synchronization

/// The data to resume an interrupted download: its partial file, its URL, and a validator that shows whether the resource is unchanged.
///
/// ```swift
/// let data = await request.cancelProducingResumeData()
/// let saved = data?.json                                        // it may outlive the process
/// …
/// let path = try await session.download(resuming: ResumeData(json: bytes), to: target).validate().file
/// ```
/// The data contain no header fields, since header fields may contain credentials. Pass the header fields again when you resume the
/// download.
///
/// If the connection of a download is interrupted, the error of the download has resume data automatically. The partial file is removed
/// when the last copy of the resume data is released; the request and its error contain copies. In these cases, the partial file stays on
/// the disk:
///
/// - ``json`` was read, since the data may outlive the process.
/// - The download was cancelled for its resume data.
/// - The target of the download keeps partial files.
public struct ResumeData: Sendable, Hashable {
  /// An entity tag or a modification date, which shows whether a resource has changed (RFC 9110, section 8.8).
  public enum Validator: Sendable, Hashable {
    /// A strong entity tag, with its quotes.
    case entityTag(String)
    /// The modification date in the server's own format.
    case lastModified(String)
  }

  /// The requested URL without user and password.
  public var url: String
  /// The path of the partial file.
  public var path: String
  /// The entity tag or the modification date of the resource, which shows whether the resource has changed since the partial file was
  /// written.
  public var validator: Validator
  /// The length of the whole resource in bytes; nil if the server did not send it.
  public var length: Int64?
  /// The object that removes the partial file when it is deallocated; nil if the file stays on the disk.
  var owner: PartialFileOwner?

  /// Creates resume data for a file that another program has begun to download.
  public init(url: String, path: String, validator: Validator, length: Int64? = nil) {
    self.url = url
    self.path = path
    self.validator = validator
    self.length = length
  }

  // MARK: As JSON

  private static let format = 1

  /// Parses the output of ``json``. Throws ``NetworkingError/Reason/invalidRequest(_:)`` for any other
  /// content.
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
      throw NetworkingError(.invalidRequest("these resume data have no validator of the resource"))
    }
    length = value["length"]?.intValue.map { Int64($0) }
  }

  /// The data as JSON, which ``init(json:)`` can parse. After this call, the partial file stays on the disk even if all copies of the data
  /// are released.
  public var json: [UInt8] {
    owner?.release()
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

  /// Returns the path of the record of a partial file. The record is in the same folder as the partial file, and contains the resume data.
  static func recordPath(of path: String) -> String { path + ".json" }

  // MARK: Comparing

  /// Whether both operands describe the same partial file of the same resource.
  public static func == (left: ResumeData, right: ResumeData) -> Bool {
    left.url == right.url && left.path == right.path && left.validator == right.validator && left.length == right.length
  }

  /// Hashes the URL, the path, the validator and the length.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(url)
    hasher.combine(path)
    hasher.combine(validator)
    hasher.combine(length)
  }

  // MARK: From a response

  /// Returns the URL of a resource without user, password and fragment.
  package static func resource(of url: String) -> String {
    guard var parts = try? URLReference(url) else { return url }
    parts.fragment = nil
    parts.userInfo = nil
    return parts.description
  }

  /// Creates the resume data of a response. Returns nil if the download cannot be resumed: the status is not 200, there is no strong
  /// validator, the body has a content coding, or the server refuses ranges.
  init?(url: String, path: String, status: Int, fields: HTTPFields, length: Int64?) {
    guard status == 200, let validator = Self.validator(in: fields), Self.isIdentity(fields) else { return nil }
    // The server refuses ranges.
    if fields[.acceptRanges]?.lowercased() == "none" { return nil }
    self.init(url: url, path: path, validator: validator, length: length)
  }

  /// Returns the strong validator from the header fields of a response: an entity tag or a modification date. Returns nil if the response
  /// has no strong validator. If there is an entity tag, even a weak one, the modification date is ignored (RFC 9110, section 13.1.5).
  static func validator(in fields: HTTPFields) -> Validator? {
    if let tag = fields[.eTag] { return isStrong(tag) ? .entityTag(tag) : nil }
    guard let text = fields[.lastModified], let modified = CookieDate.parse(text) else { return nil }
    // RFC 9110, section 8.8.2.2: the date is strong if the response was generated at least a second later.
    guard let date = fields[.date].flatMap(CookieDate.parse), date > modified else { return nil }
    return .lastModified(text)
  }

  static func isStrong(_ tag: String) -> Bool {
    let bytes = tag.utf8
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return false }
    return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
  }

  /// Whether the body of a response is the resource itself, without a content coding.
  static func isIdentity(_ fields: HTTPFields) -> Bool {
    guard let coding = fields[.contentEncoding] else { return true }
    return coding.isEmpty || coding.lowercased() == "identity"
  }

  /// Whether the resource on the server may still be the same as in this resume data. False only in two cases:
  /// - This resume data has an entity tag, and the response contains another entity tag.
  /// - This resume data has a modification date, and the response contains another modification date.
  func isNotContradicted(by fields: HTTPFields) -> Bool {
    switch validator {
    case .entityTag(let tag): fields[.eTag] ?? tag == tag
    case .lastModified(let date): fields[.lastModified] ?? date == date
    }
  }

  /// Whether a response has the same validator (entity tag or modification date) as this resume data. False if the response has no
  /// validator.
  func isSame(as fields: HTTPFields) -> Bool {
    switch validator {
    case .entityTag(let tag): fields[.eTag] == tag
    case .lastModified(let date): fields[.lastModified] == date
    }
  }
}

/// Removes the partial file of a download when the last copy of its resume data is released, unless the caller
/// has stored the data.
final class PartialFileOwner: Sendable {
  private let path: String
  private let isReleased = Atomic<Bool>(false)

  /// Creates an object that removes the partial file at `path` when the object is deallocated.
  init(path: String) { self.path = path }

  deinit {
    guard !isReleased.load(ordering: .relaxed) else { return }
    unlink(path)
    unlink(ResumeData.recordPath(of: path))
  }

  /// Keeps the file on the disk: from now on, the deallocation of this object no longer removes the file.
  func release() { isReleased.store(true, ordering: .relaxed) }
}
