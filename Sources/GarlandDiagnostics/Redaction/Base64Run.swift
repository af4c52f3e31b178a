import GarlandText
import Glibc

/// A run (an unbroken sequence) of base64 letters in a text, possibly over several lines. Letters of both alphabets (RFC 4648, sections 4
/// and 5) are accepted, even mixed.
struct Base64Run {
  /// The six-bit value of each letter of the run.
  private(set) var letters: [UInt8] = []
  /// For each base64 letter, the position of the letter in the searched text.
  private(set) var places: [Int32] = []
  /// The offset in the text at which this sequence of base64 letters ends, including the padding.
  private(set) var end = 0
  /// Whether the text was truncated right after this run of letters, so that `…` follows the run.
  private(set) var isCut = false

  /// Returns the number of base64 letters that are needed to encode `count` bytes.
  static func letters(forBytes count: Int) -> Int { (count * 8 + 5) / 6 }

  /// Calls `body` with each run of base64 letters in a text.
  ///
  /// - Parameters:
  ///   - source: The text to search.
  ///   - shortest: The minimum number of letters of a run. A run before a `…`, which marks a truncated text, may have fewer.
  static func forEach(in source: UnsafeBufferPointer<UInt8>, shortest: Int, _ body: (Base64Run) -> Void) {
    guard let base = source.baseAddress, source.count >= min(shortest, leftOver) else { return }
    let isBroken = memchr(base, 0x0A, source.count) != nil
    let least = min(shortest, memchr(base, Int32(PatternIndex.ellipsis[0]), source.count) == nil ? .max : leftOver)
    var at = 0
    var run = Base64Run()
    classes.withUnsafeBufferPointer { classes in
      while at + least <= source.count {
        // A run that begins at `at` contains at least the bytes up to this one.
        let kind = classes[Int(source[at + least - 1])]
        guard kind < Kind.other, isBroken || kind < Kind.blank else {
          at += least
          continue
        }
        guard classes[Int(source[at])] < Kind.blank else {
          at += 1
          continue
        }
        run.take(source, at, classes)
        at = run.end
        if run.letters.count >= (run.isCut ? least : shortest) { body(run) }
      }
    }
  }

  /// Reads a sequence of base64 letters from the position `start` to the end of the sequence, which may be on a later line.
  private mutating func take(_ source: UnsafeBufferPointer<UInt8>, _ start: Int, _ classes: UnsafeBufferPointer<UInt8>) {
    letters.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    var at = start
    while at < source.count {
      let kind = classes[Int(source[at])]
      if kind < Kind.blank {
        letters.append(kind)
        places.append(Int32(truncatingIfNeeded: at))
        at += 1
        continue
      }
      // The run may continue in the next line, which may be indented.
      var next = at
      if source[next] == 0x0D { next += 1 }
      guard next < source.count, source[next] == 0x0A else { break }
      next += 1
      while next < source.count, source[next] == 0x20 || source[next] == 0x09 { next += 1 }
      guard next < source.count, classes[Int(source[next])] < Kind.blank else { break }
      at = next
    }
    end = at
    while end < source.count, end - at < 2, source[end] == UInt8(ascii: "=") { end += 1 }
    var next = at
    while next < source.count, classes[Int(source[next])] == Kind.blank { next += 1 }
    isCut = end == at && PatternIndex.isEllipsis(source, next)
  }

  /// Decodes the letters and appends the decoded bytes. The first decoded letter is the one with the index `offset`, from 0 to 3; earlier
  /// letters are skipped.
  func decode(from offset: Int, into bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + letters.count * 3 / 4)
    letters.withUnsafeBufferPointer { letters in
      var at = offset
      while at + 1 < letters.count {
        bytes.append(letters[at] << 2 | letters[at + 1] >> 4)
        if at + 2 < letters.count { bytes.append(letters[at + 1] << 4 | letters[at + 2] >> 2) }
        if at + 3 < letters.count { bytes.append(letters[at + 2] << 6 | letters[at + 3]) }
        at += 4
      }
    }
  }

  /// Returns the start and the end, in the text, of the letters that encode one byte.
  ///
  /// - Parameters:
  ///   - index: The index of the byte in the result of ``decode(from:into:)``.
  ///   - offset: The offset with which ``decode(from:into:)`` was called.
  func place(ofByte index: Int, from offset: Int) -> (start: Int, end: Int) {
    let letter = offset + index / 3 * 4 + index % 3
    let end = letter + 2 < places.count ? Int(places[letter + 1]) + 1 : self.end
    return (Int(places[letter]), end)
  }

  /// The minimum number of base64 letters before a `…`, which marks a truncated text. If there are fewer letters, they are not searched for
  /// secrets.
  private static let leftOver = 8

  // MARK: Letters

  /// The classes of the bytes that are not among the 64 characters of base64: white space, or any other byte.
  private enum Kind {
    static let blank: UInt8 = 64
    static let other: UInt8 = 65
  }

  private static let classes: [UInt8] = {
    var classes = [UInt8](repeating: Kind.other, count: 256)
    for byte in [0x20, 0x09, 0x0A, 0x0D] { classes[byte] = Kind.blank }
    for alphabet in [Base64.alphabet, Base64URL.alphabet] {
      for (value, letter) in alphabet.enumerated() { classes[Int(letter)] = UInt8(value) }
    }
    return classes
  }()
}
