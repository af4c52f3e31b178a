/// The encoding of international labels in ASCII (RFC 3492).
enum Punycode {
  private static let base: UInt32 = 36
  private static let minimum: UInt32 = 1
  private static let maximum: UInt32 = 26

  /// The encoded label without `xn--`, nil if its numbers get too large.
  static func encode(_ label: some Sequence<Unicode.Scalar>) -> String? {
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
