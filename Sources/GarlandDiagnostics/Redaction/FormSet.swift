/// The encoded forms in which a secret can occur in a text, without duplicates. This type is faster than a set of byte arrays, which would
/// hash each form byte by byte: a program may have thousands of long forms.
struct FormSet: Sequence, ExpressibleByArrayLiteral {
  private struct Form: Hashable {
    let bytes: [UInt8]

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
  }

  private var forms: Set<Form> = []

  init(arrayLiteral elements: [UInt8]...) {
    for element in elements { insert(element) }
  }

  mutating func insert(_ form: [UInt8]) { forms.insert(Form(bytes: form)) }

  mutating func formUnion(_ other: FormSet) { forms.formUnion(other.forms) }

  func union(_ other: FormSet) -> FormSet {
    var result = self
    result.formUnion(other)
    return result
  }

  func makeIterator() -> some IteratorProtocol<[UInt8]> { forms.lazy.map(\.bytes).makeIterator() }
}
