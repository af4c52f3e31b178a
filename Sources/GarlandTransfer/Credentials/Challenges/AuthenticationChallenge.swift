import HTTPTypes

/// What a server wants to see before it answers: one challenge of a `WWW-Authenticate` field (RFC 9110, section 11.3).
///
/// ```swift
/// for challenge in AuthenticationChallenge.all(in: response.headerFields) { print(challenge.scheme, challenge["realm"] ?? "") }
/// ```
public struct AuthenticationChallenge: Sendable, Hashable {
  /// A parameter, its value without quotes.
  public struct Parameter: Sendable, Hashable {
    /// As written; names are compared without regard to case.
    public let name: String
    /// Without quotes.
    public let value: String
  }

  /// The scheme as written, such as `Digest`. Compare it without regard to case, see ``isOf(scheme:)``.
  public let scheme: String
  /// The data of schemes that have no parameters, such as `Negotiate`.
  public internal(set) var token: String?
  /// The parameters, in order.
  public internal(set) var parameters: [Parameter] = []

  init(scheme: String) { self.scheme = scheme }

  /// The value of the first parameter of a name.
  public subscript(name: String) -> String? { parameters.first { Self.areSame($0.name, name) }?.value }

  /// Whether the scheme is this one.
  public func isOf(scheme: String) -> Bool { Self.areSame(self.scheme, scheme) }

  /// All challenges of a header, in order. Each field may hold several. What is no challenge is left out.
  public static func all(in fields: HTTPFields, field: HTTPField.Name = .wwwAuthenticate) -> [AuthenticationChallenge] {
    var challenges: [AuthenticationChallenge] = []
    for value in fields[values: field] {
      var parser = ChallengeParser(value)
      challenges += parser.parse()
    }
    return challenges
  }

  private static func areSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { $0 == $1 || ($0 ^ $1 == 0x20 && isLetter($0)) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
}
