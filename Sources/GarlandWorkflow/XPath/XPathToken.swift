/// A token of XPath 1.0 (section 3.7).
struct XPathToken: Hashable {
  enum Kind: Hashable {
    /// A symbol: `( ) [ ] . .. @ , ::`, or the operators `/ // | + - = != < <= > >=`.
    case symbol(String)
    /// The name of an operator: `and`, `or`, `mod`, `div`, or `*` between two operands.
    case operatorName(String)
    /// A name test: `title`, `*`, `a:title`, `a:*`.
    case nameTest(prefix: String?, name: String)
    /// The name of a function: a name before `(`.
    case function(String)
    /// A node type: `text`, `node`, `comment` or `processing-instruction` before `(`.
    case nodeType(String)
    /// The name of an axis: a name before `::`.
    case axis(String)
    case literal(String)
    case number
    case variable(String)
    case end
  }

  let kind: Kind
  let range: Range<Int>
}
