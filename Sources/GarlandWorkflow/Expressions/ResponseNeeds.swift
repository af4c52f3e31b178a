/// A set of parts of a response. A run computes and stores only those parts of a response that the step itself or a later step uses.
public struct ResponseNeeds: OptionSet, Sendable, Hashable {
  /// The set as a number with one bit for each part of the response.
  public let rawValue: UInt16
  /// Creates a set from the number that represents it.
  ///
  /// - Parameter rawValue: a number with one bit for each part of a response, such as its text.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The body as JSON.
  public static let json = ResponseNeeds(rawValue: 1)
  /// The body as text.
  public static let text = ResponseNeeds(rawValue: 2)
  /// The header fields of the response.
  public static let headers = ResponseNeeds(rawValue: 4)
  /// The cookies that the response set.
  public static let cookies = ResponseNeeds(rawValue: 8)
  /// Small parts of the response that cost nothing to store, such as the status, the URL, the time, the size and the version.
  public static let facts = ResponseNeeds(rawValue: 16)
  /// The values that the step extracts.
  public static let extracts = ResponseNeeds(rawValue: 32)
  /// A digest of the body's bytes.
  public static let digest = ResponseNeeds(rawValue: 64)

  /// The body as XML or HTML.
  public static let markup = ResponseNeeds(rawValue: 128)

  /// The body as a property list.
  public static let propertyList = ResponseNeeds(rawValue: 256)
  /// The first bytes of the body.
  public static let beginning = ResponseNeeds(rawValue: 512)

  /// The items of a stream.
  public static let items = ResponseNeeds(rawValue: 1024)

  /// Whether the set contains a part that needs the bytes of the body.
  public var needsBody: Bool { !isDisjoint(with: [.json, .text, .digest, .markup, .propertyList, .beginning]) }
}

extension ResponseMember {
  /// The part of the response that must be stored so that expressions can use this member.
  var needs: ResponseNeeds {
    switch self {
    case .json: .json
    case .text: .text
    case .headers: .headers
    case .cookies: .cookies
    case .items: .items
    case .status, .url, .time, .size, .version, .attempts, .redirects, .method, .query: .facts
    }
  }
}
