import ArgumentParser
import GarlandDiagnostics
import GarlandImport

/// The request that the words and options of `garland send` describe. Errors do not show the values, which may be credentials.
struct SentRequest {
  var method: String?
  var url = ""
  var json: [String] = []
  var form: [String] = []
  var body: String?
  var headers: [String] = []
  var query: [String] = []
  var bearer: String?
  var basic: String?

  /// Returns the whole request, with its body, in the form that importers use.
  func imported(into diagnostics: inout DiagnosticList) throws -> ImportedRequest {
    var request = ImportedRequest()
    guard !url.contains("{{") else {
      throw ValidationError(
        "`{{` in the URL is template syntax of another tool: insert a value with `${…}`, or send the braces themselves as `%7B%7B`.")
    }
    request.url = try Self.text(url, "the URL")
    request.query = try query.map { try Self.pair($0, "--query") }
    request.headers = try headers.map(Self.header)
    request.body = try importedBody(into: &diagnostics)
    request.method = method ?? (request.body == nil ? "GET" : "POST")
    for (option, credentials) in [("--bearer", bearer), ("--basic", basic)] where credentials?.contains("{{") ?? false {
      throw ValidationError(
        "`{{` in \(option) is template syntax of another tool: insert a value with `${…}`, and a value with braces as `${env.NAME}`.")
    }
    if let bearer { request.credentials = .bearer(try Self.text(bearer, "--bearer")) }
    if let basic {
      let parts = basic.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw ValidationError("--basic needs a user and a password: --basic 'alice:${secrets.PASSWORD}'") }
      request.credentials = .basic(user: try Self.text(parts[0], "--basic"), password: try Self.text(parts[1], "--basic"))
    }
    return request
  }

  private func importedBody(into diagnostics: inout DiagnosticList) throws -> ImportedRequest.Body? {
    if let body { return .text(try Self.text(body, "--body")) }
    if !form.isEmpty { return .form(try form.map { try Self.pair($0, "--form") }) }
    guard let first = json.first else { return nil }
    if json.count == 1, first.hasPrefix("{") || first.hasPrefix("[") {
      return .json(try Self.value(first, "the document", into: &diagnostics))
    }
    var members: [(key: String, value: ImportedValue)] = []
    for argument in json {
      guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
        throw ValidationError("--json needs NAME=VALUE, or once a whole document: --json '[1, 2]'.")
      }
      let key = String(argument[..<equals])
      guard !members.contains(where: { $0.key == key }) else { throw ValidationError("--json has `\(key)` twice.") }
      let value = try Self.value(String(argument[argument.index(after: equals)...]), "the value of `\(key)`", into: &diagnostics)
      members.append((key, value))
    }
    return .json(.object(members))
  }

  private static func value(_ text: String, _ name: String, into diagnostics: inout DiagnosticList) throws -> ImportedValue {
    guard let value = ImportedValue(typing: text, into: &diagnostics) else {
      guard diagnostics.hasErrors else { throw ValidationError("--json: \(name) has a `${` that no `}` closes.") }
      throw ValidationError("--json: \(name) is neither JSON nor YAML; text with brackets or braces needs quotes: --json 'NAME=\"[…\"'.")
    }
    return value
  }

  private static func text(_ source: String, _ option: String) throws -> ImportedText {
    guard let text = ImportedText(source: source) else { throw ValidationError("\(option) has a `${` that no `}` closes.") }
    return text
  }

  private static func pair(_ argument: String, _ option: String) throws -> (name: ImportedText, value: ImportedText) {
    guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
      throw ValidationError("\(option) needs NAME=VALUE.")
    }
    return (ImportedText(String(argument[..<equals])), try text(String(argument[argument.index(after: equals)...]), option))
  }

  private static func header(_ argument: String) throws -> (name: String, value: ImportedText) {
    guard let colon = argument.firstIndex(of: ":"), colon != argument.startIndex else {
      throw ValidationError("--header needs 'NAME: VALUE', with a colon.")
    }
    let value = argument[argument.index(after: colon)...].drop { $0 == " " }
    return (String(argument[..<colon]), try text(String(value), "--header"))
  }
}
