"""Hosts on one machine, for the tests of what crosses a network: each in a namespace of its own, with virtual cards in
place of a sound card, cables to one or more switches, and a clock of its own that is hours and tens of ppm off.

Needs root, iproute2 and, for losses, nft. A Lab removes whatever it made, however the test ends.
"""

import array
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

RATE = 48000
# When the scene's pulses sound, in seconds: no two distances are alike. The scene repeats after SCENE_SECONDS.
SCENE_SECONDS = 10
PULSES = [0.35 + 0.5 * n + 0.011 * (n * n % 17) for n in range(19)]
# The pulses' width in samples (one sigma), and their height.
SIGMA, HEIGHT = 6.0, 0.5


def can_run(*tools):
    """Whether this user may make namespaces and has the tools; says why not."""
    missing = [tool for tool in ("ip",) + tools if not shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
    if os.geteuid() == 0 and not missing:
        return True
    print(f"skipped: needs root{''.join(' and ' + tool for tool in missing)}", file=sys.stderr)
    return False


class Failure(Exception):
    pass


class Lab:
    """Namespaces, switches and hosts; all of it gone at the end."""

    def __init__(self, name, recorder):
        self.name = name
        self.recorder = os.path.realpath(recorder)
        self.beside = os.path.dirname(self.recorder)
        self.tag = f"{name[:4]}{os.getpid()}"
        self.hosts, self.spaces, self.others, self.begun = {}, [], [], time.monotonic()

    def __enter__(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix=self.name))
        os.chmod(self.work, 0o700)
        self.passphrase = self.work / "passphrase"
        self.passphrase.write_text(f"a passphrase for {self.name}\n")
        self.passphrase.chmod(0o600)
        self.origin = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        self.scene = self.work / "scene.f32"
        write_scene(self.scene)
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, Failure):
            print(f"{self.name}: {error}", file=sys.stderr)
            for log in sorted(self.work.glob("*.log")):
                print(f"--- {log.name}", file=sys.stderr)
                sys.stderr.write("".join(log.read_text(errors="replace").splitlines(True)[-25:]))
        for host in self.hosts.values():
            host.end()
        for other in self.others:
            other.terminate()
            other.wait()
        for space in self.spaces:
            run("ip", "netns", "del", space, check=False)
        if os.environ.get("KEEP"):
            print(f"{self.name}: kept {self.work}", file=sys.stderr)
        else:
            shutil.rmtree(self.work, ignore_errors=True)
        if isinstance(error, Failure):
            sys.exit(1)

    def say(self, text):
        print(f"{self.name}: {text} ({time.monotonic() - self.begun:.0f} s)", flush=True)

    def space(self, name):
        space = f"{self.tag}{name}"
        run("ip", "netns", "add", space)
        self.spaces.append(space)
        run("ip", "-n", space, "link", "set", "lo", "up")
        return space

    def switch(self, number):
        """A bridge in a namespace of its own."""
        space = self.space(f"s{number}")
        run("ip", "-n", space, "link", "add", "bridge", "type", "bridge", "mcast_snooping", "0")
        run("ip", "-n", space, "link", "set", "bridge", "up")
        return space

    def host(self, label, number, switches, **clock):
        self.hosts[label] = Host(self, label, number, switches, **clock)
        return self.hosts[label]


