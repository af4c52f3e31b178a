import GarlandText
import GarlandTransfer

/// The entries that a form sends, in order (HTML, section 4.10.21.4, "constructing the entry list").
struct FormEntries {
  enum Entry {
    case text(name: String, value: String)
    case file(name: String, part: MultipartFormData.Part)
  }

  private(set) var all: [Entry] = []

  init(_ form: PageForm, pressing button: FormControl?) {
    var isPressed = false
    for control in form.controls where !control.isDisabled && !control.isLeftOut {
      switch control.kind {
      case .submit, .image:
        guard !isPressed, let button, control.isSame(as: button) else { continue }
        isPressed = true
        if control.kind == .image {
          // A click at the corner of the image has these coordinates.
          let prefix = control.name.isEmpty ? "" : control.name + "."
          all.append(.text(name: prefix + "x", value: "0"))
          all.append(.text(name: prefix + "y", value: "0"))
        } else if !control.name.isEmpty {
          all.append(.text(name: control.name, value: control.value))
        }
      case _ where control.name.isEmpty: continue
      case .button: continue
      case .checkbox, .radio: if control.isChecked { all.append(.text(name: control.name, value: control.value)) }
      case .select:
        for option in control.options where option.isSelected && !option.isDisabled {
          all.append(.text(name: control.name, value: option.value))
        }
      case .file:
        // A file field without a chosen file is sent with an empty file name.
        let none = MultipartFormData.Part(name: control.name, fileName: "", contentType: "application/octet-stream", content: .bytes([]))
        for part in control.files.isEmpty ? [none] : control.files { all.append(.file(name: control.name, part: part)) }
      case .text, .textArea:
        all.append(.text(name: control.name, value: control.name == "_charset_" ? "UTF-8" : control.value))
      }
    }
  }

  /// The names and values of all entries. The value of a file is its name.
  private var pairs: [(name: String, value: String)] {
    all.map { entry in
      switch entry {
      case .text(let name, let value): (Self.normalised(name), Self.normalised(value))
      case .file(let name, let part): (Self.normalised(name), Self.normalised(part.fileName ?? ""))
      }
    }
  }

  /// The entries as `application/x-www-form-urlencoded` (URL Standard, section 5.2).
  var urlEncoded: String { pairs.map { "\(PercentEncoding.form($0.name))=\(PercentEncoding.form($0.value))" }.joined(separator: "&") }

  /// The entries as `text/plain` (HTML, section 4.10.21.8).
  var plain: String { pairs.map { "\($0.name)=\($0.value)\r\n" }.joined() }

  /// The entries of the form as parts of a `multipart/form-data` body.
  var parts: [MultipartFormData.Part] {
    all.map { entry in
      switch entry {
      case .text(let name, let value):
        return MultipartFormData.Part(name: Self.normalised(name), content: .bytes(Array(Self.normalised(value).utf8)))
      case .file(let name, let part):
        var part = part
        part.name = Self.normalised(name)
        return part
      }
    }
  }

  /// Replaces every line break in a text by CR LF, and returns the text.
  static func normalised(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
    var bytes: [UInt8] = []
    var previous: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0x0A, previous == 0x0D {
        previous = byte
        continue
      }
      if byte == 0x0A || byte == 0x0D { bytes.append(contentsOf: [0x0D, 0x0A]) } else { bytes.append(byte) }
      previous = byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FormControl {
  /// Whether two buttons add the same entry (name and value) to the form data, and have the same label.
  func isSame(as other: FormControl) -> Bool { kind == other.kind && name == other.name && value == other.value && label == other.label }
}
