/// The first destination that a transfer connects to: a Unix socket, a proxy or a host.
enum ProbeRoute: Sendable, Hashable {
  case unixSocket(String)
  /// The proxy's URL without user and password.
  case proxy(String)
  /// A host, with the IP addresses that the transfer settings give for it. If the list of addresses is empty, the name of the host is
  /// looked up.
  case host(String, port: Int, addresses: [IPAddress])

  init(to origin: Origin, _ settings: TransferSettings) {
    if let path = settings.unixSocket {
      self = .unixSocket(path)
      return
    }
    if let proxy = settings.proxy.url(for: origin) {
      self = .proxy(proxy)
      return
    }
    let target = ConnectionTarget(for: origin, settings)
    let bare = target.host.utf8.first == UInt8(ascii: "[") ? String(target.host.dropFirst().dropLast()) : target.host
    self = .host(bare, port: target.port, addresses: target.addresses.compactMap { IPAddress($0) })
  }
}

extension ProxySetting {
  /// Returns the URL, without user and password, of the proxy for an origin; nil if there is no proxy.
  func url(for origin: Origin) -> String? {
    let text: String?
    switch self {
    case .none: text = nil
    case .url(let url, _, let exceptions): text = exceptions.contains(host: origin.host, port: origin.port) ? nil : url
    case .environment(let environment): text = environment.proxy(for: origin)
    }
    guard let text, !text.isEmpty, var url = try? URLReference(text), url.userInfo != nil else { return text }
    url.userInfo = nil
    return url.description
  }
}
