import GarlandText
import Synchronization

/// Masks the secret values of a run, however they are encoded, in all output of the program.
///
/// ```swift
/// let redactor = Redactor()
/// redactor.register("s3cr3t-token")
/// redactor.redact("Authorization: Basic dXNlcjpzM2NyM3QtdG9rZW4=")  // Authorization: Basic dXNlcj***
/// ```
///
/// The redactor masks the value itself and these encoded forms of the value (see `SecretEncodings`):
/// - base64 (both alphabets, at every alignment), percent-encoding, JSON, XML, shell and hexadecimal
/// - the base64 of its JSON, XML and form-encoded forms
///
/// In a text that is redacted as a whole, the redactor also finds a secret that is encoded with any combination of percent-encoding,
/// backslashes, HTML character references, shell quotes, hexadecimal digits and base64. The secret may be encoded several times, and may
/// extend over several lines (see `SecretSearch`).
///
/// A secret is also masked without the white space at its ends. A secret of several lines is masked as a whole, and so is each of its lines
/// that has four characters or more. The payload and the signature of a signed token (`header.payload.signature`) are masked on their own,
/// since applications store them separately. If a text contains only the beginning of a secret, followed by `…`, the beginning is masked if
/// it has four characters or more.
///
/// Any thread may register secrets at any time; without secrets, masking only reads a flag.
public final class Redactor: Sendable {
  /// The result of registering a secret.
  public enum Registration: Sendable, Hashable {
    /// The value is masked from now on.
    case masked
    /// The value was already registered.
    case known
    /// The value has fewer than four characters. It is not masked, since masking such a short text everywhere would make output unreadable
    /// and reveal the value's length. The caller should warn the user.
    case tooShort
  }

  /// The minimum number of characters of a value that is masked.
  public static let minimumLength = 4
  /// The text that replaces a secret.
  public static let mask = "***"

  private struct State: Sendable {
    var known: Set<String> = []
    var patterns = PatternIndex()
    /// The size in bytes of the shortest registered secret. If no secret is registered, the size is ``DecodedText/largest``, the maximum
    /// size of a text in which encoded secrets are searched for.
    var shortest = DecodedText.largest
    /// The properties of the registered secrets. They determine which encodings of a text are decoded and searched for secrets.
    var traits = SecretTraits()

    func secrets(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
      SecretSearch.ranges(in: text, patterns, shortest: shortest, traits)
    }
  }

  private let state = Mutex(State())
  private let isActive = Atomic(false)
  private let registrations = Atomic(0)

  /// The redactor that receives the secrets of this redactor and keeps them until the program ends; see ``init(for:)``. Nil if this
  /// redactor keeps its secrets itself.
  private let successor: Redactor?

  /// Creates a redactor without secrets.
  public init() { successor = nil }

  /// Creates a redactor for one repetition of a load test. A load test has thousands of short repetitions, and shows the results of only a
  /// few.
  ///
  /// The redactor passes its secrets to `successor` when ``handOn()`` is called or when it masks something. ``forget()`` removes the
  /// secrets that were not passed on.
  package init(for successor: Redactor) { self.successor = successor }

  /// The redactor that keeps the secrets until the program ends: `successor`, or this redactor itself if there is no successor.
  package var lasting: Redactor { successor ?? self }

  /// Registers the secrets of this redactor with the redactor that keeps them until the program ends (``lasting``).
  package func handOn() {
    guard let successor else { return }
    for secret in state.withLock({ $0.known }) { successor.register(secret) }
  }

  /// Removes the secrets of this redactor. Secrets that ``handOn()`` has passed on stay registered with the redactor ``lasting``. Does
  /// nothing if this redactor itself is ``lasting``.
  package func forget() {
    guard successor != nil, isActive.load(ordering: .acquiring) else { return }
    state.withLock { $0.known.removeAll(keepingCapacity: true) }
    isActive.store(false, ordering: .releasing)
  }

  /// Whether a secret is registered.
  private func knows(_ secret: String) -> Bool { state.withLock { $0.known.contains(secret) } }

