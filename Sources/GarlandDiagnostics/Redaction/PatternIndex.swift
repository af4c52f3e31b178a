/// Searches for many byte patterns at once, such as the secrets in a text.
///
/// The patterns are in a trie. Unlike an automaton with failure links, the trie accepts new patterns during a run, such as the tokens of a
/// login. A filter with one bit for each hash of four bytes shows where a pattern may begin; only there, the trie is searched. Therefore, a
/// text without secrets costs one bit test for each byte, and nearly every text contains no secret. If matches overlap, one mask replaces
/// all of their bytes.
///
/// The trie contains only the head of each pattern (its first bytes); a fingerprint represents the rest of the pattern. A run may have
/// thousands of tokens of a kilobyte, each in dozens of forms, and whole patterns would take too much memory. Of the texts with the same
/// head as a pattern, about one in 2⁶⁴ has the same fingerprint by chance, and is masked although it is not a secret.
///
/// The beginning of a pattern also matches if a `…` follows: messages truncate the texts that they quote, and a truncated token is still a
/// secret. For this purpose, the fingerprints of a few beginnings of each pattern are stored. The mask covers the longest of these
/// beginnings that matches, and all bytes from its end to the `…`.
struct PatternIndex: Sendable {
  /// The minimum length of a pattern in bytes.
  static let shortest = 4
  /// The maximum number of bytes of a pattern that are stored in the trie. Of a longer pattern, the trie contains only the first bytes.
  static let headLength = 16
  /// The lengths in bytes of those prefixes of a long pattern whose fingerprints are stored.
  private static let checkpoints = [32, 64, 128]

  /// The UTF-8 bytes of the character `…`, which marks the place where a text was truncated.
  static let ellipsis: [UInt8] = [0xE2, 0x80, 0xA6]

  /// Whether there is a `…` at a position.
  static func isEllipsis(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bool {
    at + 2 < bytes.count && bytes[at] == 0xE2 && bytes[at + 1] == 0x80 && bytes[at + 2] == 0xA6
  }

  private struct Node: Sendable {
    var byte: UInt8
    var isEnd = false
    /// The index of the first child node.
    ///
    /// The last node of a head (the first ``headLength`` bytes of a long pattern) has no children. In such a node, this property is the
    /// index of a ``Length`` instead: the shortest length of the patterns that begin with the head.
    var firstChild: Int32 = 0
    var nextSibling: Int32 = 0
  }

  /// An element of a linked list of pattern lengths. A list contains the length of every pattern with the same head (the first
  /// ``headLength`` bytes), the shortest length first. Equal lengths share one element.
  private struct Length: Sendable {
    var count: Int32
    var next: Int32
  }

  /// A fingerprint (FNV-1a) of a sequence of bytes. ``add(_:)`` appends a byte to the sequence.
  private struct Fingerprint {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { add(byte) }
    }

    mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

    var ofBeginning: UInt64 { state }
    var ofWhole: UInt64 { ~state }
  }

  private static let filterBits = 20
  /// The nodes, which refer to each other by index. Index 0 belongs to no pattern and means "none".
  private var nodes: [Node] = [Node(byte: 0)]
  private var roots = [Int32](repeating: 0, count: 256)
  private var lengths: [Length] = [Length(count: 0, next: 0)]
  /// The fingerprints of all patterns that are longer than ``headLength``, and of the beginnings of these patterns. Each beginning has one
  /// of the lengths in ``checkpoints``.
  private var fingerprints: Set<UInt64> = []
  private var filter: [UInt64] = []

  /// The approximate size of the index in memory, in bytes.
  var size: Int {
    nodes.capacity * MemoryLayout<Node>.stride + lengths.capacity * MemoryLayout<Length>.stride
      + fingerprints.capacity * 4 / 3 * MemoryLayout<UInt64>.stride + (filter.count + roots.count / 2) * MemoryLayout<UInt64>.stride
  }

  mutating func insert(_ pattern: [UInt8]) {
    guard pattern.count >= Self.shortest, pattern.count < Int(Int32.max) else { return }
    guard nodes.count + Self.headLength < Int(Int32.max), lengths.count + 1 < Int(Int32.max) else { return }
    if filter.isEmpty { filter = [UInt64](repeating: 0, count: 1 << Self.filterBits / 64) }
    let slot = pattern.withUnsafeBufferPointer { Self.slot($0, 0) }
    filter[slot >> 6] |= 1 << UInt64(slot & 63)
    var node = roots[Int(pattern[0])]
    if node == 0 {
      node = add(pattern[0])
      roots[Int(pattern[0])] = node
    }
    for byte in pattern.prefix(Self.headLength).dropFirst() {
      var child = nodes[Int(node)].firstChild
      while child != 0, nodes[Int(child)].byte != byte { child = nodes[Int(child)].nextSibling }
      if child == 0 {
        child = add(byte)
        nodes[Int(child)].nextSibling = nodes[Int(node)].firstChild
        nodes[Int(node)].firstChild = child
      }
      node = child
    }
    if pattern.count <= Self.headLength {
      nodes[Int(node)].isEnd = true
    } else {
      addLength(Int32(pattern.count), to: Int(node))
      addFingerprints(of: pattern)
    }
  }

  private mutating func addLength(_ count: Int32, to node: Int) {
    var before: Int32 = 0
    var next = nodes[node].firstChild
    while next != 0, lengths[Int(next)].count < count { (before, next) = (next, lengths[Int(next)].next) }
    if next != 0, lengths[Int(next)].count == count { return }
    let new = Int32(lengths.count)
    lengths.append(Length(count: count, next: next))
    if before == 0 { nodes[node].firstChild = new } else { lengths[Int(before)].next = new }
  }

