import CCurl

/// How this process gets its memory.
package enum ProcessHeap {
  /// Has all threads share one heap. To be called before there are several; a program decides that, a library does not.
  package static func shareAmongThreads() { garland_use_one_heap() }
}
