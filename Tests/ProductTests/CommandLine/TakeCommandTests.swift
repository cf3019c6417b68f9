import Glibc
import TestFolders
import TestLanes
import Testing
import Units

/// What people say of takes, on all hosts and in all files.
@Suite("Scenes, marks, notes and lists", .live)
struct TakeCommandTests {
  @Test("a mark is one instant in every host's file; scene, note and circle are in them all")
  func words() throws {
    let group = "takes-\(getpid())"
    let hosts = [
      FleetHost(
        "a", ppm: 20, group: group,
        options: ["--timecode-rate", "29.97df", "--split", "1s", "--loudness"]),
      FleetHost("b", ppm: -30, group: group, options: ["--timecode-rate", "24", "--bits", "16"]),
    ]
    for host in hosts { try #require(host.child?.says("ready on") == true) }
    #expect(hosts[0].waitFor("\"role\":\"follower\"", count: 1, seconds: 10))
    let scene = hosts[0].run("scene", "Bühne 拍/1", "--project", "Nacht & <Zug>", "--tape", "R7")
    #expect(scene.code == 0 && scene.output.contains("2 hosts"), "\(scene.output)")
    // The other host knows what stands on the slate, and is told of its timecode.
    #expect(hosts[1].run("scene").output.contains("scene “Bühne 拍/1”"))
    let armed = hosts[0].run("arm")
    #expect(armed.code == 0 && armed.output.contains("set to count timecode at 24"))
    #expect(hosts[0].run("mark", "too early").code == 3)
    sleep(2)
    #expect(hosts[1].run("start", "--in", "-500ms").output.contains("start take 1 “Bühne 拍/1”"))
    usleep(1_200_000)
    #expect(hosts[0].run("mark", "Hund", "bellt", "--at", "-300ms").code == 0)
    #expect(hosts[1].run("mark", "--at", "-1h").code == 1)
    #expect(hosts[1].run("note", "Wind, später ruhig").code == 0)
    sleep(2)
    #expect(hosts[0].run("stop").code == 0)
    #expect(hosts[0].run("circle").code == 0)
    #expect(hosts[0].run("circle", "9").code == 1)
    try judgeLists(hosts)
    try judgeFiles(hosts)
  }

  private func judgeLists(_ hosts: [FleetHost]) throws {
    let list = hosts[1].run("takes").output
    #expect(list.contains("(1)  Bühne 拍/1") && list.contains("Wind, später ruhig"), "\(list)")
    #expect(list.contains("timecode 29.97DF"))
    let report = hosts[0].run("takes", "--csv").output.split(separator: "\n")
    let files = hosts.flatMap { $0.place.files(".wav") }.count
    #expect(report.count == 1 + files)
    #expect(report[1].hasPrefix("1,yes,Bühne 拍/1,Nacht & <Zug>,R7,"))
    let json = hosts[0].run("takes", "--json").output
    #expect(json.contains("\"schema\":\"recorder.takes/1\""))
    #expect(json.contains("\"verdict\":\"whole\""))
  }

  private func judgeFiles(_ hosts: [FleetHost]) throws {
    var instants: Set<Substring> = []
    let files = hosts.flatMap { $0.place.files(".wav") }
    #expect(files.count >= 4)
    for host in hosts {
      let logs = host.place.files(".timing.jsonl").map { TestFolder.text(of: $0) }.joined()
      let line = try #require(logs.split(separator: "\n").first { $0.contains("Hund bellt") })
      let mark = try #require(line.firstRange(of: "\"shared_ns\":"))
      instants.insert(line[mark.upperBound...].prefix { $0.isNumber })
    }
    #expect(instants.count == 1, "\(instants)")
    for file in files {
      let info = Program.run(["info", "--json", file]).output
      for wanted in [
        "\"scene\":\"Bühne 拍/1\"", "\"project\":\"Nacht & <Zug>\"", "\"tape\":\"R7\"",
        "\"note\":\"Wind, später ruhig\"", "\"circled\":true", "\"disagreements\":[]",
        "\"total_files\":\(files.count)", "\"frame_rate\":\"30000/1001 DF\"",
      ] { #expect(info.contains(wanted), "\(file) lacks \(wanted): \(info)") }
    }
    let marked = files.filter { Program.run(["info", "--json", $0]).output.contains("Hund bellt") }
    #expect(marked.count == 2)
    for file in hosts.flatMap({ $0.place.files(".take.json") }) {
      let text = TestFolder.text(of: file)
      #expect(
        text.split(separator: "\"sha256\" : \"").count > 1 && text.contains("\"circled\" : true"))
      #expect(text.contains("\"sync_certificate\"") && text.contains("PRE_RECORD") == false)
    }
  }
}
