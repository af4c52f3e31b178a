/// The evaluators of server certificates, by host.
struct HostTable: Sendable {
  private var hosts: [String: HostTrust] = [:]
  /// The evaluators for all subdomains of a domain. Each key is a domain.
  private var domains: [String: HostTrust] = [:]
  private var rest: HostTrust?

  init(_ evaluators: [String: any ServerTrustEvaluating]) throws(TrustConfigurationError) {
    // Sorted, so that errors do not depend on the dictionary's order.
    for (pattern, evaluator) in evaluators.sorted(by: { $0.key < $1.key }) {
      let trust = HostTrust([evaluator])
      let isNew: Bool
      if pattern == "*" {
        isNew = true
        rest = trust
      } else if pattern.hasPrefix("*.") {
        guard let domain = Self.name(pattern.dropFirst(2)), IPAddress(domain) == nil else { throw .host(pattern) }
        isNew = domains.updateValue(trust, forKey: domain) == nil
      } else {
        guard let host = Self.name(pattern[...]) else { throw .host(pattern) }
        isNew = hosts.updateValue(trust, forKey: host) == nil
      }
      if !isNew { throw .repeatedHost(pattern) }
    }
  }

  var all: [HostTrust] { Array(hosts.values) + Array(domains.values) + (rest.map { [$0] } ?? []) }

  /// Returns the trust that is configured for a host, or else for its nearest parent domain, or else for all hosts; nil if none
  /// of these is configured.
  func find(_ host: String) -> HostTrust? {
    var host = host[...]
    // A host with a final dot is the same host (RFC 1034, section 3.1), so the dot is removed.
    if host.utf8.last == UInt8(ascii: "."), host.utf8.count > 1 { host = host.dropLast() }
    if host.utf8.first == UInt8(ascii: "[") { host = host.dropFirst().dropLast() }
    if let trust = hosts[String(host)] { return trust }
    if !domains.isEmpty {
      var below = host
      while let dot = below.utf8.firstIndex(of: UInt8(ascii: ".")) {
        below = below[below.utf8.index(after: dot)...]
        if let trust = domains[String(below)] { return trust }
      }
    }
    return rest
  }

  /// Returns a host in the form that URLs use; nil if the host is invalid.
  private static func name(_ text: Substring) -> String? {
    var text = text
    if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") { text = text.dropFirst().dropLast() }
    if text.utf8.contains(UInt8(ascii: ":")) { return IPAddress(String(text)) == nil ? nil : text.lowercased() }
    guard !text.utf8.contains(UInt8(ascii: "*")), var name = HostName.ascii(text) else { return nil }
    if name.utf8.last == UInt8(ascii: ".") { name.removeLast() }
    return name.isEmpty || name.utf8.first == UInt8(ascii: ".") ? nil : name
  }
}
