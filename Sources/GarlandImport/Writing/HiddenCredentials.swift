import GarlandDiagnostics
import GarlandJSON
import GarlandText
import GarlandWorkflow

/// Replaces credentials with secrets, so that no credential is written into a workflow.
struct HiddenCredentials {
  /// The names of all secrets, in the order in which they were found.
  private(set) var names: [String]
  private var namesByWorth: [String: String] = [:]
  /// A dictionary from the name of each secret to the credential that the secret replaces.
  var values: [String: String] { Dictionary(namesByWorth.map { ($1, $0) }) { first, _ in first } }

  /// Creates an instance that has not found any credentials yet.
  ///
  /// - Parameter names: the names of existing secrets. New secrets get other names.
  init(_ names: [String]) { self.names = names }

  /// Replaces all credentials of a request.
  ///
  /// - Parameters:
  ///   - step: the name of the step in warnings.
  ///   - collection: receives a warning for each replaced credential.
  mutating func hide(in request: inout ImportedRequest, of step: String, _ collection: inout ImportedCollection) {
    var found: [String] = []
    hideInURL(of: &request, &found)
    for index in request.query.indices {
      request.query[index].value = hidden(request.query[index].value, as: request.query[index].name.literal ?? "", in: request, &found)
    }
    for index in request.headers.indices {
      if request.headers[index].name.lowercased() == "cookie" {
        request.headers[index].value = hidden(cookies: request.headers[index].value, &found)
        continue
      }
      request.headers[index].value = hidden(request.headers[index].value, as: request.headers[index].name, in: request, &found)
    }
    for index in request.cookies.indices where CredentialName.isCredential(cookie: request.cookies[index].name) {
      let cookie = request.cookies[index]
      request.cookies[index].value = secret(cookie.value, "COOKIE_" + Self.name(cookie.name), &found)
    }
    switch request.credentials {
    case .bearer(let token)?: request.credentials = .bearer(secret(token, "TOKEN", &found))
    case .basic(let user, let password)?: request.credentials = .basic(user: user, password: secret(password, "PASSWORD", &found))
    case .digest(let user, let password)?: request.credentials = .digest(user: user, password: secret(password, "PASSWORD", &found))
    case .ntlm(let user, let password)?: request.credentials = .ntlm(user: user, password: secret(password, "PASSWORD", &found))
    case .aws(var signature)?:
      signature.secretKey = secret(signature.secretKey, "AWS_SECRET_ACCESS_KEY", &found)
      request.credentials = .aws(signature)
    case .negotiate?, nil: break
    }
    hideInBody(of: &request, step, &found, &collection)
    for index in request.settings.indices where request.settings[index].key == "proxy" {
      guard case .text(let url) = request.settings[index].value, let (rest, user, password) = Self.userInformation(of: url) else {
        continue
      }
      let hidden = secret(password, "PROXY_PASSWORD", &found)
      request.settings[index].value = .text(rest.scheme + user + ImportedText(":") + hidden + ImportedText("@") + rest.host)
    }
    for index in request.settings.indices where request.settings[index].key == "tls" {
      guard case .object(var entries) = request.settings[index].value, let place = entries.firstIndex(where: { $0.key == "password" }),
        case .text(let password) = entries[place].value
      else { continue }
      entries[place].value = .text(secret(password, "KEY_PASSWORD", &found))
      request.settings[index].value = .object(entries)
    }
    for index in request.extracts.indices where CredentialName.isCredential(request.extracts[index].name) {
      switch request.extracts[index].value {
      case .text: request.extracts[index].value = .object([("json", request.extracts[index].value), ("secret", .bool(true))])
      case .object(let members): request.extracts[index].value = .object(members + [("secret", .bool(true))])
      default: break
      }
    }
    hideCopies(in: &request)
    guard !found.isEmpty else { return }
    let names = found.map { "`\($0)`" }.joined(separator: ", ")
    collection.warn(
      "the credentials of the request `\(step)` are not written into the workflow",
      help: "set the \(found.count == 1 ? "secret" : "secrets") \(names) in the environment or in a secrets file")
  }

