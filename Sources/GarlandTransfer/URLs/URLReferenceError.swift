/// Why a text is no URL reference.
public struct URLReferenceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with it.
  public enum Reason: Sendable, Hashable {
    /// A control character, a line break for example.
    case controlCharacter
    /// The host is empty or has a character that no host has.
    case invalidHost(String)
    /// The port is no number up to 65535.
    case invalidPort(String)
    /// A `[` without its `]`, or something behind it that is no port.
    case invalidAddressLiteral
    /// An absolute URL was wanted, and there is no scheme.
    case missingScheme
    /// An absolute URL was wanted, and there is no host.
    case missingHost
    /// A scheme that can't be used here.
    case unsupportedScheme(String)
  }

  /// What is wrong with it.
  public let reason: Reason
  /// The text.
  public let text: String

  init(_ reason: Reason, in text: String) {
    self.reason = reason
    self.text = text
  }

  /// Human words.
  public var description: String {
    switch reason {
    case .controlCharacter: "the URL has a control character in it"
    case .invalidHost(""): "the URL has no host"
    case .invalidHost(let host): "\"\(host)\" is no host name"
    case .invalidPort(let port): "\"\(port)\" is no port"
    case .invalidAddressLiteral: "the URL's address in brackets is malformed"
    case .missingScheme: "\"\(text)\" is no absolute URL, there is no scheme such as https://"
    case .missingHost: "\"\(text)\" has no host"
    case .unsupportedScheme(let scheme): "the scheme \(scheme): is not supported"
    }
  }
}
