import FoundationEssentials
import GarlandJSON
import OrderedCollections

/// Reads binary property lists, version 00.
///
/// A binary property list consists of objects of any kind, a table of the objects' offsets, and a trailer with the position of the table.
///
/// The reader assumes that the file may be malicious. It checks offsets and lengths, and limits the depth and the number of values, since
/// containers may contain each other, and many containers may share one object.
struct BinaryPropertyListReader {
  private static let depthLimit = 512
  /// The maximum number of values in a file with shared objects; a shared object counts every time it is used. Without shared objects the
  /// file's size limits the number, since each value takes at least one byte.
  private static let valueLimit = 1_000_000

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let top: Int
  private let tableOffset: Int
  private var valueCount = 0
  private let computation = Computation.current

  init(_ bytes: [UInt8]) throws(NetworkingError.Serialization) {
    self.bytes = bytes
    guard bytes.starts(with: "bplist00".utf8) else { throw Self.failure("its version is not supported") }
    guard bytes.count >= 40 else { throw Self.failure("it ends too early") }
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    func number(_ offset: Int) -> Int {
      var value: UInt64 = 0
      for byte in bytes[(trailer + offset)..<(trailer + offset + 8)] { value = value << 8 | UInt64(byte) }
      return value > UInt64(Int32.max) * 1024 ? .max : Int(value)
    }
    objectCount = number(8)
    top = number(16)
    tableOffset = number(24)
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), objectCount > 0, top < objectCount, tableOffset >= 8,
      tableOffset <= trailer, objectCount <= (trailer - tableOffset) / offsetSize
    else { throw Self.failure("its trailer makes no sense") }
  }

  mutating func read() throws(NetworkingError.Serialization) -> StructuredValue { try object(top, depth: 0) }

  private mutating func object(_ index: Int, depth: Int) throws(NetworkingError.Serialization) -> StructuredValue {
    valueCount += 1
    // This check also stops loops.
    guard depth < Self.depthLimit else { throw Self.failure("it is nested more than \(Self.depthLimit) deep") }
    guard valueCount <= max(Self.valueLimit, objectCount) else { throw Self.failure("it has too many values") }
    try checkTime(16)
    guard index < objectCount else { throw Self.failure("it refers to an object that is not there") }
    let start = Int(clamping: try integer(at: tableOffset + index * offsetSize, size: offsetSize))
    guard start >= 8, start < tableOffset else { throw Self.failure("an object lies outside of it") }
    let marker = bytes[start]
    switch marker >> 4 {
    case 0x0:
      switch marker {
      case 0x08: return .bool(false)
      case 0x09: return .bool(true)
      default: throw Self.failure("it has an object of an unknown kind")
      }
    case 0x1: return .number(try integerObject(start + 1, sizeExponent: Int(marker & 15)))
    case 0x2:
      let value: Double
      switch marker & 15 {
      case 2: value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: try integer(at: start + 1, size: 4))))
      case 3: value = Double(bitPattern: try integer(at: start + 1, size: 8))
      default: throw Self.failure("it has a number of an unknown size")
      }
      guard let number = JSONNumber(value) else { throw Self.failure("it has a number that is infinite or none") }
      return .number(number)
    case 0x3:
      guard marker == 0x33 else { throw Self.failure("it has a date of an unknown size") }
      let seconds = Double(bitPattern: try integer(at: start + 1, size: 8))
      guard seconds.isFinite else { throw Self.failure("it has an invalid date") }
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case 0x4:
      let range = try content(start, unit: 1)
      try checkTime(range.count)
      return .data(Array(bytes[range]))
    case 0x5:
      let range = try content(start, unit: 1)
      try checkTime(range.count)
      guard bytes[range].allSatisfy({ $0 < 0x80 }) else { throw Self.failure("it has a string that is not ASCII") }
      return .string(String(decoding: bytes[range], as: UTF8.self))
    case 0x6:
      let range = try content(start, unit: 2)
      try checkTime(range.count)
      let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      guard let text = String(validating: units, as: UTF16.self) else { throw Self.failure("it has a string that is not UTF-16") }
      return .string(text)
    case 0x8: return .number(JSONNumber(try integer(at: start + 1, size: Int(marker & 15) + 1)))
    case 0xA, 0xC: return .array(try references(start, per: 1, depth: depth))
    case 0xD:
      let all = try references(start, per: 2, depth: depth)
      var members = OrderedDictionary<String, StructuredValue>()
      for index in 0..<all.count / 2 {
        guard case .string(let key) = all[index] else { throw Self.failure("it has a key that is no string") }
        members[key] = all[all.count / 2 + index]
      }
      return .object(members)
    default: throw Self.failure("it has an object of an unknown kind")
    }
  }

  private mutating func references(_ start: Int, per: Int, depth: Int) throws(NetworkingError.Serialization) -> [StructuredValue] {
    let range = try content(start, unit: referenceSize * per)
    var values: [StructuredValue] = []
    values.reserveCapacity(range.count / referenceSize)
    for place in stride(from: range.lowerBound, to: range.upperBound, by: referenceSize) {
      values.append(try object(Int(clamping: try integer(at: place, size: referenceSize)), depth: depth + 1))
    }
    return values
  }

  /// Returns the range of an object's content, which consists of elements of `unit` bytes each. The lower four bits of the object's first
  /// byte contain the number of elements. If they contain 15, the number is instead an integer after the first byte.
  private func content(_ start: Int, unit: Int) throws(NetworkingError.Serialization) -> Range<Int> {
    var count = Int(bytes[start] & 15)
    var begin = start + 1
    if count == 15 {
      guard begin < tableOffset, bytes[begin] >> 4 == 1, bytes[begin] & 15 <= 3 else {
        throw Self.failure("it has a length that is no integer")
      }
      let size = 1 << Int(bytes[begin] & 15)
      count = Int(clamping: try integer(at: begin + 1, size: size))
      begin += 1 + size
    }
    guard begin <= tableOffset, count <= (tableOffset - begin) / unit else { throw Self.failure("an object lies outside of it") }
    return begin..<(begin + count * unit)
  }

  /// Reads an integer. Integers of up to four bytes are unsigned; integers of eight and sixteen bytes are signed.
  private func integerObject(_ place: Int, sizeExponent: Int) throws(NetworkingError.Serialization) -> JSONNumber {
    switch sizeExponent {
    case 0...2: return JSONNumber(try integer(at: place, size: 1 << sizeExponent))
    case 3: return JSONNumber(Int64(bitPattern: try integer(at: place, size: 8)))
    case 4:
      let high = Int64(bitPattern: try integer(at: place, size: 8))
      return JSONNumber(Int128(high) << 64 | Int128(try integer(at: place + 8, size: 8)))
    default: throw Self.failure("it has an integer of an unknown size")
    }
  }

  private func integer(at place: Int, size: Int) throws(NetworkingError.Serialization) -> UInt64 {
    guard place >= 0, size <= 8, place <= bytes.count - 32 - size else { throw Self.failure("an object lies outside of it") }
    var value: UInt64 = 0
    for byte in bytes[place..<place + size] { value = value << 8 | UInt64(byte) }
    return value
  }

  private func checkTime(_ work: Int) throws(NetworkingError.Serialization) {
    if let computation, computation.isOver(after: work) { throw Self.failure(PropertyList.outOfTime) }
  }

  private static func failure(_ detail: String) -> NetworkingError.Serialization { .propertyList(detail: detail) }
}
