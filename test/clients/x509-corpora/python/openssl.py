"""
Reads with the system's OpenSSL through its C interface. A certificate is refused where OpenSSL marks it as invalid (`EXFLAG_INVALID`),
as a verification refuses it then.
"""

import ctypes
import ctypes.util
import sys

from lines import digest, serve

P, I, L = ctypes.c_void_p, ctypes.c_int, ctypes.c_long
CRYPTO = ctypes.CDLL(ctypes.util.find_library("crypto"))
EXFLAG_INVALID = 0x80
NID = {"common name": 13, "organizations": 17, "units": 18}
NID_SAN, NID_NAME_CONSTRAINTS, NID_EKU, NID_CRL_NUMBER, NID_AKI, NID_REASON = 85, 666, 126, 88, 90, 141
GEN_EMAIL, GEN_DNS, GEN_URI, GEN_IP = 1, 2, 6, 7
FORMS = {GEN_DNS: "dns", GEN_EMAIL: "email", GEN_URI: "uri", GEN_IP: "ip"}


class Refused(Exception):
    pass


def function(name, result, *arguments):
    found = getattr(CRYPTO, name)
    found.restype, found.argtypes = result, arguments
    return found


def d2i(name):
    read = function(f"d2i_{name}", P, P, ctypes.POINTER(ctypes.c_char_p), L)
    free = function(f"{name}_free", None, P)

    def parse(der):
        CRYPTO.ERR_clear_error()
        start = ctypes.c_char_p(der)
        at = ctypes.cast(ctypes.pointer(start), ctypes.POINTER(P))
        before = at[0]
        parsed = read(None, ctypes.pointer(start), len(der))
        if not parsed:
            raise Refused(reason())
        if at[0] - before != len(der):
            free(parsed)
            raise Refused("bytes after the end")
        return parsed

    return parse, free


def reason():
    code = function("ERR_peek_error", ctypes.c_ulong)()
    text = function("ERR_reason_error_string", ctypes.c_char_p, ctypes.c_ulong)(code)
    return (text or b"refused without a reason").decode()


read_x509, free_x509 = d2i("X509")
read_x509_crl, free_x509_crl = d2i("X509_CRL")
read_response, free_response = d2i("OCSP_RESPONSE")
stack_size = function("OPENSSL_sk_num", I, P)
stack_item = function("OPENSSL_sk_value", P, P, I)
string_length = function("ASN1_STRING_length", I, P)
string_data = function("ASN1_STRING_get0_data", P, P)
string_to_utf8 = function("ASN1_STRING_to_UTF8", I, ctypes.POINTER(P), P)
free_memory = function("CRYPTO_free", None, P, ctypes.c_char_p, I)
integer_to_bn = function("ASN1_INTEGER_to_BN", P, P, P)
bn_to_hex = function("BN_bn2hex", P, P)
free_bn = function("BN_free", None, P)
time_diff = function("ASN1_TIME_diff", I, ctypes.POINTER(I), ctypes.POINTER(I), P, P)
epoch = function("ASN1_TIME_set", P, P, ctypes.c_longlong)(None, 0)
object_to_text = function("OBJ_obj2txt", I, ctypes.c_char_p, I, P, I)
get_extension = function("X509_get_ext_d2i", P, P, I, ctypes.POINTER(I), P)
encode_key = function("i2d_X509_PUBKEY", I, P, ctypes.POINTER(P))
encode_name = function("i2d_X509_NAME", I, P, ctypes.POINTER(P))


def stack(of):
    return [stack_item(of, i) for i in range(stack_size(of))] if of else []


def string(of):
    return ctypes.string_at(string_data(of), string_length(of))


def taken(pointer, length=None):
    data = ctypes.string_at(pointer) if length is None else ctypes.string_at(pointer, length)
    free_memory(pointer, b"", 0)
    return data


def text(of):
    utf8 = P()
    length = string_to_utf8(ctypes.byref(utf8), of)
    if length < 0:
        raise Refused("a string that is no text")
    return taken(utf8, length).decode("utf-8", "surrogatepass")


def encoded(encode, of):
    der = P()
    length = encode(of, ctypes.byref(der))
    return taken(der, length)


def number(of):
    bn = integer_to_bn(of, None)
    hexadecimal = taken(bn_to_hex(bn)).decode().lower()
    free_bn(bn)
    sign, digits = ("-", hexadecimal[1:]) if hexadecimal.startswith("-") else ("", hexadecimal)
    return sign + (digits.lstrip("0") or "0")


def seconds(of):
    if not of:
        return None
    days, rest = I(), I()
    if time_diff(ctypes.byref(days), ctypes.byref(rest), epoch, of) != 1:
        raise Refused("a time that is none")
    return days.value * 86400 + rest.value


def dotted(of):
    room = ctypes.create_string_buffer(4096)
    object_to_text(room, 4096, of, 1)
    return room.value.decode()


class GeneralName(ctypes.Structure):
    _fields_ = [("type", I), ("value", P)]


