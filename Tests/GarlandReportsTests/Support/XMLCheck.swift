/// Checks that a text is well-formed XML 1.0, as far as reports use it, and collects its elements.
struct XMLCheck {
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""
    var depth: Int
  }

  private(set) var elements: [Element] = []
  private(set) var mistakes: [String] = []

  init(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: break
      default: mistakes.append("U+\(String(scalar.value, radix: 16)) is no XML character")
      }
    }
    var rest = text[...]
    if rest.hasPrefix("<?xml") {
      rest = rest[(rest.firstRange(of: "?>")?.upperBound ?? rest.endIndex)...]
    } else {
      mistakes.append("no declaration")
    }
    var open: [Int] = []
    while let start = rest.firstIndex(of: "<") {
      let characters = String(rest[..<start])
      if characters.contains("]]>") { mistakes.append("]]> in text") }
      if let place = open.last { elements[place].text += unescaped(characters) }
      guard let end = rest[start...].firstIndex(of: ">") else {
        mistakes.append("an unfinished tag")
        return
      }
      var tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("/") {
        let name = String(tag.dropFirst())
        guard let place = open.popLast(), elements[place].name == name else {
          mistakes.append("</\(name)> closes nothing")
          continue
        }
        continue
      }
      let isEmpty = tag.hasSuffix("/")
      if isEmpty { tag = tag.dropLast() }
      let name = tag.prefix { $0 != " " }
      elements.append(Element(name: String(name), attributes: attributes(tag.dropFirst(name.count)), depth: open.count))
      if !isEmpty { open.append(elements.count - 1) }
    }
    if !open.isEmpty { mistakes.append("elements are left open") }
  }

  subscript(name: String) -> [Element] { elements.filter { $0.name == name } }

  private mutating func attributes(_ text: Substring) -> [String: String] {
    var found: [String: String] = [:]
    var rest = text.drop { $0 == " " }
    while !rest.isEmpty {
      let parts = rest.split(separator: "=\"", maxSplits: 1)
      guard parts.count == 2, let end = parts[1].firstIndex(of: "\"") else {
        mistakes.append("attributes: \(rest)")
        break
      }
      if found.updateValue(unescaped(String(parts[1][..<end])), forKey: String(parts[0])) != nil { mistakes.append("\(parts[0]) twice") }
      rest = parts[1][parts[1].index(after: end)...].drop { $0 == " " }
    }
    return found
  }

  private mutating func unescaped(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let ampersand = rest.firstIndex(of: "&") {
      result += rest[..<ampersand]
      guard let end = rest[ampersand...].firstIndex(of: ";") else {
        mistakes.append("a bare &")
        return result
      }
      let name = rest[rest.index(after: ampersand)..<end]
      switch name {
      case "amp": result += "&"
      case "lt": result += "<"
      case "gt": result += ">"
      case "quot": result += "\""
      case "#9": result += "\t"
      case "#10": result += "\n"
      case "#13": result += "\r"
      default: mistakes.append("&\(name);")
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
