import GarlandDiagnostics
import GarlandTransfer
import GarlandWorkflow
import HTTPTypes

/// Sets the transport settings of a request.
extension RequestDraft {
  mutating func addTransport(_ transport: GarlandWorkflow.TransportSettings, _ context: some EvaluationContext) throws(RequestRefusal) {
    var settings = built.transfer.settings
    if let timeout = transport.timeout { settings.idleTimeout = try setting(timeout, context) }
    if let deadline = transport.deadline { settings.deadline = try setting(deadline, context) }
    if let version = transport.httpVersion {
      switch try setting(version, context) {
      case .http1_1: settings.version = .http1
      case .http2: settings.version = .http2
      }
    }
    if let proxy = transport.proxy {
      let text = try setting(proxy, context)
      settings.proxy = text == "none" ? .none : .url(text)
    }
    for mapping in transport.resolve {
      let (host, port) = try hostAndPort(mapping.from.value, of: "resolve", at: mapping.from.range)
      let address = try setting(mapping.to, context)
      settings.resolve.append(ResolveOverride(host: host, port: port, addresses: [address]))
    }
    for mapping in transport.connectTo {
      let (host, port) = try hostAndPort(mapping.from.value, of: "connect_to", at: mapping.from.range)
      let (toHost, toPort) = try hostAndPort(try setting(mapping.to, context), of: "connect_to", at: mapping.to.range)
      settings.connectTo.append(ConnectOverride(host: host, port: port, toHost: toHost, toPort: toPort))
    }
    if let socket = transport.unixSocket { settings.unixSocket = absolutePath(try setting(socket, context), in: folder(for: .socket)) }
    if let interface = transport.interface { settings.interface = try setting(interface, context) }
    if let rate = transport.rateLimit {
      let bytes = Int64(try setting(rate, context).bytes)
      settings.receiveRate = bytes
      settings.sendRate = bytes
    }
    if let maximum = transport.maxBody { settings.maximumBodyBytes = Int64(try setting(maximum, context).bytes) }
    if let compression = transport.compression {
      switch try setting(compression, context) {
      case .gzip: built.transfer.compression = RequestCompression(.gzip)
      case .deflate: built.transfer.compression = RequestCompression(.deflate)
      }
    }
    if let waits = transport.waitForConnectivity { built.waitsForConnectivity = try setting(waits, context) }
    try addTLS(transport.tls, to: &settings.tls, context)
    if !transport.tls.pins.isEmpty { settings.serverTrust = try pinned(transport.tls.pins, verifies: settings.tls.verifies, context) }
    built.transfer.settings = settings
  }

  private func addTLS(
    _ tls: GarlandWorkflow.TLSSettings, to settings: inout GarlandTransfer.TLSSettings, _ context: some EvaluationContext
  ) throws(RequestRefusal) {
    if let file = tls.ca { settings.authorities = try path(of: file, context) }
    if let file = tls.cert {
      var key: String?
      if let file = tls.key { key = try path(of: file, context) }
      settings.clientCertificate = .file(
        try path(of: file, context), key: key,
        password: try tls.password.map { template throws(RequestRefusal) in try password(template, context) })
    }
    if let verify = tls.verify { settings.verifies = try setting(verify, context) }
    if let version = tls.minVersion {
      settings.minimumVersion =
        switch try setting(version, context) {
        case .tls1_0: .tls1_0
        case .tls1_1: .tls1_1
        case .tls1_2: .tls1_2
        case .tls1_3: .tls1_3
        }
    }
  }

  /// Evaluates a password and registers the password as a secret, even if the document declares no such secret. A password that the
  /// document contains literally is not registered.
  private func password(_ template: Template, _ context: some EvaluationContext) throws(RequestRefusal) -> String {
    let (text, _) = try text(template, context)
    if template.constant == nil { context.secretRegistry.register(secret: text) }
    return text
  }

  /// Returns an object that accepts only server certificates whose public key has one of the pinned digests; nil if there are no pins. The
  /// pins apply to every server that the request reaches, so that a redirect cannot avoid them.
  private func pinned(
    _ pins: [Setting<PinSetting>], verifies: Bool, _ context: some EvaluationContext
  ) throws(RequestRefusal) -> ServerTrustManager? {
    guard let first = pins.first else { return nil }
    guard verifies else {
      throw refusal("tls.pins", "can't be checked, because `verify: false` switches verification off", at: first.range)
    }
    var keys: [PublicKeyPin] = []
    for pin in pins {
      let digest = try setting(pin, context).sha256
      do throws(TrustConfigurationError) {
        keys.append(try PublicKeyPin(sha256: digest))
      } catch {
        throw refusal("tls.pins", error.description, at: pin.range)
      }
    }
    do throws(TrustConfigurationError) {
      return try ServerTrustManager(["*": PublicKeysTrustEvaluator(keys)])
    } catch {
      throw refusal("tls.pins", error.description, at: first.range)
    }
  }