class NameConstraints(ctypes.Structure):
    _fields_ = [("permitted", P), ("excluded", P)]


class Subtree(ctypes.Structure):
    _fields_ = [("base", ctypes.POINTER(GeneralName)), ("minimum", P), ("maximum", P)]


def extension(certificate, nid):
    state = I()
    value = get_extension(certificate, nid, ctypes.byref(state), None)
    if not value and state.value != -1:
        raise Refused(f"extension {nid}: {reason()}")
    return value


def names_of(pointers):
    names = [ctypes.cast(pointer, ctypes.POINTER(GeneralName)).contents for pointer in pointers]
    return [(name.type, string(name.value)) for name in names if name.type in FORMS]


def values(names, wanted):
    return [(value.hex() if wanted == GEN_IP else value.decode("latin1")) for form, value in names if form == wanted]


def subtrees(of):
    subtrees = [ctypes.cast(pointer, ctypes.POINTER(Subtree)).contents for pointer in stack(of)]
    names = names_of([ctypes.cast(subtree.base, P).value for subtree in subtrees])
    return [f"{FORMS[form]}:{value}" for form in FORMS for value in values(names, form)]


def attributes(name, nid):
    index_of = function("X509_NAME_get_index_by_NID", I, P, I, I)
    entry_at = function("X509_NAME_get_entry", P, P, I)
    data_of = function("X509_NAME_ENTRY_get_data", P, P)
    found, at = [], index_of(name, nid, -1)
    while at >= 0:
        found.append(text(data_of(entry_at(name, at))))
        at = index_of(name, nid, at)
    return found


def read_certificate(der):
    certificate = read_x509(der)
    try:
        return certificate_fields(certificate)
    finally:
        free_x509(certificate)


def certificate_fields(certificate):
    flags = function("X509_get_extension_flags", ctypes.c_uint32, P)(certificate)
    if flags & EXFLAG_INVALID:
        raise Refused(f"marked invalid: {reason()}")
    subject = function("X509_get_subject_name", P, P)(certificate)
    issuer = function("X509_get_issuer_name", P, P)(certificate)
    key = function("X509_get_X509_PUBKEY", P, P)(certificate)
    names = names_of(stack(extension(certificate, NID_SAN)))
    usage = function("X509_get_key_usage", ctypes.c_uint32, P)(certificate)
    path_length = function("X509_get_pathlen", L, P)(certificate)
    constraints = extension(certificate, NID_NAME_CONSTRAINTS)
    limits = ctypes.cast(constraints, ctypes.POINTER(NameConstraints)).contents if constraints else None
    return {
        "serial": number(function("X509_get0_serialNumber", P, P)(certificate)),
        "not before": seconds(function("X509_get0_notBefore", P, P)(certificate)),
        "not after": seconds(function("X509_get0_notAfter", P, P)(certificate)),
        "common name": (attributes(subject, NID["common name"]) or [""])[-1],
        "organizations": attributes(subject, NID["organizations"]),
        "units": attributes(subject, NID["units"]),
        "subject": digest(encoded(encode_name, subject)),
        "issuer": digest(encoded(encode_name, issuer)),
        "key": digest(encoded(encode_key, key)),
        "DNS names": values(names, GEN_DNS),
        "email addresses": values(names, GEN_EMAIL),
        "URIs": values(names, GEN_URI),
        "IP addresses": values(names, GEN_IP),
        "CA": bool(flags & 0x10),
        "path length": None if path_length < 0 else path_length,
        "key usage": 0 if usage == 0xFFFFFFFF else named_bits(usage),
        "extended key usage": sorted({dotted(purpose) for purpose in stack(extension(certificate, NID_EKU))}),
        "permitted": subtrees(limits and limits.permitted),
        "excluded": subtrees(limits and limits.excluded),
    }


def named_bits(usage):
    """OpenSSL's KU_ values have bit 0 of the BIT STRING at 0x80, bit 8 at 0x8000."""
    return sum(1 << bit for bit in range(8) if usage & (0x80 >> bit)) | (0x100 if usage & 0x8000 else 0)


def read_crl(der):
    crl = read_x509_crl(der)
    try:
        return crl_fields(crl)
    finally:
        free_x509_crl(crl)


def crl_extension(crl, nid, get="X509_CRL_get_ext_d2i"):
    state = I()
    value = function(get, P, P, I, ctypes.POINTER(I), P)(crl, nid, ctypes.byref(state), None)
    if not value and state.value != -1:
        raise Refused(f"extension {nid}: {reason()}")
    return value


class AuthorityKeyId(ctypes.Structure):
    _fields_ = [("key", P), ("issuer", P), ("serial", P)]


