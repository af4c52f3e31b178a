/// Placeholders for secrets that are not set. They show where a request contains the secrets.
enum StandIn {
  /// The text that every placeholder contains directly before the name of its secret. A placeholder for the beginning of a URL has
  /// `http://` before this text.
  static let beginning = "garland-stand-in-for-"

  /// Assigns a placeholder to each missing secret, so that a request can be built.
  struct Assignment {
    /// The placeholder of each secret. The keys are the names of the secrets.
    var values: [String: String]
    /// The text with which the URL of the built request must begin; nil if the URL may begin with any text. If the URL begins with another
    /// text, the caller tries the next ``Assignment``.
    var start: String?
  }

  /// Returns several ways to give each secret in `names` a placeholder. The caller tries them one after the other, until the request can be
  /// built and contains each placeholder.
  static func assignments(for names: [String]) -> [Assignment] {
    guard !names.isEmpty else { return [Assignment(values: [:])] }
    func all(_ value: (String) -> String) -> [String: String] {
      names.reduce(into: [:]) { $0[$1] = value($1) }
    }
    // A secret with which the URL begins needs a URL as its placeholder.
    let addresses = names.map { name in
      var values = all(telling)
      values[name] = address(name)
      return Assignment(values: values, start: address(name))
    }
    return addresses + [Assignment(values: all(telling)), Assignment(values: all(plain))]
  }

  /// Returns a placeholder that every encoding changes, so that the text in the request shows which encoding was used.
  static func telling(_ name: String) -> String { "\(plain(name)) /?\"&<~*" }

  /// Returns a placeholder for a secret that is the beginning of a URL. The placeholder itself is a valid URL.
  private static func address(_ name: String) -> String { "http://\(plain(name)).invalid/x" }

  /// Returns a placeholder for a secret. The placeholder is valid as a host, and no encoding changes it.
  private static func plain(_ name: String) -> String {
    beginning + String(name.lowercased().map { $0 == "_" ? "-" : $0 })
  }
}
