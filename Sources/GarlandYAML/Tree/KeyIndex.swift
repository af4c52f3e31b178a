/// A hash index over the keys of a large mapping. It is a flat table, since a document may have a hundred thousand steps.
///
/// The index does not store the keys' texts: the caller compares them.
package struct KeyIndex: Sendable {
  private struct Slot {
    /// The position of the key in the mapping plus one; 0 if this entry of the hash table is free.
    var place: UInt32 = 0
    var hash: UInt32 = 0
  }

  private var slots: [Slot]
  private var count = 0

  /// A seed that differs in each process, so that nobody can write keys that intentionally have equal hashes.
  private static let seed = UInt64(bitPattern: Int64(Hasher().finalize())) | 1

  /// Creates an index.
  ///
  /// - Parameter count: The expected number of keys.
  package init(expecting count: Int) {
    var capacity = 64
    while capacity < count * 2 { capacity *= 2 }
    slots = [Slot](repeating: Slot(), count: capacity)
  }

  /// Returns the position of a key; nil if the index does not contain the key.
  ///
  /// - Parameter isSame: Returns whether the key at the given position is the wanted key.
  package func place(_ hash: UInt32, where isSame: (Int) -> Bool) -> Int? {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot].place != 0 {
      if slots[slot].hash == hash, isSame(Int(slots[slot].place) - 1) { return Int(slots[slot].place) - 1 }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds the hash and the position of a key. The index must not contain the key yet.
  package mutating func add(_ hash: UInt32, at place: Int) {
    if count * 2 >= slots.count { grow() }
    insert(Slot(place: UInt32(truncatingIfNeeded: place + 1), hash: hash))
    count += 1
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.place != 0 { insert(slot) }
  }

  private mutating func insert(_ new: Slot) {
    var slot = Int(new.hash) & (slots.count - 1)
    while slots[slot].place != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = new
  }

  /// Returns the hash of a key's text.
  package static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let bytes = UnsafeRawBufferPointer(text)
    var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = mix(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    hash = mix(hash ^ rest)
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    let (high, low) = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return high ^ low
  }
}
