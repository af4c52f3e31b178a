import CCurl
import GarlandText
import HTTPTypes

/// Builds a curl command option by option.
struct CURLCommandBuilder {
  /// The maximum length of an argument in bytes. Linux allows at most 128 KiB.
  static let argumentLimit = 100_000
  let request: TransferRequest
  let variables: VariableFinder
  /// The options with their values. An option and its value are never broken over two lines.
  private var options: [String] = []
  /// The shell command whose output is piped into curl as the content of the request; nil if no pipe is needed.
  var source: String?

  init(_ request: TransferRequest, _ variables: VariableFinder) {
    self.request = request
    self.variables = variables
  }

  mutating func build() -> String {
    let url = normalizedURL
    addMethod()
    addRedirects()
    addHeader(url)
    addBody()
    addConnection()
    addTLS()
    if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { add("--globoff") }
    options.append(word(url))
    let single = (["curl"] + options).joined(separator: " ")
    let command = single.utf8.count <= 100 ? single : (["curl"] + options).joined(separator: " \\\n  ")
    return source.map { "\($0) |\n\(command)" } ?? command
  }

  mutating func add(_ option: String, _ value: String? = nil) {
    options.append(value.map { "\(option) \(word($0))" } ?? option)
  }

  func word(_ text: String) -> String { ShellText.word(ShellText.pieces(text, variables)) }

  /// The URL as the engine would send it: encoded and without a fragment.
  private var normalizedURL: String {
    guard var url = try? URLReference(request.url) else { return request.url }
    url.fragment = nil
    if request.credential != nil || user(of: url) != nil { url.userInfo = nil }
    url.path = url.path.isEmpty ? "/" : DotSegments.removed(from: url.path)
    if case .aws(let key) = request.credential, case .query(let expires) = key.placement, request.headerFields[.authorization] == nil,
      let signed = try? key.presigned(url.description, method: request.method, expires: expires)
    {
      return signed
    }
    return url.description
  }

