import CPCRE2
import Synchronization

/// A pattern compiled by PCRE2. It owns the compiled code.
final class CompiledPattern: Sendable {
  /// Further compiled forms of the pattern, each of which is created only when it is needed.
  private struct Variants {
    var uses = 0
    /// The machine code, which is compiled after the pattern has been used several times.
    var accelerated: Code?
    /// The compiled pattern with automatic callouts: calls of a function before each item of the pattern. Nil until
    /// ``CompiledPattern/codeWithCallouts()`` creates it.
    var withCallouts: Code?
  }

  /// A pattern in the form that PCRE2 has compiled.
  ///
  /// `@unchecked Sendable`: several threads may use compiled code at once while no thread changes the code ([pcre2api,
  /// "Multithreading"](https://www.pcre.org/current/doc/html/pcre2api.html)). The code is not changed after its creation.
  struct Code: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// The number of uses after which compiling to machine code is worthwhile.
  private static let usesBeforeAcceleration = 3

  let plain: Code
  let groupCount: Int
  /// The names of the groups and their numbers, ordered by number.
  let groupNames: [(name: String, number: Int)]
  /// Whether a match can begin only at the start of the searched text.
  let isAnchored: Bool
  private let translated: [UInt8]
  private let options: UInt32
  private let variants = Mutex(Variants())

  init(_ translated: [UInt8], options: UInt32) throws(CompilationFailure) {
    let compiled = try CompiledPattern.compile(translated, options)
    self.translated = translated
    self.options = options
    plain = Code(pointer: compiled)
    var count: UInt32 = 0
    pcre2_pattern_info_8(compiled, UInt32(PCRE2_INFO_CAPTURECOUNT), &count)
    groupCount = Int(count)
    var allOptions: UInt32 = 0
    pcre2_pattern_info_8(compiled, UInt32(PCRE2_INFO_ALLOPTIONS), &allOptions)
    isAnchored = allOptions & UInt32(PCRE2_ANCHORED) != 0
    groupNames = CompiledPattern.names(of: compiled)
  }

  private static func compile(_ translated: [UInt8], _ options: UInt32) throws(CompilationFailure) -> OpaquePointer {
    var code: Int32 = 0
    var offset = 0
    let compiled = translated.withUnsafeBufferPointer { buffer in
      pcre2_compile_8(buffer.baseAddress, buffer.count, options, &code, &offset, nil)
    }
    guard let compiled else {
      throw CompilationFailure(offset: min(offset, translated.count), message: CompiledPattern.message(for: code))
    }
    return compiled
  }

  deinit {
    pcre2_code_free_8(plain.pointer)
    variants.withLock { variants in
      if let code = variants.accelerated { pcre2_code_free_8(code.pointer) }
      if let code = variants.withCallouts { pcre2_code_free_8(code.pointer) }
    }
  }

  struct CompilationFailure: Error {
    let offset: Int
    let message: String
  }

  /// Returns the code that executes the next match. After several uses of the pattern, this is machine code; before that, it is code that
  /// PCRE2 interprets. The machine code is compiled from a copy of the interpreted code, since another thread may be reading the original.
  func code() -> Code {
    variants.withLock { state in
      if let code = state.accelerated { return code }
      state.uses += 1
      guard state.uses == CompiledPattern.usesBeforeAcceleration else { return plain }
      guard let copy = pcre2_code_copy_8(plain.pointer) else { return plain }
      guard pcre2_jit_compile_8(copy, UInt32(PCRE2_JIT_COMPLETE)) == 0 else {
        // PCRE2 has no compiler for this machine or this pattern; the interpreter runs it.
        pcre2_code_free_8(copy)
        return plain
      }
      let accelerated = Code(pointer: copy)
      state.accelerated = accelerated
      return accelerated
    }
  }

  /// Returns the pattern compiled with automatic callouts: before each item of the pattern, PCRE2 calls a function that decides whether
  /// the match continues. Returns nil if there is not enough memory.
  func codeWithCallouts() -> Code? {
    variants.withLock { state in
      if let code = state.withCallouts { return code }
      state.withCallouts = (try? CompiledPattern.compile(translated, options | UInt32(PCRE2_AUTO_CALLOUT))).map(Code.init)
      return state.withCallouts
    }
  }

  static func message(for code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      let length = pcre2_get_error_message_8(code, buffer.baseAddress, buffer.count)
      guard length > 0 else { return "error \(code)" }
      return String(decoding: UnsafeBufferPointer(rebasing: buffer[..<Int(length)]), as: UTF8.self)
    }
  }

  private static func names(of code: OpaquePointer) -> [(name: String, number: Int)] {
    var count: UInt32 = 0
    var entrySize: UInt32 = 0
    var table: UnsafePointer<UInt8>?
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &count)
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &entrySize)
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
    guard let table else { return [] }
    let names = (0..<Int(count)).map { index in
      // An entry is two bytes of group number, then the name and a zero byte.
      let entry = table + index * Int(entrySize)
      return (name: String(cString: entry + 2), number: Int(entry[0]) << 8 | Int(entry[1]))
    }
    return names.sorted { $0.number < $1.number }
  }
}

/// The version of PCRE2 that this program runs with.
package enum PatternLibrary {
  /// The version of PCRE2, without the date that PCRE2 appends.
  package static var version: String {
    let length = Int(pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), nil))
    guard length > 0 else { return "?" }
    var text = [UInt8](repeating: 0, count: length)
    pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), &text)
    return String(decoding: text.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }, as: UTF8.self)
  }
}
