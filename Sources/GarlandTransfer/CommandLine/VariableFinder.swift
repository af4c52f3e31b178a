import GarlandText

/// Finds secrets in texts, so that shell variables can replace them.
struct VariableFinder {
  struct Match {
    var variable: String
    var value: [UInt8]
  }

  /// The secrets with their variables, by the first byte of the secret. Secrets with the same first byte are sorted from the longest to the
  /// shortest.
  private let candidates: [UInt8: [Match]]

  init(_ secrets: [CURLCommand.Secret]) {
    let usable = secrets.filter { !$0.value.isEmpty }.sorted { $0.value.utf8.count > $1.value.utf8.count }
    var candidates: [UInt8: [Match]] = [:]
    for secret in usable {
      let value = Array(secret.value.utf8)
      candidates[value[0], default: []].append(Match(variable: secret.variable, value: value))
    }
    self.candidates = candidates
  }

  /// Returns the secret that begins at the index `start` of a text, with its variable; nil if there
  /// is none.
  func match(in bytes: [UInt8], at start: Int) -> Match? {
    guard !candidates.isEmpty, let found = candidates[bytes[start]] else { return nil }
    return found.first { match in
      guard bytes[start...].starts(with: match.value) else { return false }
      // The letters of a short value occur everywhere.
      guard match.value.count < CURLCommand.Secret.shortLength else { return true }
      let end = start + match.value.count
      func isWord(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || byte >= 0x80 }
      return (start == 0 || !isWord(bytes[start - 1])) && (end == bytes.count || !isWord(bytes[end]))
    }
  }

  /// Whether a text contains a secret that the function `change`, such as an escaping function, would change. A shell variable cannot
  /// replace such a secret.
  func isAny(in text: String, changedBy change: (String) -> String) -> Bool {
    guard !candidates.isEmpty else { return false }
    let bytes = Array(text.utf8)
    return bytes.indices.contains { place in
      guard let value = match(in: bytes, at: place)?.value else { return false }
      let text = String(decoding: value, as: UTF8.self)
      return change(text) != text
    }
  }
}
