import GarlandText
import HTTPTypes

/// A challenge of a `WWW-Authenticate` field: the authentication that a server requires (RFC 9110,
/// section 11.3).
///
/// ```swift
/// for challenge in AuthenticationChallenge.all(in: response.headerFields) { print(challenge.scheme, challenge["realm"] ?? "") }
/// ```
public struct AuthenticationChallenge: Sendable, Hashable {
  /// A parameter with its unquoted value.
  public struct Parameter: Sendable, Hashable {
    /// The name in its original case; names are case-insensitive.
    public let name: String
    /// The value of the parameter, without the quotes and the backslash escapes of a quoted string.
    public let value: String
  }

  /// The scheme in its original case, such as `Digest`. Schemes are case-insensitive; compare them with
  /// ``isOf(scheme:)``.
  public let scheme: String
  /// The data after the name of the scheme, for a scheme such as `Negotiate` that has no parameters; nil if there is no such data.
  public internal(set) var token: String?
  /// The parameters of the challenge, in the order of the header field.
  public internal(set) var parameters: [Parameter] = []

  init(scheme: String) { self.scheme = scheme }

  /// The value of the first parameter whose name is `name`, ignoring case; nil if there is none.
  public subscript(name: String) -> String? { parameters.first { Self.areSame($0.name, name) }?.value }

  /// Whether the challenge has a given scheme, ignoring case.
  public func isOf(scheme: String) -> Bool { Self.areSame(self.scheme, scheme) }

  /// Returns all challenges of a header in order. Each field may contain several challenges. Invalid
  /// challenges are omitted.
  public static func all(in fields: HTTPFields, field: HTTPField.Name = .wwwAuthenticate) -> [AuthenticationChallenge] {
    var challenges: [AuthenticationChallenge] = []
    for value in fields[values: field] {
      var parser = ChallengeParser(value)
      challenges += parser.parse()
    }
    return challenges
  }

  private static func areSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { $0 == $1 || ($0 ^ $1 == 0x20 && $0.isLetter) }
  }
}
