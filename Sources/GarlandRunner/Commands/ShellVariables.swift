import GarlandJSON
import GarlandNetworking

/// The shell variables that stand for secrets in a curl command.
struct ShellVariables {
  /// One of them.
  struct Variable: Sendable {
    var name: String
    var value: String
    /// What it has to hold, as half a sentence: "the secret `TOKEN`, percent-encoded".
    var meaning: String
  }

  private(set) var all: [Variable] = []

  init(_ secrets: [(name: String, value: String)] = []) {
    for secret in secrets { add(secret.value, name: secret.name, meaning: "the secret `\(secret.name)`") }
  }

  /// Adds a secret, also in the forms that it takes in a URL and within JSON.
  mutating func add(_ value: String, name: String, meaning: String? = nil) {
    // A short one would be found everywhere.
    guard value.utf8.count >= 4, !all.contains(where: { $0.value == value }) else { return }
    let name = Self.name(of: name)
    let meaning = meaning ?? "the secret value `\(name)`"
    all.append(Variable(name: name, value: value, meaning: meaning))
    let quoted = JSONValue.string(value).jsonText()
    let forms = [
      ("_URLENCODED", PercentEncoding.encode(value), "percent-encoded"),
      ("_QUERY", PercentEncoding.encode(value, keeping: PercentEncoding.queryComponent), "percent-encoded but for `/` and `?`"),
      ("_JSON", String(quoted.dropFirst().dropLast()), "as it stands between the quotes of a JSON string"),
    ]
    for (suffix, form, words) in forms where !all.contains(where: { $0.value == form }) {
      all.append(Variable(name: name + suffix, value: form, meaning: "\(meaning), \(words)"))
    }
  }

  /// As the curl command wants them.
  var secrets: [CURLCommand.Secret] { all.map { .init(value: $0.value, variable: $0.name) } }

  /// Letters, digits and `_`, in upper case.
  static func name(of name: String) -> String {
    let letters = name.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "_"
    }
    let name = String(letters).uppercased()
    return name.first?.isNumber ?? true ? "_" + name : name
  }
}
