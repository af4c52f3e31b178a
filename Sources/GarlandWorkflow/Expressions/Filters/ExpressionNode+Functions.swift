import GarlandCrypto
import GarlandJSON
import GarlandText

extension ExpressionNode {
  /// The maximum size of a file that `file()` reads: 16 MiB.
  static let largestFile = 16 << 20

  /// Returns the generator of test data for one function call, such as `fake_name()`. The step, the loop item and the position of the call
  /// determine the generated data.
  func fakeData(_ frame: EvaluationFrame) -> FakeData {
    let place = UInt64(frame.expression.range.offsets.lowerBound + range.lowerBound)
    let items = [frame.context.index, frame.local?.index].map { UInt64(($0 ?? -1) + 1) }
    return FakeData(seed: frame.context.services.seed, [frame.context.callPlace, place] + items)
  }

  func path(_ node: ExpressionNode, _ frame: EvaluationFrame) throws(ExpressionFailure) -> String {
    let path = try node.evaluate(frame)
    guard case .string(let text) = path.json, !text.isEmpty else {
      throw .wrong(.wrongType, "expected the path of a file, found \(Words.found(path))", at: node.range)
    }
    return text
  }

  func digest(
    of path: String, _ algorithm: DigestAlgorithm, _ services: EvaluationServices, at range: Range<Int>
  ) throws(ExpressionFailure) -> String {
    do throws(WorkflowFileError) {
      return try services.files.digest(of: path, from: services.directory, using: algorithm)
    } catch {
      throw Self.unreadable(path, error, at: range)
    }
  }

  static func unreadable(_ path: String, _ error: WorkflowFileError, at range: Range<Int>) -> ExpressionFailure {
    .wrong(.file, "the file `\(Words.excerpt(path))` can't be read: \(error.message)", at: range)
  }

  func whole(_ node: ExpressionNode, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Int {
    let value = try node.evaluate(frame)
    guard let number = value.json.intValue else {
      throw .wrong(.wrongType, "expected a whole number, found \(Words.found(value))", at: node.range)
    }
    return number
  }

  /// Returns a UUID of version 4 (RFC 9562, section 5.4) from two random numbers.
  static func uuid(_ high: UInt64, _ low: UInt64) -> String {
    let high = high & ~0xF000 | 0x4000
    let low = low & ~(0xC000 << 48) | (0x8000 << 48)
    let digits = Hex.padded(high) + Hex.padded(low)
    var text = ""
    text.reserveCapacity(36)
    for (position, digit) in digits.enumerated() {
      if position == 8 || position == 12 || position == 16 || position == 20 { text += "-" }
      text.append(digit)
    }
    return text
  }

  /// Returns a random number in a range. All numbers of the range have the same probability.
  ///
  /// A random `UInt64` above the largest multiple of the range's size is discarded, and a new one is drawn. Otherwise the lower numbers of
  /// the range would be more probable.
  static func random(_ range: ClosedRange<Int>, _ next: () -> UInt64) -> Int {
    let span = UInt64(bitPattern: Int64(range.upperBound)) &- UInt64(bitPattern: Int64(range.lowerBound)) &+ 1
    guard span != 0 else { return Int(truncatingIfNeeded: next()) }
    let limit = UInt64.max - UInt64.max % span
    var drawn = next()
    // A generator with a fixed value in a test may return the same number repeatedly, so the number of attempts is limited.
    for _ in 0..<64 where drawn >= limit { drawn = next() }
    return Int(truncatingIfNeeded: UInt64(bitPattern: Int64(range.lowerBound)) &+ drawn % span)
  }

  static func read(_ path: String, _ services: EvaluationServices, at range: Range<Int>) throws(ExpressionFailure) -> String {
    let bytes: [UInt8]
    do {
      bytes = try services.files.read(path, from: services.directory, limit: largestFile)
    } catch {
      throw unreadable(path, error, at: range)
    }
    guard Computation.hasRoom(for: bytes.count) else { return "" }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .wrong(
        .file, "the file `\(Words.excerpt(path))` is not UTF-8 text", at: range, help: "send a binary file with `body: {file: …}`")
    }
    return text
  }
}
