import GarlandJSON

/// A compiled expression or sub-expression. Every name in it is replaced with an index, and constant parts are already evaluated.
package final class ExpressionNode: Sendable {
  package let kind: Kind
  private let start: Int32
  private let end: Int32

  init(_ kind: Kind, at range: Range<Int>) {
    self.kind = kind
    start = Int32(clamping: range.lowerBound)
    end = Int32(clamping: range.upperBound)
  }

  /// The range of the expression in the UTF-8 text of the scalar that contains it.
  package var range: Range<Int> { Int(start)..<Int(end) }

  /// The response, or the item of a stream, that an expression reads.
  package enum Source: Sendable {
    /// The response to which the expression applies. An expression in the `expect` of a step, for example, applies to the response of this
    /// step.
    case own
    /// The response of another step. The associated values are the ordinal of the step (its number in the document) and its id.
    case step(Int, id: String)
    /// The current item of a stream. `name` is its name in expressions, such as `event`.
    case item(name: String)

    /// The word that messages use for this source: `response`, or the name of a stream item, such as `event`.
    var noun: String { if case .item(let name) = self { name } else { "response" } }
  }

  /// One `.name` or `[index]` of an expression, which selects a part of the value before it.
  package struct Access: Sendable {
    package enum Key: Sendable {
      case name(String)
      case index(Int)
      case dynamic(ExpressionNode)
    }

    package let key: Key
    let range: Range<Int>
    /// The source range of the accessed value before the `.` or `[`, including its parentheses.
    let base: Range<Int>
  }

  package enum Kind: Sendable {
    case constant(JSONValue)
    case variable(Int)
    case secret(Int, name: String)
    case environment(Int, name: String)
    case input(Int, name: String)
    case authentication(Int, name: String, AuthMember)
    case runID
    case runIteration
    case item
    case index
    /// An extract of a step: the index of the extract, the ordinal and the id of the step, and the name of the extract.
    case extract(Int32, step: Int32, id: String, name: String)
    case response(Source, ResponseMember)
    /// A member of the current item of a stream. `name` is the name of the item in expressions, such as `event`.
    case streamItem(StreamItemMember, name: String)
    case header(Source, name: ExpressionNode)
    case cookie(Source, name: ExpressionNode)
    /// A query parameter of a request that a listening step has received.
    case parameter(Source, name: ExpressionNode)
    /// The URL at which a step listens, or a list of URLs if the step has a loop.
    case address(step: Int, id: String)
    /// A list with the value of the inner expression for each item of a step's loop. `step` and `id` are the ordinal and the id of that
    /// step.
    case eachIteration(step: Int, id: String, ExpressionNode)
    case access(ExpressionNode, [Access])
    /// The input of filters that are written without a value before them, such as `trim | upper`.
    case subject
    case list([ExpressionNode])
    case not(ExpressionNode)
    case negate(ExpressionNode)
    case and(ExpressionNode, ExpressionNode)
    case or(ExpressionNode, ExpressionNode)
    case coalesce(ExpressionNode, ExpressionNode)
    case equality(BinaryOperator, ExpressionNode, ExpressionNode)
    case comparison(BinaryOperator, ExpressionNode, ExpressionNode)
    case arithmetic(BinaryOperator, ExpressionNode, ExpressionNode)
    case filter(Filter, ExpressionNode, arguments: [ExpressionNode])
    case function(ExpressionFunction, arguments: [ExpressionNode])
  }

  var constant: JSONValue? {
    if case .constant(let value) = kind { value } else { nil }
  }

  /// Whether this node or one of its descendants calls `now()`.
  var readsClock: Bool {
    if case .function(.now, _) = kind { return true }
    return parts.contains { $0.readsClock }
  }

  /// Whether the evaluation of this node may take a long time even for small values, because it uses a regular expression or the digest of
  /// a file.
  var isHeavy: Bool {
    switch kind {
    case .filter(.match, _, _), .filter(.matchAll, _, _), .filter(.regexReplace, _, _), .function(.fileSHA256, _), .function(.fileMD5, _):
      true
    default: parts.contains { $0.isHeavy }
    }
  }

  /// Whether this node or one of its descendants reads the current item of a stream as JSON.
  var readsItemJSON: Bool {
    if case .streamItem(.json, _) = kind { return true }
    return parts.contains { $0.readsItemJSON }
  }

  /// The operands and arguments of this node.
  private var parts: [ExpressionNode] {
    switch kind {
    case .constant, .subject, .variable, .secret, .environment, .input, .authentication, .runID, .runIteration, .item, .index, .extract,
      .response,
      .streamItem, .address:
      []
    case .header(_, let part), .cookie(_, let part), .parameter(_, let part), .eachIteration(_, _, let part), .not(let part),
      .negate(let part):
      [part]
    case .access(let base, let keys): [base] + keys.compactMap { if case .dynamic(let key) = $0.key { key } else { nil } }
    case .list(let parts), .function(_, let parts): parts
    case .and(let left, let right), .or(let left, let right), .coalesce(let left, let right), .equality(_, let left, let right),
      .comparison(_, let left, let right), .arithmetic(_, let left, let right):
      [left, right]
    case .filter(_, let value, let arguments): [value] + arguments
    }
  }
}
