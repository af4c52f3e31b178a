/// A form in a shell: by curl's own options where they write the same bytes, else by commands that write them.
enum FormCommand {
  /// curl's options for the parts, nil if it would write one of them differently.
  static func options(for form: MultipartFormData) -> [(String, String)]? {
    var options: [(String, String)] = []
    for part in form.parts {
      guard isPlain(part.name), !part.name.utf8.contains(UInt8(ascii: "=")), part.headerFields.isEmpty else { return nil }
      var suffix = ""
      if let fileName = part.fileName {
        guard isPlain(fileName) else { return nil }
        suffix += ";filename=\"\(escaped(fileName))\""
      }
      if let type = part.contentType {
        guard !type.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }) else { return nil }
        suffix += ";type=\(type)"
      }
      switch part.content {
      case .bytes(let bytes):
        guard bytes.count <= CURLCommandBuilder.argumentLimit, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        if suffix.isEmpty {
          options.append(("--form-string", "\(part.name)=\(text)"))
        } else {
          options.append(("--form", "\(part.name)=\"\(escaped(text))\"\(suffix)"))
        }
      case .file(let path, 0, nil):
        // Without a name curl sends the file's own.
        guard part.fileName != nil, part.contentType != nil else { return nil }
        options.append(("--form", "\(part.name)=@\"\(escaped(path))\"\(suffix)"))
      case .file, .stream: return nil
      }
    }
    return options.isEmpty ? nil : options
  }

  /// A command that writes the whole form.
  static func output(of form: MultipartFormData, secrets: [CURLCommand.Secret], word: (String) -> String) -> String {
    var commands: [String] = []
    var pending: [UInt8] = []
    func flush() {
      if !pending.isEmpty { commands.append(ShellText.printf(pending, replacing: secrets)) }
      pending = []
    }
    for (index, part) in form.parts.enumerated() {
      if index > 0 { pending += "\r\n".utf8 }
      pending += MultipartEncoder.header(of: part, boundary: form.boundary)
      switch part.content {
      case .bytes(let bytes): pending += bytes
      case .file(let path, let offset, let length):
        flush()
        commands.append(output(of: path, offset: offset, length: length, word: word))
      case .stream:
        flush()
        commands.append("cat")
      }
    }
    pending += MultipartEncoder.end(of: form)
    flush()
    return "{ " + commands.joined(separator: "; ") + "; }"
  }

  /// A command that writes a file, or a part of it.
  static func output(of path: String, offset: Int64, length: Int64?, word: (String) -> String) -> String {
    let file = word(path.utf8.first == UInt8(ascii: "-") ? "./" + path : path)
    let tail = offset == 0 ? "cat \(file)" : "tail -c +\(offset + 1) \(file)"
    return length.map { "\(tail) | head -c \($0)" } ?? tail
  }

  /// Whether curl and the engine write a name in the same way.
  private static func isPlain(_ name: String) -> Bool {
    !name.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }
  }

  /// For the double quotes that curl itself understands.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      if character == "\"" || character == "\\" { result += "\\" }
      result.unicodeScalars.append(character)
    }
    return result
  }
}
