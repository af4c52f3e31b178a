/// An engine's thread as the preferred executor of tasks. It is a separate object from the loop, which
/// is the executor of actors, since a job must run on the executor for which it was enqueued.
final class EngineTaskExecutor: TaskExecutor {
  private let loop: EngineLoop

  init(loop: EngineLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job, of: asUnownedTaskExecutor()) }
}
