import GarlandDiagnostics
import GarlandJSON
import GarlandText
import GarlandYAML

/// Decodes JSON Schemas. A schema is in the document, in a file, or in a mapping with further options.
extension DocumentDecoder {
  func decodeSchema(_ node: YAMLNode) -> SchemaTemplate? {
    if node.scalar?.isString == true { return schemaFile(node).flatMap { compile($0, SchemaReferences(), formats: false) } }
    guard let mapping = node.mapping,
      mapping.written(SchemaKey.file)?.value.scalar?.isString == true || mapping.written(SchemaKey.schema) != nil
    else {
      return schemaValue(node).flatMap { compile($0, SchemaReferences(), formats: false) }
    }
    let reader = MappingReader(node, mapping, SchemaKey.table, into: &diagnostics)
    if let second = reader[.schema], reader[.file] != nil {
      report(.conflict, "a schema can have only one of `file` and `schema`", at: second.key.range)
      return nil
    }
    let references = reader.value(.references).map { decodeReferences($0) } ?? SchemaReferences()
    let formats = reader.value(.formats).flatMap { plainBool($0) } ?? false
    if let file = reader.value(.file) { return schemaFile(file).flatMap { compile($0, references, formats: formats) } }
    guard let schema = reader[.schema] else { return nil }
    return schemaValue(schema.value).flatMap { compile($0, references, formats: formats) }
  }

  private struct SchemaSource {
    let value: JSONValue
    /// The path of the schema file; nil for a schema that is written in the document.
    let file: String?
    /// The YAML node of the schema, or of the name of the schema file.
    let node: YAMLNode
  }

  private func schemaValue(_ node: YAMLNode) -> SchemaSource? {
    if case .constant(let value, _) = value(node, .defaults) { return SchemaSource(value: value, file: nil, node: node) }
    report(.badSchema, "a JSON Schema can't contain `${…}`", at: node.range)
    return nil
  }

  private func schemaFile(_ node: YAMLNode) -> SchemaSource? {
    guard let text = plainText(node, "the path of a file"), let file = locateFile(text, node.range) else { return nil }
    do {
      let value = try JSONValue(parsing: options.files.files.read(file, limit: SchemaReferences.limit))
      return SchemaSource(value: value, file: file, node: node)
    } catch let error as WorkflowFileError {
      report(.missingFile, "the schema can't be read: \(error.message)", at: node.range)
    } catch {
      report(.badSchema, "the schema is not JSON: \(error)", at: node.range)
    }
    return nil
  }

  /// Decodes `references`, a mapping from prefixes of URIs to folders or files. A schema whose URI begins with a prefix is read from the
  /// folder or file of the prefix.
  private func decodeReferences(_ node: YAMLNode) -> SchemaReferences {
    guard let mapping = mapping(node, "a mapping of URIs to folders or files") else { return SchemaReferences() }
    var references = SchemaReferences()
    for entry in mapping.entries {
      guard let text = plainText(entry.value, "the path of a folder or a file") else { continue }
      if text.isEmpty {
        report(.wrongType, "expected the path of a folder or a file, found empty text", at: entry.value.range)
        continue
      }
      do {
        let folder = folder(of: entry.value.range)
        let path = try options.files.locate(text, from: folder)
        switch options.files.files.kind(of: path) {
        case .file, .folder: references.copies.append((uri: entry.name, path: path))
        case .missing, .unreadable:
          let near = options.files.files.nearest(to: text, in: folder)
          report(
            .missingFile, "there is no file or folder `\(Words.excerpt(text))`", at: entry.value.range,
            help: near.map { "did you mean `\(Words.excerpt($0))`?" } ?? "paths are relative to the folder of the document",
            replacement: entry.value.isAlias ? nil : near.map(YAMLQuoting.scalar))
        }
      } catch {
        report(
          error.isOutside ? .fileOutside : .missingFile, "`\(Words.excerpt(text))`: \(error.message)", at: entry.value.range,
          help: error.isOutside ? "allow the folder of the file with `--allow-path DIR`" : nil)
      }
    }
    return references
  }

  private func compile(_ source: SchemaSource, _ references: SchemaReferences, formats: Bool) -> SchemaTemplate? {
    let base = SchemaTemplate.uri(ofPath: source.file ?? folder(of: source.node.range) + "/")
    var schemaOptions = JSONSchema.Options(assertsFormats: formats, baseURI: base)
    let (files, namedFiles) = (options.files, mentioned.named)
    schemaOptions.resolver = { (uri: String) throws(JSONSchemaResolverError) in try references.document(uri, files, namedFiles) }
    guard !reportStrangers(source) else { return nil }
    do {
      return SchemaTemplate(schema: try JSONSchema(source.value, options: schemaOptions), file: source.file, folder: directory)
    } catch {
      report(error, base, source)
      return nil
    }
  }

