/// The numbers of a node's path tables, in one place of memory: a node may have a thousand tables, and
/// looks into each several times a second.
final class PathRules: Sendable {
  let policy: PathPolicy

  init(_ policy: PathPolicy) { self.policy = policy }
}
