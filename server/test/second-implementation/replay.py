#!/usr/bin/env python3
"""A second implementation of the draw, written from docs/economy.md alone.

    python3 replay.py https://packs.example.com   replays the public log of draws of that address
    python3 replay.py --tables                    hashes odds tables, one a line of standard input

The first prints one JSON object and exits with 0 when the log has no faults, else with 1. It
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
    shapes = (optional(whole), optional(whole), optional(whole), whole)
    return (isinstance(value, list) and len(value) == 4
            and all(shape(part) for shape, part in zip(shapes, value)))


def is_table(value):
    if not exactly(TABLE)(value):
        return False
    ids = [prize["prizeId"] for prize in value["entries"]]
    return all(a < b for a, b in zip(ids, ids[1:]))


def is_day(value):
    try:
        return matches("[0-9]{4}-[0-9]{2}-[0-9]{2}")(value) and bool(date.fromisoformat(value))
    except ValueError:
        return False


whole, positive = integer(0), integer(1)
digits, text = matches("[0-9a-f]{64}"), matches("[^\ud800-\udfff]*")
PRIZE = {"prizeId": whole, "name": text, "winFrequency": whole, "totalPacks": positive,
         "redCoinAmount": whole, "rewardPackTypeId": optional(whole),
         "rewardPackQuantity": whole, "limited": lambda value: type(value) is bool}
CODE = {**PRIZE, "deliversCodes": lambda value: value is True}
TABLE = {"packTypeId": whole, "consolationRedCoin": whole,
         "entries": list_of(lambda value: exactly(PRIZE)(value) or exactly(CODE)(value))}
ENTRIES = (
    {"type": matches("chain"), "chainId": whole, "commitment": digits},
    {"type": matches("table"), "tableHash": digits, "table": is_table},
    {"type": matches("table"), "tableHash": digits, "part": positive, "parts": positive,
     "text": text},
    {"type": matches("stock"), "prizeId": whole, "delta": integer(1 - 2**53),
     "after": optional(whole)},
    {"type": matches("opening"), "id": text,
     "at": matches(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:00\.000Z"),
     "packTypeId": whole, "tableHash": digits, "chainId": whole, "index": whole,
     "serverSeed": digits, "entropy": digits, "entropyFrom": matches("player|server"),
     "next": digits, "results": list_of(is_pack, 1, 50)},
    {"type": matches("end"), "chainId": whole, "index": whole, "serverSeed": optional(digits)},
    {"type": matches("shipment"), "opening": text, "position": whole,
     "step": matches("wanted|ready|sent|delivered|returned|declined|lapsed|withdrawn"),
     "day": is_day, "due": optional(is_day)},
)
FOLLOWING = {"wanted": ("ready", "delivered", "declined", "lapsed"),
             "ready": ("wanted", "sent", "delivered", "declined"),
             "sent": ("wanted", "ready", "delivered", "returned"),
             "returned": ("wanted", "ready", "delivered"),
             "delivered": (), "declined": (), "lapsed": ()}


def parse(raw):
    """The entry; whether it is one of the six kinds to the letter; whether it can be followed
    all the same, so that a fault in its form does not make the entries after it look wrong."""
    try:
        written = raw.decode("utf-8")
        entry = json.loads(written)
    except (ValueError, RecursionError):
        return {}, False, False
    for shapes in ENTRIES if isinstance(entry, dict) else ():
        if all(key in entry and shape(entry[key]) for key, shape in shapes.items()):
            return entry, list(entry) == list(shapes) and stringify(entry) == written, True
    return entry if isinstance(entry, dict) else {}, False, False


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
        self.number = 0
        self.problems = []
        self.counts = dict.fromkeys(("draws", "wins", "soldOut", "tables", "scaledTables",
                                     "chains", "ended", "byServer", "shipments", "steps"), 0)
        self.begun, self.just_begun = set(), None
        self.open = {}  # chain: the index and commitment that are due, or None if not known
        self.commitments = set()
        self.tables, self.parts = {}, None
        self.doubtful = set()  # hashes of tables that were faulty or missing, as reported
        # Prize: the numbers that its stock may be. They are several only after a fault, until
        # the log shows which of them it goes on with. {None} is a stock without limit.
        self.stock = {}
        # (Opening, position): the last step, the one that a withdrawal left, day, due, prize, and
        # whether it was won with a deadline.
        self.shipments = {}
        self.beginning = None  # the prize of the shipment that this entry begins
        self.awaited = []  # what the next entries are: (opening, position), day, prize, whether it must
        self.unit_due = None  # prize of which a unit goes back with the next entry

    def problem(self, sentence):
        self.problems.append(f"entry {self.number}: {sentence}")

    def read(self, raw):
        faults = len(self.problems)
        entry, is_exact, is_usable = parse(raw)
        kind = entry.get("type")
        if not is_exact:
            self.problem("is none of the six kinds")
        if self.parts and (kind != "table" or "part" not in entry):
            self.break_off()
        self.check_awaited(kind, entry, is_usable)
        if is_usable:
            getattr(self, f"read_{kind}")(entry)
        elif kind == "table":
            self.doubtful.add(str(entry.get("tableHash")))
        elif whole(entry.get("chainId")) and entry["chainId"] in self.open:
            self.open[entry["chainId"]] = None
        if len(self.problems) == faults and kind != "chain":
            self.just_begun = None
        self.number += 1

    # Chains. That no seed occurs twice follows from what is checked: each has its commitment,
    # and no commitment occurs twice.

    def commit(self, commitment, is_reported):
        if is_reported and commitment in self.commitments:
            self.problem(f"commitment {commitment} occurred before")
        self.commitments.add(commitment)

    def read_chain(self, entry):
        chain = entry["chainId"]
        is_first = chain not in self.begun
        if not is_first:
            self.problem(f"chain {chain} begins a second time")
        self.counts["chains"] += is_first
        self.begun.add(chain)
        self.commit(entry["commitment"], is_first)
        if chain not in self.open:
            self.open[chain] = (0, entry["commitment"])
            self.just_begun = chain

    def follow_chain(self, entry):
        """Whether the seed is that of the chain, as far as can be known."""
        chain, index = entry["chainId"], entry["index"]
        is_open, due = chain in self.open, self.open.get(chain)
        self.open[chain] = (index + 1, entry["next"])
        commitment = sha256(bytes.fromhex(entry["serverSeed"])).hex()
        if not is_open:
            self.problem(f"draws from chain {chain}, which is not open")
        elif due and index != due[0]:
            self.problem(f"chain {chain} has index {index} where {due[0]} is due")
            if commitment == due[1]:
                self.open[chain] = (due[0] + 1, entry["next"])
        elif due and commitment != due[1]:
            self.problem("its seed is another than the one committed to")
            return False
        elif due and index == 0 and self.just_begun != chain:
            self.problem(f"chain {chain} did not begin directly before its first opening")
        return True

    def read_end(self, entry):
        chain, index, seed = entry["chainId"], entry["index"], entry["serverSeed"]
        if chain not in self.open:
            self.problem(f"ends chain {chain}, which is not open")
            return
        self.counts["ended"] += 1
        due = self.open.pop(chain)
        if due and index != due[0]:
            self.problem(f"chain {chain} has index {index} where {due[0]} is due")
        elif index == 0:
            self.problem(f"chain {chain} ends before its first opening")
        elif due and seed is not None and sha256(bytes.fromhex(seed)).hex() != due[1]:
            self.problem(f"chain {chain} ends with another seed than the one committed to")

    # Tables

    def read_table(self, entry):
        if "part" not in entry:
            self.add_table(entry["tableHash"], stringify(entry["table"]), entry["table"])
            return
        name, part = (entry["tableHash"], entry["parts"]), entry["part"]
        if self.parts and (self.parts[0] != name or part != len(self.parts[1]) + 1):
            self.break_off()
        if not self.parts and part != 1:
            if name[0] not in self.doubtful:
                self.problem(f"part {part} of the table {name[0]} is out of place")
            self.doubtful.add(name[0])
            return
        self.parts = self.parts or (name, [])
        self.parts[1].append(entry["text"])
        if part == entry["parts"]:
            written, self.parts = "".join(self.parts[1]), None
            try:
                table = json.loads(written)
            except (ValueError, RecursionError):
                table = None
            is_exact = is_table(table) and stringify(table) == written
            self.add_table(name[0], written, table if is_exact else None)

    def break_off(self):
        (table_hash, parts), texts = self.parts
        self.problem(f"the table {table_hash} breaks off after part {len(texts)} of {parts}")
        self.doubtful.add(table_hash)
        self.parts = None

    def add_table(self, told_hash, written, table):
        """`table` is None when the text is not that of a table."""
        table_hash = sha256(written.encode()).hex()
        if told_hash != table_hash:
            self.problem(f"the table does not hash to {told_hash}")
            self.doubtful.add(told_hash)
        elif table is None:
            self.problem("is none of the six kinds")
            self.doubtful.add(told_hash)
        elif table_hash in self.tables:
            self.problem(f"the table {table_hash} is told a second time")
        if table is not None and table_hash not in self.tables:
            self.tables[table_hash] = Table(table)
            self.counts["tables"] += 1
            self.counts["scaledTables"] += self.tables[table_hash].is_scaled

    # Stock

    def in_stock(self, prize):
        return max(self.stock[prize], key=lambda number: number or 0)

    def doubt_stock(self, prize):
        """One of the prize may have been taken, or not."""
        if None not in self.stock.get(prize, {None}):
            self.stock[prize] |= {max(number - 1, 0) for number in self.stock[prize]}

    def read_stock(self, entry):
        prize, delta, after = entry["prizeId"], entry["delta"], entry["after"]
        sums = {(number or 0) + delta for number in self.stock.setdefault(prize, {0})}
        if (after or 0) not in sums:
            self.problem(f"the stock of prize {prize} was {self.in_stock(prize)}, and a change "
                         f"by {delta} does not make it {after}")
        is_certain = after is None or after in sums
        self.stock[prize] = {after} if is_certain else {after, *(n for n in sums if n >= 0)}

    def take(self, prize, is_sold_out, after):
        """A limited prize was drawn, and `after` are said to be left."""
        if None in self.stock.get(prize, {None}):
            self.problem(f"draws the limited prize {prize}, whose stock was not told before")
            self.stock[prize] = {after or 0}
        elif after is None:
            self.problem(f"does not tell what is left of prize {prize}")
            self.doubt_stock(prize)
        elif is_sold_out and (after > 0 or 0 not in self.stock[prize]):
            left = self.in_stock(prize) or after
            self.problem(f"says prize {prize} is sold out, of which {left} are left")
            self.doubt_stock(prize)
        elif not is_sold_out and after + 1 not in self.stock[prize]:
            self.problem(f"the stock of prize {prize} was {self.in_stock(prize)}, and {after} are "
                         "said to be left after a win")
            self.doubt_stock(prize)
            self.stock[prize].add(after)
        else:
            self.stock[prize] = {after}

    # Openings

    def read_opening(self, entry):
        faults, results, table_hash = len(self.problems), entry["results"], entry["tableHash"]
        is_committed = self.follow_chain(entry)
        self.commit(entry["next"], len(self.problems) == faults)
        self.counts["byServer"] += entry["entropyFrom"] == "server"
        self.counts["draws"] += len(results)
        self.counts["wins"] += sum(won is not None for won, *_ in results)
        self.counts["soldOut"] += sum(sold_out is not None for _, sold_out, *_ in results)
        table = self.tables.get(table_hash)
        if table is None:
            if table_hash not in self.doubtful:
                self.problem(f"names the table {table_hash}, which was not told before")
            self.doubtful.add(table_hash)
            self.stock.update({sold_out if won is None else won: {after}
                               for won, sold_out, after, _ in results if after is not None})
            return
        if entry["packTypeId"] != table.pack_type:
            self.problem(f"is of pack type {entry['packTypeId']}, and its table of "
                         f"{table.pack_type}")
        self.await_shipments(entry, table)
        for pack, result in enumerate(results):
            # With another seed all rolls are others. The seed is the fault, and is reported.
            roll = roll_of(entry, pack) if is_committed else None
            self.read_pack(table, pack, roll, *result)

    def read_pack(self, table, pack, roll, won, sold_out, after, paid):
        faults = len(self.problems)
        said = sold_out if won is None else won
        drawn = said if roll is None else table.draw(roll)
        is_known = said is None or said in table.prizes
        if drawn != said or not is_known or None not in (won, sold_out):
            if roll is not None:
                self.problem(f"pack {pack}: the roll {roll} draws {in_words(drawn)}, and the "
                             f"log says {in_words(won, sold_out)}")
            for prize in {drawn, won, sold_out}:
                self.doubt_stock(prize)
            return
        if said is not None and table.prizes[said]["limited"]:
            self.take(said, won is None, after)
        elif sold_out is not None:
            self.problem(f"says prize {sold_out} is sold out, which has no limit")
        elif after is not None:
            self.problem(f"tells a stock of {after} for pack {pack}, where none is due")
        due = table.consolation if won is None else table.prizes[won]["redCoinAmount"]
        if paid != due and len(self.problems) == faults:
            self.problem(f"pays {paid} RedCoin where {due} are due")


    # Shipments

    def await_shipments(self, entry, table):
        for position, (won, *_) in enumerate(entry["results"]):
            prize = table.prizes.get(won)
            if prize and prize["redCoinAmount"] == 0 and "deliversCodes" not in prize:
                is_sure = prize["rewardPackQuantity"] == 0
                self.awaited.append(((entry["id"], position), entry["at"][:10], won, is_sure))

    def check_awaited(self, kind, entry, is_usable):
        prize, self.unit_due = self.unit_due, None
        if prize is not None and (kind != "stock" or entry.get("prizeId") != prize
                                  or entry.get("delta") != 1):
            self.problem(f"a unit of prize {prize} did not go back into stock before it")
        awaited, self.awaited = self.awaited, []
        named = (entry["opening"], entry["position"]) if kind == "shipment" and is_usable else None
        places = [name for name, *_ in awaited]
        at = places.index(named) if named in places else len(awaited)
        for name, _, _, is_sure in awaited[:at]:
            if is_sure:
                self.problem(f"the shipment of {name[0]} at {name[1]} did not begin before it")
        self.beginning = None
        if at < len(awaited):
            _, day, self.beginning, _ = awaited[at]
            self.awaited = awaited[at + 1:]
            if entry["day"] != day:
                self.problem(f"a shipment begins on {entry['day']} and was won on {day}")

    def read_shipment(self, entry):
        name, step, day, due = ((entry["opening"], entry["position"]), entry["step"], entry["day"],
                                entry["due"])
        self.counts["steps"] += 1
        if name not in self.shipments:
            if self.beginning is None:
                self.problem(f"tells a shipment of {name[0]} at {name[1]}, which is none")
                return
            prize = self.beginning
            if step != "wanted":
                self.problem(f"a shipment begins with {step}")
            last, held, before, due_before, limited = None, None, day, None, due is not None
            self.counts["shipments"] += 1
        else:
            last, held, before, due_before, prize, limited = self.shipments[name]
            if last == "withdrawn":
                is_next = step == held or (held, step) == ("ready", "wanted")
            elif step == last:
                is_next = step in ("wanted", "ready") and due != due_before
            else:
                is_next = step == "withdrawn" or step in FOLLOWING[last]
            if not is_next:
                self.problem(f"a shipment is {step} after {last}")
        if day < before:
            self.problem(f"a shipment goes from {before} back to {day}")
        if due is not None and due != due_before and due < (due_before or day):
            self.problem(f"a deadline moves from {due_before} to {due} on {day}")
        if due is not None and not limited:
            self.problem(f"a deadline of {due} where the win had none")
        is_undone = last == "withdrawn"
        if step == "lapsed" and not is_undone and (due is None or due > day):
            self.problem(f"a shipment lapses on {day} and is due {due}")
        if step in ("declined", "lapsed") and not is_undone and None not in self.stock.get(
                prize, {None}):
            self.unit_due = prize
        held = held if step == "withdrawn" else step
        self.shipments[name] = (step, held, day, due, prize, limited)


# Fetching

class Unreadable(Exception):
    pass


def fetch(url):
    for _ in range(10):
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code != 429:
                raise Unreadable(f"{url} answers {error.code}") from error
            wait = error.headers.get("Retry-After", "")
            time.sleep(min(int(wait), 60) if wait.isdecimal() else 5)
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise Unreadable(f"{url} cannot be fetched: {error}") from error
    raise Unreadable(f"{url} answers 429 again and again")


def read_checkpoint(origin):
    """The number of entries and the root over them."""
    note = fetch(f"{origin}/log/checkpoint").decode("utf-8", "replace")
    lines = re.match("[^\n]+\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n\n", note)
    if not lines:
        raise Unreadable("the checkpoint is not a checkpoint")
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
                raise Unreadable(f"{path} holds fewer than {width} entries")
            yield tile[begin:at]
        if at < len(tile):
            raise Unreadable(f"{path} holds more than {width} entries")


def root_of(hashes):
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256(b"")
    left = 1 << ((len(hashes) - 1).bit_length() - 1)
    return sha256(b"\x01" + root_of(hashes[:left]) + root_of(hashes[left:]))


def replay_log(origin):
    replay, hashes = Replay(), []
    try:
        size, root = read_checkpoint(origin)
        for entry in read_entries(origin, size):
            hashes.append(sha256(b"\x00" + entry))
            replay.read(entry)
        if root_of(hashes) != root:
            replay.problems.append(f"the root of the {size} entries is not the one in the "
                                   "checkpoint")
    except Unreadable as error:
        replay.problems.append(str(error))
    print(json.dumps({**replay.counts, "problems": replay.problems}))
    return 1 if replay.problems else 0


def hash_tables():
    for line in sys.stdin.buffer:
        if line.strip():
            table = json.loads(line.decode("utf-8"))
            entries = sorted(table["entries"], key=lambda prize: prize["prizeId"])
            table["entries"] = [{key: prize[key] for key in PRIZE} for prize in entries]
            table = {key: table[key] for key in TABLE}
            print(json.dumps({"tableHash": sha256(stringify(table).encode()).hex(),
                              "thresholds": Table(table).thresholds}))
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: replay.py ORIGIN | replay.py --tables")
    sys.exit(hash_tables() if sys.argv[1] == "--tables" else replay_log(sys.argv[1].rstrip("/")))
