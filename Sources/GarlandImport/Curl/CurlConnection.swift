/// The connection settings of a command line's requests, for the corresponding keys of a step.
struct CurlConnection {
  var verifies = true
  var minimumTLS: String?
  var authorities: ImportedText?
  var certificate: ImportedText?
  var key: ImportedText?
  var keyPassword: ImportedText?
  var pins: [String] = []
  var version: String?
  var deadline: String?
  var rateLimit: String?
  var largestBody: String?
  var mostRedirects: Int?
  var proxy: ImportedText?
  var proxyUser: ImportedText?
  /// The hosts that are reached without the proxy.
  var withoutProxy: [String] = []
  var unixSocket: ImportedText?
  var interface: ImportedText?
  var resolve: [(from: String, address: String)] = []
  var connectTo: [(host: String, port: String, toHost: String, toPort: String)] = []

  /// The entries for the key `tls` of the step.
  var tls: [(key: String, value: ImportedValue)] {
    var entries: [(key: String, value: ImportedValue)] = []
    if let authorities { entries.append(("ca", .text(authorities))) }
    if let certificate { entries.append(("cert", .text(certificate))) }
    if let key, certificate != nil { entries.append(("key", .text(key))) }
    if let keyPassword, certificate != nil { entries.append(("password", .text(keyPassword))) }
    // A version below 1.2 must be set explicitly.
    if let minimumTLS, minimumTLS != "1.2" { entries.append(("min", .number(minimumTLS))) }
    if !pins.isEmpty, verifies { entries.append(("pins", .list(pins.map { .string($0) }))) }
    if !verifies { entries.append(("verify", .bool(false))) }
    return entries
  }
}

extension CurlCommandLine {
  mutating func takeConnection(_ name: String, _ text: ImportedText, at range: Range<Int>) {
    switch name {
    case "cacert": connection.authorities = text
    case "cert": takeCertificate(text)
    case "cert-type":
      let type = text.literal?.uppercased() ?? ""
      if type != "PEM", type != "P12" { leaveOut("--cert-type \(text.source)", at: range) }
    case "key": connection.key = text
    case "pass": connection.keyPassword = text
    case "pinnedpubkey": takePins(text, at: range)
    case "proxy": takeProxy(text, scheme: nil)
    case "socks4", "socks4a", "socks5": takeProxy(text, scheme: name)
    case "socks5-hostname": takeProxy(text, scheme: "socks5h")
    case "proxy-user": connection.proxyUser = text
    case "noproxy": connection.withoutProxy = (text.literal ?? "").split { $0 == "," || $0 == " " }.map { $0.lowercased() }
    case "unix-socket": connection.unixSocket = text
    case "interface":
      connection.interface = text.dropping(prefix: "if!") ?? text.dropping(prefix: "host!") ?? text
    case "resolve": takeResolve(text, at: range)
    case "connect-to": takeConnectTo(text, at: range)
    default: leaveOut("--\(name)", at: range)
    }
  }

  private mutating func takeCertificate(_ text: ImportedText) {
    // In the name of a file, a backslash escapes a colon.
    let mark = "\u{F8FF}"
    let masked = text.mapLiterals { $0.replacing("\\:", with: mark) }
    let pair = masked.split(":", limit: 2)
    connection.certificate = pair[0].mapLiterals { $0.replacing(mark, with: ":").replacing("\\\\", with: "\\") }
    if pair.count == 2 { connection.keyPassword = pair[1] }
  }

  private mutating func takePins(_ text: ImportedText, at range: Range<Int>) {
    let pins = (text.literal ?? "").split(separator: ";").map(String.init)
    guard !pins.isEmpty, pins.allSatisfy({ $0.hasPrefix("sha256//") && $0.utf8.count == 52 }) else {
      return leaveOut("--pinnedpubkey \(text.source)", at: range, help: "`tls.pins` takes `sha256/` and the digest of the key")
    }
    connection.pins = pins.map { "sha256/" + $0.dropFirst(8) }
  }

  private mutating func takeProxy(_ text: ImportedText, scheme: String?) {
    guard !text.isEmpty else { return connection.proxy = ImportedText("none") }
    let isAbsolute = text.pieces.contains { if case .literal(let part) = $0 { part.range("://") != nil } else { false } }
    let startsOpen = if case .expression? = text.pieces.first { true } else { false }
    var url = isAbsolute || startsOpen && scheme == nil ? text : ImportedText("\(scheme ?? "http")://") + text
    // Without a port, curl uses 1080 for every proxy.
    if let literal = url.literal, let start = literal.range("://") {
      let authority = literal[start.upperBound...].prefix { $0 != "/" }
      let host = authority.split(separator: "@").last ?? authority
      let hasPort = host.split(separator: "]", omittingEmptySubsequences: false).last?.contains(":") == true
      if !hasPort, !literal.lowercased().hasPrefix("https:") {
        url = ImportedText(String(literal[..<start.upperBound]) + authority + ":1080")
      }
    }
    connection.proxy = url
  }