  // MARK: Copies

  /// The minimum length, in characters, of a credential whose copies are replaced too. A copy is an equal text in another part of the
  /// request, such as a password in a path. For a shorter credential, an equal text is often ordinary text and not a copy.
  private static let shortestCopy = Redactor.minimumLength

  /// Replaces copies of the credentials in other parts of the request, such as a copy of the password in a path.
  private func hideCopies(in request: inout ImportedRequest) {
    let long = namesByWorth.filter { $0.key.count >= Self.shortestCopy }
    let known = long.sorted { ($1.key.utf8.count, $0.key) < ($0.key.utf8.count, $1.key) }
    for (worth, name) in known {
      let expression = "secrets.\(name)"
      let encoded = PercentEncoding.encode(worth)
      request.url = Self.replacing(encoded, by: expression, inPathOf: request.url)
      if encoded != worth { request.url = Self.replacing(worth, by: expression + " | raw", inPathOf: request.url) }
      func hidden(_ text: ImportedText) -> ImportedText { text.replacing(worth, by: expression) }
      for index in request.query.indices { request.query[index].value = hidden(request.query[index].value) }
      for index in request.headers.indices { request.headers[index].value = hidden(request.headers[index].value) }
      switch request.body {
      case .json(let value)?: request.body = .json(value.mapTexts(hidden))
      case .form(let pairs)?: request.body = .form(pairs.map { ($0.name, hidden($0.value)) })
      case .multipart(var parts)?:
        for index in parts.indices { parts[index].text = parts[index].text.map(hidden) }
        request.body = .multipart(parts)
      case .graphql(let query, let variables)?: request.body = .graphql(query: query, variables: variables.map { $0.mapTexts(hidden) })
      case .text(let text)?: request.body = .text(hidden(text))
      case .file?, .bytes?, nil: break
      }
    }
  }

