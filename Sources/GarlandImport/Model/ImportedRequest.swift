/// A request that was imported from another tool.
package struct ImportedRequest: Sendable {
  /// The body of a request, in the form in which a step describes it.
  package enum Body: Sendable {
    case json(ImportedValue)
    case form([(name: ImportedText, value: ImportedText)])
    case text(ImportedText)
    case file(ImportedText)
    case bytes([UInt8])
    case multipart([Part])
    case graphql(query: ImportedText, variables: ImportedValue?)
  }

  /// A part of a multipart form.
  package struct Part: Sendable {
    var name: ImportedText
    var text: ImportedText?
    /// The bytes of a part that is not UTF-8; otherwise nil.
    var bytes: [UInt8]?
    var file: ImportedText?
    var filename: ImportedText?
    var type: ImportedText?
    var headers: [(name: String, value: ImportedText)] = []
  }

  /// The credentials of a request, with a case for each authentication scheme.
  package enum Credentials: Sendable {
    case bearer(ImportedText)
    case basic(user: ImportedText, password: ImportedText)
    case digest(user: ImportedText, password: ImportedText)
    case ntlm(user: ImportedText, password: ImportedText)
    case negotiate
    case aws(AWSSignature)
  }

  /// The key and the parameters of an AWS signature, version 4.
  package struct AWSSignature: Sendable {
    var accessKey: ImportedText
    var secretKey: ImportedText
    var region: String
    var service: String
  }

  /// The name of the request in its source; empty if the request has no name.
  package var name = ""
  package var description: String?
  package var tags: [String] = []
  package var method = "GET"
  /// The method as text, if it is only known when the workflow runs; otherwise nil.
  package var methodText: ImportedText?
  package var url = ImportedText("")
  package var query: [(name: ImportedText, value: ImportedText)] = []
  package var headers: [(name: String, value: ImportedText)] = []
  /// The names of header fields that Garland sends by default, but that the step must not send for this request.
  package var removedHeaders: [String] = []
  package var cookies: [(name: String, value: ImportedText)] = []
  package var body: Body?
  package var credentials: Credentials?
  /// The names, in lower case, of headers and parameters that contain credentials although their names do not suggest it.
  package var credentialNames: Set<String> = []
  /// Keys that make the step behave like the original request in the tool from which the request is imported. Each key is a setting whose
  /// default in Garland differs from the default in that tool. A key with the same value in all requests becomes a key of `defaults`.
  package var baseline: [(key: String, value: ImportedValue)] = []
  /// Additional keys of the step with their values, in order.
  package var settings: [(key: String, value: ImportedValue)] = []
  /// The expectations about the response, as entries of the step's `expect`.
  package var expectations: [(key: String, value: ImportedValue)] = []
  /// The values to extract from the response, as entries of the step's `extract`.
  package var extracts: [(name: String, value: ImportedValue)] = []

  package init() {}

  mutating func expect(_ key: String, _ value: ImportedValue) {
    if let place = expectations.firstIndex(where: { $0.key == key }) {
      // Expectations about JSON and headers are added one after another.
      guard case .object(let known) = expectations[place].value, case .object(let more) = value else { return }
      expectations[place].value = .object(known + more.filter { entry in !known.contains { $0.key == entry.key } })
    } else {
      expectations.append((key, value))
    }
  }

  mutating func header(_ name: String) -> ImportedText? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  @discardableResult
  mutating func removeHeader(_ name: String) -> ImportedText? {
    let found = header(name)
    headers.removeAll { $0.name.lowercased() == name.lowercased() }
    return found
  }
}
