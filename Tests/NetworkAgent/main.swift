import Glibc

do {
  try await Scenarios.run(CommandLine.arguments.dropFirst().first ?? "")
} catch {
  print("error: \(error)")
  exit(1)
}