  private func hostAndPort(_ text: String, of key: String, at range: SourceRange) throws(RequestRefusal) -> (host: String, port: Int) {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), (1...65535).contains(port),
      colon > text.startIndex
    else {
      throw refusal(key, "is not `HOST:PORT`", at: range, actual: text)
    }
    return (String(text[..<colon]), port)
  }

  /// Sets whether redirects are followed, from the setting in the document. Without this setting, redirects are followed unless the step
  /// expects a redirect.
  mutating func addRedirects(_ context: some EvaluationContext) throws(RequestRefusal) {
    built.admitsRedirects = try expectsRedirect(context)
    var follows = !built.admitsRedirects
    guard template.hasTransport else {
      if !follows { built.transfer.settings.redirects = .deliver }
      return
    }
    let transport = template.transport
    if let follow = transport.followRedirects { follows = try setting(follow, context) }
    if !follows {
      built.transfer.settings.redirects = .deliver
    } else if let maximum = transport.maxRedirects {
      built.transfer.settings.redirects = .follow(maximum: try setting(maximum, context))
    }
  }

  private func expectsRedirect(_ context: some EvaluationContext) throws(RequestRefusal) -> Bool {
    for expectation in step.judged {
      switch expectation.check {
      case .status(let patterns):
        for pattern in patterns where try setting(pattern, context).admitsRedirects { return true }
      case .statusPredicates: if (300...399).contains(where: { step.expects(status: $0, in: context) }) { return true }
      default: continue
      }
    }
    return false
  }

  /// Prepares the request for a response that is read as a stream. The request accepts only the stream's media type, unless the step sets
  /// `Accept`. The response is never stored in a cache.
  mutating func add(_ stream: StreamTemplate) {
    built.transfer.settings.cache = nil
    guard built.transfer.headerFields[.accept] == nil, !built.transfer.removedFields.contains(.accept) else { return }
    if let type = stream.format.mediaType { built.transfer.headerFields[.accept] = type }
  }

  /// Marks the request so that each attempt gets a `traceparent` field, unless the step itself sets this field.
  mutating func addTrace(_ traces: Setting<Bool>, _ context: some EvaluationContext) throws(RequestRefusal) {
    guard try setting(traces, context), built.transfer.headerFields[.traceParent] == nil,
      !built.transfer.removedFields.contains(.traceParent)
    else { return }
    built.isTraced = true
  }

  mutating func addCache(
    _ cache: CacheSettings, _ caches: CacheSet, document: Int, _ context: some EvaluationContext
  ) throws(RequestRefusal) {
    guard let isEnabled = cache.isEnabled, try setting(isEnabled, context) else { return }
    if let directory = cache.directory {
      let path = try locate(try setting(directory, context), for: .cache, "cache", at: directory.range)
      do throws(NetworkingError) {
        built.transfer.settings.cache = try caches.cache(inFolder: path)
      } catch {
        throw .file(.init(.file, subject: "cache", message: error.description, at: directory.range))
      }
    } else {
      built.transfer.settings.cache = caches.memory(of: document)
    }
    guard let policy = cache.policy else { return }
    built.transfer.settings.cachePolicy =
      switch try setting(policy, context) {
      case .protocol: .useProtocol
      case .reload: .reload
      case .elseLoad: .returnCacheElseLoad
      case .only: .returnCacheOnly
      }
  }

  mutating func addJar(
    _ jar: Setting<CookieJarSetting>, _ jars: JarSet, document: Int, _ context: some EvaluationContext
  ) throws(RequestRefusal) {
    switch try setting(jar, context) {
    case .shared: built.transfer.settings.cookies = jars.shared(by: document)
    case .none: built.transfer.settings.cookies = nil
    case .file(let path):
      do throws(WorkflowFileError) {
        built.transfer.settings.cookies = try jars.jar(at: files.locate(path, from: folder(for: .cookies)))
      } catch {
        throw .file(.init(.file, subject: "cookies", message: "`\(path)` can't be read: \(error.message)", at: jar.range))
      }
    }
  }
}

extension HTTPField.Name {
  /// The name of the field `traceparent` of [W3C Trace Context](https://www.w3.org/TR/trace-context/#traceparent-header).
  static let traceParent = HTTPField.Name("traceparent") ?? .referer
}
