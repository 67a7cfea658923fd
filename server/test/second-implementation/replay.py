#!/usr/bin/env python3
"""Replays every draw of a Redpack installation from its public log alone.

    python3 replay.py http://127.0.0.1:3000
    python3 replay.py --tables < tables.txt

A second implementation of the draw. It was written from docs/economy.md ("The draw", "Provably
fair") and from the public formats C2SP tlog-tiles, C2SP tlog-checkpoint and RFC 6962, without a
look at the code of the product, so that a mistake in one of the two shows as a difference between
them. It needs Python 3.9 or later and nothing else.

It fetches the checkpoint and all entries, computes the root of the tree from them, and replays them
in order: tables against their hashes, commitments before draws, nonces without gaps, reveals
against commitments and client seeds, every roll, outcome and payment, and the stock of every
limited prize. It prints one line of JSON and exits 1 when anything does not hold.

Not checked: the signatures of the checkpoint (the standard library of Python has no Ed25519), and
whether others were shown the same tree: `tools/watch-log.mjs` and the witnesses are for that. Draws
that were left out at the very end of a pair cannot be seen from the log, only by who made them.

With --tables it reads odds tables, one a line, and prints for each its hash and its thresholds:
draws alone would hardly ever tell two thresholds apart that differ by one in 2^52.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import hashlib
import hmac
import http.client
import io
import json
import re
import sys
import urllib.error
import urllib.request
import zlib
from fractions import Fraction

ROLL_BITS = 52
ROLL_HEX_DIGITS = ROLL_BITS // 4
BUNDLE_WIDTH = 256
# A full bundle of the longest entries that the format can hold.
LONGEST_ANSWER = BUNDLE_WIDTH * (2 + 65535)
SECONDS_TO_WAIT = 30

UNKNOWN = object()


class Disagreement(Exception):
    """Something in the log is not as the page says; its text is one sentence."""


# ---- JSON as the page says ----------------------------------------------------------------------

SHORT_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
}


def written_text(text):
    """A text between quotes: only what has to be is escaped, everything else stands as itself."""
    parts = []
    for character in text:
        if character in SHORT_ESCAPES:
            parts.append(SHORT_ESCAPES[character])
        elif ord(character) < 0x20:
            parts.append("\\u%04x" % ord(character))
        else:
            parts.append(character)
    return '"' + "".join(parts) + '"'


def written(value):
    """A parsed value as text again, without white space, keys in the order they came in."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if type(value) is int:
        return str(value)
    if type(value) is str:
        return written_text(value)
    if type(value) is list:
        return "[" + ",".join(written(one) for one in value) + "]"
    fields = (written_text(key) + ":" + written(one) for key, one in value.items())
    return "{" + ",".join(fields) + "}"


def without_duplicates(pairs):
    result = {}
    for key, value in pairs:
        if key in result:
            raise ValueError("a key stands there twice")
        result[key] = value
    return result


def only_whole_numbers(text):
    raise ValueError("%s is not a whole number" % text)


def parsed(text):
    """Strict: a key that stands there twice could be read in two ways, so it is refused."""
    try:
        return json.loads(
            text,
            object_pairs_hook=without_duplicates,
            parse_float=only_whole_numbers,
            parse_constant=only_whole_numbers,
        )
    except (ValueError, RecursionError) as error:
        raise Disagreement("is not the JSON that it should be: %s" % error)


def sha256_hex(data):
    return hashlib.sha256(data).hexdigest()


def utf8(text):
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise Disagreement("has half of a surrogate pair in a text")


# ---- Fields -------------------------------------------------------------------------------------


def is_whole(value):
    # In Python True is a number too; in JSON it is not.
    return type(value) is int and 0 <= value < 2**53


def is_hex(value, digits=64):
    return type(value) is str and re.fullmatch("[0-9a-f]{%d}" % digits, value) is not None


def is_text(value):
    return type(value) is str


def or_null(check):
    return lambda value: value is None or check(value)


def is_change(value):
    return type(value) is int and -(2**53) < value < 2**53


