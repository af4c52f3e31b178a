import GarlandJSON
import GarlandTransfer
import GarlandWorkflow

extension ShellVariables {
  /// Adds shell variables for the secret values that a step can read from its document: declared secrets, inputs, and the current loop
  /// item.
  mutating func add(_ document: DocumentValues, item: Value?) {
    for secret in document.namedSecrets { add(secret: secret.name, secret.value) }
    for (index, value) in document.givenInputs.sorted(by: { $0.key < $1.key }) {
      add(value, path: "inputs.\(document.workflow.inputs[index].name.value)") { "the value of `\($0)`" }
    }
    if let item { add(item, path: "item") { "the value of `\($0)`" } }
  }

  /// Adds shell variables for the secret values that a step, or each item of its loop, has extracted.
  mutating func add(_ stored: StoredStep, of step: Step, known name: String) {
    if let iterations = stored.iterations {
      for (place, extraction) in step.extractions.enumerated() {
        let items = iterations.map { $0.flatMap { $0.extracted.indices.contains(place) ? $0.extracted[place] : nil } }
        add(.loop(of: items), path: "\(name).\(extraction.name.value)") { "the value of `\($0)`" }
      }
    }
    for (extraction, value) in zip(step.extractions, stored.extracted) {
      if let value { add(value, path: "\(name).\(extraction.name.value)") { "the value of `\($0)`" } }
    }
  }

  /// Adds shell variables for the tokens that the document's `auth` entries have obtained.
  mutating func addTokens(of document: DocumentValues) {
    for (index, definition) in document.workflow.authentications.enumerated() {
      guard let tokens = document.tokens.tokens(index) else { continue }
      let name = definition.name.value
      add(tokens.accessToken, name: "\(name)_token", meaning: "a token of the `auth` entry `\(name)`")
      if let token = tokens.idToken { add(token, name: "\(name)_id_token", meaning: "an ID token of the `auth` entry `\(name)`") }
    }
  }

  /// Adds variables for values that were computed from secrets, and for the credentials of a request.
  ///
  /// Before this call, the caller must add the variables for all values that have a name, such as declared secrets. Most computed values
  /// contain such a named value, and then need no variable of their own.
  ///
  /// - Parameter isSecret: returns whether a value must not be shown.
  mutating func addRest(_ document: DocumentValues, _ request: TransferRequest, isSecret: (String) -> Bool) {
    if let registry = document.services.secrets as? any NamingRegistry {
      let encoded = encodedValues
      for (value, expression) in registry.made where !encoded.contains(value) {
        let words = expression.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let name = words.replacing("secrets.", with: "")
        addUnlessComposed(value, besides: Self.literals(in: expression), name: name, meaning: "the value of `${\(words)}`")
      }
    }
    let written = document.workflow.variables.map { Self.visible($0.value) }.joined(separator: "\n")
    for (index, variable) in document.workflow.variables.enumerated() {
      guard let value = try? document.variable(index), value.isTainted else { continue }
      var leaves = ShellVariables()
      leaves.add(value, path: "vars.\(variable.name)") { "the value of `\($0)`" }
      for leaf in leaves.all { addUnlessComposed(leaf.value, besides: written, name: leaf.name, meaning: leaf.meaning) }
    }
    for credential in Self.credentials(of: request) where isSecret(credential.value) {
      addUnlessComposed(credential.value, besides: credential.value, name: credential.name, meaning: credential.meaning)
    }
  }

  /// Returns the string literals in an expression, one on each line.
  private static func literals(in expression: String) -> String {
    var found = ""
    var quote: Character?
    for character in expression {
      if character == quote {
        quote = nil
        found += "\n"
      } else if quote != nil {
        found.append(character)
      } else if character == "'" || character == "\"" {
        quote = character
      }
    }
    return found
  }

  /// Returns the literal text in a value of a document, and the string literals within its expressions.
  private static func visible(_ value: ValueTemplate) -> String {
    switch value {
    case .constant(let constant, _): visible(constant)
    case .scalar(let template): visible(template)
    case .list(let items, _): items.map { visible($0) }.joined(separator: "\n")
    case .object(let members, _): members.map { "\(visible($0.key))\n\(visible($0.value))" }.joined(separator: "\n")
    }
  }

  private static func visible(_ template: Template) -> String {
    switch template.content {
    case .constant(let constant): return visible(constant)
    case .expression(let expression): return literals(in: expression.source)
    case .text(let pieces):
      let texts = pieces.map { piece in
        switch piece {
        case .literal(let text): text
        case .expression(let expression): literals(in: expression.source)
        }
      }
      return texts.joined(separator: "\n")
    }
  }

  private static func visible(_ constant: JSONValue) -> String { constant.stringValue ?? constant.jsonText() }

  private static func credentials(of request: TransferRequest) -> [(name: String, value: String, meaning: String)] {
    var found: [(name: String, value: String, meaning: String)] = []
    switch request.credential {
    case .basic(_, let password)?, .challenged(_, let password)?, .digest(_, let password)?, .ntlm(_, let password)?:
      found.append(("password", password, "the password that the step sends"))
    case .bearer(let token)?: found.append(("token", token, "the token that the step sends"))
    case .aws(let key)?:
      found.append(("secret_key", key.secretKey, "the secret key that the step signs with"))
      if let token = key.sessionToken { found.append(("session_token", token, "the session token that the step sends")) }
    case .negotiate?, nil: break
    }
    for name in request.credentialFields.map(\.rawName).sorted() {
      for field in request.headerFields where field.name.rawName == name {
        found.append((name, field.value, "the value that the step sends in `\(name)`"))
      }
    }
    if case .url(_, let credentials?, _) = request.settings.proxy {
      found.append(("proxy_password", credentials.password, "the password for the proxy"))
    }
    if let password = request.settings.tls.clientCertificate?.password {
      found.append(("key_password", password, "the passphrase of the client certificate's key"))
    }
    return found
  }
}