  /// Reports mistakes in the keywords of a schema. Returns whether an error was reported.
  ///
  /// - In a schema that is written in the document, a misspelt keyword is an error. An unknown name in a schema without keywords is an
  ///   error too, since every value would match such a schema.
  /// - In a schema file, a misspelt keyword is only a warning, since other programs may use the file with keywords of their own.
  private func reportStrangers(_ source: SchemaSource) -> Bool {
    let options = SchemaKey.table.names
    var isWrong = false
    for stranger in SchemaVocabulary.strangers(in: source.value) {
      let isRoot = stranger.schema.tokens.isEmpty && source.file == nil
      let candidates = SchemaVocabulary.keywords + (isRoot ? options : [])
      let near = isRoot && options.contains(stranger.name) ? nil : Suggestion.nearest(to: stranger.name, in: candidates)
      let name = Words.excerpt(stranger.name)
      guard source.file == nil else {
        guard let near else { continue }
        diagnostics.report(
          Diagnostic(
            .badSchema, severity: .warning,
            "`\(name)` is not a keyword of JSON Schema (in the schema at \(stranger.schema.appending(stranger.name)))",
            at: source.node.range
          ).help("did you mean `\(near)`?"))
        continue
      }
      guard near != nil || !stranger.hasKeywords else { continue }
      isWrong = true
      let schema = Self.node(of: stranger.schema, in: source.node)
      let range = schema.mapping?.entry(stranger.name)?.key.range ?? schema.range
      let diagnostic = Diagnostic(.badSchema, "`\(name)` is not a keyword of JSON Schema", at: range)
      if let near {
        diagnostics.report(diagnostic.help("did you mean `\(near)`?", fix: .init(range, YAMLQuoting.key(near, inPlaceOf: range.text))))
      } else {
        diagnostics.report(diagnostic.help("a schema without keywords accepts every value"))
      }
    }
    return isWrong
  }

  /// Reports an error in a schema. The source range of the diagnostic is that of the key or value that causes the error, in this document
  /// or in the schema file.
  private func report(_ error: JSONSchemaError, _ base: String, _ source: SchemaSource) {
    let place = SchemaReferences.place(error, base)
    guard error.document == base else {
      report(.badSchema, "\(error.message) (in \(place))", at: source.node.range)
      return
    }
    guard let file = source.file else {
      report(
        .badSchema, error.message, at: Self.range(of: error.location, in: source.node), help: "the mistake is at `\(place)` in the schema")
      return
    }
    let diagnostic = Diagnostic(.badSchema, "\(error.message) (in the schema at \(place))", at: source.node.range)
    // JSON is also YAML, and the YAML parser knows the source range of each value.
    var ignored = DiagnosticList()
    let bytes = try? options.files.files.read(file, limit: SchemaReferences.limit)
    let root = bytes.flatMap { YAMLParser.parse(name: source.node.scalar?.text ?? file, bytes: $0, into: &ignored).first?.root }
    diagnostics.report(root.map { diagnostic.note("it is here", at: Self.range(of: error.location, in: $0)) } ?? diagnostic)
  }

  /// Returns the source range of the node that a JSON Pointer selects. If there is no such node, returns the range of the last existing
  /// node on the pointer's path.
  private static func range(of pointer: JSONPointer, in root: YAMLNode) -> SourceRange { node(of: pointer, in: root).range }

  private static func node(of pointer: JSONPointer, in root: YAMLNode) -> YAMLNode {
    var node = root
    for token in pointer.tokens {
      if let next = node.mapping?[token] {
        node = next
      } else if let items = node.sequence, let index = Int(token), items.indices.contains(index) {
        node = items[index]
      } else {
        break
      }
    }
    return node
  }
}

/// The local copies of the remote schemas to which a schema refers.
///
/// Garland downloads no schemas. A schema can refer to a file of the project by the path of the file. For any other reference, there must
/// be a local copy; otherwise, the reference is an error.
struct SchemaReferences: Sendable {
  /// The maximum size of a schema file in bytes; a larger file is an error.
  static let limit = 16 << 20

  /// The folders or files from which schemas are read. A schema whose URI begins with `uri` is read from `path`.
  var copies: [(uri: String, path: String)] = []

  /// Returns the location of an error in a schema as a file name and a URI fragment, such as `book.json#/properties/id`. The file name is
  /// omitted if the error is in the document whose URI is `base`.
  static func place(_ error: JSONSchemaError, _ base: String) -> String {
    let document = error.document == base ? "" : error.document.split(separator: "/").last.map(String.init) ?? error.document
    return "\(document)#\(error.location.uriFragment)"
  }

  func document(_ uri: String, _ files: FileAccess, _ named: NamedFiles) throws(JSONSchemaResolverError) -> JSONValue {
    let path: String
    if let copy = copies.first(where: { uri.hasPrefix($0.uri) }) {
      let rest = String(uri.dropFirst(copy.uri.count))
      let slash = copy.path.hasSuffix("/") || rest.hasPrefix("/") ? "" : "/"
      path = rest.isEmpty || rest == "#" ? copy.path : copy.path + slash + PercentEncoding.text(decoding: rest)
    } else if uri.hasPrefix("file:///") {
      path = PercentEncoding.text(decoding: uri.dropFirst("file://".count))
    } else {
      let folder = uri.lastIndex(of: "/").map { uri[...$0] } ?? uri[...]
      throw JSONSchemaResolverError(
        message: "Garland does not download schemas; copy the schema into a folder of the project, "
          + "and write `references: { '\(folder)': FOLDER }` inside `schema:`")
    }
    do {
      named.add(try files.locate(path, from: "/"))
      return try JSONValue(parsing: files.read(path, from: "/", limit: Self.limit))
    } catch let error as WorkflowFileError {
      throw JSONSchemaResolverError(message: "`\(path)`: \(error.message)")
    } catch {
      throw JSONSchemaResolverError(message: "`\(path)` is not JSON: \(error)")
    }
  }
}
