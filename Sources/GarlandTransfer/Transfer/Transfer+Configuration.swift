import CCurl
import Glibc
import HTTPTypes

extension Transfer {
  /// The maximum size in bytes of a body that is sent together with the header in one write.
  private static let copiedBodyLimit: Int64 = 64 << 10

  /// Configures an easy handle for the current request.
  ///
  /// - Parameter waitsForShared: Whether libcurl waits for a connection that the transfer can share, instead of opening another connection.
  func configure(_ easy: EasyHandle, waitsForShared: Bool) throws(NetworkingError) {
    guard let hop else { return }
    route.trust = nil
    let settings = request.settings
    let isPlain = isPlain(hop, settings, waitsForShared: waitsForShared)
    if isPlain, easy.plainUse?.isSame(settings, isSecure: !hop.isCleartext, waitsForShared: waitsForShared) == true {
      return try configureAgain(easy, hop)
    }
    if easy.plainUse != nil { easy.reset() }
    easy.set(CURLOPT_NOSIGNAL, 1)
    // Without this option, a slow name lookup blocks cancelling.
    easy.set(CURLOPT_QUICK_EXIT, 1)
    easy.useErrorBuffer()
    garland_keep_sockets_private(easy.handle)
    let context = Unmanaged.passUnretained(self).toOpaque()
    garland_setopt_pointer(easy.handle, CURLOPT_PRIVATE, context)
    garland_setopt_data_callback(easy.handle, CURLOPT_WRITEFUNCTION, receiveBody)
    garland_setopt_pointer(easy.handle, CURLOPT_WRITEDATA, context)
    garland_setopt_data_callback(easy.handle, CURLOPT_HEADERFUNCTION, receiveHeader)
    garland_setopt_pointer(easy.handle, CURLOPT_HEADERDATA, context)
    try authorize(hop, on: easy)
    var target = proof.signedURL ?? hop.url
    target.fragment = nil
    target.userInfo = nil
    let url = target.description
    sentHead.url = proof.signedURL == nil ? url : nil
    try easy.set(CURLOPT_URL, url)
    easy.set(CURLOPT_PATH_AS_IS, 1)

    if request.extent == .connection { easy.set(CURLOPT_CONNECT_ONLY, 1) }
    if !isFTP {
      try setBody(of: hop, on: easy, context: context)
      try setHeader(of: hop, on: easy)
      // NTLM and Negotiate authenticate a connection, so they cannot use HTTP/2, where requests share a connection.
      try setVersion(proof.usesLibrary ? .http1 : settings.version, scheme: target.scheme, on: easy)
    }
    if settings.priority != .normal { easy.set(CURLOPT_STREAM_WEIGHT, settings.priority.streamWeight) }
    if waitsForShared { easy.set(CURLOPT_PIPEWAIT, 1) }
    easy.set(
      CURLOPT_CONNECTTIMEOUT_MS, (settings.connectTimeout ?? settings.idleTimeout).map { max(1, $0.milliseconds) } ?? Int(Int32.max))
    if case .file = request.destination { easy.set(CURLOPT_BUFFERSIZE, 128 << 10) }
    if settings.usesFreshConnection { setFreshConnection(on: easy) }
    // Several requests that are sent again over HTTP/2 share a new connection.
    if route.isRepeated, !waitsForShared { easy.set(CURLOPT_FRESH_CONNECT, 1) }
    try setProxy(settings.proxy, for: hop, on: easy)
    try setRoute(settings, for: hop, on: easy)
    if request.extent == .stream { configureStream(easy) }
    if isFTP { try configureFTP(easy, hop.url) }
    if target.scheme == "https" { try setTLS(settings.tls, isTrusted: hop.isTrusted, on: easy) }
    if isPlain {
      easy.plainUse = EasyHandle.PlainUse(settings: settings, isSecure: !hop.isCleartext, waitsForShared: waitsForShared)
    }
  }

