/// A token of XPath 1.0 (section 3.7).
struct XPathToken: Hashable {
  enum Kind: Hashable {
    /// `( ) [ ] . .. @ , ::`, and `/ // | + - = != < <= > >=`.
    case symbol(String)
    /// `and`, `or`, `mod`, `div` and `*` in the place of an operator.
    case operatorName(String)
    /// A name test: `title`, `*`, `a:title`, `a:*`.
    case nameTest(prefix: String?, name: String)
    /// A name in front of `(`.
    case function(String)
    /// `text`, `node`, `comment` or `processing-instruction` in front of `(`.
    case nodeType(String)
    /// A name in front of `::`.
    case axis(String)
    case literal(String)
    case number
    case variable(String)
    case end
  }

  let kind: Kind
  let range: Range<Int>
}