  /// Processes the value of `--resolve`, in the form `[+]HOST:PORT:ADDRESS[,ADDRESS…]`.
  private mutating func takeResolve(_ text: ImportedText, at range: Range<Int>) {
    let literal = text.literal ?? ""
    let parts = Self.fields(literal.hasPrefix("+") ? String(literal.dropFirst()) : literal, most: 3)
    guard parts.count == 3, !parts[0].isEmpty, parts[0] != "*", !parts[0].hasPrefix("-"), let port = UInt16(parts[1]), port > 0,
      let address = parts[2].split(separator: ",").first
    else {
      return leaveOut("--resolve \(text.source)", at: range)
    }
    if parts[2].contains(",") { leaveOut("all but the first address of `--resolve`", at: range) }
    connection.resolve.append(("\(parts[0]):\(port)", String(address.split { $0 == "[" || $0 == "]" }.first ?? address)))
  }

  /// Processes the value of `--connect-to`, in the form `HOST1:PORT1:HOST2:PORT2`, where each field may be empty.
  private mutating func takeConnectTo(_ text: ImportedText, at range: Range<Int>) {
    let parts = Self.fields(text.literal ?? "", most: 4)
    guard parts.count == 4 else { return leaveOut("--connect-to \(text.source)", at: range) }
    connection.connectTo.append((parts[0], parts[1], parts[2], parts[3]))
  }

  /// Splits a text at its colons into at most `most` parts. Colons within the brackets of an IPv6 address do not split the text.
  private static func fields(_ text: String, most: Int) -> [String] {
    var fields = [""]
    var isBracketed = false
    for character in text {
      if character == "[" { isBracketed = true }
      if character == "]" { isBracketed = false }
      if character == ":", !isBracketed, fields.count < most { fields.append("") } else { fields[fields.count - 1].append(character) }
    }
    return fields
  }

  // MARK: A request's settings

  mutating func addConnection(to request: inout ImportedRequest) {
    let authority = CurlURL.authority(of: request.url)
    if !connection.tls.isEmpty { request.settings.append(("tls", .object(connection.tls))) }
    if !connection.pins.isEmpty, !connection.verifies { leaveOut("--pinnedpubkey beside `--insecure`", at: program) }
    if let version = connection.version { request.settings.append(("http", .number(version))) }
    if let deadline = connection.deadline { request.settings.append(("deadline", .string(deadline))) }
    if let rate = connection.rateLimit { request.settings.append(("rate_limit", .string(rate))) }
    if let size = connection.largestBody { request.settings.append(("max_body", .string(size))) }
    if let socket = connection.unixSocket { request.settings.append(("unix_socket", .text(socket))) }
    if let interface = connection.interface { request.settings.append(("interface", .text(interface))) }
    if !connection.resolve.isEmpty {
      request.settings.append(("resolve", .object(connection.resolve.map { ($0.from, .string($0.address)) })))
    }
    addProxy(to: &request, host: authority?.host)
    addConnectTo(to: &request, authority)
  }

  private func addProxy(to request: inout ImportedRequest, host: String?) {
    let isExcepted = connection.withoutProxy.contains { name in
      let name = name.hasPrefix(".") ? String(name.dropFirst()) : name
      return name == "*" || host.map { $0 == name || $0.hasSuffix("." + name) } == true
    }
    if isExcepted { return request.settings.append(("proxy", .string("none"))) }
    guard var proxy = connection.proxy else { return }
    if let user = connection.proxyUser, case .literal(let start)? = proxy.pieces.first, let scheme = start.range("://") {
      let rest = ImportedText(String(start[scheme.upperBound...])) + ImportedText(pieces: Array(proxy.pieces.dropFirst()))
      let pair = user.split(":", limit: 2).map(\.percentEncoded)
      let information = pair.dropFirst().reduce(pair[0]) { $0 + ImportedText(":") + $1 }
      let host = rest.literal?.lastIndex(of: "@").map { ImportedText(String((rest.literal ?? "")[$0...].dropFirst())) } ?? rest
      proxy = ImportedText(String(start[..<scheme.upperBound])) + information + ImportedText("@") + host
    }
    request.settings.append(("proxy", .text(ImportedText.joined(proxy))))
  }

  private mutating func addConnectTo(to request: inout ImportedRequest, _ authority: (host: String, port: String)?) {
    guard !connection.connectTo.isEmpty else { return }
    guard let authority else { return leaveOut("--connect-to", at: program) }
    let entry = connection.connectTo.first { entry in
      (entry.host.isEmpty || entry.host.lowercased() == authority.host) && (entry.port.isEmpty || entry.port == authority.port)
    }
    guard let entry else { return }
    let target = "\(entry.toHost.isEmpty ? authority.host : entry.toHost):\(entry.toPort.isEmpty ? authority.port : entry.toPort)"
    request.settings.append(("connect_to", .object([("\(authority.host):\(authority.port)", .string(target))])))
  }
}

extension ImportedText {
  /// The text in percent-encoding, for the user name or the password in a URL.
  var percentEncoded: ImportedText {
    ImportedText(
      pieces: pieces.map { piece in
        switch piece {
        case .literal(let text): .literal(FormDecoding.encoded(Array(text.utf8)[...]).replacing("+", with: "%20"))
        case .expression(let expression): .expression(expression + " | urlencode")
        }
      })
  }
}