  // MARK: Plain requests

  /// Whether a request is plain, which is the most common kind: a GET with only a URL and header fields. Two
  /// plain requests with the same settings differ only in their URL and fields.
  private func isPlain(_ hop: RedirectState, _ settings: TransferSettings, waitsForShared: Bool) -> Bool {
    guard cache.hop == nil, route.addressCount == 0, !route.isRepeated, !hop.sendsBody, hop.method == .get, request.extent == .complete,
      !isFTP, request.hopSigner == nil, request.removedFields.isEmpty
    else { return false }
    switch request.credential {
    // These credentials are header fields.
    case nil, .basic, .bearer: break
    case .challenged, .digest, .negotiate, .ntlm, .aws: return false
    }
    if case .file = request.destination { return false }
    if hop.hasFields, hop.headerFields[.userAgent] != nil || hop.headerFields[.acceptEncoding] != nil { return false }
    let known: PlainSettings
    if let last = context?.plainSettings, last.settings.travelAlike(settings) {
      known = last
    } else {
      known = PlainSettings(settings)
      context?.plainSettings = known
    }
    return hop.isCleartext ? known.isPlain : known.isPlainWithTLS
  }

  /// Configures a handle whose last request was plain (a GET with only a URL and header fields): sets only the options that differ from
  /// that request.
  private func configureAgain(_ easy: EasyHandle, _ hop: RedirectState) throws(NetworkingError) {
    proof.begin()
    route.use(proxy: nil)
    easy.forgetError()
    let context = Unmanaged.passUnretained(self).toOpaque()
    garland_setopt_pointer(easy.handle, CURLOPT_PRIVATE, context)
    garland_setopt_pointer(easy.handle, CURLOPT_WRITEDATA, context)
    garland_setopt_pointer(easy.handle, CURLOPT_HEADERDATA, context)
    let url: String
    if sentHead.knownAuthority != nil {
      url = request.url
    } else {
      var target = hop.url
      target.fragment = nil
      target.userInfo = nil
      url = target.description
    }
    sentHead.url = url
    try easy.setURLAgain(url, known: sentHead.knownAuthority)
    sentHead.fields = hop.headerFields
    sentHead.cookies = cookies(for: hop)
    guard !sentHead.fields.isEmpty || sentHead.cookies != nil else { return easy.set(CURLOPT_HTTPHEADER, onlyList: nil) }
    var lines = HeaderLines()
    if !sentHead.fields.isEmpty { for field in sentHead.fields where field.name != .cookie { try lines.append(field) } }
    if let cookieHeader = sentHead.cookies { try lines.append(HTTPField(name: .cookie, value: cookieHeader)) }
    easy.set(CURLOPT_HTTPHEADER, onlyList: lines.take())
  }

  // MARK: Method and content

