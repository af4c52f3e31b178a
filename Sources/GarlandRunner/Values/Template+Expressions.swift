import GarlandWorkflow

extension Template {
  /// The template's expressions, in order.
  var expressions: [Expression] {
    switch content {
    case .constant: []
    case .expression(let expression): [expression]
    case .text(let pieces):
      pieces.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
    }
  }
}