  /// In the path, the query and the fragment of a URL, replaces the text `worth` by an expression. The host remains as it is.
  private static func replacing(_ worth: String, by expression: String, inPathOf url: ImportedText) -> ImportedText {
    guard case .literal(let start)? = url.pieces.first, let scheme = start.range("://") else { return url.replacing(worth, by: expression) }
    let end = start[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? start.endIndex
    let rest = ImportedText(String(start[end...])) + ImportedText(pieces: Array(url.pieces.dropFirst()))
    return ImportedText.joined(ImportedText(String(start[..<end])) + rest.replacing(worth, by: expression))
  }

  // MARK: Places of credentials

  /// Removes the credentials from a URL. A user name and password become `basic`. Parameters that are credentials are moved to `query`, in
  /// which values are written without percent-encoding.
  private mutating func hideInURL(of request: inout ImportedRequest, _ found: inout [String]) {
    if let (rest, user, password) = Self.userInformation(of: request.url) {
      request.url = rest.scheme + rest.host
      if request.credentials == nil, request.header("Authorization") == nil {
        request.credentials = .basic(user: Self.decoded(user), password: Self.decoded(password))
      }
    }
    let parts = request.url.split("?", limit: 2)
    guard parts.count == 2 else { return }
    let query = hidden(pairs: parts[1], in: request, &found) { text in
      // The value of an expression in a URL is percent-encoded.
      let decoded = text.literal.flatMap(FormDecoding.decoded)
      guard let decoded, FormDecoding.encoded(Array(decoded.utf8)[...], keeping: "?/").replacing("+", with: "%20") == text.literal else {
        return (text, " | raw")
      }
      return (ImportedText(decoded), "")
    }
    request.url = ImportedText.joined(parts[0] + ImportedText("?") + query)
  }

  /// Returns a text of `name=value` pairs, in which expressions replace the values that are credentials. When the workflow runs, the
  /// expressions yield these values, so that the evaluated text equals the original text.
  ///
  /// - Parameter reading: decodes the value of a pair. Returns the decoded value, and the filter that encodes it again. The filter is
  ///   appended to the expression.
  private mutating func hidden(
    pairs text: ImportedText, in request: ImportedRequest, _ found: inout [String], reading: (ImportedText) -> (ImportedText, String)
  ) -> ImportedText {
    var result = ImportedText("")
    for (index, pair) in text.split("&").enumerated() {
      if index > 0 { result = result + ImportedText("&") }
      let sides = pair.split("=", limit: 2)
      let name = (FormDecoding.text(sides[0]) ?? sides[0]).literal ?? ""
      guard sides.count == 2, isCredential(name, sides[1], in: request), !sides[1].isEmpty else {
        guard sides.count == 2 else {
          result = result + pair
          continue
        }
        // A part of a value keeps its encoding, like an encoded text that can't be decoded.
        let filter = reading(ImportedText("%")).1
        let rest = withoutParts(sides[1], under: name, &found)
        let kept = rest.literal != nil || sides[1].literal == nil
        let value =
          kept ? rest : ImportedText(pieces: rest.pieces.map { if case .expression(let it) = $0 { .expression(it + filter) } else { $0 } })
        result = result + sides[0] + ImportedText("=") + value
        continue
      }
      let (worth, filter) = sides[1].literal == nil ? (sides[1], "") : reading(sides[1])
      let hidden = secret(worth, Self.name(name), &found)
      let value = ImportedText(pieces: hidden.pieces.map { if case .expression(let it) = $0 { .expression(it + filter) } else { $0 } })
      result = result + sides[0] + ImportedText("=") + value
    }
    return ImportedText.joined(result)
  }

  private mutating func hideInBody(
    of request: inout ImportedRequest, _ step: String, _ found: inout [String], _ collection: inout ImportedCollection
  ) {
    switch request.body {
    case .json(let value)?: request.body = .json(hidden(value, under: "", in: request, &found))
    case .form(var pairs)?:
      for index in pairs.indices {
        pairs[index].value = hidden(pairs[index].value, as: pairs[index].name.literal ?? "", in: request, &found)
      }
      request.body = .form(pairs)
    case .multipart(var parts)?:
      for index in parts.indices {
        guard let text = parts[index].text else { continue }
        parts[index].text = hidden(text, as: parts[index].name.literal ?? "", in: request, &found)
      }
      request.body = .multipart(parts)
    case .graphql(let query, let variables)?:
      request.body = .graphql(query: query, variables: variables.map { hidden($0, under: "", in: request, &found) })
    case .text(let text)?:
      if let hidden = hidden(json: text, in: request, &found) { return request.body = .text(hidden) }
      let literal = text.flattened.text
      let isDeclaredForm = request.header("Content-Type")?.literal?.hasPrefix("application/x-www-form-urlencoded") == true
      if isDeclaredForm ? literal.contains("=") : Self.isForm(literal) {
        request.body = .text(
          hidden(pairs: text, in: request, &found) { value in
            let decoded = value.literal.flatMap(FormDecoding.decoded)
            guard let decoded, decoded != value.literal, FormDecoding.encoded(Array(decoded.utf8)[...]) == value.literal else {
              return (value, "")
            }
            return (ImportedText(decoded), " | urlencode | replace('%20', '+')")
          })
        return
      }
      guard CredentialName.isMentioned(in: literal) else { return }
      collection.warn(
        "the body of the request `\(step)` may contain credentials, and is in the workflow unchanged",
        help: "put `${secrets.NAME}` in their place")
    case .file?, .bytes?, nil: break
    }
  }

  /// Whether a text looks like an encoded form, such as `user=alice&password=x`. This check is for a body that no header field declares as
  /// a form.
  ///
  /// An encoded form has no white space, and consists of `NAME=VALUE` pairs whose names contain only the characters of encoded names. XML
  /// does not pass this check, since it contains `<` before the first `=`.
  private static func isForm(_ text: String) -> Bool {
    guard !text.utf8.contains(where: { $0 <= 0x20 }) else { return false }
    return text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).allSatisfy { pair in
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals > pair.startIndex else { return false }
      return pair[..<equals].allSatisfy { $0.isLetterOrDigit || "-._*+%[]~$".utf8.contains($0) }
    }
  }

