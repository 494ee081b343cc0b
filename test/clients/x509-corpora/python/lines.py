"""A reader of certificates, CRLs and OCSP responses as a filter: a line of JSON in, a line of JSON out."""

import base64
import hashlib
import json
import sys


def digest(data):
    return hashlib.sha256(data).digest()[:8].hex()


def serve(readers, errors):
    for line in sys.stdin:
        given = json.loads(line)
        try:
            answer = {"fields": readers[given["kind"]](base64.b64decode(given["der"]))}
        except errors as error:
            answer = {"error": str(error)}
        print(json.dumps(answer))
