"""Replays the public log of a Redpack, written from docs/economy.md alone.

python3 replay.py ORIGIN   reads the log, prints one line of JSON, and exits 1 when it lies
python3 replay.py --tables reads tables, one a line, and prints their hashes and thresholds
"""

import base64
import hashlib
import hmac
import json
import re
import sys
import urllib.request
from fractions import Fraction

RANGE = 2**52
SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
HEX = re.compile(r"[0-9a-f]{64}")
WIDTH = 256


def text_of(value):
    """The text that JSON.stringify makes of texts, whole numbers, null, truths, lists, objects."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + "".join(SHORT.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in value) + '"'
    if isinstance(value, list):
        return "[" + ",".join(map(text_of, value)) + "]"
    return "{" + ",".join(f"{text_of(name)}:{text_of(part)}" for name, part in value.items()) + "}"


def sha256(data):
    return hashlib.sha256(data).digest()


def hash_of(text):
    return sha256(text.encode("utf-8", "surrogatepass")).hex()


def is_hex(value):
    return isinstance(value, str) and HEX.fullmatch(value) is not None


def is_count(value, least=0):
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


TABLE_KEYS = ["packTypeId", "consolationRedCoin", "entries"]
PRIZE_KEYS = [
    "prizeId",
    "name",
    "winFrequency",
    "totalPacks",
    "redCoinAmount",
    "rewardPackTypeId",
    "rewardPackQuantity",
    "limited",
]
ENTRY_KEYS = {
    "chain": ["type", "chainId", "commitment"],
    "table": ["type", "tableHash", "table"],
    "part": ["type", "tableHash", "part", "parts", "text"],
    "stock": ["type", "prizeId", "delta", "after"],
    "opening": [
        "type",
        "id",
        "at",
        "packTypeId",
        "tableHash",
        "chainId",
        "index",
        "serverSeed",
        "entropy",
        "entropyFrom",
        "next",
        "results",
    ],
    "end": ["type", "chainId", "index", "serverSeed"],
}


def thresholds_of(prizes):
    """T_i = floor(2^52 c_i), and whether the shares were scaled."""
    shares = [Fraction(min(p["winFrequency"], p["totalPacks"]), p["totalPacks"]) for p in prizes]
    whole = sum(shares, Fraction(0))
    scale = whole if whole > 1 else Fraction(1)
    bounds, so_far = [], Fraction(0)
    for share in shares:
        so_far += share
        bounds.append(int(RANGE * so_far / scale))
    return bounds, whole > 1


class Replay:
    def __init__(self):
        self.problems = []
        self.index = 0
        self.chains = {}
        self.ended = set()
        self.commitments = set()
        self.tables = {}
        self.pieces = {}
        self.left = {}
        names = "draws openings wins soldOut tables scaledTables chains ended givenUp byServer"
        self.counts = dict.fromkeys(names.split(), 0)

    def tell(self, problem):
        self.problems.append(f"entry {self.index}: {problem}")

    def take(self, text):
        try:
            entry = json.loads(text)
            kind = entry["type"]
            if kind == "table" and "part" in entry:
                kind = "part"
            keys = ENTRY_KEYS[kind]
        except (ValueError, KeyError, TypeError):
            self.tell("is none of the five kinds")
        else:
            if list(entry) != keys or text_of(entry) != text:
                self.tell("is none of the five kinds")
            else:
                getattr(self, kind)(entry)
        self.index += 1

    def commit(self, commitment):
        if not is_hex(commitment) or commitment in self.commitments:
            self.tell("its commitment is none, or occurred before")
        self.commitments.add(commitment)

    def chain(self, entry):
        self.counts["chains"] += 1
        chain = entry["chainId"]
        if chain in self.chains or chain in self.ended:
            self.tell(f"chain {chain} begins a second time")
        self.commit(entry["commitment"])
        self.chains[chain] = (0, entry["commitment"])

    def end(self, entry):
        self.counts["ended"] += 1
        chain, seed = entry["chainId"], entry["serverSeed"]
        index, commitment = self.chains.pop(chain, (None, None))
        self.ended.add(chain)
        if index is None or index != entry["index"] or index == 0:
            self.tell(f"chain {chain} ends where it does not stand")
        elif seed is None:
            self.counts["givenUp"] += 1
        elif not is_hex(seed) or sha256(bytes.fromhex(seed)).hex() != commitment:
            self.tell(f"chain {chain} ends with another seed than the one committed to")

    def part(self, entry):
        pieces = self.pieces.setdefault(entry["tableHash"], [])
        pieces.append(entry["text"])
        if entry["part"] != len(pieces):
            self.tell("a part of a table is out of its order")
        if len(pieces) == entry["parts"]:
            self.keep_table(entry["tableHash"], "".join(self.pieces.pop(entry["tableHash"])))

    def table(self, entry):
        self.keep_table(entry["tableHash"], text_of(entry["table"]))

    def keep_table(self, name, text):
        self.counts["tables"] += 1
        if name in self.tables:
            self.tell("a table is told a second time")
        if hash_of(text) != name:
            self.tell(f"the table does not hash to {name}")
            return
        table = json.loads(text)
        prizes = table["entries"]
        ids = [prize["prizeId"] for prize in prizes]
        is_form = list(table) == TABLE_KEYS and all(list(prize) == PRIZE_KEYS for prize in prizes)
        if not is_form or ids != sorted(set(ids)):
            self.tell("the table is none")
            return
        bounds, is_scaled = thresholds_of(prizes)
        self.counts["scaledTables"] += is_scaled
        self.tables[name] = (table, bounds)

    def stock(self, entry):
        prize, after = entry["prizeId"], entry["after"]
        before = self.left.get(prize)
        if before is not None and after is not None and before + entry["delta"] != after:
            self.tell(f"the stock of prize {prize} was {before}, and {after} are told")
        self.left[prize] = after

    def opening(self, entry):
        self.counts["openings"] += 1
        self.counts["byServer"] += entry["entropyFrom"] == "server"
        if entry["entropyFrom"] not in ("player", "server") or not is_hex(entry["entropy"]):
            self.tell("its entropy is none")
        chain, seed = entry["chainId"], entry["serverSeed"]
        index, commitment = self.chains.get(chain, (None, None))
        if index is None:
            self.tell(f"draws from chain {chain}, which is not open")
        elif index != entry["index"]:
            self.tell(f"chain {chain} has index {entry['index']} where {index} is due")
        elif not is_hex(seed) or sha256(bytes.fromhex(seed)).hex() != commitment:
            self.tell("its seed is another than the one committed to")
        self.commit(entry["next"])
        if index is not None:
            self.chains[chain] = (entry["index"] + 1, entry["next"])
        known = self.tables.get(entry["tableHash"])
        if known is None:
            self.tell("its table was not told before")
            return
        table, bounds = known
        if table["packTypeId"] != entry["packTypeId"]:
            self.tell("its table is of another pack type")
        if not 1 <= len(entry["results"]) <= 50 or not is_hex(seed):
            self.tell("it has no packs, too many, or no seed")
            return
        for at, result in enumerate(entry["results"]):
            message = f"{entry['entropy']}:{at}:{entry['tableHash']}".encode()
            digest = hmac.new(bytes.fromhex(seed), message, hashlib.sha256).hexdigest()
            self.pack(at, int(digest[:13], 16), table, bounds, result)

    def pack(self, at, roll, table, bounds, result):
        self.counts["draws"] += 1
        won, sold_out, left, paid = result
        drawn = next((p for p, bound in zip(table["entries"], bounds) if roll < bound), None)
        name = "nothing" if drawn is None else f"prize {drawn['prizeId']}"
        told = won if won is not None else sold_out
        if (None if drawn is None else drawn["prizeId"]) != told or (won is not None and sold_out is not None):
            self.tell(f"pack {at}: the roll {roll} draws {name}, and the log says {'nothing' if told is None else f'prize {told}'}")
            return
        self.counts["wins"] += won is not None
        self.counts["soldOut"] += sold_out is not None
        due = table["consolationRedCoin"] if won is None else drawn["redCoinAmount"]
        if paid != due:
            self.tell(f"pays {paid} RedCoin where {due} are due")
        if (drawn is not None and drawn["limited"]) != (left is not None):
            self.tell(f"pack {at}: tells no stock of a limited prize, or one of another")
            return
        if left is None:
            return
        before = self.left.get(told)
        if won is None and (before != 0 or left != 0):
            self.tell(f"says prize {told} is sold out, of which {before} are left")
        elif won is not None and before != left + 1:
            self.tell(f"the stock of prize {told} was {before}, and a win leaves {left}")
        self.left[told] = left


def root_of(leaves):
    """The root of RFC 6962 over hashes of entries."""
    if not leaves:
        return sha256(b"")
    row = leaves
    while len(row) > 1:
        above = [sha256(b"\1" + row[at] + row[at + 1]) for at in range(0, len(row) - 1, 2)]
        if len(row) % 2:
            above.append(row[-1])
        row = above
    return row[0]


def get(address):
    with urllib.request.urlopen(address, timeout=30) as answer:
        return answer.read()


def entries_at(origin, size):
    for first in range(0, size, WIDTH):
        width = min(WIDTH, size - first)
        digits = str(first // WIDTH)
        digits = digits.zfill((len(digits) + 2) // 3 * 3)
        groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        place = "/".join(["x" + group for group in groups[:-1]] + groups[-1:])
        partial = "" if width == WIDTH else f".p/{width}"
        bundle, at = get(f"{origin}/log/tile/entries/{place}{partial}"), 0
        while at < len(bundle):
            end = at + 2 + int.from_bytes(bundle[at : at + 2], "big")
            yield bundle[at + 2 : end]
            at = end


def replay_log(origin):
    _, size, root = get(f"{origin}/log/checkpoint").decode().split("\n")[:3]
    replay, leaves = Replay(), []
    for entry in entries_at(origin, int(size)):
        leaves.append(sha256(b"\0" + entry))
        replay.take(entry.decode("utf-8"))
    if len(leaves) != int(size) or base64.b64encode(root_of(leaves)).decode() != root:
        replay.problems.append(f"the root of the {size} entries is not the one in the checkpoint")
    print(json.dumps({**replay.counts, "problems": replay.problems}))
    return 1 if replay.problems else 0


def show_tables():
    for line in sys.stdin:
        table = json.loads(line)
        ordered = {key: table[key] for key in TABLE_KEYS}
        ordered["entries"] = [{key: prize[key] for key in PRIZE_KEYS} for prize in table["entries"]]
        bounds, _ = thresholds_of(ordered["entries"])
        print(json.dumps({"tableHash": hash_of(text_of(ordered)), "thresholds": bounds}))
    return 0


if __name__ == "__main__":
    sys.exit(show_tables() if sys.argv[1] == "--tables" else replay_log(sys.argv[1]))