def demand_fields(what, value, fields):
    """The object has these keys in this order and no others, each of the right kind."""
    if type(value) is not dict:
        raise Disagreement("%s is not an object" % what)
    if list(value) != list(fields):
        raise Disagreement("%s has the keys %s" % (what, ", ".join(value)))
    for key, check in fields.items():
        if not check(value[key]):
            raise Disagreement("%s has a %s that cannot be: %.80r" % (what, key, value[key]))


OPENING_FIELDS = {
    "type": is_text,
    "id": is_whole,
    "at": is_text,
    "packTypeId": is_whole,
    "tableHash": is_hex,
    "pairId": is_whole,
    "nonce": is_whole,
    "clientSeedHash": is_hex,
    "prizeId": or_null(is_whole),
    "soldOutPrizeId": or_null(is_whole),
    "stockAfter": or_null(is_whole),
    "redCoinEarned": is_whole,
}

STOCK_FIELDS = {
    "type": is_text,
    "prizeId": is_whole,
    "delta": or_null(is_change),
    "after": or_null(is_whole),
}

REVEAL_FIELDS = {"type": is_text, "pairId": is_whole, "serverSeed": is_hex, "clientSeed": is_text}

COMMITMENT_FIELDS = {"type": is_text, "pairId": is_whole, "serverSeedHash": is_hex}

PART_FIELDS = {
    "type": is_text,
    "tableHash": is_hex,
    "part": is_whole,
    "parts": is_whole,
    "text": is_text,
}

TABLE_FIELDS = {
    2: {
        "packTypeId": is_whole,
        "consolationRedCoin": is_whole,
        "entries": lambda value: type(value) is list,
    },
    1: {"packTypeId": is_whole, "entries": lambda value: type(value) is list},
}

PRIZE_FIELDS = {
    2: {
        "prizeId": is_whole,
        "name": is_text,
        "winFrequency": is_whole,
        "totalPacks": lambda value: is_whole(value) and value > 0,
        "redCoinAmount": is_whole,
        "rewardPackTypeId": or_null(is_whole),
        "rewardPackQuantity": is_whole,
        "limited": lambda value: type(value) is bool,
    },
    1: {
        "prizeId": is_whole,
        "name": is_text,
        "winFrequency": is_whole,
        "totalPacks": lambda value: is_whole(value) and value > 0,
        "redCoinAmount": is_whole,
    },
}


# ---- The odds table and the roll ----------------------------------------------------------------


