import GarlandDiagnostics
import GarlandJSON
import GarlandWorkflow

/// Creates the label of a loop item in reports. The label of a mapping consists of `name=value` pairs; the label of a text, a number or
/// another scalar is the item itself. Any other item is labelled with its index.
enum LoopLabel {
  /// The maximum number of characters of a value in a label. The maximum for the whole label is ``limit``.
  private static let valueLimit = 32
  private static let limit = 72

  /// Returns the label of a loop item, on one line, according to the label template of the document. A label is cut only if it is longer
  /// than ``longest`` characters. Reports show the whole returned label.
  static func text(of template: Template, in context: StepContext) throws(EvaluationError) -> String {
    let (text, isSecret) = try template.evaluateText(in: context)
    return isSecret ? "***" : Shown.cut(text.replacingLineBreaks, longest)
  }

  /// The maximum number of characters of a label that the label template of a document produces. The limit only bounds the use of memory.
  private static let longest = 1_000

  /// Returns the label of an item for which the document has no label template. Secret parts of the item are masked in the label.
  ///
  /// - Parameters:
  ///   - item: the item of the loop.
  ///   - index: the index of the item, from 0.
  static func text(of item: Value, at index: Int) -> String {
    let value = item.masked
    switch value {
    case .object(let object):
      var label = ""
      for (name, value) in object {
        guard let text = scalar(value) else { continue }
        let part = (label.isEmpty ? "" : ", ") + "\(name)=\(text)"
        guard label.count + part.count <= limit || label.isEmpty else {
          label += ", …"
          break
        }
        label += part
      }
      return label.isEmpty ? "#\(index)" : label
    default: return scalar(value) ?? "#\(index)"
    }
  }

  /// Returns the probable width, in columns of the terminal, of the labels of a loop's items. The width is exact if the document lists the
  /// items.
  static func columns(of loop: Loop) -> Int {
    // The usual width of a name or a number.
    let usual = 12
    if loop.label != nil { return 2 * usual }
    switch loop.source {
    case .list(let template):
      guard case .array(let items)? = template.constant else { return usual }
      return items.prefix(looked).enumerated().map { DisplayWidth.of(text(of: .plain($0.element), at: $0.offset)) }.max() ?? 0
    case .rows: return 2 * usual
    case .matrix(let axes):
      let widths = axes.map { axis in
        guard case .array(let items)? = axis.values.constant else { return axis.name.value.count + 1 + usual }
        return axis.name.value.count + 1 + (items.prefix(looked).compactMap(scalar).map { DisplayWidth.of($0) }.max() ?? 0)
      }
      return min(limit, widths.reduce(2 * (axes.count - 1), +))
    }
  }

  /// The maximum number of items that are examined to estimate the width of labels.
  private static let looked = 64

  private static func scalar(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text):
      let line = text.replacingLineBreaks
      return line.isEmpty ? "''" : Shown.cut(line, valueLimit)
    case .number(let number): return Shown.cut(number.text, valueLimit)
    case .bool(let value): return value ? "true" : "false"
    case .null: return "null"
    case .array, .object: return nil
    }
  }
}

extension String {
  /// The text on one line, with spaces in place of line breaks and tabs.
  fileprivate var replacingLineBreaks: String { String(map { $0.isNewline || $0 == "\t" ? " " : $0 }) }
}
