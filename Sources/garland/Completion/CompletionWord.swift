import ArgumentParser
import GarlandDiagnostics

/// Quotes a name for a shell's suggestions. The name comes from a file or folder, and its author may not be trustworthy.
enum CompletionWord {
  /// The characters without a special meaning in bash, in addition to letters and digits.
  private static let plain = Set("_-./,+@%".unicodeScalars)

  /// Returns a name quoted for a shell; nil for a name that can't be shown, such as a name with a line break.
  static func quoted(_ name: String, for shell: CompletionShell?) -> String? {
    guard !name.isEmpty, DisplayText.visible(name) == name else { return nil }
    switch shell {
    case .bash:
      // `compgen -W` expands its words, and would execute `$(…)`.
      return escaped(name) { $0.isASCII && !$0.properties.isAlphabetic && !("0"..."9").contains($0) && !plain.contains($0) }
    case .zsh:
      // For zsh, the text after a colon is the description of a word.
      return escaped(name) { $0 == ":" || $0 == "\\" }
    default: return name
    }
  }

  private static func escaped(_ name: String, _ isSpecial: (Unicode.Scalar) -> Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if isSpecial(scalar) { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}
