/// The target of a probe: a URL, or a host and port.
///
/// ```swift
/// let service = try ProbeTarget("https://example.com/health")   // DNS, TCP, TLS, and an HTTP response
/// let database = try ProbeTarget("db:5432")                     // DNS and TCP
/// ```
public struct ProbeTarget: Sendable, Hashable, CustomStringConvertible {
  /// The target as text, without user and password.
  public let description: String
  /// The host in lower case and ASCII; an IPv6 address has no brackets.
  public let host: String
  /// The port; if the target's text contains no port, the default port of the scheme.
  public let port: Int
  /// The URL; nil if the target is a host and port.
  public let url: URLReference?

  /// Parses a target.
  ///
  /// - Parameter text: An `http` or `https` URL, or `HOST:PORT` with an IPv6 address in brackets.
  public init(_ text: String) throws(ProbeTargetError) {
    guard text.utf8.contains(UInt8(ascii: "/")) else {
      (host, port) = try Self.hostAndPort(text)
      url = nil
      description = text
      return
    }
    do throws(URLReferenceError) {
      let url = try URLReference(text)
      guard let scheme = url.scheme else { throw URLReferenceError(.missingScheme, in: text) }
      guard scheme == "http" || scheme == "https" else { throw URLReferenceError(.unsupportedScheme(scheme), in: text) }
      self = try ProbeTarget(url)
    } catch {
      throw ProbeTargetError(text: text, detail: error.description)
    }
  }

  /// Creates the target for an origin, without a path.
  public init(_ origin: Origin) {
    host = Self.bare(origin.host)
    port = origin.port
    let isUsual = Self.defaultPort(of: origin.scheme) == origin.port
    description = "\(origin.scheme)://\(origin.host)" + (isUsual ? "" : ":\(origin.port)")
    url = try? URLReference(description + "/")
  }

  private init(_ url: URLReference) throws(URLReferenceError) {
    var url = url
    url.userInfo = nil
    url.fragment = nil
    guard let host = url.host, let port = url.effectivePort else { throw URLReferenceError(.missingHost, in: url.description) }
    self.host = Self.bare(host)
    self.port = port
    description = url.description
    url.path = url.path.isEmpty ? "/" : DotSegments.removed(from: url.path)
    self.url = url
  }

  /// Whether the connection uses TLS.
  public var isSecure: Bool { url?.scheme == "https" }

  /// The scheme, host and port. If the target is only a host and port, the scheme is `http`.
  var origin: Origin { Origin(scheme: url?.scheme ?? "http", host: url?.host ?? (host.contains(":") ? "[\(host)]" : host), port: port) }

  private static func hostAndPort(_ text: String) throws(ProbeTargetError) -> (String, Int) {
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), colon > text.startIndex else {
      throw ProbeTargetError(text: text, detail: "there is no port: write \(text):443, or a URL such as https://\(text)/")
    }
    let name = text[..<colon]
    let isBracketed = name.utf8.first == UInt8(ascii: "[") && name.utf8.last == UInt8(ascii: "]")
    if !isBracketed, IPAddress(text) != nil || name.utf8.contains(UInt8(ascii: ":")) {
      throw ProbeTargetError(text: text, detail: "write an IPv6 address in brackets, followed by its port: [::1]:8080")
    }
    let digits = text[text.utf8.index(after: colon)...]
    guard let port = Int(digits), (1...65535).contains(port), digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
      throw ProbeTargetError(text: text, detail: "`\(digits)` is not a valid port: a port is a number from 1 to 65535")
    }
    if isBracketed {
      guard let address = IPAddress(String(name)), address.isIPv6 else {
        throw ProbeTargetError(text: text, detail: "`\(name)` is not an IPv6 address")
      }
      return (address.description, port)
    }
    guard let host = HostName.ascii(name) else { throw ProbeTargetError(text: text, detail: "`\(name)` is not a host name") }
    return (host, port)
  }

  private static func bare(_ host: String) -> String {
    host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().dropLast()) : host
  }

  private static func defaultPort(of scheme: String) -> Int? { scheme == "http" ? 80 : scheme == "https" ? 443 : nil }
}

/// The reason why a text is not a valid target of a probe. A valid target is a URL, or a host and port.
public struct ProbeTargetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text that is neither a URL nor a host and port.
  public let text: String
  /// The reason why ``text`` can't be probed, for the error message.
  public let detail: String

  /// The error message.
  public var description: String { "\"\(text)\" is neither a URL nor HOST:PORT: \(detail)" }
}
