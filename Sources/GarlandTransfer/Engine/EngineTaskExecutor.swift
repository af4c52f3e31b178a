/// An engine's thread as the preferred executor of tasks. It differs from the loop, the executor of
/// actors, since a job must run on the executor it was enqueued for.
final class EngineTaskExecutor: TaskExecutor {
  private let loop: EngineLoop

  init(loop: EngineLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job, of: asUnownedTaskExecutor()) }
}
