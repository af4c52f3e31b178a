/// The DNS queries and responses (RFC 1035, section 4) that are needed to look up a name.
enum DNSMessage {
  /// Returns a query for a name's IPv4 addresses; nil if the text cannot be a name.
  static func question(_ name: String, id: UInt16) -> [UInt8]? {
    var message: [UInt8] = [UInt8(id >> 8), UInt8(id & 0xFF), 0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, 0]
    var length = 1
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let isRooted = labels.last == "" && labels.count > 1
    for label in isRooted ? labels.dropLast() : labels[...] {
      let bytes = Array(label.utf8)
      guard (1...63).contains(bytes.count) else { return nil }
      length += bytes.count + 1
      message.append(UInt8(bytes.count))
      message += bytes
    }
    guard length <= 255 else { return nil }
    return message + [0, 0, 1, 0, 1]
  }

  /// Reads from the nameserver's response `answer` whether the name exists and has an address. Returns nil if `answer` is not the response
  /// to the query with the number `id`.
  static func verdict(of answer: [UInt8], id: UInt16) -> NameserverTestimony.Verdict? {
    guard answer.count >= 2, UInt16(answer[0]) << 8 | UInt16(answer[1]) == id else { return nil }
    guard answer.count >= 12, answer[2] & 0x80 != 0 else { return .malformed }
    switch answer[3] & 0x0F {
    case 0: break
    case 1: return .failed("FORMERR")
    case 2: return .failed("SERVFAIL")
    case 3: return .noSuchName
    case 4: return .failed("NOTIMP")
    case 5: return .failed("REFUSED")
    case let code: return .failed("error \(code)")
    }
    var reader = DNSReader(answer, at: 12)
    for _ in 0..<(Int(answer[4]) << 8 | Int(answer[5])) {
      guard reader.skipName(), reader.skip(4) else { return .malformed }
    }
    for _ in 0..<(Int(answer[6]) << 8 | Int(answer[7])) {
      guard reader.skipName(), let type = reader.number(), reader.skip(6), let length = reader.number(), reader.skip(length) else {
        // A truncated response is marked with a flag (RFC 2181, section 9). The records that were cut off count as addresses.
        return answer[2] & 0x02 != 0 ? .hasAddress : .malformed
      }
      if type == 1, length == 4 { return .hasAddress }
    }
    return .noAddress
  }
}

/// Reads the parts of a DNS message, starting at an offset.
private struct DNSReader {
  private let bytes: [UInt8]
  private var offset: Int

  init(_ bytes: [UInt8], at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  mutating func skip(_ count: Int) -> Bool {
    guard count <= bytes.count - offset else { return false }
    offset += count
    return true
  }

  mutating func number() -> Int? {
    guard bytes.count - offset >= 2 else { return nil }
    defer { offset += 2 }
    return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  /// Skips a name, which ends with an empty label or with a pointer (RFC 1035, section 4.1.4). The text to which a pointer leads is not
  /// read, because the name itself is not needed. Returns false if the name is incomplete or invalid.
  mutating func skipName() -> Bool {
    while offset < bytes.count {
      let length = bytes[offset]
      switch length >> 6 {
      case 0:
        guard skip(1 + Int(length)) else { return false }
        if length == 0 { return true }
      case 3: return skip(2)
      default: return false
      }
    }
    return false
  }
}
