#!/usr/bin/env python3
"""Verifies the provenance of an image offline, with nothing of Plumbline: Python's own library and openssl.

usage: verify.py PROVENANCE KEY.pem [sha256:DIGEST]

Exit 0: the statement was signed by that key, and is about that image. Exit 1: it was not. Exit 2: it cannot be read.
"""
import base64
import json
import subprocess
import sys
import tempfile


def main() -> int:
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            envelope = json.load(file)
        kind = envelope["payloadType"].encode()
        payload = base64.b64decode(envelope["payload"], validate=True)
        signatures = [base64.b64decode(each["sig"], validate=True) for each in envelope["signatures"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"cannot read the envelope: {error}", file=sys.stderr)
        return 2
    # What was signed (DSSE v1): the type and the payload, each behind its length.
    signed = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)
    if not any(is_signed(signed, signature, sys.argv[2]) for signature in signatures):
        print("NOT VERIFIED: no signature is by that key", file=sys.stderr)
        return 1
    statement = json.loads(payload)
    digests = ["sha256:" + each["digest"]["sha256"] for each in statement["subject"]]
    if len(sys.argv) == 4 and sys.argv[3] not in digests:
        print(f"NOT VERIFIED: the statement is about {', '.join(digests)}", file=sys.stderr)
        return 1
    print(json.dumps({"verified": True, "subject": statement["subject"], "predicateType": statement["predicateType"]}))
    return 0


def is_signed(signed: bytes, signature: bytes, key: str) -> bool:
    with tempfile.NamedTemporaryFile() as data, tempfile.NamedTemporaryFile() as sig:
        data.write(signed)
        data.flush()
        sig.write(signature)
        sig.flush()
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-in", data.name, "-sigfile", sig.name]
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


sys.exit(main())