  private func setBody(of hop: RedirectState, on easy: EasyHandle, context: UnsafeMutableRawPointer) throws(NetworkingError) {
    let method = hop.method
    if method == .connect, let origin {
      // RFC 9110, section 9.3.6: the target of CONNECT is an authority.
      garland_setopt_string(easy.handle, CURLOPT_REQUEST_TARGET, "\(origin.host):\(origin.port)")
    }
    guard hop.sendsBody, content.reader != nil else {
      switch method {
      case .get: break
      case .head: easy.set(CURLOPT_NOBODY, 1)
      case .post, .put, .patch:
        // These methods announce that there is no content (RFC 9110, section 8.6).
        easy.set(CURLOPT_POST, 1)
        easy.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: 0)
        garland_setopt_string(easy.handle, CURLOPT_POSTFIELDS, nil)
        garland_setopt_string(easy.handle, CURLOPT_COPYPOSTFIELDS, "")
        if method != .post { try easy.set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
      default: try easy.set(CURLOPT_CUSTOMREQUEST, method.rawValue)
      }
      return
    }
    guard content.rewind() else { throw NetworkingError(.redirect(.bodyNotRepeatable)) }
    easy.set(CURLOPT_POST, 1)
    if method != .post { try easy.set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
    easy.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: content.length ?? -1)
    if let bytes = content.bytes, Int64(bytes.count) <= Self.copiedBodyLimit {
      let status = bytes.withUnsafeBytes { buffer in
        // For libcurl a null pointer means "no body by this option", so that an empty body needs an
        // address.
        guard let base = buffer.baseAddress, buffer.count > 0 else { return garland_setopt_string(easy.handle, CURLOPT_COPYPOSTFIELDS, "") }
        return garland_setopt_pointer(easy.handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: base))
      }
      try easy.check(status)
      content.sent = Int64(bytes.count)
      return
    }
    easy.set(CURLOPT_UPLOAD_BUFFERSIZE, 256 << 10)
    garland_setopt_data_callback(easy.handle, CURLOPT_READFUNCTION, sendBody)
    garland_setopt_pointer(easy.handle, CURLOPT_READDATA, context)
    garland_setopt_seek_callback(easy.handle, CURLOPT_SEEKFUNCTION, rewindBody)
    garland_setopt_pointer(easy.handle, CURLOPT_SEEKDATA, context)
  }

  // MARK: Header

  private func setHeader(of hop: RedirectState, on easy: EasyHandle) throws(NetworkingError) {
    let settings = request.settings
    var lines = HeaderLines()
    sentHead.fields = hop.headerFields
    addPartialFields(to: &sentHead.fields)
    for field in proof.fields { sentHead.fields[field.name] = field.value }
    if let cacheHop = cache.hop {
      cacheHop.began()
      for field in cacheHop.conditions { sentHead.fields.append(field) }
    }
    for field in sentHead.fields where field.name != .cookie { try lines.append(field) }

    // The caller's own cookies come first and follow the rules of credentials; the cookies of the jar follow their own rules.
    sentHead.cookies = cookies(for: hop)
    if let cookieHeader = sentHead.cookies { try lines.append(HTTPField(name: .cookie, value: cookieHeader)) }

    for name in request.removedFields where hop.headerFields[name] == nil { try lines.append(removalOf: name) }
    if settings.decodesContent, !request.removedFields.contains(.acceptEncoding) {
      // libcurl offers the codings, and this library decodes them: libcurl accepts a truncated body
      // as complete. The caller's own field replaces only the offer.
      try easy.set(CURLOPT_ACCEPT_ENCODING, try CurlLibrary.shared.get().contentCodings)
      easy.set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    }
    if let userAgent = settings.userAgent, hop.headerFields[.userAgent] == nil { try easy.set(CURLOPT_USERAGENT, userAgent) }
    if hop.sendsBody || hop.method == .post || hop.method == .put || hop.method == .patch {
      // libcurl assumes that all content is a form, so the content type that it would send is removed.
      if hop.headerFields[.contentType] == nil { try lines.append(removalOf: .contentType) }
      if hop.headerFields[.expect] == nil, hop.sendsBody {
        switch expectContinue {
        case .automatic: break
        case .always: try lines.append(HTTPField(name: .expect, value: "100-continue"))
        case .never: try lines.append(removalOf: .expect)
        }
      }
    }
    if let list = lines.take() { easy.set(CURLOPT_HTTPHEADER, list: list) }
  }

  /// Returns the value of the `Cookie` field: the cookies in the caller's own field, and the cookies of the jar. Returns nil if there are
  /// no cookies.
  func cookies(for hop: RedirectState) -> String? {
    let own = hop.hasFields ? hop.headerFields[values: .cookie] : []
    let stored = request.settings.cookies?.header(for: hop.url)
    return own.isEmpty ? stored : (own + (stored.map { [$0] } ?? [])).joined(separator: "; ")
  }

  private func setFreshConnection(on easy: EasyHandle) {
    easy.set(CURLOPT_FRESH_CONNECT, 1)
    easy.set(CURLOPT_FORBID_REUSE, 1)
  }

  private func setVersion(_ version: HTTPVersionPreference, scheme: String?, on easy: EasyHandle) throws(NetworkingError) {
    switch version {
    case .automatic: break
    case .http1: easy.set(CURLOPT_HTTP_VERSION, garland_http_version_1_1)
    case .http2: easy.set(CURLOPT_HTTP_VERSION, garland_http_version_2)
    case .http2PriorKnowledge: easy.set(CURLOPT_HTTP_VERSION, garland_http_version_2_prior_knowledge)
    }
    if version == .http2 || version == .http2PriorKnowledge, scheme == "http", try !CurlLibrary.shared.get().keepsClearHTTP2 {
      setFreshConnection(on: easy)
    }
  }

  // MARK: Route

  private func setProxy(_ setting: ProxySetting, for hop: RedirectState, on easy: EasyHandle) throws(NetworkingError) {
    var proxy: String?
    var credentials: ProxyCredentials?
    switch setting {
    case .none: break
    case .url(let url, let given, let exceptions):
      guard let origin, !exceptions.contains(host: origin.host, port: origin.port) else { break }
      proxy = url
      credentials = given
    case .environment(let environment): proxy = origin.flatMap(environment.proxy(for:))
    }
    // An empty text prevents libcurl from reading the environment variables itself.
    try easy.set(CURLOPT_PROXY, proxy ?? "")
    try easy.set(CURLOPT_NOPROXY, "")
    route.use(proxy: proxy)
    guard route.usesProxy else { return }
    easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // The header is for the origin; the proxy must not see its credentials.
    easy.set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    if let authorities = request.settings.tls.authorities ?? CertificateAuthorities.system {
      try easy.set(CURLOPT_PROXY_CAINFO, authorities)
      garland_setopt_string(easy.handle, CURLOPT_PROXY_CAPATH, nil)
    }
    if let credentials {
      try easy.set(CURLOPT_PROXYUSERNAME, credentials.user)
      try easy.set(CURLOPT_PROXYPASSWORD, credentials.password)
      try CurlLibrary.shared.get().check(credentials.scheme)
      easy.set(CURLOPT_PROXYAUTH, credentials.scheme.option)
      route.negotiatesWithProxy = credentials.scheme != .basic
    }
  }

  private func setRoute(_ settings: TransferSettings, for hop: RedirectState, on easy: EasyHandle) throws(NetworkingError) {
    if !settings.resolve.isEmpty || !settings.connectTo.isEmpty, let origin {
      let target = ConnectionTarget(for: origin, settings)
      if !target.isPlain(for: origin) {
        // Use this option for addresses too, and not libcurl's RESOLVE, whose entries remain in the DNS cache for other transfers.
        let host = target.addresses.isEmpty ? target.host : target.addresses[min(route.addressIndex, target.addresses.count - 1)]
        let connection = "\(origin.host):\(origin.port):\(ConnectionTarget.bracketed(host)):\(target.port)"
        try easy.set(CURLOPT_CONNECT_TO, list: [connection])
        route.addressCount = target.addresses.count
      }
    }
    var handle = easy
    try settings.visitOptions(&handle)
  }
}

/// Transfers that only open a connection for a stream, and send no request.
extension Transfer {
  /// Configures an easy handle that only opens a connection, with TLS if requested, and sends no request.
  func configureStream(_ easy: EasyHandle) {
    easy.set(CURLOPT_CONNECT_ONLY, 1)
    // An HTTP proxy must open a tunnel.
    if route.usesProxy { easy.set(CURLOPT_HTTPPROXYTUNNEL, 1) }
    // The caller chooses the protocol above TLS, so ALPN is not used.
    easy.set(CURLOPT_SSL_ENABLE_ALPN, 0)
    easy.set(CURLOPT_FRESH_CONNECT, 1)
    handover.socket?.give(to: easy)
  }
}