  private mutating func hidden(_ value: ImportedValue, under key: String, in request: ImportedRequest, _ found: inout [String])
    -> ImportedValue
  {
    switch value {
    case .text(let text): .text(hidden(text, as: key, in: request, &found))
    case .list(let items): .list(items.map { hidden($0, under: key, in: request, &found) })
    case .object(let members): .object(members.map { ($0.key, hidden($0.value, under: $0.key, in: request, &found)) })
    case .null, .bool, .number: value
    }
  }

  /// Returns the value of a `Cookie` field in which each cookie that is a credential is replaced by a secret.
  private mutating func hidden(cookies text: ImportedText, _ found: inout [String]) -> ImportedText {
    var result = ImportedText("")
    for (index, pair) in text.split(";").enumerated() {
      if index > 0 { result = result + ImportedText(";") }
      let sides = pair.split("=", limit: 2)
      if sides.count == 2, let name = sides[0].trimmed.literal, CredentialName.isCredential(cookie: name) {
        result = result + sides[0] + ImportedText("=") + secret(sides[1], "COOKIE_" + Self.name(name), &found)
      } else {
        result = result + pair
      }
    }
    return ImportedText.joined(result)
  }

  /// Returns a copy of JSON text in which an expression replaces each string that is a credential. Returns nil if the text is not a JSON
  /// object or array. The text may already contain expressions, in place of a number or a part of a string.
  private mutating func hidden(json text: ImportedText, in request: ImportedRequest, _ found: inout [String]) -> ImportedText? {
    let (flat, expressions) = text.flattened
    // The marks of expressions are numbers in private-use characters.
    let sample = expressions.isEmpty ? flat : flat.replacing("\u{F8FF}", with: "")
    guard let first = sample.first(where: { !$0.isWhitespace }), first == "{" || first == "[", (try? JSONValue(parsing: sample)) != nil
    else { return nil }
    func part(_ text: String) -> ImportedText {
      expressions.isEmpty ? ImportedText(text) : ImportedText(flattened: text, expressions)
    }
    var result = ImportedText("")
    var key = ""
    for token in JSONStrings.tokens(of: flat) {
      switch token {
      case .other(let text): result = result + part(text)
      case .key(let text):
        key = JSONStrings.value(of: text) ?? ""
        result = result + part(text)
      case .string(let text):
        let inner = String(text.dropFirst().dropLast())
        guard let value = JSONStrings.value(of: text), !value.isEmpty, isCredential(key, part(value), in: request) else {
          result = result + ImportedText("\"") + withoutParts(part(inner), under: key, &found) + ImportedText("\"")
          continue
        }
        if inner != value, part(value).literal != nil, JSONValue.string(value).jsonBytes().elementsEqual(text.utf8) {
          let hidden = secret(part(value), Self.name(key), &found)
          result =
            result
            + ImportedText(pieces: hidden.pieces.map { if case .expression(let it) = $0 { .expression(it + " | json") } else { $0 } })
        } else {
          result = result + ImportedText("\"") + secret(part(inner), Self.name(key), &found) + ImportedText("\"")
        }
      }
    }
    return ImportedText.joined(result)
  }

  // MARK: One text

  private func isCredential(_ name: String, _ value: ImportedText, in request: ImportedRequest) -> Bool {
    CredentialName.isCredential(name) || request.credentialNames.contains(name.lowercased())
      || value.literal.map(CredentialName.isToken) ?? false
  }

  private mutating func hidden(_ text: ImportedText, as name: String, in request: ImportedRequest, _ found: inout [String]) -> ImportedText
  {
    isCredential(name, text, in: request) ? secret(text, Self.name(name), &found) : withoutParts(text, under: name, &found)
  }

