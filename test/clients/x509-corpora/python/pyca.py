"""Reads with cryptography of the Python Cryptographic Authority. It decodes when it is asked: all that is compared, is asked for."""

import warnings

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509 import ocsp
from cryptography.x509.oid import NameOID

from lines import digest, serve

warnings.simplefilter("ignore")

USAGES = (
    "digital_signature",
    "content_commitment",
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "key_cert_sign",
    "crl_sign",
    "encipher_only",
    "decipher_only",
)
FORMS = {
    x509.DNSName: ("dns", lambda name: name.value),
    x509.RFC822Name: ("email", lambda name: name.value),
    x509.UniformResourceIdentifier: ("uri", lambda name: name.value),
}


def read_certificate(der):
    certificate = x509.load_der_x509_certificate(der)
    extensions = certificate.extensions
    list(certificate.issuer)
    names = value_of(extensions, x509.SubjectAlternativeName) or []
    basic = value_of(extensions, x509.BasicConstraints)
    usage = value_of(extensions, x509.KeyUsage)
    purposes = value_of(extensions, x509.ExtendedKeyUsage) or []
    constraints = value_of(extensions, x509.NameConstraints)
    return {
        "serial": format(certificate.serial_number, "x"),
        "not before": int(certificate.not_valid_before_utc.timestamp()),
        "not after": int(certificate.not_valid_after_utc.timestamp()),
        "common name": (attributes(certificate.subject, NameOID.COMMON_NAME) or [""])[-1],
        "organizations": attributes(certificate.subject, NameOID.ORGANIZATION_NAME),
        "units": attributes(certificate.subject, NameOID.ORGANIZATIONAL_UNIT_NAME),
        "DNS names": [name.value for name in names if isinstance(name, x509.DNSName)],
        "email addresses": [name.value for name in names if isinstance(name, x509.RFC822Name)],
        "URIs": [name.value for name in names if isinstance(name, x509.UniformResourceIdentifier)],
        "IP addresses": [name.value.packed.hex() for name in names if isinstance(name, x509.IPAddress)],
        "CA": basic is not None and basic.ca,
        "path length": None if basic is None else basic.path_length,
        "key usage": 0 if usage is None else bits_of(usage),
        "extended key usage": sorted({purpose.dotted_string for purpose in purposes}),
        "permitted": subtrees(constraints and constraints.permitted_subtrees),
        "excluded": subtrees(constraints and constraints.excluded_subtrees),
    }


def read_crl(der):
    crl = x509.load_der_x509_crl(der)
    extensions = crl.extensions
    list(crl.issuer)
    number = value_of(extensions, x509.CRLNumber)
    authority = value_of(extensions, x509.AuthorityKeyIdentifier)
    entries = [entry_of(entry) for entry in crl]
    return {
        "number": None if number is None else format(number.crl_number, "x"),
        "this update": int(crl.last_update_utc.timestamp()),
        "next update": crl.next_update_utc and int(crl.next_update_utc.timestamp()),
        "entries": len(entries),
        "revoked": digest("\n".join(entries).encode()),
        "reasons": [reason_of(entry) for entry in crl],
        "authority": (authority and authority.key_identifier or b"").hex(),
    }


def read_ocsp(der):
    response = ocsp.load_der_ocsp_response(der)
    status = response.response_status.value
    if status != 0:
        return {"status": status}
    len(response.extensions)
    answers = list(response.responses)
    return {
        "status": status,
        "answers": [answer_of(answer) for answer in answers],
        "this update": [int(answer.this_update_utc.timestamp()) for answer in answers],
        "next update": [answer.next_update_utc and int(answer.next_update_utc.timestamp()) for answer in answers],
    }


def value_of(extensions, kind):
    try:
        return extensions.get_extension_for_class(kind).value
    except x509.ExtensionNotFound:
        return None


def attributes(name, oid):
    return [attribute.value for attribute in name.get_attributes_for_oid(oid)]


def bits_of(usage):
    agrees = usage.key_agreement
    return sum(
        1 << bit
        for bit, name in enumerate(USAGES)
        # The last two are only asked of a key that agrees on keys.
        if (bit < 7 or agrees) and getattr(usage, name)
    )


def subtrees(names):
    order = list(FORMS)
    known = [name for name in names or [] if type(name) in FORMS]
    texts = [f"{FORMS[type(name)][0]}:{FORMS[type(name)][1](name)}" for name in sorted(known, key=lambda n: order.index(type(n)))]
    networks = [name.value for name in names or [] if isinstance(name, x509.IPAddress)]
    return texts + [f"ip:{network.network_address.packed.hex()}{network.netmask.packed.hex()}" for network in networks]


def entry_of(entry):
    return f"{entry.serial_number:x} {int(entry.revocation_date_utc.timestamp())}"


def reason_of(entry):
    reason = value_of(entry.extensions, x509.CRLReason)
    return 0 if reason is None else REASONS[reason.reason.name]


REASONS = {
    "unspecified": 0,
    "key_compromise": 1,
    "ca_compromise": 2,
    "affiliation_changed": 3,
    "superseded": 4,
    "cessation_of_operation": 5,
    "certificate_hold": 6,
    "remove_from_crl": 8,
    "privilege_withdrawn": 9,
    "aa_compromise": 10,
}


def answer_of(answer):
    status = answer.certificate_status.name.lower()
    serial = format(answer.serial_number, "x")
    if status != "revoked":
        return f"{serial} {status}"
    reason = answer.revocation_reason
    number = 0 if reason is None else REASONS[reason.name]
    return f"{serial} {status} {int(answer.revocation_time_utc.timestamp())} {number}"


# Encodings that it refuses to make, too, are answers: of every sort that it has.
serve({"certificate": read_certificate, "crl": read_crl, "ocsp": read_ocsp}, Exception)
