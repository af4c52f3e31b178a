/// An attempt to connect to a target over one path: directly with one IP version, over a Unix domain socket, or through a proxy.
struct ProbeAttempt: Sendable {
  /// The maximum number of addresses per IP version, since more addresses yield no new information.
  private static let addressLimit = 3
  /// The maximum number of the certificate's names that an error message lists.
  private static let nameLimit = 5

  var path: ProbePath
  /// The addresses to try one after another, all of one IP version.
  var addresses: [IPAddress]
  var port: Int?

  /// Returns one attempt for each IP version that occurs in `addresses`. The attempt for the version of the first address comes first.
  static func attempts(_ addresses: [IPAddress], port: Int) -> [ProbeAttempt] {
    var attempts: [ProbeAttempt] = []
    for isIPv6 in addresses.first?.isIPv6 == true ? [true, false] : [false, true] {
      let own = Array(addresses.filter { $0.isIPv6 == isIPv6 }.prefix(addressLimit))
      guard let first = own.first else { continue }
      attempts.append(ProbeAttempt(path: ProbePath(isIPv6 ? .ipv6 : .ipv4, address: first.description), addresses: own, port: port))
    }
    return attempts
  }

  func carryOut(_ request: TransferRequest, on engine: Engine) async -> ProbePath {
    var path = path
    let metrics: TransferMetrics
    do throws(NetworkingError) {
      let response = try await engine.response(for: request)
      metrics = response.metrics
      if request.extent == .head { path.status = Int(response.status.code) }
    } catch {
      metrics = error.metrics
      path.failure = ProbeFailure(error) ?? .other(detail: error.description)
    }
    guard let last = metrics.transactions.last else { return path }
    if let address = last.remoteAddress, path.kind == .ipv4 || path.kind == .ipv6 { path.address = address }
    if let connect = last.connect { path.connect = connect - (last.nameLookup ?? .zero) }
    if let secure = last.secure, let connect = last.connect { path.secure = secure - connect }
    if path.status != nil, let first = last.firstByte { path.answer = first - (last.requestStart ?? .zero) }
    if path.connect == nil, let failure = path.failure, failure.isOfTLS { path.connect = await connectTime(for: request, on: engine) }
    if case .tls(.wrongHost, let detail)? = path.failure, let names = await certificateNames(for: request, on: engine) {
      // libcurl's text names the host, which is that of the URL or an HTTPS proxy.
      let host = (try? URLReference(request.url))?.host.flatMap { detail.contains($0) ? ", but not `\($0)`" : nil }
      path.failure = .tls(.wrongHost, detail: "the certificate names \(names)\(host ?? "; \(detail)")")
    }
    return path
  }

  /// Returns the names in the server's certificate, as text for an error message; nil if the server has no certificate.
  ///
  /// After libcurl has refused a connection, it does not report the certificate. To store the certificates of all connections would cost
  /// time in each handshake. Therefore this function opens a second connection, accepts any certificate, and sends no request.
  private func certificateNames(for request: TransferRequest, on engine: Engine) async -> String? {
    var request = request
    request.extent = .connection
    request.settings.recordsSecurity = true
    request.settings.serverTrust = nil
    request.settings.tls.verifies = false
    request.settings.tls.clientCertificate = nil
    let last = try? await engine.response(for: request).metrics.transactions.last
    guard let certificate = last?.security?.certificate else { return nil }
    let names = certificate.alternativeNames.isEmpty ? [certificate.description] : certificate.alternativeNames
    let shown = names.prefix(Self.nameLimit).map { "`\($0.prefix(100))`" }.joined(separator: ", ")
    return names.count > Self.nameLimit ? "\(shown) and \(names.count - Self.nameLimit) more" : shown
  }

  /// Measures the connect time with a second connection, since libcurl does not report the connect time when TLS fails. Returns nil if the
  /// second connection fails too.
  private func connectTime(for request: TransferRequest, on engine: Engine) async -> Duration? {
    guard !addresses.isEmpty, var url = try? URLReference(request.url) else { return nil }
    var request = request
    // Keep the port of the `https` URL, although the scheme changes.
    url.port = url.effectivePort
    url.scheme = "http"
    request.url = url.description
    request.extent = .connection
    guard let last = try? await engine.response(for: request).metrics.transactions.last else { return nil }
    return last.connect.map { $0 - (last.nameLookup ?? .zero) }
  }
}

extension ProbeFailure {
  /// Whether the failure occurred during the TLS handshake, when the TCP connection was open.
  fileprivate var isOfTLS: Bool {
    switch self {
    case .tls: true
    case .timedOut(let phase, _): phase == .securing
    default: false
    }
  }
}
