import Glibc
import TestFolders
import TestLanes
import Testing

@Suite("A daemon that starts again", .live)
struct RecoveryAtStartTests {
  @Test("makes whole what it was recording when it was killed, in its mirror too, and says so")
  func recovers() throws {
    let place = TestFolder()
    let host = FleetHost(
      "a", ppm: 20, group: "recovery-\(getpid())",
      options: ["--mirror", place.path + "/mirror", "--mono"])
    try #require(host.child?.says("ready on") == true)
    // Right after arming: what there is stands in a draft.
    #expect(host.run("start").code == 0)
    sleep(3)
    let parts = (host.place.files(".wav.part") + place.files(".wav.part")).count
    #expect(parts >= 2, "\(parts)")
    host.crash()
    host.startAgain()
    let child = try #require(host.child)
    #expect(child.says("recovered \(host.place.path)") && child.says("recovered \(place.path)"))
    for folder in [host.place, place] {
      let waves = folder.files(".wav")
      #expect(!waves.isEmpty)
      for wave in waves { #expect(Program.run(["info", wave]).code == 0, "\(wave)") }
      let told = folder.files(".take.json").map { TestFolder.text(of: $0) }.joined()
      #expect(told.contains("recovered after an interruption"), "\(told)")
    }
  }
}
