#!/usr/bin/env python3
"""A second implementation of the draw, written from docs/economy.md alone.

    python3 replay.py https://packs.example.com   replays the public logs of draws of such addresses
    python3 replay.py --tables                    hashes odds tables, one a line of standard input

The first prints a JSON object for each log, with its first fault, and exits with 1 for any. It
checks that the entries give the root of the checkpoint; it does not check signatures. It needs
Python 3.9 or later and nothing else.
"""
import base64
import hashlib
import hmac
import http.client
import json
import re
import sys
import time
import urllib.error
import urllib.request
from datetime import date
from fractions import Fraction


class Fault(Exception):
    """What is wrong with the log. Nothing behind it is looked at."""


# Texts and shapes

def stringify(value):
    """What JSON.stringify makes of a value whose numbers are all whole."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


def sha256(data):
    return hashlib.sha256(data).digest()


def integer(least, most=2**53 - 1):
    return lambda value: type(value) is int and least <= value <= most


def matches(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def optional(shape):
    return lambda value: value is None or shape(value)


def exactly(shapes):
    """An object with these keys in this order."""
    return lambda value: (isinstance(value, dict) and list(value) == list(shapes)
                          and all(shape(value[key]) for key, shape in shapes.items()))


def list_of(shape, least=0, most=65535):
    return lambda value: (isinstance(value, list) and least <= len(value) <= most
                          and all(map(shape, value)))


def is_pack(value):
    shapes = (optional(positive), optional(positive), optional(whole), whole)
    return (isinstance(value, list) and len(value) == 4
            and all(shape(part) for shape, part in zip(shapes, value)) and None in value[:2])


def is_table(value):
    if not exactly(TABLE)(value):
        return False
    prizes = value["entries"]
    ids = [prize["prizeId"] for prize in prizes]
    return (all(a < b for a, b in zip(ids, ids[1:]))
            and all(prize["rewardPackTypeId"] is not None or prize["rewardPackQuantity"] == 0
                    for prize in prizes))


def is_day(value):
    try:
        return matches("[0-9]{4}-[0-9]{2}-[0-9]{2}")(value) and bool(date.fromisoformat(value))
    except ValueError:
        return False


whole, positive = integer(0), integer(1)
digits, text, filled = map(matches, ("[0-9a-f]{64}", "[^\ud800-\udfff]*", "[^\ud800-\udfff]+"))
PRIZE = {"prizeId": positive, "name": text, "winFrequency": whole, "totalPacks": positive,
         "redCoinAmount": whole, "rewardPackTypeId": optional(positive),
         "rewardPackQuantity": whole, "limited": lambda value: type(value) is bool}
CODE = {**PRIZE, "deliversCodes": lambda value: value is True}
TABLE = {"packTypeId": positive, "consolationRedCoin": whole,
         "entries": list_of(lambda value: exactly(PRIZE)(value) or exactly(CODE)(value))}
ENTRIES = (
    {"type": matches("chain"), "chainId": positive, "commitment": digits},
    {"type": matches("table"), "tableHash": digits, "table": is_table},
    {"type": matches("table"), "tableHash": digits, "part": positive, "parts": integer(2),
     "text": text},
    {"type": matches("stock"), "prizeId": positive, "delta": integer(1 - 2**53),
     "after": optional(whole)},
    {"type": matches("opening"), "id": filled,
     "at": matches(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:00\.000Z"),
     "packTypeId": positive, "tableHash": digits, "chainId": positive, "index": whole,
     "serverSeed": digits, "entropy": digits, "entropyFrom": matches("player|server"),
     "next": digits, "results": list_of(is_pack, 1, 50)},
    {"type": matches("end"), "chainId": positive, "index": whole, "serverSeed": optional(digits)},
    {"type": matches("shipment"), "opening": filled, "position": whole,
     "step": matches("wanted|ready|sent|delivered|returned|declined|lapsed|withdrawn"),
     "day": is_day, "due": optional(is_day)},
)
FOLLOWING = {"wanted": ("ready", "delivered", "declined", "lapsed"),
             "ready": ("wanted", "sent", "delivered", "declined"),
             "sent": ("wanted", "ready", "delivered", "returned"),
             "returned": ("wanted", "ready", "delivered"),
             "delivered": (), "declined": (), "lapsed": ()}


def parse(raw):
    """The entry, which has to be one of the six kinds to the letter."""
    try:
        written = raw.decode("utf-8")
        entry = json.loads(written)
    except (ValueError, RecursionError) as error:
        raise Fault("is none of the six kinds") from error
    if stringify(entry) != written or not any(exactly(shapes)(entry) for shapes in ENTRIES):
        raise Fault("is none of the six kinds")
    return entry


# The draw

class Table:
    def __init__(self, table):
        self.pack_type, self.consolation = table["packTypeId"], table["consolationRedCoin"]
        self.prizes = {prize["prizeId"]: prize for prize in table["entries"]}
        shares = [min(Fraction(prize["winFrequency"], prize["totalPacks"]), Fraction(1))
                  for prize in table["entries"]]
        total = sum(shares, Fraction(0))
        self.is_scaled = total > 1
        self.thresholds, reached = [], Fraction(0)
        for share in shares:
            reached += share / total if self.is_scaled else share
            self.thresholds.append(2**52 * reached.numerator // reached.denominator)

    def draw(self, roll):
        drawn = (prize for prize, end in zip(self.prizes, self.thresholds) if roll < end)
        return next(drawn, None)


def roll_of(entry, pack):
    message = f"{entry['entropy']}:{pack}:{entry['tableHash']}".encode()
    digest = hmac.new(bytes.fromhex(entry["serverSeed"]), message, hashlib.sha256).hexdigest()
    return int(digest[:13], 16)


def in_words(won, sold_out=None):
    told = [] if won is None else [f"prize {won}"]
    told += [] if sold_out is None else [f"prize {sold_out} as sold out"]
    return " and ".join(told) or "nothing"


# The log

class Replay:
    def __init__(self):
        self.counts = dict.fromkeys(("draws", "wins", "soldOut", "tables", "scaledTables",
                                     "chains", "ended", "byServer", "shipments", "steps"), 0)
        self.begun, self.just_begun = set(), None
        self.open = {}  # chain: the index and commitment that are due
        self.commitments = set()
        self.tables, self.parts = {}, None
        self.stock = {}  # prize: how many are left, None without limit
        # (Opening, position): the last step, the one that a withdrawal left, day, due, prize with
        # whether a unit of it was taken, and whether it was won with a deadline.
        self.shipments = {}
        self.beginning = None  # the same of the shipment that this entry begins
        self.awaited = []  # next entries: (opening, position), day, the same, whether it must
        self.unit_due = None  # prize of which a unit goes back with the next entry

    def read(self, raw):
        entry = parse(raw)
        kind = entry["type"]
        if self.parts and "part" not in entry:
            self.break_off()
        if self.just_begun not in (None, entry.get("chainId") if kind == "opening" else None):
            raise Fault(f"the first opening of chain {self.just_begun} does not follow it")
        self.just_begun = None
        self.check_awaited(kind, entry)
        getattr(self, f"read_{kind}")(entry)

    # Chains. That no seed occurs twice follows from what is checked: each has its commitment,
    # and no commitment occurs twice.

    def commit(self, commitment):
        if commitment in self.commitments:
            raise Fault(f"commitment {commitment} occurred before")
        self.commitments.add(commitment)

    def read_chain(self, entry):
        chain = entry["chainId"]
        if chain in self.begun:
            raise Fault(f"chain {chain} begins a second time")
        self.counts["chains"] += 1
        self.begun.add(chain)
        self.commit(entry["commitment"])
        self.open[chain] = (0, entry["commitment"])
        self.just_begun = chain

    def check_place(self, entry):
        chain, index, seed = entry["chainId"], entry["index"], entry["serverSeed"]
        if chain not in self.open:
            raise Fault(f"is of chain {chain}, which is not open")
        due, commitment = self.open[chain]
        if index != due:
            raise Fault(f"chain {chain} has index {index} where {due} is due")
        if seed is not None and sha256(bytes.fromhex(seed)).hex() != commitment:
            raise Fault("its seed is another than the one committed to")

    def read_end(self, entry):
        self.check_place(entry)
        self.counts["ended"] += 1
        del self.open[entry["chainId"]]

    # Tables

    def read_table(self, entry):
        if "part" not in entry:
            self.add_table(entry["tableHash"], stringify(entry["table"]))
            return
        name, part = (entry["tableHash"], entry["parts"]), entry["part"]
        if self.parts and (self.parts[0] != name or part != len(self.parts[1]) + 1):
            self.break_off()
        if not self.parts and part != 1:
            raise Fault(f"part {part} of the table {name[0]} is out of place")
        self.parts = self.parts or (name, [])
        self.parts[1].append(entry["text"])
        if part == entry["parts"]:
            written, self.parts = "".join(self.parts[1]), None
            self.add_table(name[0], written)

    def break_off(self):
        (table_hash, parts), texts = self.parts
        raise Fault(f"the table {table_hash} breaks off after part {len(texts)} of {parts}")

    def add_table(self, told_hash, written):
        if told_hash != sha256(written.encode()).hex():
            raise Fault(f"the table does not hash to {told_hash}")
        if told_hash in self.tables:
            raise Fault(f"the table {told_hash} is told a second time")
        try:
            table = json.loads(written)
        except (ValueError, RecursionError):
            table = None
        if not is_table(table) or stringify(table) != written:
            raise Fault("is none of the six kinds")
        self.tables[told_hash] = Table(table)
        self.counts["tables"] += 1
        self.counts["scaledTables"] += self.tables[told_hash].is_scaled

    # Stock

    def read_stock(self, entry):
        prize, delta, after = entry["prizeId"], entry["delta"], entry["after"]
        before = self.stock.get(prize) or 0
        if before + delta != (after or 0):
            raise Fault(f"the stock of prize {prize} was {before}, and a change by {delta} does "
                        f"not make it {after}")
        self.stock[prize] = after

    def take(self, prize, is_sold_out, after):
        """A limited prize was drawn, and `after` are said to be left."""
        before = self.stock.get(prize)
        if after is None:
            raise Fault(f"does not tell what is left of prize {prize}")
        if is_sold_out and (after, before) != (0, 0):
            raise Fault(f"says prize {prize} is sold out, of which {before} are left")
        if not is_sold_out and after + 1 != before:
            raise Fault(f"the stock of prize {prize} was {before}, and {after} are said to be "
                        "left after a win")
        self.stock[prize] = after

    # Openings

    def read_opening(self, entry):
        results = entry["results"]
        self.check_place(entry)
        self.commit(entry["next"])
        self.open[entry["chainId"]] = (entry["index"] + 1, entry["next"])
        self.counts["byServer"] += entry["entropyFrom"] == "server"
        self.counts["draws"] += len(results)
        self.counts["wins"] += sum(won is not None for won, *_ in results)
        self.counts["soldOut"] += sum(sold_out is not None for _, sold_out, *_ in results)
        table = self.tables.get(entry["tableHash"])
        if table is None:
            raise Fault(f"names the table {entry['tableHash']}, which was not told before")
        if entry["packTypeId"] != table.pack_type:
            raise Fault(f"is of pack type {entry['packTypeId']}, and its table of "
                        f"{table.pack_type}")
        self.await_shipments(entry, table)
        for pack, result in enumerate(results):
            self.read_pack(table, pack, roll_of(entry, pack), *result)

    def read_pack(self, table, pack, roll, won, sold_out, after, paid):
        drawn, said = table.draw(roll), sold_out if won is None else won
        if drawn != said or None not in (won, sold_out):
            raise Fault(f"pack {pack}: the roll {roll} draws {in_words(drawn)}, and the log says "
                        f"{in_words(won, sold_out)}")
        if said is not None and table.prizes[said]["limited"]:
            self.take(said, won is None, after)
        elif sold_out is not None:
            raise Fault(f"says prize {sold_out} is sold out, which has no limit")
        elif after is not None:
            raise Fault(f"tells a stock of {after} for pack {pack}, where none is due")
        due = table.consolation if won is None else table.prizes[won]["redCoinAmount"]
        if paid != due:
            raise Fault(f"pays {paid} RedCoin where {due} are due")

    # Shipments

    def await_shipments(self, entry, table):
        for position, (won, _, after, _) in enumerate(entry["results"]):
            prize = table.prizes.get(won)
            if prize and prize["redCoinAmount"] == 0 and "deliversCodes" not in prize:
                is_sure = prize["rewardPackQuantity"] == 0
                name, of_prize = (entry["id"], position), (won, after is not None)
                self.awaited.append((name, entry["at"][:10], of_prize, is_sure))

    def check_awaited(self, kind, entry):
        prize, self.unit_due = self.unit_due, None
        if prize is not None and (kind != "stock" or entry["prizeId"] != prize
                                  or entry["delta"] != 1):
            raise Fault(f"a unit of prize {prize} did not go back into stock before it")
        awaited, self.awaited = self.awaited, []
        named = (entry["opening"], entry["position"]) if kind == "shipment" else None
        places = [name for name, *_ in awaited]
        at = places.index(named) if named in places else len(awaited)
        for name, _, _, is_sure in awaited[:at]:
            if is_sure:
                raise Fault(f"the shipment of {name[0]} at {name[1]} did not begin before it")
        self.beginning = None
        if at < len(awaited):
            _, day, self.beginning, _ = awaited[at]
            self.awaited = awaited[at + 1:]
            if entry["day"] != day:
                raise Fault(f"a shipment begins on {entry['day']} and was won on {day}")

    def read_shipment(self, entry):
        name, step, day, due = ((entry["opening"], entry["position"]), entry["step"], entry["day"],
                                entry["due"])
        self.counts["steps"] += 1
        if name not in self.shipments:
            if self.beginning is None:
                raise Fault(f"tells a shipment of {name[0]} at {name[1]}, which is none")
            of_prize = self.beginning
            if step != "wanted":
                raise Fault(f"a shipment begins with {step}")
            last, held, before, due_before, limited = None, None, day, None, due is not None
            self.counts["shipments"] += 1
        else:
            last, held, before, due_before, of_prize, limited = self.shipments[name]
            if last == "withdrawn":
                is_next = step == held or (held, step) == ("ready", "wanted")
            elif step == last:
                is_next = step in ("wanted", "ready") and due != due_before
            else:
                is_next = step == "withdrawn" or step in FOLLOWING[last]
            if not is_next:
                raise Fault(f"a shipment is {step} after {last}")
        if day < before:
            raise Fault(f"a shipment goes from {before} back to {day}")
        if due is not None and due != due_before and due < (due_before or day):
            raise Fault(f"a deadline moves from {due_before} to {due} on {day}")
        if due is not None and not limited:
            raise Fault(f"a deadline of {due} where the win had none")
        is_undone = last == "withdrawn"
        if step == "lapsed" and not is_undone and (due is None or due > day):
            raise Fault(f"a shipment lapses on {day} and is due {due}")
        prize, was_taken = of_prize
        is_given_up = step in ("declined", "lapsed") and not is_undone
        if is_given_up and was_taken and self.stock.get(prize) is not None:
            self.unit_due = prize
        held = held if step == "withdrawn" else step
        self.shipments[name] = (step, held, day, due, of_prize, limited)


# Fetching

def fetch(url):
    for _ in range(10):
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code != 429:
                raise Fault(f"{url} answers {error.code}") from error
            wait = error.headers.get("Retry-After", "")
            time.sleep(min(int(wait), 60) if wait.isdecimal() else 5)
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise Fault(f"{url} cannot be fetched: {error}") from error
    raise Fault(f"{url} answers 429 again and again")


def read_checkpoint(origin):
    """The number of entries and the root over them."""
    note = fetch(f"{origin}/log/checkpoint").decode("utf-8", "replace")
    lines = re.match("[^\n]+\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n\n", note)
    if not lines:
        raise Fault("the checkpoint is not a checkpoint")
    return int(lines[1]), base64.b64decode(lines[2])


def tile_path(number):
    groups = f"{number:,d}".split(",")
    *upper, last = [group.zfill(3) for group in groups]
    return "/log/tile/entries/" + "".join(f"x{group}/" for group in upper) + last


def read_entries(origin, size):
    for first in range(0, size, 256):
        width = min(256, size - first)
        path = tile_path(first // 256) + (f".p/{width}" if width < 256 else "")
        tile, at = fetch(origin + path), 0
        for _ in range(width):
            begin = at + 2
            at = begin + int.from_bytes(tile[at:begin], "big")
            if at > len(tile):
                raise Fault(f"{path} holds fewer than {width} entries")
            yield tile[begin:at]
        if at < len(tile):
            raise Fault(f"{path} holds more than {width} entries")


def root_of(hashes):
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256(b"")
    left = 1 << ((len(hashes) - 1).bit_length() - 1)
    return sha256(b"\x01" + root_of(hashes[:left]) + root_of(hashes[left:]))


def replay_log(origin):
    replay, hashes, problem = Replay(), [], None
    try:
        size, root = read_checkpoint(origin)
        for entry in read_entries(origin, size):
            hashes.append(sha256(b"\x00" + entry))
            try:
                replay.read(entry)
            except Fault as fault:
                raise Fault(f"entry {len(hashes) - 1}: {fault}") from fault
        if root_of(hashes) != root:
            raise Fault(f"the root of the {size} entries is not the one in the checkpoint")
    except Fault as fault:
        problem = str(fault)
    print(json.dumps({**replay.counts, "problem": problem}))
    return problem is None


def hash_tables():
    for line in sys.stdin.buffer:
        if line.strip():
            table = json.loads(line.decode("utf-8"))
            entries = sorted(table["entries"], key=lambda prize: prize["prizeId"])
            table["entries"] = [{key: prize[key] for key in PRIZE} for prize in entries]
            table = {key: table[key] for key in TABLE}
            print(json.dumps({"tableHash": sha256(stringify(table).encode()).hex(),
                              "thresholds": Table(table).thresholds}))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: replay.py ORIGIN... | replay.py --tables")
    if sys.argv[1] == "--tables":
        hash_tables()
    else:
        sys.exit(not all([replay_log(origin.rstrip("/")) for origin in sys.argv[1:]]))