class Host:
    """A namespace with cables to switches, and a daemon in it."""

    def __init__(self, lab, label, number, switches, ppm=0.0, wander_ns=0, hours=0, delay_ns=0, ipv4=True):
        self.lab, self.label, self.number = lab, label, number
        self.ppm, self.wander_ns, self.hours, self.delay_ns = ppm, wander_ns, hours, delay_ns
        self.process = None
        self.space = lab.space(label)
        self.cables = []
        self.socket = lab.work / f"{label}.sock"
        self.log = lab.work / f"{label}.log"
        for place, switch in enumerate(switches):
            self.plug(place, switch, ipv4)
        (lab.work / f"{label}.asoundrc").write_text(
            f'pcm_type.recorder_virtual {{ lib "{lab.beside}/libCVirtualCard.so" }}\n'
            f'pcm.microphone {{\n  type recorder_virtual\n  scene "{lab.scene}"\n  origin_ns {lab.origin}\n'
            f"  ppm {ppm}\n  delay_ns {delay_ns}\n}}\n"
        )

    def plug(self, place, switch, ipv4):
        near, far = f"n{place}", f"{self.label}{place}"
        run("ip", "-n", self.space, "link", "add", near, "address", self.mac(place), "type", "veth",
            "peer", "name", far, "netns", switch)
        # No waiting for duplicate addresses: nobody has them.
        run("ip", "netns", "exec", self.space, "sh", "-c",
            f"echo 0 > /proc/sys/net/ipv6/conf/{near}/accept_dad", check=False)
        run("ip", "-n", switch, "link", "set", far, "master", "bridge", "up")
        if ipv4:
            run("ip", "-n", self.space, "addr", "add", f"{self.address(place)}/24", "dev", near)
        run("ip", "-n", self.space, "link", "set", near, "up")
        self.cables.append((switch, far))

    def mac(self, place):
        return f"02:00:00:00:{place + 1:02x}:{self.number:02x}"

    def address(self, place=0):
        return f"10.78.{place + 1}.{self.number}"

    def cable(self, place, up):
        """Pulls or plugs in the other end of a cable: this end loses its carrier."""
        switch, far = self.cables[place]
        run("ip", "-n", switch, "link", "set", far, "up" if up else "down")

    def filter(self, *rules):
        """Has the kernel drop what comes in by these rules of nft; none: nothing."""
        lines = "".join(f"    {rule} drop\n" for rule in rules)
        text = "flush ruleset\n"
        if rules:
            text += ("table inet lab {\n  chain input {\n    type filter hook input priority 0\n"
                     f'    iifname "lo" accept\n{lines}  }}\n}}\n')
        run("ip", "netns", "exec", self.space, "nft", "-f", "-", text=text)

    def deaf_to(self, others):
        """The rules by which nothing of other hosts comes in."""
        macs = ", ".join(host.mac(place) for host in others for place in range(len(host.cables)))
        return f"ether saddr {{ {macs} }}"

    def start(self, *options, card=True, group=None, environment=()):
        lab = self.lab
        offset = self.hours * 3600 * 10**9
        environment = dict(
            os.environ, LD_PRELOAD=f"{lab.beside}/libCSkewedClock.so", SKEWED_CLOCK_ORIGIN_NS=str(lab.origin),
            ALSA_CONFIG_PATH=str(lab.work / f"{self.label}.asoundrc"), SKEWED_CLOCK_PPM=str(self.ppm),
            SKEWED_CLOCK_WANDER_NS=str(self.wander_ns), SKEWED_CLOCK_WANDER_PERIOD_S="120",
            SKEWED_CLOCK_RAW_OFFSET_NS=str(offset), SKEWED_CLOCK_OFFSET_NS=str(self.hours * 10**9),
            **dict(environment))
        words = ["ip", "netns", "exec", self.space, lab.recorder, "daemon", "--state",
                 str(lab.work / f"{self.label}.state"), "--socket", str(self.socket), "--name", self.label,
                 "--group", group or lab.name, "--passphrase-file", str(lab.passphrase)]
        if card:
            words += ["--input", "microphone", "--bits", "float", "--output", str(lab.work / "takes")]
        with open(self.log, "a") as log:
            self.process = subprocess.Popen([*words, *options], env=environment, stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log)

    def enter(self, *words, log):
        """Runs a program in this host's namespace until the lab's end."""
        with open(self.lab.work / log, "a") as out:
            self.lab.others.append(subprocess.Popen(["ip", "netns", "exec", self.space, *words], stdin=subprocess.DEVNULL,
                                                    stdout=out, stderr=out))
        return self.lab.others[-1]

    def signal(self, number):
        if self.process:
            self.process.send_signal(number)

    def end(self):
        if not self.process or self.process.poll() is not None:
            return
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        try:
            self.process.wait(8)
        except subprocess.TimeoutExpired:
            self.signal(signal.SIGKILL)
            self.process.wait()

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait()

    def ask(self, *words, patience=12):
        """The recorder's answer on this host: exit code, what it said."""
        try:
            done = subprocess.run([self.lab.recorder, *words, "--socket", str(self.socket)], capture_output=True,
                                  text=True, timeout=patience)
        except subprocess.TimeoutExpired as error:
            raise Failure(f"{self.label}: recorder {' '.join(words)} took more than {patience} s") from error
        return done.returncode, done.stdout, done.stderr

    def status(self):
        code, out, _ = self.ask("status", "--json", patience=20)
        try:
            return json.loads(out) if code in (0, 1, 2) else {}
        except ValueError:
            return {}

    def clock(self):
        code, out, _ = self.ask("clock", "--json", patience=5)
        try:
            return json.loads(out.splitlines()[0])
        except (ValueError, IndexError):
            return {}

    def synced(self, bound_ns=1_000_000):
        """How many hosts this one hears and knows to be in sync."""
        hosts = self.status().get("hosts", [])
        return sum(1 for host in hosts if host.get("connection", "connected") == "connected"
                   and host.get("sync", {}).get("role", "unsynced") != "unsynced"
                   and host["sync"].get("bound_ns", 10**12) < bound_ns)

    def state(self):
        report = self.status()
        return next((host.get("state") for host in report.get("hosts", []) if host.get("peer") == report.get("peer")), None)

    def said(self, text):
        return text in self.log.read_text(errors="replace")

    def count(self, text):
        return self.log.read_text(errors="replace").count(text)