class Table:
    """An odds table that was found to be what its hash names."""

    def __init__(self, value):
        self.scheme = 2 if type(value) is dict and "consolationRedCoin" in value else 1
        demand_fields("the table", value, TABLE_FIELDS[self.scheme])
        self.pack_type_id = value["packTypeId"]
        self.consolation = value.get("consolationRedCoin")
        self.entries = value["entries"]
        ids = []
        for entry in self.entries:
            demand_fields("an entry of the table", entry, PRIZE_FIELDS[self.scheme])
            ids.append(entry["prizeId"])
        if ids != sorted(set(ids)):
            raise Disagreement("the table is not in ascending order of prizeId")
        self._set_thresholds()

    def _set_thresholds(self):
        """T_i = floor(2^52 * c_i), the sums of shares as fractions, scaled when above 1 in all."""
        shares = [
            min(Fraction(1), Fraction(entry["winFrequency"], entry["totalPacks"]))
            for entry in self.entries
        ]
        total = sum(shares, Fraction(0))
        self.is_scaled = total > 1
        divisor = total if self.is_scaled else Fraction(1)
        self.thresholds = []
        so_far = Fraction(0)
        for share in shares:
            so_far += share
            exact = so_far / divisor * 2**ROLL_BITS
            self.thresholds.append(exact.numerator // exact.denominator)

    def drawn_by(self, roll):
        """The entry whose range holds the roll, or None."""
        for entry, threshold in zip(self.entries, self.thresholds):
            if roll < threshold:
                return entry
        return None

    def entry_of(self, prize_id):
        for entry in self.entries:
            if entry["prizeId"] == prize_id:
                return entry
        return None

    def is_limited(self, prize_id):
        """None for tables of scheme 1, which do not say it."""
        return self.entry_of(prize_id).get("limited")


def roll_of(scheme, server_seed, client_seed, nonce, table_hash):
    message = client_seed + ":" + str(nonce)
    if scheme == 2:
        message += ":" + table_hash
    digest = hmac.new(bytes.fromhex(server_seed), utf8(message), hashlib.sha256).hexdigest()
    return int(digest[:ROLL_HEX_DIGITS], 16)


# ---- The tree -----------------------------------------------------------------------------------


def root_of(records):
    """The Merkle tree hash of RFC 6962, section 2.1, of the entries."""
    if not records:
        return hashlib.sha256(b"").digest()
    # Whole subtrees from the left, largest first, as (height, hash).
    subtrees = []
    for record in records:
        height, node = 0, hashlib.sha256(b"\x00" + record).digest()
        while subtrees and subtrees[-1][0] == height:
            left = subtrees.pop()[1]
            height, node = height + 1, hashlib.sha256(b"\x01" + left + node).digest()
        subtrees.append((height, node))
    root = subtrees.pop()[1]
    while subtrees:
        root = hashlib.sha256(b"\x01" + subtrees.pop()[1] + root).digest()
    return root


def tile_path(index):
    groups = ["%03d" % (index % 1000)]
    while index >= 1000:
        index //= 1000
        groups.insert(0, "x%03d" % (index % 1000))
    return "/".join(groups)


def fetched(address):
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip, identity"})
    with urllib.request.urlopen(request, timeout=SECONDS_TO_WAIT) as answer:
        body = answer.read(LONGEST_ANSWER + 1)
        if answer.headers.get("Content-Encoding") == "gzip":
            with gzip.GzipFile(fileobj=io.BytesIO(body)) as packed:
                body = packed.read(LONGEST_ANSWER + 1)
    if len(body) > LONGEST_ANSWER:
        raise Disagreement("%s answers more than the format allows" % address)
    return body


def checkpoint_of(base):
    """Size and root hash of the newest checkpoint."""
    try:
        text = fetched(base + "/log/checkpoint").decode("utf-8")
    except UnicodeDecodeError:
        raise Disagreement("the checkpoint is not UTF-8")
    body, separator, _signatures = text.partition("\n\n")
    lines = body.split("\n")
    if not separator or len(lines) < 3 or "" in lines:
        raise Disagreement("the checkpoint is not of the form of C2SP tlog-checkpoint")
    if re.fullmatch("0|[1-9][0-9]{0,15}", lines[1]) is None:
        raise Disagreement("the checkpoint names a size that is none: %.40r" % lines[1])
    try:
        root = base64.b64decode(lines[2], validate=True)
    except (binascii.Error, ValueError):
        raise Disagreement("the root hash of the checkpoint is not base64")
    if len(root) != 32:
        raise Disagreement("the root hash of the checkpoint is not 32 bytes long")
    return int(lines[1]), root


def records_in(bundle):
    """The entries of a bundle, each after its length in two bytes, the higher one first."""
    records = []
    position = 0
    while position < len(bundle):
        start = position + 2
        end = start + int.from_bytes(bundle[position:start], "big")
        if start > len(bundle) or end > len(bundle):
            raise Disagreement("a bundle of entries ends in the middle of one")
        records.append(bundle[start:end])
        position = end
    return records


def bundle_at(base, index, width):
    address = base + "/log/tile/entries/" + tile_path(index)
    if width == BUNDLE_WIDTH:
        return records_in(fetched(address))
    try:
        return records_in(fetched(address + ".p/%d" % width))
    except urllib.error.HTTPError as error:
        # A log may drop partial bundles once the full one is there.
        if error.code not in (404, 410):
            raise
        return records_in(fetched(address))[:width]


def all_records(base, size):
    records = []
    while len(records) < size:
        width = min(BUNDLE_WIDTH, size - len(records))
        bundle = bundle_at(base, len(records) // BUNDLE_WIDTH, width)
        if len(bundle) != width:
            raise Disagreement(
                "the bundle from entry %d on holds %d entries instead of %d"
                % (len(records), len(bundle), width)
            )
        records.extend(bundle)
    return records


# ---- The replay ---------------------------------------------------------------------------------


class Pair:
    def __init__(self, server_seed_hash, scheme):
        self.server_seed_hash = server_seed_hash
        self.scheme = scheme
        self.openings = []  # (index of the entry, opening)
        self.client_seed_hash = None
        self.next_nonce = 0
        self.is_revealed = False


class Replay:
    def __init__(self):
        self.problems = []
        self.tables = {}
        self.parts = {}
        self.pairs = {}
        self.commitments = set()
        self.opening_ids = set()
        # What is left of each prize, None for one without a limit.
        self.stock = {}
        self.draws = 0
        self.wins = 0
        self.sold_out = 0
        self.carried = 0

    def problem(self, index, sentence):
        self.problems.append("entry %d: %s" % (index, sentence))

    def take(self, index, record):
        """One entry of the log, in its order."""
        try:
            try:
                text = record.decode("utf-8")
            except UnicodeDecodeError:
                raise Disagreement("is not UTF-8")
            entry = parsed(text)
            if type(entry) is not dict:
                raise Disagreement("is not an object")
            kind = entry.get("type")
            act = {
                "commitment": self.take_commitment,
                "table": self.take_table,
                "stock": self.take_stock,
                "opening": self.take_opening,
                "reveal": self.take_reveal,
                "carried": self.take_carried,
            }.get(kind if type(kind) is str else None)
            if act is None:
                raise Disagreement("is of a type that nobody knows: %.40r" % (kind,))
            act(index, entry, text)
        except Disagreement as error:
            self.problem(index, str(error))
        except RecursionError:
            self.problem(index, "is nested too deeply")

    def take_carried(self, _index, _entry, _text):
        self.carried += 1

    def take_commitment(self, _index, entry, _text):
        fields = dict(COMMITMENT_FIELDS)
        if "scheme" in entry:
            fields["scheme"] = lambda value: type(value) is int and value == 1
        demand_fields("the commitment", entry, fields)
        if entry["pairId"] in self.pairs:
            raise Disagreement("commits to pair %d a second time" % entry["pairId"])
        if entry["serverSeedHash"] in self.commitments:
            raise Disagreement("commits to a server seed that another pair has already")
        self.commitments.add(entry["serverSeedHash"])
        self.pairs[entry["pairId"]] = Pair(entry["serverSeedHash"], entry.get("scheme", 2))

    def take_table(self, _index, entry, text):
        if "table" in entry:
            demand_fields(
                "the entry",
                entry,
                {"type": is_text, "tableHash": is_hex, "table": lambda value: True},
            )
            # What was hashed is what stands there, not only what it means.
            name, hashed = entry["tableHash"], written(entry["table"])
            if text != '{"type":"table","tableHash":"%s","table":%s}' % (name, hashed):
                raise Disagreement("the table is not written as the page says")
            self.keep_table(name, hashed)
            return
        demand_fields("the part of a table", entry, PART_FIELDS)
        name = entry["tableHash"]
        before = self.parts.setdefault(name, [])
        if before and before[0]["parts"] != entry["parts"]:
            del self.parts[name]
            raise Disagreement("the parts of table %s do not agree how many they are" % name)
        if entry["part"] != len(before) + 1 or entry["part"] > entry["parts"]:
            del self.parts[name]
            raise Disagreement("the parts of table %s are not in order" % name)
        before.append(entry)
        if len(before) == entry["parts"]:
            del self.parts[name]
            self.keep_table(name, "".join(part["text"] for part in before))

    def keep_table(self, name, text):
        if sha256_hex(utf8(text)) != name:
            raise Disagreement("the table does not hash to %s" % name)
        value = parsed(text)
        if written(value) != text:
            raise Disagreement("the table is not written as the page says")
        self.tables[name] = Table(value)

    def take_stock(self, _index, entry, _text):
        demand_fields("the change of stock", entry, STOCK_FIELDS)
        prize_id, delta, after = entry["prizeId"], entry["delta"], entry["after"]
        before = self.stock.get(prize_id, None)
        self.stock[prize_id] = after
        if after is not None and after != (before or 0) + (delta or 0):
            raise Disagreement(
                "the stock of prize %d was %s, changed by %s, and is said to be %d"
                % (prize_id, before, delta, after)
            )

    def take_opening(self, index, entry, _text):
        demand_fields("the opening", entry, OPENING_FIELDS)
        self.draws += 1
        if entry["id"] in self.opening_ids:
            self.problem(index, "opening %d stands there a second time" % entry["id"])
        self.opening_ids.add(entry["id"])
        self.bind_to_pair(index, entry)
        # The stock is followed whatever else is wrong, so that one fault is not told many times.
        self.follow_stock(index, entry)
        table = self.tables.get(entry["tableHash"])
        if table is None:
            raise Disagreement("draws from table %s, which was not published" % entry["tableHash"])
        if table.pack_type_id != entry["packTypeId"]:
            raise Disagreement(
                "opens pack type %d with the table of %d"
                % (entry["packTypeId"], table.pack_type_id)
            )
        self.check_payment(index, entry, table)

    def bind_to_pair(self, index, entry):
        pair = self.pairs.get(entry["pairId"])
        if pair is None:
            self.problem(index, "draws with pair %d, which was not committed to" % entry["pairId"])
            return
        if pair.is_revealed:
            self.problem(index, "draws with pair %d after its reveal" % entry["pairId"])
        if entry["nonce"] != pair.next_nonce:
            self.problem(
                index,
                "pair %d has nonce %d where %d is due"
                % (entry["pairId"], entry["nonce"], pair.next_nonce),
            )
        pair.next_nonce = entry["nonce"] + 1
        if pair.client_seed_hash is None:
            pair.client_seed_hash = entry["clientSeedHash"]
        elif pair.client_seed_hash != entry["clientSeedHash"]:
            self.problem(index, "pair %d has another client seed than before" % entry["pairId"])
        pair.openings.append((index, entry))

    def follow_stock(self, index, entry):
        prize_id, gone_id = entry["prizeId"], entry["soldOutPrizeId"]
        if prize_id is not None and gone_id is not None:
            self.problem(index, "wins prize %d and finds %d sold out" % (prize_id, gone_id))
        if gone_id is not None:
            self.sold_out += 1
            left = self.stock.get(gone_id, UNKNOWN)
            if left is None:
                self.problem(index, "says prize %d is sold out, which has no limit" % gone_id)
            elif left is not UNKNOWN and left > 0:
                self.problem(
                    index, "says prize %d is sold out, of which %d are left" % (gone_id, left)
                )
        if prize_id is None:
            due = None if gone_id is None else 0
            if entry["stockAfter"] != due:
                self.problem(
                    index,
                    "wins nothing, and says of the stock %s instead of %s"
                    % (entry["stockAfter"], due),
                )
            return
        self.wins += 1
        left = self.stock.get(prize_id)
        due = None if left is None else left - 1
        if entry["stockAfter"] != due:
            self.problem(
                index,
                "the stock of prize %d was %s, and after this win it is said to be %s"
                % (prize_id, left, entry["stockAfter"]),
            )
        self.stock[prize_id] = entry["stockAfter"]

    def check_payment(self, index, entry, table):
        """What was paid, and whether the table can give it at all, which needs no seed."""
        prize_id, gone_id = entry["prizeId"], entry["soldOutPrizeId"]
        named = gone_id if prize_id is None else prize_id
        if named is not None and table.entry_of(named) is None:
            raise Disagreement("names prize %d, which is not in its table" % named)
        if gone_id is not None and table.is_limited(gone_id) is False:
            raise Disagreement("says prize %d is sold out, which has no limit" % gone_id)
        if prize_id is not None:
            due = table.entry_of(prize_id)["redCoinAmount"]
            limited = table.is_limited(prize_id)
            if limited is not None and limited != (entry["stockAfter"] is not None):
                self.problem(
                    index, "the table and the stock of prize %d differ about its limit" % prize_id
                )
        else:
            due = table.consolation
        if due is not None and entry["redCoinEarned"] != due:
            self.problem(index, "pays %d RedCoin where %d are due" % (entry["redCoinEarned"], due))

    def take_reveal(self, index, entry, _text):
        demand_fields("the reveal", entry, REVEAL_FIELDS)
        pair = self.pairs.get(entry["pairId"])
        if pair is None:
            raise Disagreement("reveals pair %d, which was not committed to" % entry["pairId"])
        if pair.is_revealed:
            raise Disagreement("reveals pair %d a second time" % entry["pairId"])
        pair.is_revealed = True
        if sha256_hex(bytes.fromhex(entry["serverSeed"])) != pair.server_seed_hash:
            raise Disagreement("the server seed of pair %d is not the one that was committed to"
                               % entry["pairId"])
        if re.fullmatch("[ -9;-~]{1,64}", entry["clientSeed"]) is None:
            raise Disagreement("the client seed is not 1 to 64 printable characters without colon")
        if pair.client_seed_hash not in (None, sha256_hex(utf8(entry["clientSeed"]))):
            raise Disagreement("the client seed of pair %d is not the one it drew with"
                               % entry["pairId"])
        for opening_index, opening in pair.openings:
            self.check_draw(opening_index, opening, pair, entry)

    def check_draw(self, index, opening, pair, reveal):
        table = self.tables.get(opening["tableHash"])
        if table is None:
            return  # told where it was opened
        roll = roll_of(
            pair.scheme,
            reveal["serverSeed"],
            reveal["clientSeed"],
            opening["nonce"],
            opening["tableHash"],
        )
        drawn = table.drawn_by(roll)
        due = None if drawn is None else drawn["prizeId"]
        said = opening["soldOutPrizeId"] if opening["prizeId"] is None else opening["prizeId"]
        if due != said:
            self.problem(
                index,
                "opening %d: the roll %d draws %s, and the log says %s"
                % (opening["id"], roll, prize_words(due), prize_words(said)),
            )
        if table.scheme != pair.scheme:
            self.problem(
                index,
                "draws by scheme %d from a table of scheme %d" % (pair.scheme, table.scheme),
            )

    def result(self):
        return {
            "draws": self.draws,
            "unrevealed": sum(
                len(pair.openings) for pair in self.pairs.values() if not pair.is_revealed
            ),
            "wins": self.wins,
            "soldOut": self.sold_out,
            "tables": len(self.tables),
            "scaledTables": sum(1 for table in self.tables.values() if table.is_scaled),
            "carried": self.carried,
            "problems": self.problems,
        }


def prize_words(prize_id):
    return "nothing" if prize_id is None else "prize %d" % prize_id


def replayed(base):
    replay = Replay()
    try:
        size, root = checkpoint_of(base)
        records = all_records(base, size)
        if root_of(records) != root:
            replay.problems.append(
                "the root of the %d entries is not the one in the checkpoint" % size
            )
        for index, record in enumerate(records):
            replay.take(index, record)
    except Disagreement as error:
        replay.problems.append(str(error))
    except (OSError, EOFError, ValueError, zlib.error, http.client.HTTPException) as error:
        replay.problems.append("the log cannot be read: %s" % error)
    return replay.result()


def tables_told(lines):
    for line in lines:
        value = parsed(line)
        table = Table(value)
        told = {"tableHash": sha256_hex(utf8(written(value))), "thresholds": table.thresholds}
        print(json.dumps(told))


def main(arguments):
    if arguments == ["--tables"]:
        # Only a line feed ends a line: texts may hold other characters that end lines elsewhere.
        tables_told(sys.stdin.buffer.read().decode("utf-8").rstrip("\n").split("\n"))
        return 0
    if len(arguments) != 1:
        print("usage: python3 replay.py http://HOST[:PORT] | --tables", file=sys.stderr)
        return 2
    result = replayed(arguments[0].rstrip("/"))
    print(json.dumps(result))
    return 1 if result["problems"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
