import Synchronization

/// Knows the secret values of a run and masks them, however they are encoded, in everything that leaves the program.
///
/// ```swift
/// let redactor = Redactor()
/// redactor.register("s3cr3t-token")
/// redactor.redact("Authorization: Basic dXNlcjpzM2NyM3QtdG9rZW4=")  // Authorization: Basic dXNlcj***
/// ```
///
/// Masked are the value itself and its base64 (both alphabets, at every alignment), percent, JSON, XML, shell and hex forms
/// (`SecretEncodings` lists them), the base64 of its JSON, XML and form-encoded ones, and in whole texts whatever else percent signs, backslashes, `&#…;` and the shell's quotes can make of it, in part or
/// in several layers. A secret of several lines is masked as a whole, and so is each of its lines of four characters or more; of a signed
/// token (`header.payload.signature`) the payload and the signature are, which applications keep apart. A beginning of four characters or more is
/// masked where the rest was cut off and `…` put in its place.
/// Secrets may be registered at any time from any thread; without any, masking costs the reading of a flag.
public final class Redactor: Sendable {
  /// What became of a registration.
  public enum Registration: Sendable, Hashable {
    /// It is masked from now on.
    case masked
    /// It was known already.
    case known
    /// It has fewer than four characters. Masking it wherever its letters occur would make output unreadable and tell its length, so it is
    /// not masked; the user should be warned.
    case tooShort
  }

  /// Shorter values are not masked.
  public static let minimumLength = 4
  /// What stands in a secret's place.
  public static let mask = "***"

  private struct State: Sendable {
    var known: Set<String> = []
    var patterns = PatternIndex()
  }

  private let state = Mutex(State())
  private let isActive = Atomic(false)
  private let registrations = Atomic(0)

  /// One without secrets.
  public init() {}

  /// Whether it has anything to mask.
  public var hasSecrets: Bool { isActive.load(ordering: .acquiring) }

  /// Masks a value from now on.
  ///
  /// - Parameter secret: the value itself, not encoded.
  /// - Returns: whether it is masked; if it is too short, say so to the user.
  @discardableResult
  public func register(_ secret: String) -> Registration {
    guard secret.count >= Self.minimumLength else { return .tooShort }
    guard state.withLock({ !$0.known.contains(secret) }) else { return .known }
    // Encoding takes longer than storing: not under the lock.
    var values = [secret]
    if secret.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" }) {
      for line in secret.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline) {
        var line = line.drop(while: \.isWhitespace)
        while line.last?.isWhitespace == true { line.removeLast() }
        if line.count >= Self.minimumLength { values.append(String(line)) }
      }
    }
    values += Self.partsOfToken(secret)
    let patterns = values.reduce(into: [] as FormSet) { $0.formUnion(SecretEncodings.all(of: $1)) }
    return state.withLock { state in
      guard state.known.insert(secret).inserted else { return .known }
      for pattern in patterns { state.patterns.insert(pattern) }
      registrations.add(1, ordering: .releasing)
      isActive.store(true, ordering: .releasing)
      return .masked
    }
  }

  /// A number that another secret changes: what was masked before is good as long as it stays.
  package var generation: Int { registrations.load(ordering: .acquiring) }

  /// Whether there is nothing to mask in a whole text.
  package func isClean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { !hasSecrets || masked(bytes) == nil }

  /// How many bytes all that is searched for takes, about.
  package var size: Int { state.withLock { $0.patterns.size } }

  /// The payload and the signature of a JWS in its compact form (RFC 7515 section 3.1). Many tokens share their header, so it is none of theirs.
  private static func partsOfToken(_ secret: String) -> [String] {
    let parts = secret.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].hasPrefix("eyJ") else { return [] }
    let isWeb: (UInt8) -> Bool = { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return parts.dropFirst().filter { $0.utf8.count >= 16 && $0.utf8.allSatisfy(isWeb) }.map(String.init)
  }

  /// The text with every secret masked.
  public func redact(_ text: String) -> String {
    guard hasSecrets else { return text }
    var text = text
    return text.withUTF8 { masked($0) }.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// The bytes with every secret masked.
  public func redact(_ bytes: [UInt8]) -> [UInt8] {
    guard hasSecrets else { return bytes }
    return bytes.withUnsafeBufferPointer { masked($0) } ?? bytes
  }

  /// A whole text with every secret masked, however it is escaped; nil when there is none, as in nearly all texts.
  private func masked(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    state.withLock { state in
      let escaped = state.patterns.escapedMatches(in: bytes)
      var stream = Stream()
      guard !escaped.isEmpty else {
        return state.patterns.hasMatch(in: bytes) ? state.patterns.redact(bytes, in: &stream, isLast: true) : nil
      }
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var place = 0
      for range in escaped {
        result += bytes[place..<range.lowerBound]
        result += Self.mask.utf8
        place = range.upperBound
      }
      result += bytes[place...]
      return result.withUnsafeBufferPointer { state.patterns.redact($0, in: &stream, isLast: true) }
    }
  }

  /// The text with every secret masked in it, also one that reaches over parts of different styles.
  public func redact(_ text: StyledText) -> StyledText {
    guard hasSecrets else { return text }
    let plain = text.plain
    guard redact(plain) != plain else { return text }
    var result = StyledText()
    for span in text.spans { result.append(redact(span.text), span.style) }
    // A secret across two spans shows only in the whole; then the styles are given up.
    return redact(result.plain) == result.plain ? result : StyledText(redact(plain))
  }

  /// What a text that comes in pieces leaves open between two of them.
  public struct Stream: Sendable {
    /// The end of what came, which could be the start of a secret.
    var held: [UInt8] = []
    /// How much of `held` a mask that was given out covers already.
    var covered = 0

    /// The start of a text.
    public init() {}
  }

  /// The next piece of a text with every secret masked, also those that began in earlier pieces.
  ///
  /// - Parameters:
  ///   - bytes: the piece.
  ///   - stream: the state between pieces; start with a fresh one.
  ///   - isLast: whether nothing follows, so that nothing is held back.
  /// - Returns: what can be given out.
  public func redact(_ bytes: [UInt8], in stream: inout Stream, isLast: Bool) -> [UInt8] {
    guard hasSecrets || !stream.held.isEmpty else { return bytes }
    if stream.held.isEmpty {
      return bytes.withUnsafeBufferPointer { bytes in state.withLock { $0.patterns.redact(bytes, in: &stream, isLast: isLast) } }
    }
    let whole = stream.held + bytes
    return whole.withUnsafeBufferPointer { bytes in state.withLock { $0.patterns.redact(bytes, in: &stream, isLast: isLast) } }
  }
}