  /// Replaces credentials that are only parts of a text, such as the password or a parameter in the URL of a `Referer` field. `name` is the
  /// name of the header field or member whose value is the text.
  private mutating func withoutParts(_ text: ImportedText, under name: String, _ found: inout [String]) -> ImportedText {
    guard let literal = text.literal else { return text }
    let bytes = Array(literal.utf8)
    func piece(_ range: Range<Int>) -> ImportedText { ImportedText(String(decoding: bytes[range], as: UTF8.self)) }
    var result = ImportedText("")
    var end = 0
    for part in CredentialText.findings(in: literal, under: name) where part.range.lowerBound >= end {
      result = result + piece(end..<part.range.lowerBound) + secret(piece(part.range), part.name.map(Self.name) ?? "PASSWORD", &found)
      end = part.range.upperBound
    }
    return end == 0 ? text : ImportedText.joined(result + piece(end..<bytes.count))
  }

  /// Replaces a literal text with an expression for a secret. If the text contains expressions, replaces only its expressions for
  /// environment variables, since the values of other expressions are known only when the workflow runs.
  private mutating func secret(_ text: ImportedText, _ name: String, _ found: inout [String]) -> ImportedText {
    guard let literal = text.literal else {
      return ImportedText(
        pieces: text.pieces.map { piece in
          guard case .expression(let expression) = piece, let (name, filters) = Self.variable(of: expression) else { return piece }
          if !names.contains(name) { names.append(name) }
          // The value after `:-` may be the credential.
          if expression.hasPrefix("("), !found.contains(name) { found.append(name) }
          return .expression("secrets.\(name)\(filters)")
        })
    }
    guard !literal.isEmpty else { return text }
    if let known = namesByWorth[literal] { return .expression("secrets.\(known)") }
    let name = name.isEmpty ? "SECRET" : name
    var unique = name
    var number = 1
    while names.contains(unique) {
      number += 1
      unique = "\(name)_\(number)"
    }
    names.append(unique)
    namesByWorth[literal] = unique
    found.append(unique)
    return .expression("secrets.\(unique)")
  }

  /// Splits an expression such as `env.A`, `env.A | raw` or `(env.A ?? 'text') | raw`. Returns the name of the environment variable and the
  /// text with the filters, such as ` | raw`. Returns nil for any other expression.
  private static func variable(of expression: String) -> (name: String, filters: Substring)? {
    let hasDefault = expression.hasPrefix("(env.")
    guard hasDefault || expression.hasPrefix("env.") else { return nil }
    let variable = expression.drop { $0 != "." }.dropFirst()
    let name = variable.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard hasDefault else { return (String(name), variable[name.endIndex...]) }
    let close = variable.lastIndex(of: ")") ?? variable.startIndex
    return (String(name), variable[close...].dropFirst())
  }

  /// Converts a name such as `X-Api-Key` to the name of a variable, such as `X_API_KEY`.
  private static func name(_ text: String) -> String { WorkflowText.slug(text).uppercased() }

  // MARK: URLs

  /// Splits a URL into the URL without user information, the user and the password. Returns nil if the URL contains no user information.
  private static func userInformation(
    of url: ImportedText
  ) -> (rest: (scheme: ImportedText, host: ImportedText), user: ImportedText, password: ImportedText)? {
    // A `://` after the host, such as in `/login?next=http://user:password@host/`, belongs to another URL.
    guard case .literal(let text)? = url.pieces.first, let scheme = text.range("://"),
      !text[..<scheme.lowerBound].contains(where: { $0 == "/" || $0 == "?" || $0 == "#" })
    else { return nil }
    let end = text[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
    guard let at = text[scheme.upperBound..<end].lastIndex(of: "@") else { return nil }
    let information = text[scheme.upperBound..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let host = ImportedText(String(text[text.index(after: at)...])) + ImportedText(pieces: Array(url.pieces.dropFirst()))
    return (
      (ImportedText(String(text[..<scheme.upperBound])), host), ImportedText(String(information[0])),
      ImportedText(information.count == 2 ? String(information[1]) : "")
    )
  }

  private static func decoded(_ text: ImportedText) -> ImportedText {
    // In a URL's authority, a plus sign is literal.
    FormDecoding.text(text.mapLiterals { $0.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%2B") }) ?? text
  }
}
