import GarlandDiagnostics
import GarlandJSON
import GarlandTransfer

/// Fills in the fields of a form. Only values that a user could enter on the page are allowed.
extension PageForm {
  /// The value for a field: a JSON value, or a file to upload.
  enum Filling {
    case value(JSONValue)
    case file(MultipartFormData.Part)
  }

  mutating func fill(_ name: String, with filling: Filling) throws(FormMistake) {
    let places = controls.indices.filter { controls[$0].name == name && !controls[$0].isButton && controls[$0].kind != .button }
    guard let first = places.first else {
      let names = controls.filter { !$0.name.isEmpty && !$0.isButton && $0.kind != .button }.map(\.name)
      let near = Suggestion.nearest(to: name, in: names)
      throw FormMistake(
        message: "\(words) has no field `\(name)`",
        help: near.map { "it has `\($0)`" } ?? (names.isEmpty ? "it has no fields" : "its fields are \(Shown.list(Self.unique(names)))"))
    }
    guard places.contains(where: { !controls[$0].isDisabled }) else {
      throw FormMistake(message: "the field `\(name)` of \(words) is disabled, so a browser would not send it")
    }
    if case .file(let isMultiple) = controls[first].kind {
      guard case .file(let part) = filling else {
        if case .value(.null) = filling { return leaveOut(places) }
        throw FormMistake(message: "the field `\(name)` of \(words) needs a file", help: "write `\(name): { file: PATH }`")
      }
      if isMultiple { controls[first].files.append(part) } else { controls[first].files = [part] }
      return
    }
    guard case .value(let value) = filling else {
      throw FormMistake(message: "the field `\(name)` of \(words) can't take a file")
    }
    switch controls[first].kind {
    case .checkbox: try check(places, value, name)
    case .radio: try choose(places, value, name)
    case .select(let isMultiple): try select(first, value, name, isMultiple: isMultiple)
    default: try write(places, value, name)
    }
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private mutating func leaveOut(_ places: [Int]) {
    for place in places { controls[place].isLeftOut = true }
  }

  private func texts(_ value: JSONValue, _ name: String) throws(FormMistake) -> [String] {
    var result: [String] = []
    for item in value.arrayValue ?? [value] {
      switch item {
      case .string(let text): result.append(text)
      case .number(let number): result.append(number.text)
      case .bool(let value): result.append(value ? "true" : "false")
      default: throw FormMistake(message: "the field `\(name)` can't be set to \(Shown.found(item))", help: "the value of a field is text")
      }
    }
    return result
  }

  // MARK: Kinds of fields

  private mutating func write(_ places: [Int], _ value: JSONValue, _ name: String) throws(FormMistake) {
    if value.isNull { return leaveOut(places) }
    let texts = try texts(value, name)
    guard texts.count == places.count else {
      throw FormMistake(
        message:
          "\(words) has \(Shown.count(places.count, "field")) `\(name)`, but \(Shown.count(texts.count, "value")) \(texts.count == 1 ? "is" : "are") given",
        help: places.count > 1 ? "write a list of values without `null`, in the order of the fields on the page" : nil)
    }
    for (place, text) in zip(places, texts) { controls[place].value = text }
  }

  private mutating func check(_ places: [Int], _ value: JSONValue, _ name: String) throws(FormMistake) {
    switch value {
    case .null:
      for place in places { controls[place].isChecked = false }
    case .bool(let isChecked):
      guard places.count == 1 || !isChecked else {
        throw FormMistake(message: "\(words) has \(places.count) checkboxes `\(name)`", help: "list the values to check: \(values(places))")
      }
      for place in places { controls[place].isChecked = isChecked }
    default:
      let wanted = try texts(value, name)
      for text in wanted where !places.contains(where: { controls[$0].value == text }) {
        throw FormMistake(message: "\(words) has no checkbox `\(name)` with the value `\(text)`", help: "available: \(values(places))")
      }
      for place in places { controls[place].isChecked = wanted.contains(controls[place].value) }
    }
  }

  private mutating func choose(_ places: [Int], _ value: JSONValue, _ name: String) throws(FormMistake) {
    let wanted = value.isNull ? [] : try texts(value, name)
    guard wanted.count <= 1 else { throw FormMistake(message: "only one of the radio buttons `\(name)` can be chosen") }
    if let text = wanted.first {
      guard let place = places.first(where: { controls[$0].value == text }) else {
        throw FormMistake(message: "\(words) has no radio button `\(name)` with the value `\(text)`", help: "available: \(values(places))")
      }
      guard !controls[place].isDisabled else {
        throw FormMistake(message: "the radio button `\(name)` with the value `\(text)` is disabled")
      }
    }
    for place in places { controls[place].isChecked = controls[place].value == wanted.first }
  }

  private func values(_ places: [Int]) -> String { Shown.list(places.map { controls[$0].value }) }

  private mutating func select(_ place: Int, _ value: JSONValue, _ name: String, isMultiple: Bool) throws(FormMistake) {
    let wanted = value.isNull ? [] : try texts(value, name)
    guard isMultiple || wanted.count <= 1 else {
      throw FormMistake(message: "only one option of the select field `\(name)` can be chosen")
    }
    let options = controls[place].options
    var chosen: Set<Int> = []
    for text in wanted {
      guard let index = options.firstIndex(where: { $0.value == text }) ?? options.firstIndex(where: { $0.label == text }) else {
        let near = Suggestion.nearest(to: text, in: options.map(\.value))
        throw FormMistake(
          message: "the select field `\(name)` of \(words) has no option `\(text)`",
          help: near.map { "it has `\($0)`" } ?? "its options are \(Shown.list(options.prefix(20).map(\.value)))")
      }
      guard !options[index].isDisabled else { throw FormMistake(message: "the option `\(text)` of `\(name)` is disabled") }
      chosen.insert(index)
    }
    for index in options.indices { controls[place].options[index].isSelected = chosen.contains(index) }
  }
}
