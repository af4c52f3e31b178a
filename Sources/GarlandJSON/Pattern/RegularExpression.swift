import CPCRE2

/// A compiled regular expression with limits, so that matching always ends, for every text.
///
/// ```swift
/// let expression = try RegularExpression(#"(?<year>\d{4})-(\d\d)"#)
/// let match = try expression.firstMatch(in: "on 2024-05-17")
/// match?.text       // "2024-05"
/// match?["year"]    // "2024"
/// match?[2]         // "05"
/// ```
///
/// Patterns have the syntax of PCRE2 in UTF mode. ``init(ecmaScript:limits:)`` and
/// ``init(iRegexp:matchesWholeText:limits:)`` accept the dialects of JSON Schema and JSONPath.
/// Several tasks can use an expression at once.
public struct RegularExpression: Sendable {
  /// Options for compiling a pattern.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The bits of the options.
    public let rawValue: Int

    /// Creates options from their bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Letters match regardless of case.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `^` and `$` also match at line breaks.
    public static let multiline = Options(rawValue: 2)
    /// `.` also matches line breaks.
    public static let dotMatchesLineBreaks = Options(rawValue: 4)
    /// White space and `#` comments in the pattern are ignored.
    public static let extended = Options(rawValue: 8)
    /// The pattern must match the whole text.
    public static let wholeText = Options(rawValue: 16)
  }

  /// The limits of the work for one search.
  public struct Limits: Sendable, Hashable {
    /// The maximum number of steps that a search may take from each start position in the text.
    public var steps: UInt32
    /// The maximum number of kilobytes for backtracking.
    public var memory: UInt32
    /// The maximum duration of one whole search.
    public var duration: Duration

    /// Creates limits. By default, a search may take 500,000 steps from each start position, 20 MB of memory and two seconds.
    public init(steps: UInt32 = 500_000, memory: UInt32 = 20_000, duration: Duration = .seconds(2)) {
      self.steps = steps
      self.memory = memory
      self.duration = duration
    }
  }

  /// The pattern as the caller wrote it, even if it was translated from another dialect to PCRE2.
  public let pattern: String
  private let compiled: CompiledPattern
  private let limits: Limits

  /// Compiles a PCRE2 pattern.
  public init(_ pattern: String, options: Options = [], limits: Limits = Limits()) throws(RegularExpressionError) {
    var flags: UInt32 = 0
    if options.contains(.caseInsensitive) { flags |= UInt32(PCRE2_CASELESS) }
    if options.contains(.multiline) { flags |= UInt32(PCRE2_MULTILINE) }
    if options.contains(.dotMatchesLineBreaks) { flags |= UInt32(PCRE2_DOTALL) }
    if options.contains(.extended) { flags |= UInt32(PCRE2_EXTENDED) }
    if options.contains(.wholeText) { flags |= UInt32(PCRE2_ANCHORED) | UInt32(PCRE2_ENDANCHORED) }
    try self.init(pattern: pattern, translated: TranslatedPattern(verbatim: pattern), flags: flags, limits: limits)
  }

  /// Compiles a pattern of ECMA-262 with the `u` flag, which JSON Schema requires
  /// ([§6.4](https://json-schema.org/draft/2020-12/json-schema-core#section-6.4)).
  ///
  /// `\d` and `\w` match only ASCII, `$` matches only at the very end, and syntax that ECMA-262 does not
  /// have (`\A`, `(?i)`, `a++`) is an error.
  public init(ecmaScript pattern: String, limits: Limits = Limits()) throws(RegularExpressionError) {
    let flags = UInt32(PCRE2_MATCH_UNSET_BACKREF) | UInt32(PCRE2_DOLLAR_ENDONLY)
    try self.init(pattern: pattern, translated: ECMAScriptPattern.translate(pattern), flags: flags, limits: limits)
  }

  /// Compiles an I-Regexp ([RFC 9485](https://www.rfc-editor.org/rfc/rfc9485)), whose syntax is checked strictly.
  public init(iRegexp pattern: String, matchesWholeText: Bool, limits: Limits = Limits()) throws(RegularExpressionError) {
    var flags = UInt32(PCRE2_DOLLAR_ENDONLY)
    if matchesWholeText { flags |= UInt32(PCRE2_ANCHORED) | UInt32(PCRE2_ENDANCHORED) }
    try self.init(pattern: pattern, translated: IRegexpPattern.translate(pattern), flags: flags, limits: limits)
  }

  private init(pattern: String, translated: TranslatedPattern, flags: UInt32, limits: Limits) throws(RegularExpressionError) {
    self.pattern = pattern
    self.limits = limits
    do {
      let always = UInt32(PCRE2_UTF) | UInt32(PCRE2_NEVER_BACKSLASH_C) | UInt32(PCRE2_USE_OFFSET_LIMIT) | UInt32(PCRE2_NO_UTF_CHECK)
      compiled = try CompiledPattern(translated.bytes, options: always | flags)
    } catch {
      throw RegularExpressionError(pattern: pattern, offset: translated.sourceOffset(error.offset), message: error.message)
    }
  }

  /// The number of capturing groups.
  public var groupCount: Int { compiled.groupCount }

  /// The names of the groups, in the order of their numbers.
  public var groupNames: [String] { compiled.groupNames.map(\.name) }

  /// Returns whether the pattern matches anywhere in the text.
  public func matches(_ text: String) throws(RegularExpressionMatchingError) -> Bool {
    var text = text
    return try text.withUTF8 { utf8 in
      Result { () throws(RegularExpressionMatchingError) in
        try Search(compiled, pattern: pattern, limits: limits, text: utf8).next(from: 0) != nil
      }
    }.get()
  }

  /// Returns the first match; nil if there is none.
  public func firstMatch(in text: String) throws(RegularExpressionMatchingError) -> Match? {
    try matches(in: text, limit: 1).first
  }

  /// Returns the matches from left to right, at most `limit`. Matches never overlap.
  public func matches(in text: String, limit: Int = .max) throws(RegularExpressionMatchingError) -> [Match] {
    var found: [Match] = []
    guard limit > 0 else { return found }
    try forEachMatch(in: text) { match in
      found.append(match)
      return found.count < limit
    }
    return found
  }

  /// Calls `body` for each match from left to right, until `body` returns false. Matches never overlap. A match takes much more memory than
  /// its text, so this method needs far less memory than an array of all matches.
  package func forEachMatch(in text: String, _ body: (Match) -> Bool) throws(RegularExpressionMatchingError) {
    var text = text
    try text.withUTF8 { utf8 in
      Result { () throws(RegularExpressionMatchingError) in try forEachMatch(inUTF8: utf8, body) }
    }.get()
  }

  private func forEachMatch(
    inUTF8 text: UnsafeBufferPointer<UInt8>, _ body: (Match) -> Bool
  ) throws(RegularExpressionMatchingError) {
    let search = try Search(compiled, pattern: pattern, limits: limits, text: text)
    var position = 0
    var mayBeEmpty = true
    while let ranges = try search.next(from: position, mayBeEmpty: mayBeEmpty) {
      let groups = ranges.map { range in
        range.map { Group(range: $0, text: String(decoding: UnsafeBufferPointer(rebasing: text[$0]), as: UTF8.self)) }
      }
      guard let whole = groups.first ?? nil else { break }
      guard body(Match(whole: whole, groups: groups, names: compiled.groupNames)) else { break }
      position = whole.range.upperBound
      // After an empty match, refuse an empty match at the same position, which the search would find again forever.
      mayBeEmpty = !whole.range.isEmpty
    }
  }
}

