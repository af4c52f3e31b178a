/// A URL pattern that represents several URLs: `{a,b}`, `[1-3]`, `[001-100:10]` and `[a-z]`.
struct CurlGlob {
  /// A mistake in a URL pattern.
  struct Problem: Error {
    let message: String
  }

  /// One text that the pattern represents, and the choice made for each `{}` and `[]` of the pattern.
  struct Match {
    var text: String
    var choices: [String] = []
  }

  /// The maximum number of URLs that a pattern may represent. A pattern with more URLs is probably a mistake.
  static let limit = 1000

  private var bytes: [Character]
  private var position = 0
  private(set) var matches = [Match(text: "")]

  /// Returns the texts that a pattern such as `{a,b}[1-3]` represents. The last part in braces or brackets changes fastest: `a1`, `a2`,
  /// `a3`, `b1` and so on.
  static func matches(of pattern: String) throws(Problem) -> [Match] {
    var glob = CurlGlob(bytes: Array(pattern))
    try glob.read()
    return glob.matches
  }

  private init(bytes: [Character]) { self.bytes = bytes }

  private mutating func read() throws(Problem) {
    var literal = ""
    while position < bytes.count {
      let character = bytes[position]
      let next = position + 1 < bytes.count ? bytes[position + 1] : nil
      switch character {
      case "\\" where next.map { "{}[]".contains($0) } == true:
        if let next { literal.append(next) }
        position += 2
      case "{" where next == "}":
        literal += "{}"
        position += 2
      case "[" where isAddress: literal.append(character); position += 1; copyAddress(to: &literal)
      case "{", "[":
        append([literal], isChoice: false)
        literal = ""
        position += 1
        append(try character == "{" ? set() : sequence(), isChoice: true)
      case "}", "]": throw Problem(message: "has a `\(character)` that is never opened")
      default:
        literal.append(character)
        position += 1
      }
      guard matches.count <= Self.limit else { throw Problem(message: "expands to more than \(Self.limit) requests") }
    }
    append([literal], isChoice: false)
  }

  private mutating func append(_ texts: [String], isChoice: Bool) {
    matches = matches.flatMap { match in
      texts.map { Match(text: match.text + $0, choices: isChoice ? match.choices + [$0] : match.choices) }
    }
  }

  /// Whether the `[` at the current position begins an IPv6 address.
  private var isAddress: Bool {
    let inner = bytes[(position + 1)...].prefix { $0 != "]" }
    return inner.endIndex < bytes.count && inner.contains(":") && inner.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." || $0 == "%" }
      && inner.filter { $0 == ":" }.count >= 2
  }

  private mutating func copyAddress(to literal: inout String) {
    while position < bytes.count {
      literal.append(bytes[position])
      position += 1
      if bytes[position - 1] == "]" { return }
    }
  }

  /// Reads the rest of a set after its `{`, such as `a,b}`.
  private mutating func set() throws(Problem) -> [String] {
    var texts = [""]
    while position < bytes.count {
      let character = bytes[position]
      position += 1
      switch character {
      case "}": return texts
      case ",": texts.append("")
      case "{", "[", "]": throw Problem(message: "has a `\(character)` between braces")
      case "\\" where position < bytes.count && "{}[],".contains(bytes[position]):
        texts[texts.count - 1].append(bytes[position])
        position += 1
      default: texts[texts.count - 1].append(character)
      }
    }
    throw Problem(message: "has a brace that is never closed")
  }

  /// Reads the rest of a sequence after its `[`, such as `1-3]`, `a-z]`, or `1-9:2]` with the step width 2.
  private mutating func sequence() throws(Problem) -> [String] {
    let problem = Problem(message: "has brackets without a range")
    let inner = bytes[position...].prefix { $0 != "]" }
    guard inner.endIndex < bytes.count else { throw problem }
    position = inner.endIndex + 1
    let parts = String(inner).split(separator: ":", omittingEmptySubsequences: false)
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, ends.count == 2, let step = parts.count == 2 ? Int(parts[1]) : 1, step > 0 else { throw problem }
    if let first = Int(ends[0]), let last = Int(ends[1]), ends.allSatisfy({ $0.allSatisfy(\.isNumber) }) {
      guard first <= last, (last - first) / step < Self.limit else {
        throw first <= last ? Problem(message: "expands to more than \(Self.limit) requests") : problem
      }
      let width = ends[0].hasPrefix("0") ? ends[0].count : 0
      return stride(from: first, through: last, by: step).map { number in
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
      }
    }
    guard let first = ends[0].utf8.first, let last = ends[1].utf8.first,
      ends.allSatisfy({ $0.utf8.count == 1 && $0.first?.isLetter == true }),
      first <= last
    else { throw problem }
    return stride(from: Int(first), through: Int(last), by: step).map { String(Character(Unicode.Scalar(UInt8($0)))) }
  }

  /// Returns the name of the output file for one of the pattern's URLs. In `name`, `#1` is replaced with this URL's choice for the first
  /// `{}` or `[]` of the pattern, `#2` with its choice for the second, and so on.
  static func name(_ name: String, _ match: Match) -> String {
    var result = ""
    var rest = name[...]
    while let character = rest.popFirst() {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard character == "#", let number = Int(digits), number > 0, number <= match.choices.count else {
        result.append(character)
        continue
      }
      rest = rest.dropFirst(digits.count)
      result += match.choices[number - 1]
    }
    return result
  }
}
