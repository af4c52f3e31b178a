/// The shell command for a form: curl's form options if they write exactly the bytes of the request, otherwise commands such as `printf`
/// and `cat` that write these bytes.
enum FormCommand {
  /// Returns the options with which curl sends the parts. Returns nil if curl cannot send a part in the same form as the engine.
  static func options(for form: MultipartFormData, _ variables: VariableFinder) -> [(String, String)]? {
    var options: [(String, String)] = []
    guard form.kind == .formData else { return nil }
    for part in form.parts {
      guard let name = part.name, isPlain(name), !name.utf8.contains(UInt8(ascii: "=")), part.headerFields.isEmpty,
        part.disposition == .formData
      else { return nil }
      var suffix = ""
      if let fileName = part.fileName {
        guard isPlain(fileName), !variables.isAny(in: fileName, changedBy: escaped) else { return nil }
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
          options.append(("--form-string", "\(name)=\(text)"))
        } else {
          // The value of a variable cannot be escaped here.
          guard !variables.isAny(in: text, changedBy: escaped) else { return nil }
          options.append(("--form", "\(name)=\"\(escaped(text))\"\(suffix)"))
        }
      case .file(let path, 0, nil):
        // Without a file name in the option, curl would send the name of the file at `path`.
        guard part.fileName != nil, part.contentType != nil, !variables.isAny(in: path, changedBy: escaped) else { return nil }
        options.append(("--form", "\(name)=@\"\(escaped(path))\"\(suffix)"))
      case .file, .stream, .form: return nil
      }
    }
    return options.isEmpty ? nil : options
  }

  /// Returns a shell command that writes the whole form to standard output; nil if the form cannot be sent.
  static func output(of form: MultipartFormData, _ variables: VariableFinder, word: (String) -> String) -> String? {
    guard let segments = try? MultipartEncoder.segments(of: form) else { return nil }
    let commands = segments.map { segment in
      switch segment {
      case .bytes(let bytes): ShellText.printf(bytes, variables)
      case .file(let path, let offset, let length): output(of: path, offset: offset, length: length, word: word)
      case .stream: "cat"
      }
    }
    return "{ " + commands.joined(separator: "; ") + "; }"
  }

  /// Returns a command that writes a file, or a part of it, to standard output.
  static func output(of path: String, offset: Int64, length: Int64?, word: (String) -> String) -> String {
    let file = word(path.utf8.first == UInt8(ascii: "-") ? "./" + path : path)
    let tail = offset == 0 ? "cat \(file)" : "tail -c +\(offset + 1) \(file)"
    return length.map { "\(tail) | head -c \($0)" } ?? tail
  }

  /// Whether curl and the engine write the name of a part or file in the same way.
  private static func isPlain(_ name: String) -> Bool {
    !name.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }
  }

  /// Escapes the quotes and backslashes of a text that is put in double quotes in the value of `--form`, as curl's parser requires.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      if character == "\"" || character == "\\" { result += "\\" }
      result.unicodeScalars.append(character)
    }
    return result
  }
}
