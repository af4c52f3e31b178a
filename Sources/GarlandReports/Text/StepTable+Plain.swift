import GarlandResults

/// A fast path for the most frequent lines of a large run: lines of steps or loop items that passed with a single request. It is used only
/// if the output has no styles and its lines may have any width.
extension StepTable {
  /// Appends the line of a simple result as bytes, and returns true. For any other result, appends nothing and returns false; the caller
  /// must then use ``line(_:)``.
  ///
  /// A result is simple if the step passed with a single request, and if its line needs no styles, is not cut to a width, and contains only
  /// ASCII characters.
  func append(_ result: StepResult, to bytes: inout [UInt8]) -> Bool {
    guard isPlain, width == nil, result.outcome == .passed, result.step.isRequest, result.exchanges.count == 1, result.requestCount <= 1,
      result.earlier.isEmpty,
      result.exchanges[0].label == nil, let status = result.exchanges[0].status, status >= 100, status <= 999
    else { return false }
    let name = label.name(result.step, iteration: result.iteration)
    guard RowBuilder.isPrintableASCII(name) else { return false }
    let beginning = bytes.count
    bytes.append(contentsOf: glyphs.passed.utf8)
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: name.utf8)
    // The spaces that fill a column are written with the next text.
    var gap = max(0, labelWidth - name.utf8.count)
    if actionWidth > 0 {
      let room = max(0, actionWidth - max(0, name.utf8.count - labelWidth))
      StepTable.appendSpaces(gap + StepTable.gap, to: &bytes)
      let start = bytes.count
      label.append(actionOf: result, to: &bytes)
      for index in start..<bytes.count where bytes[index] < 0x20 || bytes[index] >= 0x7F {
        bytes.removeSubrange(beginning...)
        return false
      }
      gap = max(0, room - (bytes.count - start))
    }
    StepTable.appendSpaces(gap + StepTable.gap, to: &bytes)
    bytes.append(UInt8(ascii: "0") + UInt8(status / 100))
    bytes.append(UInt8(ascii: "0") + UInt8(status / 10 % 10))
    bytes.append(UInt8(ascii: "0") + UInt8(status % 10))
    var duration = Readable.duration(result.duration)
    duration.withUTF8 { duration in
      StepTable.appendSpaces(StepTable.gap + max(0, StepTable.durationWidth - duration.count), to: &bytes)
      bytes.append(contentsOf: duration)
    }
    return true
  }

  private static func appendSpaces(_ count: Int, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: count))
  }
}
