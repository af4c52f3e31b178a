import FoundationEssentials
import GarlandJSON
import GarlandText
import OrderedCollections

/// Reads XML property lists.
enum XMLPropertyListReader {
  static func read(_ bytes: [UInt8]) throws(NetworkingError.Serialization) -> StructuredValue {
    let document: MarkupDocument
    do throws(NetworkingError.Serialization) {
      document = try MarkupDocument(xml: bytes)
    } catch {
      if case .markup(let detail) = error { throw .propertyList(detail: detail) }
      throw error
    }
    guard let root = document.root, root.name == "plist" else { throw .propertyList(detail: "its outermost element is no plist") }
    let elements = root.elements
    guard elements.count == 1 else { throw .propertyList(detail: "it has \(elements.count) values instead of one") }
    return try value(elements[0])
  }

  // libxml2 refuses documents nested more than 256 deep.
  private static func value(_ element: MarkupNode) throws(NetworkingError.Serialization) -> StructuredValue {
    if let computation = Computation.current, computation.isOver(after: 64) { throw .propertyList(detail: PropertyList.outOfTime) }
    switch element.name {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "string": return .string(element.text)
    case "integer":
      guard let number = integer(element.text.trimmed) else { throw failure(element, "is no integer") }
      return .number(number)
    case "real":
      guard let value = Double(element.text.trimmed), let number = JSONNumber(element.text.trimmed) ?? JSONNumber(value) else {
        throw failure(element, "is no number")
      }
      return .number(number)
    case "date":
      guard let seconds = InternetTime(element.text.trimmed)?.secondsSince1970 else { throw failure(element, "is no date") }
      return .date(Date(timeIntervalSince1970: seconds))
    case "data":
      let text = element.text.utf8.filter { $0 > 0x20 }
      guard let bytes = try? Base64.decode(text) else { throw failure(element, "is no base64") }
      return .data(bytes)
    case "array":
      var values: [StructuredValue] = []
      for child in element.elements { values.append(try value(child)) }
      return .array(values)
    case "dict":
      let children = element.elements
      guard children.count.isMultiple(of: 2) else { throw failure(element, "has a key without a value") }
      var members = OrderedDictionary<String, StructuredValue>()
      for index in stride(from: 0, to: children.count, by: 2) {
        guard children[index].name == "key" else { throw failure(children[index], "is in the place of a key") }
        members[children[index].text] = try value(children[index + 1])
      }
      return .object(members)
    default: throw failure(element, "is of no kind that a property list has")
    }
  }

  /// Parses a decimal number, or a hexadecimal number after `0x`, with an optional sign.
  private static func integer(_ text: String) -> JSONNumber? {
    let digits = text.utf8.first == UInt8(ascii: "+") ? String(text.dropFirst()) : text
    if let value = Int128(digits) { return JSONNumber(value) }
    let isNegative = digits.utf8.first == UInt8(ascii: "-")
    let rest = isNegative ? digits.dropFirst() : digits[...]
    guard rest.lowercased().utf8.starts(with: "0x".utf8), let value = Int128(rest.dropFirst(2), radix: 16) else { return nil }
    return JSONNumber(isNegative ? -value : value)
  }

  private static func failure(_ element: MarkupNode, _ problem: String) -> NetworkingError.Serialization {
    let line = element.line.map { "line \($0): " } ?? ""
    return .propertyList(detail: "\(line)<\(element.name)> \(problem)")
  }
}