def run(*words, check=True, text=None):
    done = subprocess.run(words, input=text, capture_output=True, text=True)
    if check and done.returncode != 0:
        raise Failure(f"{' '.join(words)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def eventually(what, seconds, holds, pause=0.1):
    """Waits until it holds; how long that took."""
    begun = time.monotonic()
    while not holds():
        if time.monotonic() - begun > seconds:
            raise Failure(f"{what}: not within {seconds} s")
        time.sleep(pause)
    return time.monotonic() - begun


def write_scene(path):
    samples = array.array("f", bytes(4 * SCENE_SECONDS * RATE))
    for at in PULSES:
        middle = at * RATE
        for n in range(int(middle) - 60, int(middle) + 61):
            samples[n] += HEIGHT * math.exp(-0.5 * ((n - middle) / SIGMA) ** 2)
    path.write_bytes(samples.tobytes())


def read_wave(path):
    """The samples of a float file of one channel, whatever its header says of sizes."""
    data = pathlib.Path(path).read_bytes()
    at = 12
    while at + 8 <= len(data):
        name, size = data[at:at + 4], int.from_bytes(data[at + 4:at + 8], "little")
        if name == b"data":
            break
        at += 8 + size + size % 2
    body = data[at + 8:]
    return memoryview(body[:len(body) // 4 * 4]).cast("f")


def pulses(samples):
    """Where pulses are, in samples, to some thousandths: a parabola through the logarithms is exact for this shape."""
    found, at, end = [], 64, len(samples) - 64
    while at < end:
        if samples[at] < 0.1 * HEIGHT:
            at += 8
            continue
        top = max(range(at - 24, at + 40), key=lambda n: samples[n])
        low, middle, high = (math.log(max(samples[n], 1e-9)) for n in (top - 1, top, top + 1))
        bend = low - 2 * middle + high
        found.append(top + (0.5 * (low - high) / bend if bend else 0.0))
        at = top + 400
    return found


def spread(files):
    """The largest distance, in samples, between pulses of one moment in several aligned files; and their number."""
    worst, moments = 0.0, 0
    reference = files[0]
    for other in files[1:]:
        index = 0
        for place in reference:
            while index < len(other) and other[index] < place - 200:
                index += 1
            if index < len(other) and abs(other[index] - place) < 200:
                worst, moments = max(worst, abs(other[index] - place)), moments + 1
    return worst, moments