  private mutating func addFingerprints(of pattern: [UInt8]) {
    var print = Fingerprint(EmptyCollection())
    var from = 0
    for checkpoint in Self.checkpoints where checkpoint < pattern.count {
      for byte in pattern[from..<checkpoint] { print.add(byte) }
      fingerprints.insert(print.ofBeginning)
      from = checkpoint
    }
    for byte in pattern[from...] { print.add(byte) }
    fingerprints.insert(print.ofWhole)
  }

  private mutating func add(_ byte: UInt8) -> Int32 {
    nodes.append(Node(byte: byte))
    return Int32(nodes.count - 1)
  }

  private static func slot(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
    let key = UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3]) << 24
    return Int((key &* 0x9E37_79B1) >> UInt32(32 - filterBits))
  }

  private struct Walk {
    /// The offset after the longest pattern that was found; nil if no pattern was found.
    var end: Int?
    /// Whether the text ended in the middle of a possible match, so that more bytes are needed.
    var isOpen: Bool
  }

  private func walk(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Walk {
    var result = Walk(end: nil, isOpen: false)
    var node = roots[Int(bytes[start])]
    var at = start + 1
    return nodes.withUnsafeBufferPointer { nodes in
      while node != 0 {
        if nodes[Int(node)].isEnd { result.end = at }
        if at - start == Self.headLength {
          follow(bytes, from: start, lengths: nodes[Int(node)].firstChild, &result)
          return result
        }
        var child = nodes[Int(node)].firstChild
        guard child != 0 else { return result }
        guard at < bytes.count else {
          result.isOpen = true
          return result
        }
        let byte = bytes[at]
        if byte == 0xE2, at - start >= Self.shortest {
          guard at + 2 < bytes.count else {
            result.isOpen = true
            return result
          }
          // A text that ends with `…` was truncated before it was passed to this function.
          if Self.isEllipsis(bytes, at) { result.end = at }
        }
        while child != 0, nodes[Int(child)].byte != byte { child = nodes[Int(child)].nextSibling }
        node = child
        at += 1
      }
      return result
    }
  }

  /// Continues the search for patterns at a position of the text at which the first ``headLength`` bytes (the head) of a pattern were
  /// found. Several patterns may have the same head, but different lengths. For each of these lengths, the fingerprint of a part of the
  /// text with this length is compared with the fingerprints of the patterns.
  private func follow(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, lengths first: Int32, _ result: inout Walk) {
    guard first != 0 else { return }
    var at = start + Self.headLength
    var print = Fingerprint(bytes[start..<at])
    var next = lengths[Int(first)]
    // The bytes after a `…` belong to a different text, unless the `…` is part of the pattern.
    var mayBeCut = true
    while true {
      guard at < bytes.count else {
        result.isOpen = true
        return
      }
      let byte = bytes[at]
      if byte == 0xE2 {
        guard at + 2 < bytes.count else {
          result.isOpen = true
          return
        }
        if mayBeCut, Self.isEllipsis(bytes, at) {
          result.end = at
          mayBeCut = false
        }
      }
      print.add(byte)
      at += 1
      if at - start == Int(next.count) {
        if fingerprints.contains(print.ofWhole) { result.end = at }
        guard next.next != 0 else { return }
        next = lengths[Int(next.next)]
      }
      guard Self.checkpoints.contains(at - start) else { continue }
      guard fingerprints.contains(print.ofBeginning) else { return }
      mayBeCut = true
    }
  }

  private func mayStart(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bool {
    guard at + Self.shortest <= bytes.count else { return true }
    let slot = Self.slot(bytes, at)
    return filter.withUnsafeBufferPointer { $0[slot >> 6] & 1 << UInt64(slot & 63) != 0 }
  }

  func hasMatch(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !filter.isEmpty, bytes.count >= Self.shortest else { return false }
    for at in 0...bytes.count - Self.shortest where mayStart(bytes, at) && walk(bytes, from: at).end != nil { return true }
    return false
  }

  /// Calls `body` with the range of each match of a pattern in `bytes`. Escapes in `bytes` are not decoded.
  func forEachMatch(in bytes: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void) {
    guard !filter.isEmpty, bytes.count >= Self.shortest else { return }
    for at in 0...bytes.count - Self.shortest where mayStart(bytes, at) {
      if let end = walk(bytes, from: at).end { body(at..<end) }
    }
  }

  /// Returns `bytes` with a mask in place of each range that a pattern matches. If `isLast` is false, the last bytes may be the beginning
  /// of a match. Such bytes are not returned but held back in `stream`, and the caller must put them at the beginning of `bytes` in the
  /// next call.
  func redact(_ bytes: UnsafeBufferPointer<UInt8>, in stream: inout Redactor.Stream, isLast: Bool) -> [UInt8] {
    var maskedEnd = stream.covered
    stream = Redactor.Stream()
    guard !filter.isEmpty else { return Array(bytes) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    // The start of the bytes still to copy.
    var copyFrom = maskedEnd
    for at in 0..<bytes.count where mayStart(bytes, at) {
      let walk = walk(bytes, from: at)
      if walk.isOpen, !isLast {
        if copyFrom < at { output.append(contentsOf: bytes[copyFrom..<at]) }
        stream.held = Array(bytes[at...])
        stream.covered = max(0, maskedEnd - at)
        return output
      }
      guard let end = walk.end else { continue }
      if at >= maskedEnd {
        output.append(contentsOf: bytes[copyFrom..<at])
        output.append(contentsOf: Redactor.mask.utf8)
      }
      maskedEnd = max(maskedEnd, end)
      copyFrom = maskedEnd
    }
    if copyFrom < bytes.count { output.append(contentsOf: bytes[copyFrom...]) }
    return output
  }
}
