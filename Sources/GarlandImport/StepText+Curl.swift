import GarlandDiagnostics

extension StepText {
  /// Imports a curl command line; returns nil after an error, which is added to `diagnostics`.
  package static func curl(
    _ file: SourceFile, secrets taken: [String], reading: @escaping ImportFileReading, into diagnostics: inout DiagnosticList
  ) -> StepText? {
    var collection = CurlImporter.collection(from: file, reading: reading)
    if collection.requests.isEmpty, !collection.diagnostics.hasErrors { collection.refuse("there is no request in it", at: file.start) }
    if collection.requests.count > 1 {
      collection.refuse(
        "these are \(collection.requests.count) requests", at: file.start, help: "`garland import` makes a document of them")
    }
    guard let request = collection.requests.first, !collection.diagnostics.hasErrors else {
      diagnostics.append(collection.diagnostics)
      return nil
    }
    let sound = WorkflowText.withoutWhatCantBeSent(request, "the request", &collection)
    return StepText(sound, collection.diagnostics, secrets: taken)
  }
}
