/// A token of XPath 1.0 (section 3.7).
struct XPathToken: Hashable {
  enum Kind: Hashable {
    /// `( ) [ ] . .. @ , ::`, and `/ // | + - = != < <= > >=`.
    case symbol(String)
    /// `and`, `or`, `mod`, `div` and `*` in the place of an operator.
    case operatorName(String)
    /// A name test: `title`, `*`, `a:title`, `a:*`.
    case nameTest(prefix: String?, name: String)
    /// A name before `(`.
    case function(String)
    /// `text`, `node`, `comment` or `processing-instruction` before `(`.
    case nodeType(String)
    /// A name before `::`.
    case axis(String)
    case literal(String)
    case number
    case variable(String)
    case end
  }

  let kind: Kind
  let range: Range<Int>
}
