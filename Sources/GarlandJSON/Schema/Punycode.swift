/// The encoding of international labels in ASCII, Punycode (RFC 3492).
package enum Punycode {
  private static let base: UInt32 = 36
  private static let minimum: UInt32 = 1
  private static let maximum: UInt32 = 26

  /// Returns the label in Punycode, without `xn--`; nil if a number that is computed for the encoding exceeds 32 bits.
  package static func encode(_ label: some Sequence<Unicode.Scalar>) -> String? {
    let scalars = label.map(\.value)
    var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
    let basicCount = UInt32(output.count)
    var handled = basicCount
    if basicCount > 0 { output.append(UInt8(ascii: "-")) }
    var current: UInt32 = 0x80
    var delta: UInt32 = 0
    var bias: UInt32 = 72
    while handled < UInt32(scalars.count) {
      guard let next = scalars.lazy.filter({ $0 >= current }).min() else { return nil }
      let (step, overflow) = (next - current).multipliedReportingOverflow(by: handled + 1)
      if overflow { return nil }
      delta &+= step
      current = next
      for scalar in scalars {
        if scalar < current { delta &+= 1 }
        guard scalar == current else { continue }
        appendNumber(delta, bias: bias, to: &output)
        bias = adapted(delta, points: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta &+= 1
      current += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Decodes a label, which must be in lower case and without `xn--`; returns nil for an invalid
  /// encoding.
  static func decode(_ text: Substring) -> [Unicode.Scalar]? {
    var rest = text.utf8
    var output: [UInt32] = []
    if let hyphen = rest.lastIndex(of: UInt8(ascii: "-")) {
      output = rest[..<hyphen].map { UInt32($0) }
      rest = rest[rest.index(after: hyphen)...]
    }
    var current: UInt32 = 0x80
    var place: UInt32 = 0
    var bias: UInt32 = 72
    while !rest.isEmpty {
      guard let delta = takeNumber(&rest, bias: bias) else { return nil }
      let count = UInt32(output.count) + 1
      let (sum, overflow) = place.addingReportingOverflow(delta)
      guard !overflow else { return nil }
      bias = adapted(delta, points: count, isFirst: place == 0)
      guard sum / count <= 0x10FFFF - current else { return nil }
      current += sum / count
      place = sum % count
      output.insert(current, at: Int(place))
      place += 1
    }
    let scalars = output.compactMap { Unicode.Scalar($0) }
    return scalars.count == output.count ? scalars : nil
  }

  private static func takeNumber(_ text: inout Substring.UTF8View, bias: UInt32) -> UInt32? {
    var number: UInt32 = 0
    var weight: UInt32 = 1
    var position = base
    while let byte = text.popFirst() {
      let digit: UInt32
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = UInt32(byte - UInt8(ascii: "a"))
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0")) + 26
      default: return nil
      }
      let (part, isTooLarge) = digit.multipliedReportingOverflow(by: weight)
      let (sum, overflow) = number.addingReportingOverflow(part)
      guard !isTooLarge, !overflow else { return nil }
      number = sum
      let threshold = position <= bias ? minimum : min(position - bias, maximum)
      if digit < threshold { return number }
      let (next, isTooHeavy) = weight.multipliedReportingOverflow(by: base - threshold)
      guard !isTooHeavy else { return nil }
      weight = next
      position += base
    }
    return nil
  }

  private static func appendNumber(_ number: UInt32, bias: UInt32, to output: inout [UInt8]) {
    var rest = number
    var position = base
    while true {
      let threshold = position <= bias ? minimum : min(position - bias, maximum)
      if rest < threshold { break }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
    output.append(digit(rest))
  }

  private static func digit(_ value: UInt32) -> UInt8 {
    value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
  }

  private static func adapted(_ delta: UInt32, points: UInt32, isFirst: Bool) -> UInt32 {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / points
    var result: UInt32 = 0
    while delta > ((base - minimum) * maximum) / 2 {
      delta /= base - minimum
      result += base
    }
    return result + (base - minimum + 1) * delta / (delta + 38)
  }
}
