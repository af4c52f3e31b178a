import GarlandWorkflow

/// Converts Postman's variables `{{name}}` to expressions.
struct PostmanVariables {
  /// Maps the name of each variable in the collection to its name in the workflow.
  private(set) var names: [String: String] = [:]
  /// Maps the name of each variable that a step has set so far to the expression for its value: `STEP.EXTRACT`.
  var extracted: [String: String] = [:]
  /// Maps the name of each variable that contains a credential to the name of the secret that replaces the variable.
  private(set) var secrets: [String: String] = [:]
  /// The names of the variables that are used but have no value.
  private(set) var unknown: [String] = []
  private(set) var unknownFunctions: [String] = []

  /// Returns the name in the workflow for a variable of the collection. Two variables whose names
  /// would become equal get different names.
  mutating func declare(_ name: String) -> String {
    if let known = names[name] { return known }
    var slug = ""
    for scalar in name.unicodeScalars {
      let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
      let isFit = isLetter || (!slug.isEmpty && (("0"..."9").contains(scalar) || scalar == "-"))
      slug.unicodeScalars.append(isFit ? scalar : "_")
    }
    if slug.isEmpty { slug = "_" }
    var unique = slug
    var number = 1
    while names.values.contains(unique) {
      number += 1
      unique = "\(slug)_\(number)"
    }
    names[name] = unique
    return unique
  }

  /// Returns the name of the secret that replaces a variable; nil if the variable need not be secret. A variable must be secret if its name
  /// suggests a credential, or if `isUsedAsOne` is true.
  ///
  /// - Parameter isUsedAsOne: whether a credential uses the variable, or the value of the variable is a token.
  mutating func declareSecret(_ name: String, isUsedAsOne: Bool) -> String? {
    let lowered = name.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" || $0 == " " }).joined()
    let isNamedSo = lowered == "key" || ["token", "password", "passwd", "secret", "apikey"].contains { lowered.contains($0) }
    guard isNamedSo || isUsedAsOne else { return nil }
    if let known = secrets[name] { return known }
    let slug = WorkflowText.slug(name).uppercased()
    let secret = slug.isEmpty || secrets.values.contains(slug) ? "\(slug)_\(secrets.count + 1)" : slug
    secrets[name] = secret
    return secret
  }

  /// Converts a text: each variable `{{name}}` becomes an expression.
  mutating func text(_ text: String) -> ImportedText {
    ImportedText(
      pieces: PostmanPlaceholder.pieces(of: text).map { piece in
        switch piece {
        case .literal(let literal): .literal(String(literal))
        case .name(let name): .expression(expression(name))
        }
      })
  }

  private mutating func expression(_ name: String) -> String {
    if name.hasPrefix("$") {
      if let function = ForeignFunction.expression(name) { return function }
      if !unknownFunctions.contains(name) { unknownFunctions.append(name) }
      return "uuid()"
    }
    if let extract = extracted[name] { return extract }
    if let secret = secrets[name] { return "secrets.\(secret)" }
    let isKnown = names[name] != nil
    if !isKnown, let secret = declareSecret(name, isUsedAsOne: false) { return "secrets.\(secret)" }
    let variable = declare(name)
    if !isKnown { unknown.append(name) }
    return "vars.\(variable)"
  }
}
