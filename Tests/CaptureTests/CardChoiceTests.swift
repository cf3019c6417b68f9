import ALSA
import TestFolders
import TestLanes
import Testing

@Suite("Choosing a card", .computing)
struct CardChoiceTests {
  private func card(
    _ index: Int, _ id: String, _ name: String, usb: String? = nil, serial: String? = nil,
    devices: [Int] = [0]
  ) -> SoundCard {
    SoundCard(
      index: index, id: id, name: name, usbPath: usb, serial: serial,
      devices: devices.map {
        SoundCard.Device(number: $0, name: "in", holder: nil, running: nil)
      })
  }

  private var cards: [SoundCard] {
    [
      card(0, "PCH", "HDA Intel PCH"), card(1, "H5", "Zoom H5", usb: "1-1.2", serial: "000123"),
      card(2, "H5_1", "Zoom H5", usb: "1-1.3", serial: "000124"),
      card(3, "Out", "Speaker", devices: []), card(5, "Multi", "Fireface", devices: [2, 4]),
    ]
  }

  @Test(
    "a card is found by index, id, USB port, serial number and name",
    arguments: [
      ("0", "hw:CARD=PCH,DEV=0"), ("PCH", "hw:CARD=PCH,DEV=0"), ("H5", "hw:CARD=H5,DEV=0"),
      ("1-1.3", "hw:CARD=H5_1,DEV=0"), ("000123", "hw:CARD=H5,DEV=0"),
      ("hda intel pch", "hw:CARD=PCH,DEV=0"), ("intel", "hw:CARD=PCH,DEV=0"),
      ("fireface", "hw:CARD=Multi,DEV=2"), ("multi", "hw:CARD=Multi,DEV=2"),
      // What no card is called, or is a device's name already, goes to ALSA.
      ("hw:1,0", "hw:1,0"), ("microphone", "microphone"), ("4", "4"),
    ])
  func found(name: String, pcm: String) throws {
    #expect(try CardChoice.pcm(named: name, among: cards) == pcm)
  }

  @Test("a name of two cards is refused with both, and with what tells them apart")
  func ambiguous() {
    do {
      _ = try CardChoice.pcm(named: "zoom", among: cards)
      Issue.record("zoom means two cards")
    } catch {
      #expect(
        error.description
          == "\"zoom\" means more than one card: 1 H5 \"Zoom H5\" (USB port 1-1.2, serial 000123); "
          + "2 H5_1 \"Zoom H5\" (USB port 1-1.3, serial 000124); name one by its id, its USB port or "
          + "its serial number")
    }
  }

  @Test("a name that ALSA's configuration knows goes before what is only like a card's")
  func defined() throws {
    #expect(
      try CardChoice.pcm(named: "intel", among: cards) { $0 == "intel" } == "intel")
    #expect(try CardChoice.pcm(named: "PCH", among: cards) { _ in true } == "hw:CARD=PCH,DEV=0")
  }

  @Test("a card that only plays is refused")
  func onlyPlays() {
    #expect(throws: ALSAError.self) { try CardChoice.pcm(named: "Out", among: cards) }
  }

  @Test("cards are read from /proc and /sys, with their ports, serials and holders")
  func reading() throws {
    let root = TestFolder()
    let folders = [
      "proc", "proc/asound", "proc/asound/card0", "proc/asound/card0/pcm0c",
      "proc/asound/card0/pcm0c/sub0", "proc/asound/card0/pcm0p", "proc/asound/card7",
      "proc/asound/card7/pcm3c", "proc/asound/card7/pcm3c/sub0", "proc/4711", "sys", "sys/class",
      "sys/class/sound", "sys/class/sound/card0", "sys/1-1.4", "sys/1-1.4/1-1.4:1.0",
    ]
    for folder in folders { root.makeFolder(folder) }
    root.link("sys/class/sound/card0/device", to: "../../../1-1.4/1-1.4:1.0")
    let files = [
      "proc/asound/cards": """
       0 [USB            ]: USB-Audio - Zoom - H5
                            ZOOM Corporation Zoom at usb-0000:00:14.0-1.4, high speed
       7 [Loopback       ]: Loopback - Loopback
                            Loopback 1

      """,
      "proc/asound/card0/id": "USB\n", "proc/asound/card0/usbid": "1686:0045\n",
      "proc/asound/card0/pcm0c/info": "card: 0\nname: USB Audio\nsubname: subdevice #0\n",
      "proc/asound/card0/pcm0c/sub0/status": "state: RUNNING\nowner_pid   : 4711\n",
      "proc/asound/card0/pcm0c/sub0/hw_params":
        "access: RW\nformat: S24_3LE\nchannels: 2\nrate: 48000 (48000/1)\n",
      "proc/4711/comm": "arecord\n", "sys/1-1.4/serial": " 000123 \n",
      "proc/asound/card7/id": "Loopback\n", "proc/asound/card7/pcm3c/sub0/status": "closed\n",
    ]
    for (name, text) in files { root.write(Array(text.utf8), to: name) }
    let cards = SoundCards.all(root: root.path)
    #expect(
      cards.map(\.description) == [
        "0 USB \"Zoom - H5\" (USB port 1-1.4, serial 000123)", "7 Loopback \"Loopback\"",
      ])
    let held = try #require(cards.first?.devices.first)
    #expect(cards[0].devices.count == 1 && held.name == "USB Audio" && held.number == 0)
    #expect(held.holder == "arecord (process 4711)")
    #expect(held.running == "S24_3LE, 2 channels, 48000 Hz")
    #expect(cards[1].devices.map(\.number) == [3] && cards[1].devices[0].holder == nil)
    #expect(cards[1].pcm(cards[1].devices[0]) == "hw:CARD=Loopback,DEV=3")
    #expect(SoundCards.all(root: root.path + "/nothing") == [])
  }
}
