import GarlandDiagnostics
import GarlandJSON

/// The size limits for values that expressions of a document compute. Each variable can contain the previous variable twice, so without a
/// limit a document with thirty variables could use all memory.
package enum SizeLimit {
  /// The maximum number of bytes in one text, or in all texts of a value together: 64 MiB.
  static let text = 64 << 20
  /// The maximum number of values in a list or mapping, including the values of nested lists and mappings.
  static let values = 1_000_000
  static let words = "64 MiB"
  static let textMessage = "the text is larger than \(words)"
  /// The error message if a lack of memory has ended an evaluation. A caller that knows a more exact reason shows that reason instead.
  static let memoryMessage = "there is not enough memory"

  /// Appends the value of an expression to a text. Throws an error if the text becomes too large, or if there is not enough memory.
  static func append(_ part: String, to text: inout String, at range: SourceRange) throws(EvaluationError) {
    let size = text.utf8.count + part.utf8.count
    guard size <= Self.text else { throw EvaluationError(Diagnostic(.tooLarge, textMessage, at: range)) }
    // A text grows to twice its size.
    guard Computation.hasRoom(for: 2 * size) else { throw EvaluationError(Diagnostic(.outOfTime, memoryMessage, at: range)) }
    text += part
  }

  /// Throws an error if a value is too large. If a part occurs several times in the value, each occurrence counts, since writing or
  /// comparing the value processes each occurrence.
  ///
  /// This function is called for values with a name, such as variables, since other expressions can use these values repeatedly.
  package static func check(_ value: Value, at range: SourceRange) throws(EvaluationError) {
    var count = Count()
    count.add(value)
    if let message = count.excess { throw EvaluationError(Diagnostic(.tooLarge, message, at: range)) }
  }

  /// A count of the parts of a value, with which the value's size is checked. The count stores how many further values and bytes of text
  /// are allowed.
  package struct Count {
    private(set) var values = SizeLimit.values
    private var text = SizeLimit.text

    package init() {}

    /// The message about the size limit that the counted value exceeds; nil if the value exceeds no limit.
    package var excess: String? {
      if values < 0 { return "the value contains more than \(SizeLimit.values) values and member names" }
      return text < 0 ? "the value is larger than \(SizeLimit.words)" : nil
    }

    private mutating func take(_ bytes: Int) -> Bool {
      values -= 1
      text -= bytes
      return values >= 0 && text >= 0
    }

    /// Counts a value and all values inside of it. Returns false if all counted values together exceed a size limit.
    @discardableResult mutating func add(_ value: Value) -> Bool {
      switch value {
      case .plain(let value), .secret(let value): return add(value)
      case .list(let items): return take(0) && items.allSatisfy { add($0) }
      case .sparse(let items): return take(0) && items.allSatisfy { item in item.map { add($0) } ?? true }
      case .object(let members): return take(0) && members.allSatisfy { take($0.key.utf8.count) && add($0.value) }
      }
    }

    /// Counts a value and all values inside of it. Returns false if all counted values together exceed a size limit.
    @discardableResult package mutating func add(_ value: JSONValue) -> Bool {
      switch value {
      case .null, .bool: take(0)
      case .number(let number): take(number.intValue == nil ? number.text.utf8.count : 0)
      case .string(let text): take(text.utf8.count)
      case .array(let items): take(0) && items.allSatisfy { add($0) }
      case .object(let members): take(0) && members.allSatisfy { take($0.key.utf8.count) && add($0.value) }
      }
    }
  }
}
