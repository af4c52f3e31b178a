/// A growing buffer of bytes. Appending is faster than with an array, which makes checks at each append.
///
/// If there is not enough memory to grow, the buffer ends the thread's ``Computation`` and drops further bytes.
struct ByteWriter: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var count = 0
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = Computation.hasRoom(for: capacity) ? max(capacity, 64) : 64
    base = .allocate(capacity: self.capacity)
  }

  deinit {
    base.deallocate()
  }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  /// Makes room for `more` bytes. Returns false if there is not enough memory.
  @inline(__always)
  private mutating func reserve(_ more: Int) -> Bool { count + more <= capacity || grow(more) }

  @inline(never)
  private mutating func grow(_ more: Int) -> Bool {
    let newCapacity = max(capacity * 2, count + more)
    var larger: UnsafeMutablePointer<UInt8>?
    guard Computation.allocate(newCapacity, { larger = .allocate(capacity: newCapacity) }), let larger else { return false }
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity = newCapacity
    return true
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    guard reserve(1) else { return }
    base[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(text.utf8Start, count: text.utf8CodeUnitCount)
  }

  @inline(__always)
  mutating func append(_ source: UnsafePointer<UInt8>, count length: Int) {
    guard reserve(length) else { return }
    (base + count).update(from: source, count: length)
    count += length
  }

  mutating func append(repeating byte: UInt8, count length: Int) {
    guard reserve(length) else { return }
    (base + count).update(repeating: byte, count: length)
    count += length
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      if let address = utf8.baseAddress { append(address, count: utf8.count) }
    }
  }

  mutating func append(_ value: Int) {
    // Twenty bytes hold any Int; the loop writes the last digit first.
    guard reserve(20) else { return }
    var magnitude = value.magnitude
    var length = value < 0 ? 1 : 0
    var rest = magnitude
    repeat {
      length += 1
      rest /= 10
    } while rest > 0
    if value < 0 { base[count] = UInt8(ascii: "-") }
    var position = count + length
    repeat {
      position -= 1
      base[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10)
      magnitude /= 10
    } while magnitude > 0
    count += length
  }
}
