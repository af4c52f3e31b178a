/// A stack whose top elements can be moved out together, without a copy of each.
struct ParsingStack<Element>: ~Copyable {
  /// The memory; nil until the first push, so that single values need no stack.
  private var base: UnsafeMutablePointer<Element>?
  private(set) var count = 0
  private var capacity = 0

  deinit {
    guard let base else { return }
    base.deinitialize(count: count)
    base.deallocate()
  }

  /// Returns the element at a position and those above it; nil before the first push.
  @inline(__always)
  func pointer(at position: Int) -> UnsafeMutablePointer<Element>? {
    base.map { $0 + position }
  }

  @inline(__always)
  mutating func push(_ element: consuming Element) {
    let base = count < capacity ? base : grow()
    if let base { (base + count).initialize(to: element) }
    count += 1
  }

  /// Lowers the count for a caller that has moved the elements from `newCount` on out of memory.
  @inline(__always)
  mutating func forget(downTo newCount: Int) {
    count = newCount
  }

  @inline(never)
  private mutating func grow() -> UnsafeMutablePointer<Element>? {
    let newCapacity = max(32, capacity * 2)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
    if let base {
      larger.moveInitialize(from: base, count: count)
      base.deallocate()
    }
    base = larger
    capacity = newCapacity
    return larger
  }
}