def crl_fields(crl):
    issuer = function("X509_CRL_get_issuer", P, P)(crl)
    crl_number = crl_extension(crl, NID_CRL_NUMBER)
    authority = crl_extension(crl, NID_AKI)
    key_id = authority and ctypes.cast(authority, ctypes.POINTER(AuthorityKeyId)).contents.key
    revoked = stack(function("X509_CRL_get_REVOKED", P, P)(crl))
    entries = [entry_of(entry) for entry in revoked]
    return {
        "issuer": digest(encoded(encode_name, issuer)),
        "number": number(crl_number) if crl_number else None,
        "this update": seconds(function("X509_CRL_get0_lastUpdate", P, P)(crl)),
        "next update": seconds(function("X509_CRL_get0_nextUpdate", P, P)(crl)),
        "entries": len(entries),
        "revoked": digest("\n".join(entries).encode()),
        "reasons": [reason_of(entry) for entry in revoked],
        "authority": string(key_id).hex() if key_id else "",
    }


def reason_of(entry):
    code = crl_extension(entry, NID_REASON, "X509_REVOKED_get_ext_d2i")
    return function("ASN1_ENUMERATED_get", L, P)(code) if code else 0


def entry_of(entry):
    serial = number(function("X509_REVOKED_get0_serialNumber", P, P)(entry))
    at = seconds(function("X509_REVOKED_get0_revocationDate", P, P)(entry))
    return f"{serial} {at}"


def read_ocsp(der):
    response = read_response(der)
    try:
        return ocsp_fields(response)
    finally:
        free_response(response)


def ocsp_fields(response):
    status = function("OCSP_response_status", I, P)(response)
    if status != 0:
        return {"status": status}
    basic = function("OCSP_response_get1_basic", P, P)(response)
    if not basic:
        raise Refused(reason())
    count = function("OCSP_resp_count", I, P)(basic)
    answer_at = function("OCSP_resp_get0", P, P, I)
    answers = [answer_of(answer_at(basic, i)) for i in range(count)]
    return {
        "status": status,
        "answers": [answer for answer, _, _ in answers],
        "this update": [this for _, this, _ in answers],
        "next update": [following for _, _, following in answers],
    }


def answer_of(answer):
    code, revoked, this, following = I(), P(), P(), P()
    find = function("OCSP_single_get0_status", I, P, P, P, P, P)
    state = find(answer, ctypes.byref(code), ctypes.byref(revoked), ctypes.byref(this), ctypes.byref(following))
    serial = P()
    certificate_id = function("OCSP_SINGLERESP_get0_id", P, P)(answer)
    function("OCSP_id_get0_info", I, P, P, P, P, P)(None, None, None, ctypes.byref(serial), certificate_id)
    name = ("good", "revoked", "unknown")[state]
    detail = f" {seconds(revoked)} {max(code.value, 0)}" if name == "revoked" else ""
    return f"{number(serial)} {name}{detail}", seconds(this), seconds(following)


PATH_TIME = 1764000000
SSL_CLIENT, PARTIAL_CHAIN = 1, 0x80000


def read_path(der):
    client, ca = (parsed_certificate(part) for part in octet_strings(der))
    store = function("X509_STORE_new", P)()
    function("X509_STORE_add_cert", I, P, P)(store, ca)
    context = function("X509_STORE_CTX_new", P)()
    function("X509_STORE_CTX_init", I, P, P, P, P)(context, store, client, None)
    parameters = function("X509_STORE_CTX_get0_param", P, P)(context)
    function("X509_VERIFY_PARAM_set_time", None, P, ctypes.c_int64)(parameters, PATH_TIME)
    function("X509_VERIFY_PARAM_set_flags", I, P, ctypes.c_ulong)(parameters, PARTIAL_CHAIN)
    function("X509_VERIFY_PARAM_set_purpose", I, P, I)(parameters, SSL_CLIENT)
    valid = function("X509_verify_cert", I, P)(context) == 1
    code = function("X509_STORE_CTX_get_error", I, P)(context)
    function("X509_STORE_CTX_free", None, P)(context)
    function("X509_STORE_free", None, P)(store)
    free_x509(client)
    free_x509(ca)
    if not valid:
        raise Refused(function("X509_verify_cert_error_string", ctypes.c_char_p, L)(code).decode())
    return {}


def parsed_certificate(der):
    try:
        certificate = read_x509(der)
    except Refused as refusal:
        raise Refused(f"unread: {refusal}") from None
    if function("X509_get_extension_flags", ctypes.c_uint32, P)(certificate) & EXFLAG_INVALID:
        raise Refused("unread: marked invalid")
    return certificate


def octet_strings(der):
    """The content of each OCTET STRING of a SEQUENCE."""
    at = 0
    while at < len(der):
        tag, first = der[at], der[at + 1]
        size = first & 0x7F if first >= 0x80 else 0
        length = int.from_bytes(der[at + 2 : at + 2 + size], "big") if size else first
        at += 2 + size
        if tag == 0x04:
            yield der[at : at + length]
            at += length


if sys.argv[1:] == ["--version"]:
    print(function("OpenSSL_version", ctypes.c_char_p, I)(0).decode())
else:
    serve({"certificate": read_certificate, "crl": read_crl, "ocsp": read_ocsp, "path": read_path}, (Refused, UnicodeError))
