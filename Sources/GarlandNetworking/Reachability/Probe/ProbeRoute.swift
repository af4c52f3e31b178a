/// Where a transfer's connection goes first.
enum ProbeRoute: Sendable, Hashable {
  case unixSocket(String)
  /// The proxy's URL, without user and password.
  case proxy(String)
  /// A host, with the addresses that settings name for it; none where it has to be looked up.
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
    let bare = origin.host.utf8.first == UInt8(ascii: "[") ? String(origin.host.dropFirst().dropLast()) : origin.host
    for override in settings.resolve where override.host.lowercased() == origin.host && override.port == origin.port {
      let addresses = override.addresses.compactMap { IPAddress($0) }
      if !addresses.isEmpty {
        self = .host(bare, port: origin.port, addresses: addresses)
        return
      }
    }
    for override in settings.connectTo {
      guard (override.host ?? origin.host).lowercased() == origin.host, (override.port ?? origin.port) == origin.port else { continue }
      self = .host(override.toHost ?? bare, port: override.toPort ?? origin.port, addresses: [])
      return
    }
    self = .host(bare, port: origin.port, addresses: [])
  }
}

extension ProxySetting {
  /// The proxy for an origin, without user and password; nil if there is none for it.
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
