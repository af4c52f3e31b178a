import CPCRE2

extension RegularExpression {
  /// A search through one text.
  ///
  /// A limit on the number of PCRE2's matching steps is not enough to limit the time of a search in a long text. PCRE2 counts the steps
  /// from 0 again at each position at which a match might begin, and one step can take longer in a longer text: `.*` reads to the end of
  /// the text. Therefore this type searches one stretch of the text at a time, and reads the clock between two stretches.
  ///
  /// At the first attempt at a position, a limit of steps ensures that the attempt takes at most some milliseconds. If this limit is too
  /// low, which is rare, the search tries the position again with code that checks the time between the steps; this code is several times
  /// slower.
  final class Search {
    /// The maximum length in bytes of a text that is searched without dividing it.
    private static let shortText = 128

    private let compiled: CompiledPattern
    private let pattern: String
    private let limits: Limits
    private let text: UnsafeBufferPointer<UInt8>
    private let code: CompiledPattern.Code
    private let matchData: OpaquePointer
    private let context: OpaquePointer
    private let clock: Clock

    /// The maximum number of steps of the first attempt to match the pattern at a position of the text. If the first attempt reaches this
    /// number, a second attempt may take more steps.
    private let quickSteps: UInt32

    /// Checks, while a search runs, whether the time limit of the whole search is reached.
    private final class Clock {
      let start = ContinuousClock.now
      let computation = Computation.current
      private let limit: Duration
      private var count = 0

      init(_ limit: Duration) { self.limit = limit }

      /// Whether the time limit is reached. PCRE2 reads this property before each step of a search. Since most steps are short, the
      /// property reads the clock only every 16th time.
      var isOver: Bool {
        count &+= 1
        return count & 15 == 0 && (start.duration(to: .now) >= limit || computation?.looksOver() == true)
      }
    }

    init(
      _ compiled: CompiledPattern, pattern: String, limits: Limits, text: UnsafeBufferPointer<UInt8>
    ) throws(RegularExpressionMatchingError) {
      guard let context = pcre2_match_context_create_8(nil) else {
        throw .failed(pattern: pattern, message: "there is not enough memory")
      }
      guard let matchData = pcre2_match_data_create_from_pattern_8(compiled.plain.pointer, nil) else {
        pcre2_match_context_free_8(context)
        throw .failed(pattern: pattern, message: "there is not enough memory")
      }
      self.compiled = compiled
      self.pattern = pattern
      self.limits = limits
      self.text = text
      self.context = context
      self.matchData = matchData
      code = compiled.code()
      clock = Clock(limits.duration)
      quickSteps = min(limits.steps, max(1_000, UInt32(clamping: (1 << 24) / max(1, text.count))))
      pcre2_set_match_limit_8(context, quickSteps)
      pcre2_set_heap_limit_8(context, limits.memory)
      // The search keeps the clock alive while PCRE2 runs.
      let told = Unmanaged.passUnretained(self.clock).toOpaque()
      pcre2_set_callout_8(
        context,
        { _, told in
          guard let told else { return 0 }
          return Unmanaged<Clock>.fromOpaque(told).takeUnretainedValue().isOver ? PCRE2_ERROR_CALLOUT : 0
        }, told)
    }

    deinit {
      pcre2_match_data_free_8(matchData)
      pcre2_match_context_free_8(context)
    }

    /// Returns the ranges of the groups of the first match that begins at or after a position; nil if there is
    /// no match.
    func next(from position: Int, mayBeEmpty: Bool = true) throws(RegularExpressionMatchingError) -> [Range<Int>?]? {
      if let computation = clock.computation, computation.isOver(after: 64) { throw .outOfTime(pattern: pattern) }
      guard text.count > Search.shortText, !compiled.isAnchored else {
        return try match(from: position, mayBeEmpty: mayBeEmpty)
      }
      var position = position
      var stretch = 4
      var mayBeEmpty = mayBeEmpty
      while true {
        let limit = endOfStretch(position + stretch)
        pcre2_set_offset_limit_8(context, limit)
        if let ranges = try match(from: position, mayBeEmpty: mayBeEmpty) { return ranges }
        guard limit < text.count else { return nil }
        let elapsed = clock.start.duration(to: .now)
        if let computation = clock.computation, computation.looksOver() { throw .outOfTime(pattern: pattern) }
        guard elapsed < limits.duration else { throw .tooComplex(pattern: pattern) }
        // While the search is fast, it reads the clock less often.
        stretch = elapsed < limits.duration / 100 ? min(stretch * 4, 1 << 20) : 4
        position = endOfStretch(limit + 1)
        mayBeEmpty = true
      }
    }

    /// Returns the position of the first character that begins at or after `position`; the end of the text if there is none. The search
    /// divides a long text into stretches, and a stretch must not end within a character.
    private func endOfStretch(_ position: Int) -> Int {
      guard position < text.count else { return text.count }
      var position = position
      while position < text.count, text[position] & 0xC0 == 0x80 { position += 1 }
      return position
    }

    private func match(from position: Int, mayBeEmpty: Bool) throws(RegularExpressionMatchingError) -> [Range<Int>?]? {
      // Swift's strings are well-formed, and all texts here come from them.
      var options = UInt32(PCRE2_NO_UTF_CHECK)
      if !mayBeEmpty { options |= UInt32(PCRE2_NOTEMPTY_ATSTART) }
      var result = run(code, position, options)
      if result == PCRE2_ERROR_JIT_STACKLIMIT {
        // Machine code has only a small stack; the interpreter can use as much memory as the limit allows.
        result = run(code, position, options | UInt32(PCRE2_NO_JIT))
      }
      if result == PCRE2_ERROR_MATCHLIMIT, let withCallouts = compiled.codeWithCallouts() {
        pcre2_set_match_limit_8(context, limits.steps)
        result = run(withCallouts, position, options | UInt32(PCRE2_NO_JIT))
        pcre2_set_match_limit_8(context, quickSteps)
      }
      switch result {
      case PCRE2_ERROR_NOMATCH: return nil
      case PCRE2_ERROR_CALLOUT where clock.computation?.hasEnded == true: throw .outOfTime(pattern: pattern)
      case PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_CALLOUT: throw .tooComplex(pattern: pattern)
      case ..<0: throw .failed(pattern: pattern, message: CompiledPattern.message(for: result))
      default: return ranges()
      }
    }

    private func run(_ code: CompiledPattern.Code, _ position: Int, _ options: UInt32) -> Int32 {
      guard let address = text.baseAddress else {
        // An empty text may have no address, but PCRE2 requires one.
        var nothing: UInt8 = 0
        return pcre2_match_8(code.pointer, &nothing, 0, 0, options, matchData, context)
      }
      return pcre2_match_8(code.pointer, address, text.count, position, options, matchData, context)
    }

    private func ranges() -> [Range<Int>?] {
      let count = Int(pcre2_get_ovector_count_8(matchData))
      guard let offsets = pcre2_get_ovector_pointer_8(matchData) else { return [] }
      return (0..<count).map { group in
        let (lower, upper) = (offsets[2 * group], offsets[2 * group + 1])
        // PCRE2_UNSET has all bits set, so it is negative here: Swift imports size_t as Int.
        guard lower >= 0, upper >= 0 else { return nil }
        // `\K` in a lookahead can put the start after the end.
        return min(lower, upper)..<upper
      }
    }
  }
}
