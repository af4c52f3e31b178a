/// Calls `body` with `bytes` as one block of memory. Only a collection without contiguous storage is
/// copied.
package func withContiguousBytes<Result>(_ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
  let lent = bytes.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
  return lent ?? Array(bytes).withUnsafeBytes(body)
}
