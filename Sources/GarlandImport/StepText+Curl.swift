import GarlandDiagnostics

extension StepText {
  /// Imports a curl command line. After an error, adds the error to `diagnostics` and returns nil.
  package static func curl(
    _ file: SourceFile, secrets taken: [String], reading: @escaping ImportFileReading, into diagnostics: inout DiagnosticList
  ) -> StepText? {
    var collection = CurlImporter.collection(from: file, reading: reading)
    if collection.requests.isEmpty, !collection.diagnostics.hasErrors {
      collection.refuse("the command line has no request", at: file.start)
    }
    if collection.requests.count > 1 {
      collection.refuse(
        "the command line has \(collection.requests.count) requests, expected 1", at: file.start,
        help: "to make a document of several requests, use `garland import`")
    }
    guard let request = collection.requests.first, !collection.diagnostics.hasErrors else {
      diagnostics.append(collection.diagnostics)
      return nil
    }
    let sound = WorkflowText.withoutWhatCantBeSent(request, "the request", &collection)
    return StepText(sound, collection.diagnostics, secrets: taken)
  }
}
