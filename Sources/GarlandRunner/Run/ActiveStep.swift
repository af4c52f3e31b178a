import GarlandNetworking
import GarlandResults
import GarlandWorkflow

/// A step that has begun and not ended.
final class ActiveStep {
  let index: Int
  let context: StepContext
  /// Where its request goes, evaluated when it began.
  var url = StepURL(text: "", isSecret: false)
  /// The number of the URL's origin.
  var origin = 0
  var request: BuiltRequest?
  var handle: TransferHandle?
  /// When the first transfer began.
  var startedAt: Duration?
  /// When the last progress was told.
  var progressAt: Duration = .zero
  /// Whether anything was handed to the network.
  var hasSent = false
  /// Why it is being cancelled.
  var haltReason: StopReason?

  init(index: Int, context: StepContext) {
    self.index = index
    self.context = context
  }
}

/// An evaluated URL.
struct StepURL: Sendable {
  var text: String
  var isSecret: Bool
  /// The form that leads there, filled in.
  var form: FormSubmission?
}

extension StepURL {
  /// Where a request goes: its own URL, or that of the form that it sends.
  init(of request: RequestTemplate, in context: any EvaluationContext) throws(EvaluationError) {
    if let submit = request.submit {
      let form = try FormSubmission(of: submit, in: context)
      self.init(text: form.url, isSecret: form.isURLSecret, form: form)
    } else {
      let (text, isSecret) = try request.evaluateURL(in: context)
      self.init(text: text, isSecret: isSecret)
    }
  }
}
