extension [UInt8] {
  /// Reserves capacity for `count` bytes in total. Returns whether the array may grow to this size.
  ///
  /// - If the array already has this capacity, or if `count` is less than ``MemorySupply/leastBlock``, reserves nothing and returns true.
  /// - If a block of `count` bytes does not fit into the memory, ends the computation of this thread and returns false.
  package mutating func reserveIfRoom(_ count: Int) -> Bool {
    guard count > capacity, count >= MemorySupply.leastBlock else { return true }
    return Computation.allocate(count) { reserveCapacity(count) }
  }

  /// Appends bytes, followed by `terminator` unless it is nil, and returns true.
  ///
  /// If the array must grow and the larger array does not fit into the memory, the method appends nothing and returns false. It also ends
  /// the computation of this thread.
  @discardableResult package mutating func appendIfRoom(_ bytes: UnsafeRawBufferPointer, terminator: UInt8? = nil) -> Bool {
    let needed = count + bytes.count + (terminator == nil ? 0 : 1)
    // An array grows to at least twice its capacity. The old block is freed after its bytes are copied.
    if needed > capacity, !reserveIfRoom(Swift.max(needed, 2 * capacity)) { return false }
    append(contentsOf: bytes)
    if let terminator { append(terminator) }
    return true
  }
}

extension String {
  /// Decodes UTF-8. Bytes that are not UTF-8 become U+FFFD. If there is not enough memory for the text, ends the computation of this thread
  /// and creates an empty text.
  package init(utf8IfRoom bytes: some RandomAccessCollection<UInt8>) {
    guard Computation.hasRoom(for: bytes.count) else {
      self = ""
      return
    }
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
    } else {
      // U+FFFD takes three bytes, and a text that grows is copied to a block of twice its size.
      self = Computation.hasRoom(for: 9 * bytes.count) ? String(decoding: bytes, as: UTF8.self) : ""
    }
  }
}
