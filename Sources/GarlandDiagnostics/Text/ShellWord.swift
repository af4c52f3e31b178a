import GarlandText

/// Quotes single words of a command line for a shell.
package enum ShellWord {
  /// Returns a word unchanged, or in quotes if a shell would split or interpret it.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      byte.isLetterOrDigit || byte >= 0x80 || "./_-+:".utf8.contains(byte)
    }
    guard !isPlain || word.isEmpty else { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
