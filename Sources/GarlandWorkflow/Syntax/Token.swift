import GarlandJSON

/// A token of the expression language.
struct Token {
  enum Kind: Equatable {
    case name(String)
    case string(String)
    case number(JSONNumber)
    case symbol(Symbol)
    /// The end of the expression: a `}`, or the end of a text that consists only of the expression.
    case end
  }

  enum Symbol: String {
    case dot = "."
    case comma = ","
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBracket = "["
    case closeBracket = "]"
    case pipe = "|"
    case or = "||"
    case and = "&&"
    case not = "!"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
    case coalesce = "??"
  }

  let kind: Kind
  /// The range of the token in the UTF-8 text of the YAML scalar that contains the expression.
  let range: Range<Int>

  /// A description of the token for error messages, such as "a text".
  var words: String {
    switch kind {
    case .name(let name): "`\(name)`"
    case .string: "a text"
    case .number(let number): "the number \(number.text)"
    case .symbol(let symbol): "`\(symbol.rawValue)`"
    case .end: "the end of the expression"
    }
  }
}
