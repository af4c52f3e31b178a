/// The words of a plain command line, one after the other: `--name value`, `--name=value`, `-n value`, flags, and arguments.
///
/// The argument parser builds its tree of commands by reflection, which takes longer than a request. Nearly all command lines need none of
/// that: they are read here, straight into the command. Whatever is not plain is refused with ``NotPlain``, be it unusual or a mistake; the
/// argument parser then reads the line anew, and says what is wrong. What both accept they read alike, which tests hold.
struct PlainWords {
  enum Word {
    /// An option or a flag, with its dashes.
    case option(String)
    case argument(String)
  }

  private var rest: ArraySlice<String>
  /// What stands behind the `=` of the option at hand.
  private var attached: String?

  init(_ words: ArraySlice<String>) {
    rest = words
  }

  mutating func next() throws(NotPlain) -> Word? {
    guard let word = rest.popFirst() else { return nil }
    attached = nil
    guard word.utf8.first == UInt8(ascii: "-") else {
      guard !word.isEmpty else { throw NotPlain() }
      return .argument(word)
    }
    guard word.utf8.dropFirst().first == UInt8(ascii: "-") else {
      guard word.utf8.count == 2 else { throw NotPlain() }
      return .option(word)
    }
    guard word.utf8.count > 2 else { throw NotPlain() }
    guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return .option(word) }
    attached = String(word[word.utf8.index(after: equals)...])
    return .option(String(word[..<equals]))
  }

  /// That the option at hand is a flag, which has no value.
  func flag() throws(NotPlain) -> Bool {
    guard attached == nil else { throw NotPlain() }
    return true
  }

  /// The value of the option at hand.
  mutating func value() throws(NotPlain) -> String {
    guard let value = attached ?? rest.popFirst(), !value.isEmpty, attached != nil || value.utf8.first != UInt8(ascii: "-") else {
      throw NotPlain()
    }
    attached = nil
    return value
  }

  /// The value of the option at hand, as what it has to be.
  mutating func value<Value>(_ make: (String) throws -> Value?) throws(NotPlain) -> Value {
    let text = try value()
    guard let value = try? make(text) else { throw NotPlain() }
    return value
  }
}

/// That a command line is for the argument parser.
struct NotPlain: Error {}
