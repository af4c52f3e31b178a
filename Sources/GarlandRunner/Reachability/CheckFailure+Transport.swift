import GarlandDiagnostics
import GarlandResults
import GarlandTransfer
import GarlandWorkflow
import Glibc

extension CheckFailure {
  /// Returns the failure of a request that failed in transit.
  ///
  /// - Parameters:
  ///   - report: the result of a probe of the host; nil if the host was not probed.
  ///   - request: the request as written in the document.
  static func transport(_ error: NetworkingError, _ report: ProbeReport?, _ request: RequestTemplate?) -> CheckFailure {
    if case .trust(let refusal) = error.reason, case .keyNotPinned(let expected, let found) = refusal.problem {
      var failure = CheckFailure(
        .transport, subject: "request", message: "the certificate chain of \(refusal.host) contains none of the pinned keys",
        at: request?.transport.tls.pins.first?.range ?? request?.url.range)
      failure.expected = expected.map(\.description).joined(separator: "\n")
      failure.actual = found.map { "\($0.publicKeyPin) (\($0))" }.joined(separator: "\n")
      failure.help = "if the server has a new key on purpose, pin the new key"
      failure.errorKind = error.reason.kind.rawValue
      return failure
    }
    let file = error.reason.brokenFile
    let range =
      switch file {
      case .body?: request?.body?.key.range
      case .download?: request?.download?.range
      case .certificate?: request?.transport.tls.cert?.path.range
      case .authorities?: request?.transport.tls.ca?.path.range
      case .cache?: request?.transport.cache.directory?.range
      case .url?, nil: nil as SourceRange?
      }
    var failure = CheckFailure(
      file == nil ? .transport : .file, subject: file?.rawValue ?? "request",
      message: report.map { Diagnosis.words(for: error, $0) } ?? error.description, at: range ?? request?.url.range)
    failure.errorKind = error.reason.kind.rawValue
    if case .download(let file) = error.reason { failure.help = downloadHelp(for: file, request) }
    if case .redirect(.tooMany(let limit)) = error.reason {
      failure.help =
        "if the server redirects in a circle, correct the server; to follow more than \(limit), write `redirect: { max: \(limit * 2) }`"
    }
    if case .tls(.alert(let alert), _) = error.reason, alert.isAboutClientCertificate || alert == .handshakeFailure {
      failure.help =
        request?.transport.tls.cert == nil
        ? "to send a client certificate, write `tls: { cert: client.pem, key: client.key }` in the step or under `defaults`"
        : "to show the certificate of `tls.cert`, run `openssl x509 -noout -subject -issuer -dates -in FILE`"
    }
    if case .tls(.untrusted, let detail) = error.reason, detail.contains("self-signed") || detail.contains("issuer certificate") {
      failure.help =
        request?.transport.tls.ca == nil
        ? "to trust a certificate of your own, write `tls: { ca: ca.pem }` in the step or under `defaults`, with this certificate or its authority"
        : "`tls.ca` has neither this certificate nor its issuer; to show the server's certificates, run `openssl s_client -showcerts -connect HOST:PORT`"
    }
    if case .tls(.clientCertificate, let detail) = error.reason, detail.contains("private key") || detail.contains("check password") {
      // A PKCS #12 file, of which libcurl says "check password", contains the key.
      let key =
        detail.contains("private key") && request?.transport.tls.key == nil ? "if the key is in another file, add `key: FILE`\n" : ""
      failure.help =
        request?.transport.tls.password == nil
        ? key + "if the key has a passphrase, write `tls: { password: '${secrets.KEY_PASSWORD}' }`"
        : "check that `tls.password` is the passphrase of the key"
    }
    return failure
  }

  /// Returns the help for a download whose file could not be written. Returns nil if there is no help for the error `file`.
  private static func downloadHelp(for file: NetworkingError.File, _ request: RequestTemplate?) -> String? {
    switch file.detail {
    case systemMessage(EEXIST) where file.operation == .create: "to replace the file, remove `replace: false` from `download`"
    case systemMessage(EISDIR): DownloadTemplate.folderAdvice
    case systemMessage(ENOENT) where request?.download?.createDirs != nil:
      "the folder does not exist: remove `create_dirs: false` from `download`"
    default: nil
    }
  }
}
