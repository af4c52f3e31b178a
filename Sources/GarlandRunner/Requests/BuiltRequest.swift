import GarlandAuth
import GarlandDiagnostics
import GarlandTransfer
import GarlandResults
import Glibc

/// A step's request with all values evaluated, ready to be sent or shown.
struct BuiltRequest: Sendable {
  /// The request to send.
  var transfer: TransferRequest
  /// Whether the step expects a response with a status 3xx, so that redirects are not followed.
  var admitsRedirects = false
  /// Whether the request waits, instead of failing, if this machine has no network.
  var waitsForConnectivity = false
  /// The index of the `auth` entry whose token the request contains; nil if it contains no token.
  var authentication: Int?
  /// The properties that only few requests have, stored separately so that a typical request is small.
  private struct Rare: Sendable {
    var acceptedTypes: [String] = []
    var signer: OAuth1Interceptor?
    var shortSecrets = ShortSecrets()
    var notices: [Diagnostic] = []
    var isTraced = false
  }

  /// The properties that few requests have, in an array with at most one element. In the request, the array takes only the space of one
  /// reference. Requests are copied often, so they must be small.
  private var rare: [Rare] = []

  private mutating func changeRare(_ change: (inout Rare) -> Void) {
    if rare.isEmpty { rare.append(Rare()) }
    change(&rare[0])
  }

  /// The values of `Accept` that the step itself sets.
  var acceptedTypes: [String] {
    get { rare.isEmpty ? [] : rare[0].acceptedTypes }
    set { if !rare.isEmpty || !newValue.isEmpty { changeRare { $0.acceptedTypes = newValue } } }
  }
  /// The interceptor that signs the request each time that it is sent; nil if the request is not signed.
  var signer: OAuth1Interceptor? {
    get { rare.isEmpty ? nil : rare[0].signer }
    set { if !rare.isEmpty || newValue != nil { changeRare { $0.signer = newValue } } }
  }
  /// The secrets in the request that are too short to be masked everywhere. Reports mask these secrets only in the parts that show the
  /// request.
  var shortSecrets: ShortSecrets {
    get { rare.isEmpty ? ShortSecrets() : rare[0].shortSecrets }
    set { if !rare.isEmpty || !newValue.isEmpty { changeRare { $0.shortSecrets = newValue } } }
  }
  /// Whether the request contains the trace context of the run, with a new span for each attempt.
  var isTraced: Bool {
    get { rare.isEmpty ? false : rare[0].isTraced }
    set { if !rare.isEmpty || newValue { changeRare { $0.isTraced = newValue } } }
  }
  /// Notices for the user, for example about credentials that were not sent.
  var notices: [Diagnostic] {
    get { rare.isEmpty ? [] : rare[0].notices }
    set { if !rare.isEmpty || !newValue.isEmpty { changeRare { $0.notices = newValue } } }
  }

  init(transfer: TransferRequest) { self.transfer = transfer }

  /// Returns the beginning of the body, at most `limit` bytes, and the size of the whole body, for reports; nil if there is no body. For a
  /// multipart form, the returned bytes are a list of the form's parts, and the returned size is that of the form as it is sent.
  func bodyPreview(limit: Int) -> Exchange.Body? {
    let type = transfer.headerFields[.contentType]
    switch transfer.body {
    case .none: return nil
    case .bytes(let bytes):
      return bytes.isEmpty ? nil : Exchange.Body(bytes: Array(bytes.prefix(limit)), size: bytes.count, type: type)
    case .file(let path, _, let length):
      return Exchange.Body(bytes: [], size: length.map(Int.init) ?? Self.size(ofFile: path), type: type, file: path)
    case .multipart(let form):
      // The reader needs only the header lines of the parts that were sent.
      let lines = form.parts.map(Self.line(of:)).joined(separator: "\n")
      var body = Exchange.Body(
        bytes: Array(lines.utf8.prefix(limit)), size: Int(form.length ?? 0), type: type ?? form.contentType)
      body.isKnownWhole = lines.utf8.count <= limit
      return body
    case .stream(let stream): return Exchange.Body(bytes: [], size: Int(stream.length ?? 0), type: type)
    }
  }

  private static func size(ofFile path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private static func line(of part: MultipartFormData.Part) -> String {
    var line = part.name.map { "\($0): " } ?? ""
    switch part.content {
    case .bytes(let bytes):
      if part.fileName == nil, bytes.count <= 1024, let text = String(validating: bytes, as: UTF8.self) {
        line += text
      } else {
        line += "(\(bytes.count) bytes)"
      }
    case .file(let path, _, _): line += "@\(path)"
    case .stream: line += "(a stream)"
    case .form(let form): line += "(\(form.parts.count) parts)"
    }
    if let fileName = part.fileName { line += "; filename=\(fileName)" }
    if let type = part.contentType { line += "; type=\(type)" }
    return line
  }
}
