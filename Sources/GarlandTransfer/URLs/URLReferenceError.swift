/// The reason why a text is not a URL reference.
public struct URLReferenceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of mistake in the text.
  public enum Reason: Sendable, Hashable {
    /// The text contains a control character, for example a line break.
    case controlCharacter
    /// The host is empty or contains an invalid character.
    case invalidHost(String)
    /// The port is not a number up to 65535.
    case invalidPort(String)
    /// A `[` has no matching `]`, or the `]` is followed by something other than a port.
    case invalidAddressLiteral
    /// An absolute URL was required, but there is no scheme.
    case missingScheme
    /// An absolute URL was required, but there is no host.
    case missingHost
    /// The operation that uses the URL does not support the URL's scheme. For example, a reachability probe supports only `http` and
    /// `https`.
    case unsupportedScheme(String)
  }

  /// The kind of mistake in the text.
  public let reason: Reason
  /// The text that could not be parsed.
  public let text: String

  init(_ reason: Reason, in text: String) {
    self.reason = reason
    self.text = text
  }

  /// The error message.
  public var description: String {
    switch reason {
    case .controlCharacter: "the URL has a control character in it"
    case .invalidHost(""): "the URL has no host"
    case .invalidHost(let host): "\"\(host)\" is not a host name"
    case .invalidPort(let port): "\"\(port)\" is not a valid port"
    case .invalidAddressLiteral: "the URL's address in brackets is malformed"
    case .missingScheme: "\"\(text)\" is not an absolute URL: it has no scheme such as https://"
    case .missingHost: "\"\(text)\" has no host"
    case .unsupportedScheme(let scheme): "the scheme \(scheme): is not supported"
    }
  }
}