extension RegularExpression {
  /// The part of a text that a group has matched.
  public struct Group: Sendable, Hashable {
    /// The range of the matched text, in UTF-8 bytes from the start of the searched text.
    public let range: Range<Int>
    /// The matched text.
    public let text: String
  }

  /// A match of the pattern in a text.
  public struct Match: Sendable {
    let whole: Group
    /// The groups by number. Group 0 is the whole match. A group that took no part in the match is nil.
    public let groups: [Group?]
    let names: [(name: String, number: Int)]

    /// The range of the whole match in UTF-8 bytes.
    public var range: Range<Int> { whole.range }

    /// The text of the whole match.
    public var text: String { whole.text }

    /// The text of the group with this number, where 0 is the whole match; nil if the group does not
    /// exist or matched nothing.
    public subscript(number: Int) -> String? {
      groups.indices.contains(number) ? groups[number]?.text : nil
    }

    /// The text of the group with this name; nil if the group does not exist or matched nothing.
    public subscript(name: String) -> String? {
      for entry in names where entry.name == name {
        if let text = self[entry.number] { return text }
      }
      return nil
    }
  }
}

extension RegularExpression: CustomStringConvertible {
  /// The original pattern.
  public var description: String { pattern }
}

extension RegularExpression {
  /// Returns the number of the group with this name; nil if there is none.
  public func groupNumber(named name: String) -> Int? { compiled.groupNames.first { $0.name == name }?.number }

  /// The number of the group that a user most likely wants: the first named group, otherwise the first group,
  /// otherwise the whole match.
  public var wantedGroup: Int { compiled.groupNames.first?.number ?? min(1, compiled.groupCount) }
}
