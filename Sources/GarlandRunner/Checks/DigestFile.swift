import GarlandWorkflow

/// Computes the digest of the file whose path is the value of `expect.sha256`.
enum DigestFile {
  struct Mistake: Error {
    let message: String
  }

  static func digest(
    of file: FileTemplate, in context: any EvaluationContext
  ) throws(EvaluationError) -> Result<(hex: String, path: String), Mistake> {
    let (path, isSecret) = try file.path.evaluateText(in: context)
    let shown = isSecret ? "the file" : "`\(path)`"
    do throws(WorkflowFileError) {
      let services = context.services
      return .success((try services.files.sha256(of: file.resolved ?? path, from: services.directory), shown))
    } catch {
      return .failure(Mistake(message: "\(shown) can't be read: \(error.message)"))
    }
  }
}
