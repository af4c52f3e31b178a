import GarlandYAML

/// A cache of results for texts. It has few slots, and helps because a suite repeats the same texts thousands of times.
struct TextMemo<Value> {
  private static var size: Int { 64 }
  /// The cached texts with their results. The hash of a text determines its index. The array is empty until the first result is stored.
  private var slots: [(text: [UInt8], value: Value)?] = []

  private static func slot(of text: UnsafeBufferPointer<UInt8>) -> Int { Int(KeyIndex.hash(text)) % size }

  subscript(text: UnsafeBufferPointer<UInt8>) -> Value? {
    guard !slots.isEmpty, let known = slots[Self.slot(of: text)], known.text.withUnsafeBufferPointer({ $0.isSame(as: text) }) else {
      return nil
    }
    return known.value
  }

  mutating func keep(_ value: Value, of text: UnsafeBufferPointer<UInt8>) {
    if slots.isEmpty { slots = Array(repeating: nil, count: Self.size) }
    slots[Self.slot(of: text)] = (Array(text), value)
  }
}
