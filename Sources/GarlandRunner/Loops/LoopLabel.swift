import GarlandJSON
import GarlandWorkflow

/// An item of a loop as reports name it: its own text, `name=value` for those of a mapping, else its place.
enum LoopLabel {
  /// The most characters of a value, and of a label.
  private static let valueLimit = 32
  private static let limit = 72

  /// - Parameters:
  ///   - item: the item; what is secret in it is masked.
  ///   - index: its place, from 0.
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
  /// On one line.
  fileprivate var replacingLineBreaks: String { String(map { $0.isNewline || $0 == "\t" ? " " : $0 }) }
}
