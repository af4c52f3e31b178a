import GarlandJSON
import GarlandText

/// Writes the members of an object as `key=value` pairs.
struct URLEncodedWriter {
  private static let depthLimit = 128
  private let encoding: URLEncodedParameters
  private(set) var output: [UInt8] = []

  init(_ encoding: URLEncodedParameters) { self.encoding = encoding }

  mutating func write(_ object: JSONObject, under parent: String?, depth: Int) throws(ParameterEncodingError) {
    for (key, value) in encoding.sortsKeys ? object.sortedByKey() : object {
      let name = encoded(key)
      try write(value, as: parent.map { $0 + suffix(name) } ?? name, depth: depth + 1)
    }
  }

  private mutating func write(_ value: JSONValue, as key: String, depth: Int) throws(ParameterEncodingError) {
    if depth > Self.depthLimit { throw .tooDeep(limit: Self.depthLimit) }
    switch value {
    case .object(let object): try write(object, under: key, depth: depth)
    case .array(let elements):
      for (index, element) in elements.enumerated() { try write(element, as: name(of: index, in: key), depth: depth + 1) }
    case .null:
      switch encoding.nulls {
      case .dropKey: break
      case .dropValue: pair(key, "")
      case .nullAsString: pair(key, "null")
      case .text(let text): pair(key, text)
      }
    case .bool(let flag): pair(key, encoding.booleans == .numeric ? (flag ? "1" : "0") : (flag ? "true" : "false"))
    case .number(let number): pair(key, number.text)
    case .string(let text): pair(key, text)
    }
  }

  private mutating func pair(_ key: String, _ value: String) {
    if !output.isEmpty { output.append(UInt8(ascii: "&")) }
    append(key)
    output.append(UInt8(ascii: "="))
    append(value)
  }

  private mutating func append(_ text: String) {
    guard encoding.spaces == .plusReplaced else {
      PercentEncoding.append(text, to: &output, keeping: encoding.allowedBytes)
      return
    }
    let start = output.count
    PercentEncoding.append(text, to: &output, keeping: encoding.allowedBytes.union(PercentEncoding.ByteSet(" ")))
    for index in start..<output.count where output[index] == UInt8(ascii: " ") { output[index] = UInt8(ascii: "+") }
  }

  private func name(of index: Int, in key: String) -> String {
    switch encoding.arrays {
    case .brackets: key + "[]"
    case .noBrackets: key
    case .indexInBrackets: "\(key)[\(index)]"
    case .custom(let name): name(key, index)
    }
  }

  /// Returns the text, such as `[name]` or `.name`, that is appended to the key of an object to get the key of the object's member `name`.
  private func suffix(_ name: String) -> String {
    switch encoding.keyPaths {
    case .brackets: "[\(name)]"
    case .dots: ".\(name)"
    case .custom(let suffix): suffix(name)
    }
  }

  private func encoded(_ key: String) -> String {
    switch encoding.keys {
    case .unchanged: key
    case .snakeCase: Self.words(of: key, joinedBy: "_")
    case .kebabCase: Self.words(of: key, joinedBy: "-")
    case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
    case .lowercased: key.lowercased()
    case .uppercased: key.uppercased()
    case .custom(let encode): encode(key)
    }
  }

  /// Returns the words of a key in lower case, joined by `separator`. For example, `myURLProperty` has three words.
  ///
  /// A word begins in two places:
  /// - at a capital after a lower-case letter or a digit;
  /// - at the last of several capitals, if a lower-case letter follows.
  private static func words(of key: String, joinedBy separator: Character) -> String {
    let characters = Array(key)
    var result = ""
    for (index, character) in characters.enumerated() {
      if character.isUppercase, index > 0 {
        let previous = characters[index - 1]
        let nextIsLower = index + 1 < characters.count && characters[index + 1].isLowercase
        if previous.isLowercase || previous.isNumber || (previous.isUppercase && nextIsLower) { result.append(separator) }
      }
      result += character.lowercased()
    }
    return result
  }
}