  /// Whether at least one secret is registered.
  public var hasSecrets: Bool { isActive.load(ordering: .acquiring) || successor?.hasSecrets == true }

  /// Registers a secret, which is masked from now on.
  ///
  /// - Parameter secret: The value itself, not encoded.
  /// - Returns: `masked` if the value is masked from now on, `known` if it was already registered, or `tooShort` if it is too short to be
  ///   masked. In the last case, the caller should warn the user.
  @discardableResult
  public func register(_ secret: String) -> Registration {
    guard secret.count >= Self.minimumLength else { return .tooShort }
    if let successor {
      guard !successor.knows(secret) else { return .known }
      isActive.store(true, ordering: .releasing)
      return state.withLock { $0.known.insert(secret).inserted ? .masked : .known }
    }
    guard !knows(secret) else { return .known }
    // Encoding takes longer than storing, so it runs outside the lock.
    let values = Self.values(in: secret)
    let patterns = values.reduce(into: [] as FormSet) { $0.formUnion(SecretEncodings.all(of: $1)) }
    return state.withLock { state in
      guard state.known.insert(secret).inserted else { return .known }
      for pattern in patterns { state.patterns.insert(pattern) }
      state.shortest = values.reduce(state.shortest) { min($0, $1.utf8.count) }
      for value in values { state.traits.add(value) }
      registrations.add(1, ordering: .releasing)
      isActive.store(true, ordering: .releasing)
      return .masked
    }
  }

  /// A number that changes with each new secret. As long as the number is unchanged, output that was masked earlier contains no secret.
  package var generation: Int { registrations.load(ordering: .acquiring) }

  /// The approximate size of the search patterns in memory, in bytes.
  var size: Int { state.withLock { $0.patterns.size } }