  /// Returns the decoded user and password of the URL as `user:password`, the form of curl's `--user`; nil if the URL has none.
  private func user(of url: URLReference) -> String? {
    guard let parts = url.userInfo?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) else { return nil }
    // Without a password, curl would prompt for a password.
    let decoded = (parts + [""]).prefix(2).map { String(validating: PercentEncoding.decode($0), as: UTF8.self) }
    guard let user = decoded[0], let password = decoded[1] else { return nil }
    return "\(user):\(password)"
  }

  // MARK: Method and redirects

  private var implicitMethod: HTTPRequest.Method { request.body.isEmpty ? .get : .post }
  private var announcesNoContent: Bool {
    request.body.isEmpty && (request.method == .post || request.method == .put || request.method == .patch)
  }

  private mutating func addMethod() {
    if request.method == .head {
      add("--head")
    } else if announcesNoContent {
      if request.method != .post { add("--request", request.method.rawValue) }
    } else if request.method != implicitMethod {
      add("--request", request.method.rawValue)
    }
  }

  private mutating func addRedirects() {
    guard case .follow(let maximum) = request.settings.redirects else { return }
    // curl sends every field except `Authorization` and `Cookie` to another host.
    let leaks = request.credentialFields.contains { $0 != .authorization && $0 != .cookie && request.headerFields.contains($0) }
    if leaks { return }
    if case .aws(let key) = request.credential, key.sessionToken != nil { return }
    add("--location")
    if maximum != 20 { add("--max-redirs", String(maximum)) }
    // Without these options, curl would drop the content of a PUT after a redirect, and keep the method.
    if request.method != .post, !request.body.isEmpty {
      add("--post301")
      add("--post302")
    }
  }

  // MARK: Header

  private mutating func addHeader(_ url: String) {
    let fields = request.headerFields
    if fields[.authorization] == nil {
      if let credential = request.credential {
        add(credential)
      } else if let url = try? URLReference(request.url), let user = user(of: url) {
        add("--user", user)
      }
    }
    let compression = request.body.isEmpty ? nil : request.compression
    if let compression {
      let codings = (fields[.contentEncoding].map { $0 + ", " } ?? "") + compression.coding.rawValue
      add("--header", "Content-Encoding: \(codings)")
    }
    for field in fields where field.name != .cookie && !(field.name == .contentEncoding && compression != nil) {
      add("--header", field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)")
    }
    let jar = request.settings.cookies
    let stored = (try? URLReference(url)).flatMap { jar?.header(for: $0) }
    let cookies = fields[values: .cookie] + (stored.map { [$0] } ?? [])
    if !cookies.isEmpty { add("--header", "Cookie: " + cookies.joined(separator: "; ")) }
    for name in request.removedFields.map(\.rawName).sorted() where HTTPField.Name(name).map({ fields[$0] == nil }) ?? false {
      add("--header", "\(name):")
    }
    if fields[.userAgent] == nil, !request.removedFields.contains(.userAgent) {
      if let userAgent = request.settings.userAgent { add("--user-agent", userAgent) } else { add("--header", "User-Agent:") }
    }
    if request.settings.decodesContent, !request.removedFields.contains(.acceptEncoding) { add("--compressed") }
    let opensSocket = fields.contains { $0.name.canonicalName == "upgrade" && $0.value == "websocket" }
    if fields[.accept] == "text/event-stream" || opensSocket { add("--no-buffer") }
    var isForm = false
    if case .multipart = request.body { isForm = true }
    if announcesNoContent || !(request.body.isEmpty || isForm), fields[.contentType] == nil, !request.removedFields.contains(.contentType) {
      add("--header", "Content-Type:")
    }
    if !request.body.isEmpty, fields[.expect] == nil {
      switch request.settings.expectContinue {
      case .automatic: break
      case .always: add("--header", "Expect: 100-continue")
      case .never: add("--header", "Expect:")
      }
    }
  }

  private mutating func add(_ credential: Credential) {
    switch credential {
    case .basic(let user, let password): add("--user", "\(user):\(password)")
    case .bearer(let token): add("--header", "Authorization: Bearer \(token)")
    case .challenged(let user, let password):
      add("--anyauth")
      add("--user", "\(user):\(password)")
    case .digest(let user, let password):
      add("--digest")
      add("--user", "\(user):\(password)")
    case .negotiate:
      add("--negotiate")
      add("--user", ":")
    case .ntlm(let user, let password):
      add("--ntlm")
      add("--user", "\(user):\(password)")
    case .aws(let key):
      // The signature is in the URL.
      guard case .header = key.placement else { return }
      add("--aws-sigv4", "aws:amz:\(key.region):\(key.service)")
      add("--user", "\(key.accessKey):\(key.secretKey)")
      if let token = key.sessionToken { add("--header", "X-Amz-Security-Token: \(token)") }
      if key.payload == .unsigned { add("--header", "X-Amz-Content-Sha256: \(AWSSigner.unsigned)") }
    }
  }

  // MARK: Content

  private mutating func addBody() {
    if let compression = request.compression, !request.body.isEmpty {
      addBody(compressedBy: compression)
    } else {
      addPlainBody()
    }
  }

  /// Changes the command so that it pipes the content through a program. The program compresses the content in the same way as the
  /// engine.
  private mutating func addBody(compressedBy compression: RequestCompression) {
    let level = min(max(compression.level, 1), 9)
    let filter =
      switch compression.coding {
      case .gzip: "gzip -n\(level)"
      case .deflate:
        "python3 -c 'import sys,zlib;sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read(),\(level)))'"
      }
    let command: String?
    switch request.body {
    case .none: return
    case .bytes(let bytes): command = ShellText.printf(bytes, variables)
    case .file(let path, let offset, let length): command = FormCommand.output(of: path, offset: offset, length: length, word: word)
    case .multipart(let form):
      if request.headerFields[.contentType] == nil { add("--header", "Content-Type: \(form.contentType)") }
      command = FormCommand.output(of: form, variables, word: word) ?? "false"
    case .stream: command = nil
    }
    pipe(command.map { "\($0) |\n\(filter)" } ?? filter)
  }

  private mutating func addPlainBody() {
    switch request.body {
    case .none: if announcesNoContent { add("--data-raw", "") }
    case .bytes(let bytes):
      if bytes.count <= Self.argumentLimit, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) {
        add("--data-raw", text)
      } else {
        pipe(ShellText.printf(bytes, variables))
      }
    case .file(let path, let offset, let length):
      if offset == 0, length == nil {
        add("--data-binary", "@\(path)")
      } else {
        pipe(FormCommand.output(of: path, offset: offset, length: length, word: word))
      }
    case .multipart(let form):
      if request.headerFields[.contentType] == nil, let parts = FormCommand.options(for: form, variables) {
        for (option, value) in parts { add(option, value) }
      } else {
        if request.headerFields[.contentType] == nil { add("--header", "Content-Type: \(form.contentType)") }
        // If the form cannot be written, the command runs `false` instead.
        pipe(FormCommand.output(of: form, variables, word: word) ?? "false")
      }
    // Only the program that produces a stream knows its content.
    case .stream: add("--data-binary", "@-")
    }
  }

  private mutating func pipe(_ command: String) {
    source = command
    add("--data-binary", "@-")
  }

  // MARK: Connection

  private mutating func addConnection() {
    let settings = request.settings
    switch settings.version {
    case .automatic: break
    case .http1: add("--http1.1")
    case .http2: add("--http2")
    case .http2PriorKnowledge: add("--http2-prior-knowledge")
    }
    if let time = settings.connectTimeout { add("--connect-timeout", Self.seconds(time)) }
    if let time = settings.deadline { add("--max-time", Self.seconds(time)) }
    for override in settings.resolve {
      add("--resolve", "\(override.host):\(override.port):\(override.addresses.joined(separator: ","))")
    }
    for override in settings.connectTo {
      let ports = [override.port, override.toPort].map { $0.map(String.init) ?? "" }
      add("--connect-to", "\(override.host ?? ""):\(ports[0]):\(override.toHost ?? ""):\(ports[1])")
    }
    settings.visitOptions(&self)
    if case .url(let url, let credentials, let exceptions) = settings.proxy {
      add("--proxy", url)
      if let credentials { add("--proxy-user", "\(credentials.user):\(credentials.password)") }
      switch credentials?.scheme {
      case .basic, nil: break
      case .digest: add("--proxy-digest")
      case .ntlm: add("--proxy-ntlm")
      case .negotiate: add("--proxy-negotiate")
      case .any: add("--proxy-anyauth")
      }
      if !exceptions.entries.isEmpty { add("--noproxy", exceptions.entries.joined(separator: ",")) }
    }
  }

  private mutating func addTLS() {
    let tls = request.settings.tls
    if let file = tls.authorities { add("--cacert", file) }
    // A certificate that is not in a file is left out: it would be a secret on the command line.
    if let certificate = tls.clientCertificate, let file = certificate.path {
      add("--cert", file)
      if certificate.format == .pkcs12 { add("--cert-type", "P12") }
      if let file = certificate.keyPath { add("--key", file) }
      if let password = certificate.password { add("--pass", password) }
    }
    let names: [TLSSettings.Version: String] = [.tls1_0: "1.0", .tls1_1: "1.1", .tls1_2: "1.2", .tls1_3: "1.3"]
    if tls.minimumVersion != .tls1_2, let name = names[tls.minimumVersion] { add("--tlsv\(name)") }
    if let maximum = tls.maximumVersion, let name = names[maximum] { add("--tls-max", name) }
    if let ciphers = tls.ciphers { add("--ciphers", ciphers) }
    if let suites = tls.cipherSuites { add("--tls13-ciphers", suites) }
    if !tls.verifies { add("--insecure") }
  }

  private static func seconds(_ duration: Duration) -> String {
    let milliseconds = duration.milliseconds
    if milliseconds % 1000 == 0 { return String(milliseconds / 1000) }
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}

extension CURLCommandBuilder: OptionVisitor {
  mutating func visit(_ option: CURLoption, _ value: OptionValue?, word: String?) {
    guard let value, let word else { return }
    switch value {
    case .text(let text): add(word, text)
    case .size(let size): add(word, String(size))
    case .choice: add(word)
    }
  }
}
