// A tour of PeerClock: what every host of a group may do.
import PeerClock

let clock = PeerClock()
try await clock.start()
print("session time:", clock.now, "ns")

// Who is there, as it changes.
let peers = Task {
  for await peers in clock.peers { print("peers:", peers.map(\.label)) }
}
let connections = Task {
  for await event in clock.connectionEvents { print(event.peer, event.state) }
}

// Commands: to all others or to one, each delivered once.
let commands = Task {
  for await (sender, command) in clock.commands {
    print(sender, "says", command.type, "with", command.payload.count, "bytes")
    try await clock.send(Command(type: "thanks", payload: []), to: sender)
  }
}
try await clock.broadcast(Command(type: "light.on", payload: [1]))

// Status: what a host says of itself.
await clock.setStatus("ready", forKey: "state")
let statuses = Task {
  for await status in clock.statusUpdates { print(status.peer, status.entries) }
}

// Something at one moment on every host that schedules it.
let handle = try await clock.schedule(atSyncedTime: clock.now + 1_000_000_000) {
  print("now!")
}
await handle.cancel()

// All streams end here, and so do the tasks.
clock.stop()
_ = await (peers.result, connections.result, commands.result, statuses.result)