  /// Returns a secret and its variants, without their encoded forms:
  /// - the secret without the white space at its ends;
  /// - the secret with `\n` and with `\r\n` as line breaks, and each of its lines;
  /// - the secret with a space in place of each no-break space, as in decoded text;
  /// - the parts of a token or URL;
  /// - the secret with its own escapes decoded.
  private static func values(in secret: String) -> [String] {
    var values = [secret]
    let trimmed = secret.trimmed
    if trimmed.count >= minimumLength, trimmed.utf8.count < secret.utf8.count { values.append(trimmed) }
    if secret.unicodeScalars.contains("\u{A0}") { values.append(secret.replacing("\u{A0}", with: " ")) }
    if secret.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" }) {
      let lines = secret.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      for lineBreak in ["\n", "\r\n"] { values.append(lines.joined(separator: lineBreak)) }
      values += lines.map(\.trimmed).filter { $0.count >= minimumLength }
    }
    values += partsOfToken(secret)
    values += SecretURL.parts(of: secret)
    // A secret that itself contains escapes can occur in decoded form: a server may decode it once too often, or the search may decode its
    // escapes together with those that a server added.
    values += values.flatMap(DecodedText.decodings)
    return values.filter { $0.count >= minimumLength }
  }

  /// Returns the payload and the signature of a JWS in its compact form (RFC 7515 section 3.1). The
  /// header is not included, since many tokens have the same header.
  private static func partsOfToken(_ secret: String) -> [String] {
    let parts = secret.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].hasPrefix("eyJ") else { return [] }
    return parts.dropFirst().filter { part in
      part.utf8.count >= 16 && part.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }.map(String.init)
  }

  /// Returns the text with every secret masked.
  public func redact(_ text: String) -> String {
    guard hasSecrets else { return text }
    var text = text
    return text.withUTF8 { masked($0) }.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// Returns the bytes with every secret masked.
  public func redact(_ bytes: [UInt8]) -> [UInt8] {
    guard hasSecrets else { return bytes }
    return bytes.withUnsafeBufferPointer { masked($0) } ?? bytes
  }

  /// Returns a whole text in which every secret is masked, even if the secret is encoded. Returns nil if the text
  /// contains no secret, which is true for nearly all texts.
  private func masked(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    if let successor {
      handOn()
      return successor.masked(bytes)
    }
    let secrets = state.withLock { $0.secrets(in: bytes) }
    return secrets.isEmpty ? nil : Self.masking(secrets, in: bytes)
  }

  private static func masking(_ secrets: [Range<Int>], in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    for range in secrets {
      result += bytes[place..<range.lowerBound]
      result += mask.utf8
      place = range.upperBound
    }
    return result + bytes[place...]
  }

  /// Returns the next piece of a long text with secrets masked, however they are encoded.
  ///
  /// An encoded secret is found if it has at most `reach` bytes.
  ///
  /// - Parameters:
  ///   - bytes: The next piece of the text.
  ///   - rest: The bytes of earlier pieces that were not returned yet, since a secret may begin in them; empty at first.
  ///   - isLast: Whether this is the last piece.
  /// - Returns: The bytes that can be output now.
  package func redact(_ bytes: [UInt8], after rest: inout [UInt8], isLast: Bool) -> [UInt8] {
    if let successor {
      handOn()
      return successor.redact(bytes, after: &rest, isLast: isLast)
    }
    let whole = rest + bytes
    let secrets = hasSecrets ? whole.withUnsafeBufferPointer { whole in state.withLock { $0.secrets(in: whole) } } : []
    var border = isLast ? whole.count : max(0, whole.count - Self.reach)
    if let secret = secrets.first(where: { $0.contains(border) }) { border = secret.lowerBound }
    rest = Array(whole[border...])
    let hidden = secrets.filter { $0.upperBound <= border }
    return whole.withUnsafeBufferPointer { Self.masking(hidden, in: UnsafeBufferPointer(rebasing: $0[..<border])) }
  }

  /// The maximum length in bytes of an encoded secret in a text that arrives in pieces. In such a text, a longer encoded secret is possibly
  /// not masked.
  private static let reach = 64 << 10

  /// Returns the text with every secret masked. A secret that extends over parts with different styles is masked too, but the result then
  /// has no styles.
  public func redact(_ text: StyledText) -> StyledText {
    guard hasSecrets else { return text }
    let plain = text.plain
    guard redact(plain) != plain else { return text }
    var result = StyledText()
    for span in text.spans { result.append(redact(span.text), span.style) }
    // A secret that extends over two parts is found only in the whole text; then the styles are lost.
    return redact(result.plain) == result.plain ? result : StyledText(redact(plain))
  }

  /// The state of masking between two pieces of a text. It contains the last bytes that were held back until the next piece arrives, since
  /// a secret may begin in these bytes.
  public struct Stream: Sendable {
    /// The bytes at the end of the previous pieces that could be the start of a secret and were held back.
    var held: [UInt8] = []
    /// The number of bytes at the beginning of ``held`` that belong to a secret whose mask was already output.
    var covered = 0

    /// Creates the masking state for the first piece of a text.
    public init() {}
  }

  /// Returns the next piece of a text with every secret masked, also secrets that began in earlier
  /// pieces.
  ///
  /// - Parameters:
  ///   - bytes: The next piece of the text.
  ///   - stream: The state between pieces; for the first piece, a new value.
  ///   - isLast: Whether this is the last piece, so that no bytes are held back.
  /// - Returns: The bytes that can be output.
  public func redact(_ bytes: [UInt8], in stream: inout Stream, isLast: Bool) -> [UInt8] {
    if let successor {
      handOn()
      return successor.redact(bytes, in: &stream, isLast: isLast)
    }
    guard hasSecrets || !stream.held.isEmpty else { return bytes }
    if stream.held.isEmpty {
      return bytes.withUnsafeBufferPointer { bytes in state.withLock { $0.patterns.redact(bytes, in: &stream, isLast: isLast) } }
    }
    let whole = stream.held + bytes
    return whole.withUnsafeBufferPointer { bytes in state.withLock { $0.patterns.redact(bytes, in: &stream, isLast: isLast) } }
  }
}
