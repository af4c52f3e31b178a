/// A stack whose top elements can be moved out together, without copying each element.
struct ParsingStack<Element>: ~Copyable {
  /// The memory of the elements; nil until the first push, so that a document with a single value needs none.
  private var base: UnsafeMutablePointer<Element>?
  private(set) var count = 0
  private var capacity = 0

  deinit {
    guard let base else { return }
    base.deinitialize(count: count)
    base.deallocate()
  }

  /// Returns a pointer to the element at an index. The elements with higher indexes follow in memory. Returns nil before the first push.
  @inline(__always)
  func pointer(at position: Int) -> UnsafeMutablePointer<Element>? {
    base.map { $0 + position }
  }

  /// Adds an element. Throws an error if there is not enough memory.
  @inline(__always)
  mutating func push(_ element: consuming Element) throws(JSONParsingError) {
    let base = count < capacity ? base : try grow()
    if let base { (base + count).initialize(to: element) }
    count += 1
  }

  /// Sets the number of elements to `newCount`. Before this call, the caller must move all elements after the first `newCount` out of the
  /// stack.
  @inline(__always)
  mutating func forget(downTo newCount: Int) {
    count = newCount
  }

  @inline(never)
  private mutating func grow() throws(JSONParsingError) -> UnsafeMutablePointer<Element>? {
    let newCapacity = max(32, capacity * 2)
    var room: UnsafeMutablePointer<Element>?
    guard Computation.allocate(newCapacity * MemoryLayout<Element>.stride, { room = .allocate(capacity: newCapacity) }), let larger = room
    else { throw .outOfMemory }
    if let base {
      larger.moveInitialize(from: base, count: count)
      base.deallocate()
    }
    base = larger
    capacity = newCapacity
    return larger
  }
}
