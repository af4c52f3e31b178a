/// A token of XPath 1.0 (section 3.7).
struct XPathToken: Hashable {
  enum Kind: Hashable {
    /// A symbol: one of `( ) [ ] . .. @ , ::`, or one of the operators `/ // | + - = != < <= > >=`.
    case symbol(String)
    /// An operator that is a name: `and`, `or`, `mod`, `div`, or `*` between two operands.
    case operatorName(String)
    /// A test for the name of a node, such as `title`, `*`, `a:title` or `a:*`.
    case nameTest(prefix: String?, name: String)
    /// The name of a function. `(` follows it.
    case function(String)
    /// The type of a node: `text`, `node`, `comment` or `processing-instruction`. `(` follows it.
    case nodeType(String)
    /// The name of an axis. `::` follows it.
    case axis(String)
    case literal(String)
    case number
    case variable(String)
    case end
  }

  let kind: Kind
  let range: Range<Int>
}
