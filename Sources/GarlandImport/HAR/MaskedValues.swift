import GarlandJSON

/// Replaces masked values with secrets, in an archive that Garland itself has written.
///
/// A secret has the name of the header field, the parameter or the member that contains it. Two values with the same name are assumed to be
/// the same secret.
struct MaskedValues {
  /// The text that replaces a secret in a report.
  private static let mask = "***"
  /// The names of environment variables that systems and shells set. A secret must not get one of these names: if the user forgot to set
  /// such a secret, its value would be the value of the variable, such as the path in `HOME`.
  private static let taken: Set<String> = [
    "DISPLAY", "EDITOR", "HOME", "HOST", "HOSTNAME", "LANG", "LOGNAME", "MAIL", "PAGER", "PATH", "PWD", "SHELL", "TERM", "TMP", "TMPDIR",
    "TZ",
    "USER", "USERNAME",
  ]

  /// The names of the secrets of all requests, in the order in which they were found.
  private(set) var names: [String] = []
  /// The names of the secrets that the current request uses in place of masked values.
  private var found: [String] = []

  /// Whether an archive was written by Garland and so may contain masked values.
  static func areExpected(in archive: JSONValue) -> Bool { archive["log"]?["creator"]?["name"]?.stringValue?.lowercased() == "garland" }

  /// Replaces all masked values of a request with secrets, and returns the names of these secrets.
  mutating func replace(in request: inout ImportedRequest) -> [String] {
    found = []
    request.url = url(request.url)
    for index in request.headers.indices {
      let header = request.headers[index]
      guard header.name.lowercased() == "authorization", header.value.dropping(prefix: "basic ", ignoringCase: true) != nil,
        header.value.literal?.contains("*") == true, request.credentials == nil
      else {
        request.headers[index].value = text(header.value, as: header.name)
        continue
      }
      // The name and the password are encoded together, so both are replaced.
      request.credentials = .basic(user: secret("BASIC_USER"), password: secret("BASIC_PASSWORD"))
    }
    if case .basic? = request.credentials { request.removeHeader("Authorization") }
    if case .bearer(let token)? = request.credentials { request.credentials = .bearer(text(token, as: "TOKEN")) }
    request.body = request.body.map { body($0) }
    return found
  }

  private mutating func body(_ body: ImportedRequest.Body) -> ImportedRequest.Body {
    switch body {
    case .json(let value): return .json(self.value(value, under: "BODY"))
    case .form(let pairs): return .form(pairs.map { (text($0.name, as: "NAME"), text($0.value, as: $0.name.literal ?? "")) })
    case .text(let text): return .text(self.text(text, as: "BODY"))
    case .multipart, .graphql, .file, .bytes: return body
    }
  }

  private mutating func value(_ value: ImportedValue, under key: String) -> ImportedValue {
    switch value {
    case .text(let text): return .text(self.text(text, as: key))
    case .list(let items): return .list(items.map { self.value($0, under: key) })
    case .object(let members): return .object(members.map { ($0.key, self.value($0.value, under: $0.key)) })
    case .null, .bool, .number: return value
    }
  }

  /// Replaces masked values in a URL with expressions for secrets. A secret in the query gets the name of its parameter.
  private mutating func url(_ url: ImportedText) -> ImportedText {
    let parts = url.split("?", limit: 2)
    guard parts.count == 2 else { return text(url, as: "URL") }
    var result = text(parts[0], as: "URL") + ImportedText("?")
    for (index, pair) in parts[1].split("&").enumerated() {
      let name = pair.split("=", limit: 2).first?.literal ?? ""
      result = result + ImportedText(index > 0 ? "&" : "") + text(pair, as: name.contains(Self.mask) ? "QUERY" : name)
    }
    return ImportedText.joined(result)
  }

  private mutating func text(_ text: ImportedText, as name: String) -> ImportedText {
    guard let literal = text.literal, literal.firstRange(of: Self.mask) != nil else { return text }
    var result = ImportedText("")
    var rest = literal[...]
    while let place = rest.firstRange(of: Self.mask) {
      result = result + ImportedText(String(rest[..<place.lowerBound])) + secret(name)
      rest = rest[place.upperBound...]
    }
    return result + ImportedText(String(rest))
  }

  private mutating func secret(_ name: String) -> ImportedText {
    let slug = WorkflowText.slug(name).uppercased()
    let name = slug.isEmpty ? "SECRET" : Self.taken.contains(slug) ? "MASKED_\(slug)" : slug
    if !names.contains(name) { names.append(name) }
    if !found.contains(name) { found.append(name) }
    return .expression("secrets.\(name)")
  }
}
