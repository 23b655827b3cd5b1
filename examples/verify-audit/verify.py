"""Verifies a Plumbline audit bundle with nothing but Python's standard library; the format is in docs/reference/audit-bundle.md.
Prints one line of JSON. Exits 0 when the log is valid, 1 when it is invalid, 3 when nothing can be said."""
import argparse, base64, functools, hashlib, itertools, json, re, sys, urllib.parse
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # Ed25519, RFC 8032
D, BASE_Y = -121665 * pow(121666, P - 2, P) % P, 4 * pow(5, P - 2, P) % P
def point(data):
    y, odd = int.from_bytes(data, "little") & (1 << 255) - 1, data[31] >> 7
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P: x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - x2) % P or (x == 0 and odd): return None
    if x & 1 != odd: x = P - x
    return (x, y, 1, x * y % P)
def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)
def times(number, p):
    half = times(number >> 1, p) if number > 1 else (0, 1, 1, 0)
    return add(add(half, half), p) if number & 1 else add(half, half)
def ed25519(public, message, signature):
    a, r, s = point(public), point(signature[:32].ljust(32)), int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or a is None or r is None or s >= ORDER or times(8, a)[0] % P == 0: return False  # of small order
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    left, right = times(s, point(BASE_Y.to_bytes(32, "little"))), add(r, times(k, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0
def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def unbase64(text):
    try: data = base64.b64decode(text, validate=True)
    except ValueError: return None
    return data if base64.b64encode(data).decode() == text else None
SPACE = r"\x00-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"  # control characters and white space of the page
def parse_key(line):  # keys, notes and checkpoints: C2SP signed-note, tlog-checkpoint, tlog-cosignature
    form = re.fullmatch(f"([^{SPACE}+]+)\\+([^+]*)\\+(.*)", line)
    data = unbase64(form[3]) if form else None
    if data is None or len(data) != 33 or data[0] not in (1, 4): return None
    key_id = sha(form[1].encode(), b"\n", data)[:4]
    return (form[1], key_id, data[0], data[1:]) if key_id.hex() == form[2] else None
def parse_note(note):
    if len(note.encode("utf-16-le", "replace")) > 2_000_000 or re.search(r"[\x00-\x09\x0b-\x1f]", note) or not note.endswith("\n") or "\n\n" not in note: return None
    split = note.rindex("\n\n")
    lines = [re.fullmatch(f"\u2014 ([^{SPACE}+]+) ([^ ]+)", line) for line in note[split + 2:-1].split("\n")]
    data = [unbase64(line[2]) if line else None for line in lines]
    if len(lines) > 100 or any(signature is None or len(signature) < 5 for signature in data): return None
    return note[:split + 1], [(line[1], signature[:4], signature[4:]) for line, signature in zip(lines, data)]
def trust(note, keys):  # whose key signed the note, and `forged` when the signature of any of these keys is wrong
    found = set()
    for name, key_id, signature in note[1]:
        for level, (_, _, kind, public) in (entry for entry in keys if entry[1][:2] == (name, key_id)):
            seconds = int.from_bytes(signature[:8], "big") if kind == 4 else 0
            header = b"cosignature/v1\ntime %d\n" % seconds if kind == 4 else b""
            if seconds >= 2**53 or not ed25519(public, header + note[0].encode(), signature[8 if kind == 4 else 0:]): return "forged"
            if kind == 1: found.add(level)
    return "known" if "known" in found else "offered" if found else "unknown"
def count(text): return int(text) if re.fullmatch("0|[1-9][0-9]{0,15}", text) and int(text) < 2**53 else None
def parse_checkpoint(text):
    note = parse_note(text)
    lines = note[0].split("\n") if note else []
    if len(lines) < 4 or "" in lines[:-1] or count(lines[1]) is None: return {"note": note, "unreadable": True}
    root, head = unbase64(lines[2]), next((line[5:] for line in lines[3:-1] if line.startswith("head ")), None)
    if root is None or len(root) != 32 or not (head is None or is_hash(head)): return {"note": note, "unreadable": True}
    return {"note": note, "origin": lines[0], "size": int(lines[1]), "root": root, "head": head}
def parse_proof(text):
    head, _, note = text.partition("\n\n")
    first, *lines = head.split("\n")
    if lines and lines[0].startswith("extra "): lines = lines[1:]
    path, checkpoint = [unbase64(line) for line in lines[1:]], parse_checkpoint(note)
    index = count(lines[0][6:]) if lines and lines[0].startswith("index ") else None
    good = "unreadable" not in checkpoint and first == "c2sp.org/tlog-proof@v1" and index is not None and len(path) < 64 and all(p and len(p) == 32 for p in path)
    return {**checkpoint, "index": index, "path": path} if good else {"note": checkpoint["note"], "unreadable": True}
def origin_of(origin, chain):
    return origin + "/" + re.sub(f"[{SPACE}%+/]", lambda m: urllib.parse.quote(m[0], safe=""), chain)
OPTIONAL = ("actorRole orgId affectedOrgId targetType targetId groupId impersonatorId requestId traceId idempotencyKey "
            "occurredAt actorEmail ip userAgent identitySalt details detailsSalt detailsHash")
INSTANT = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z"
def is_hash(text, digits=64): return isinstance(text, str) and re.fullmatch("[0-9a-f]{%d}" % digits, text) is not None
def is_instant(text): return isinstance(text, str) and re.fullmatch(INSTANT, text) is not None
def fields(names, kind): return dict.fromkeys(names.split(), kind)
TEXT = "text without lone surrogates"
def is_well_formed(text): return re.search("[\ud800-\udfff]", text) is None
is_one, is_whole = (lambda v: type(v) is int and v == 1), (lambda v: type(v) is int and abs(v) < 2**53)
RECORD = fields("chain id action actorId prevHash identityHash", str) | fields(OPTIONAL, (str,)) | {"v": is_one, "seq": is_whole,
    "hash": is_hash, "createdAt": is_instant, "outcome": lambda outcome: outcome in ("success", "failure")}
CORE = set(RECORD) - set("hash actorEmail ip userAgent identitySalt details detailsSalt".split())
FORM = {"plumblineAuditBundle": is_one, "complete": bool, "head": ({"seq": int, "hash": is_hash},)} | fields("from to", int) | {"anchor": (
    fields("origin chain prunedAt signature", TEXT) | fields("throughSeq prunedCount", int) | {"hash": is_hash, "frontier": {
        "size": int, "nodes": list}},)} | fields("origin chain createdAt", TEXT) | fields("checkpoints proofs keys", list)
def has(value, form):  # lists hold texts, integers are counts, (kind,) may be null
    if isinstance(form, tuple): return value is None or has(value, form[0])
    if isinstance(form, dict): return isinstance(value, dict) and all(f in value and has(value[f], form[f]) for f in form)
    if form is TEXT: return type(value) is str and is_well_formed(value)
    if form in (int, bool, str): return type(value) is form and (form is not int or 0 <= value < 2**53)
    return form(value) if form is not list else isinstance(value, list) and all(has(item, TEXT) for item in value)
def is_record(row): return has(row, RECORD) and len(row) == len(RECORD)
def canonical(value): return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
def commitment(kind, salt, text):
    return is_hash(salt, 32) and sha(b"plumbline-audit-%s-v1\n" % kind.encode(), bytes.fromhex(salt), text).hex()
def fits(row):  # both commitments and the hash; an erased half must be gone as a whole
    identity, salt = {f: row[f] for f in ("actorEmail", "ip", "userAgent")}, row["identitySalt"]
    detail_salt, details, stored = row["detailsSalt"], row["details"], row["detailsHash"]
    try:
        if salt is None: good = set(identity.values()) == {None} and is_hash(row["identityHash"])
        else: good = commitment("identity", salt, canonical(identity)) == row["identityHash"]
        if None in (detail_salt, details, stored): good &= detail_salt is details is None and (stored is None or is_hash(stored))
        else: good &= commitment("details", detail_salt, details.encode()) == stored
        return good and sha(b"plumbline-audit-event-v1\n", canonical({f: row[f] for f in CORE})).hex() == row["hash"]
    except UnicodeEncodeError: return False
def erasure(text):  # which half of which rows an erasure event explains; none when its details have another form
    value = parse(text.encode("utf-8", "replace"))
    is_range = lambda r: isinstance(r, list) and len(r) == 2 and all(map(is_whole, r)) and r[0] <= r[1]
    good = has(value, {"part": str, "seqs": lambda ranges: isinstance(ranges, list) and all(map(is_range, ranges))})
    return (value["part"], value["seqs"]) if good and value["part"] in ("identity", "details") else ("identity", [])
class Tree:  # of RFC 9162, as the roots of its complete subtrees, the largest first
    def __init__(self, edge): self.size, self.nodes = edge["size"], [bytes.fromhex(node) for node in edge["nodes"]]
    def append(self, row_hash):
        node, rest = sha(b"\0", bytes.fromhex(row_hash)), self.size
        while rest & 1: node, rest = sha(b"\1", self.nodes.pop(), node), rest >> 1
        self.size, self.nodes = self.size + 1, self.nodes + [node]
    def root(self): return functools.reduce(lambda right, left: sha(b"\1", left, right), reversed(self.nodes or [sha()]))
def included(proof, row_hash):
    node, last, value = proof["index"], proof["size"] - 1, sha(b"\0", bytes.fromhex(row_hash))
    for sibling in proof["path"]:
        if last == 0: return False
        is_right = node & 1 or node == last
        value = sha(b"\1", sibling, value) if is_right else sha(b"\1", value, sibling)
        while is_right and not node & 1 and node: node, last = node >> 1, last >> 1
        node, last = node >> 1, last >> 1
    return last == 0 and value == proof["root"]
class Invalid(Exception): pass
NO_JSON = object()
def parse(line, number=lambda text: int(value) if (value := float(text)).is_integer() else value):  # 7.0 is the integer 7
    try: return json.loads(line.decode("utf-8", "replace"), parse_float=number, parse_int=number, parse_constant=int)
    except (ValueError, RecursionError): return NO_JSON
def is_sound(anchor):
    size, nodes, counts = anchor["frontier"]["size"], anchor["frontier"]["nodes"], {anchor["throughSeq"], anchor["prunedCount"]}
    return counts == {size} != {0} and is_instant(anchor["prunedAt"]) and len(nodes) == bin(size).count("1") and all(map(is_hash, nodes))
def verify(path, known, kept):
    with open(path, "rb") as file: return verify_file(file, known, kept)
def verify_file(file, known, kept):
    lines = (line for line in itertools.chain([file.readline().removeprefix(b"\xef\xbb\xbf")], file) if line.strip())
    if (first := next(lines, None)) is None: return dict(verdict="cannot-tell", cannotTell="nothing_to_check")
    manifest = parse(first)
    if not has(manifest, FORM) or manifest.get("withheld", "foreign-identities") != "foreign-identities": return dict(verdict="cannot-tell", cannotTell="not_a_log")
    keys = [("known", key) for key in known if key] + [("offered", key) for key in map(parse_key, manifest["keys"]) if key]
    checkpoints, proofs = [*map(parse_checkpoint, kept + manifest["checkpoints"])], [*map(parse_proof, manifest["proofs"])]
    for item in checkpoints + proofs: item.update(trust=trust(item["note"], keys) if item["note"] else "unknown", fits=None)
    try: return conclude(manifest, keys, checkpoints, proofs, *walk(manifest, lines, checkpoints, proofs))
    except Invalid as broken: return {"verdict": "invalid", "reason": broken.args[0], "brokenSeq": broken.args[1]}
def walk(manifest, lines, checkpoints, proofs):
    anchor, whole, erased = manifest["anchor"], manifest["complete"], {"identity": set(), "details": set()}
    seq, previous, created, first, tree = 0 if whole else manifest["from"] - 1, None, "", None, None
    explained_by = 0  # the last event without which an erased half would not be explained
    if anchor: seq, previous = anchor["throughSeq"], anchor["hash"]
    elif seq == 0: previous = sha(b"plumbline-audit-genesis-v1\n", manifest["chain"].encode()).hex()
    if is_sound(anchor) if anchor else seq == 0: tree = Tree(anchor["frontier"] if anchor else {"size": 0, "nodes": []})
    def compare():
        for item in (c for c in checkpoints + proofs if tree and c.get("size") == tree.size):
            fits = item["root"] == tree.root() and (not item["size"] or item["head"] in (None, previous))
            if not fits or "index" not in item: item["fits"] = fits  # a proof fits by its path; the tree can contradict it
    compare()
    for line in lines:
        row = parse(line)
        if row is NO_JSON and not line.endswith(b"\n"): raise Invalid("truncated", seq + 1)
        if not is_record(row): raise Invalid("malformed_row", seq + 1)
        if row["chain"] != manifest["chain"]: raise Invalid("chain_mismatch", seq + 1)
        links, starts = row["prevHash"] == previous, first is None
        if row["seq"] != seq + 1:
            raise Invalid("anchor_mismatch" if starts and whole else "sequence_gap", seq + 1 if links else row["seq"])
        if previous and not links: raise Invalid("anchor_mismatch" if starts else "link_mismatch", row["seq"])
        if not fits(row): raise Invalid("hash_mismatch", row["seq"])
        if row["createdAt"] < created: raise Invalid("backdated", row["seq"])
        seq, previous, created, first = row["seq"], row["hash"], row["createdAt"], row["seq"] if starts else first
        is_own = (row["orgId"], row["impersonatorId"]) == (row["chain"], None) and row["actorRole"] != "superadmin"
        if row["identitySalt"] is None and (is_own or "withheld" not in manifest): erased["identity"].add(seq)
        if row["detailsHash"] is not None and row["details"] is None: erased["details"].add(seq)
        if row["action"] == "audit.event.erase" and row["details"] is not None:
            part, ranges = erasure(row["details"])
            explained = {old for old in erased[part] if any(start <= old <= min(end, seq - 1) for start, end in ranges)}
            erased[part] -= explained
            if explained: explained_by = seq
        for proof in (p for p in proofs if p.get("index") == seq - 1): proof["fits"] = included(proof, row["hash"])
        if tree: tree.append(row["hash"]); compare()
    return seq, previous, first, erased["identity"] | erased["details"], explained_by
def conclude(manifest, keys, checkpoints, proofs, seq, last_hash, first, unexplained, explained_by):
    chain, anchor, head, whole = (manifest[field] for field in ("chain", "anchor", "head", "complete"))
    stands, trusts = [item for item in checkpoints + proofs if "unreadable" not in item], set()
    if anchor and not is_sound(anchor): trusts.add("forged")
    elif anchor:
        lines = [str(anchor[field]) for field in ("throughSeq", "hash", "prunedCount", "prunedAt")]
        lines += [base64.b64encode(bytes.fromhex(node)).decode() for node in anchor["frontier"]["nodes"]]
        text = ["plumbline-audit-anchor-v1", origin_of(anchor["origin"], anchor["chain"]), *lines, "", anchor["signature"]]
        note, own = parse_note("\n".join(text)), (anchor["chain"], anchor["origin"]) == (chain, manifest["origin"])
        trusts.add(trust(note, keys) if note and own and note[0] == "\n".join(text[:-2]) + "\n" else "forged")
    if "forged" in trusts: raise Invalid("anchor_mismatch", first)
    stated = ([head["seq"]] if head else []) + ([] if whole else [manifest["to"]])
    signed = [item["size"] for item in stands if whole and item["trust"] in ("known", "offered")]
    if max(stated + signed, default=0) > seq: raise Invalid("truncated", seq + 1)
    if min(stated, default=seq) < seq: raise Invalid("head_mismatch", min(stated) + 1)
    if head and (first is not None or anchor) and head["hash"] != last_hash: raise Invalid("head_mismatch", head["seq"])
    if unexplained and whole: raise Invalid("unexplained_erasure", min(unexplained))
    signed = [item for item in checkpoints + proofs if item["trust"] != "unknown"]
    differs = lambda item: item["fits"] is False or item["origin"] != origin_of(manifest["origin"], chain)
    if any(item["trust"] == "forged" or "unreadable" not in item and differs(item) for item in signed): raise Invalid("checkpoint_mismatch", None)
    fitting = {item["note"][0] for item in stands if item["fits"]}
    covered = max((i.get("index", i["size"] - 1) + 1 for i in stands if i["fits"]), default=0)
    table = {"nothing_to_check": first is None, "missing_checkpoint": len(stands) < len(checkpoints + proofs),
             "unknown_key": trusts | {item["trust"] for item in stands} not in ({"known"}, set()),
             "erasure_outside_range": unexplained or 0 < covered < explained_by, "no_checkpoint": not stands,
             "checkpoint_out_of_range": any(item["note"][0] not in fitting for item in stands)}
    for reason in (reason for reason, holds in table.items() if holds): return dict(verdict="cannot-tell", cannotTell=reason)
    return {"verdict": "valid", "coveredThrough": covered}
def main():
    parser = argparse.ArgumentParser(description=__doc__); parser.add_argument("bundle")
    for option in ("--key", "--checkpoint"): parser.add_argument(option, action="append", default=[], metavar="FILE")
    args = parser.parse_args()
    keys = [parse_key(line.strip()) for name in args.key for line in open(name, encoding="utf-8") if line.strip() and line[0] != "#"]
    report = verify(args.bundle, keys, [open(name, encoding="utf-8", newline="").read().rstrip("\n") + "\n" for name in args.checkpoint])
    print(json.dumps(report)); sys.exit({"valid": 0, "invalid": 1, "cannot-tell": 3}[report["verdict"]])
def many():  # for compare.mjs: each line of the input is JSON [file, keys, kept checkpoints], each line of the output a report
    for line in sys.stdin:
        path, keys, kept = json.loads(line)
        print(json.dumps(verify(path, [parse_key(key) for key in keys], kept)), flush=True)
if __name__ == "__main__": many() if sys.argv[1:] == ["--many"] else main()
