import { type DerKind, kindOfDer } from './der-kind.ts';
import { fromBase64, pemHeaders } from './pem-blocks.ts';

/** Kinds of PEM blocks that a reader expects. */
export type Wanted = 'certificate' | 'crl' | 'public key';

const NAMES: Readonly<Record<Wanted, string>> = {
  certificate: 'a certificate',
  crl: 'a CRL',
  'public key': 'a public key',
};
const LABELS: Readonly<Record<Wanted, string>> = {
  certificate: 'CERTIFICATE',
  crl: 'X509 CRL',
  'public key': 'PUBLIC KEY',
};

/** Advice for a file of another kind. */
export const ADVICE: Readonly<Record<Exclude<DerKind, 'unknown DER'>, string>> = {
  certificate: 'a certificate',
  request: 'a certificate request (CSR): send the certificate that the CA issued for it',
  crl: 'a CRL: send it to crls/<name>',
  pkcs7: 'PKCS#7 (p7b): convert it with `openssl pkcs7 -print_certs`',
  pkcs12: 'PKCS#12 (p12, pfx), which holds a private key: extract the certificates with `openssl pkcs12 -nokeys`',
  'private key': 'a private key: keep it private, and send the certificate',
  'public key': 'a public key without a certificate',
};

const LABEL_KINDS: readonly (readonly [RegExp, Exclude<DerKind, 'unknown DER'>])[] = [
  [/PRIVATE KEY$/, 'private key'],
  [/^(X509 |TRUSTED )?CERTIFICATE$/, 'certificate'],
  [/CERTIFICATE REQUEST$/, 'request'],
  [/^(X509 )?CRL$/, 'crl'],
  [/^(PKCS7|CMS|PKCS #7 SIGNED DATA)$/, 'pkcs7'],
  [/^PKCS12$/, 'pkcs12'],
  [/PUBLIC KEY$/, 'public key'],
];

/** Number of characters of a text that are examined. */
const HEAD = 4_096;

/**
 * Describes a text without a PEM block of the wanted kind, and the next step. The description is for messages and
 * repeats nothing of the text.
 */
export function textKind(text: string, wanted: Wanted): string {
  const head = text.slice(0, HEAD);
  // A NUL may be the last character.
  const odd = oddity(text.includes('\0') ? `${head}\0` : head, wanted);
  if (odd !== undefined) return odd;
  const [header] = pemHeaders(text);
  if (header) return `a PEM block "${header.label}"${ofLabel(header.label, wanted)}`;
  const der = fromBase64(head.length < text.length ? text : head);
  if (!der) return `no PEM: expected lines from -----BEGIN ${LABELS[wanted]}----- to -----END ${LABELS[wanted]}-----`;
  const kind = kindOfDer(der);
  if (kind === wanted) {
    return `the base64 of ${NAMES[wanted]} without its first and last line: put -----BEGIN ${LABELS[wanted]}----- before it and -----END ${LABELS[wanted]}----- behind it`;
  }
  return `base64 without the lines of PEM${described(kind)}`;
}

/** Describes bytes that are not a PEM text; returns undefined if they may be one. */
export function bytesKind(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return UTF16;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return UTF16;
  const [first, second] = bytes;
  if ((first === 0x1f && second === 0x8b) || bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04')
    return COMPRESSED;
  if (bytes.subarray(0, 4).toString('hex') === 'feedfeed') return KEYSTORE;
  const kind = kindOfDer(bytes);
  if (kind !== undefined) return `in DER (binary)${described(kind)}`;
  if (bytes.includes(0)) return kindWithNul(bytes.subarray(0, HEAD).toString('latin1')) ?? BINARY;
  return undefined;
}

const UTF16 = 'in UTF-16: save it as UTF-8 or ASCII, or convert it with `iconv -f UTF-16 -t UTF-8`';
const COMPRESSED = 'compressed: unpack it first';
const KEYSTORE = 'a Java keystore: export the certificate with `keytool -exportcert -rfc`';
const BINARY =
  'binary, and not a certificate or CRL in DER: it has another format, is truncated, or has trailing bytes';
const NUL_IN_PEM = 'PEM with NUL characters: remove them';

/** Recognizes UTF-16, in which every other character of an ASCII text is NUL. */
function kindWithNul(head: string): string | undefined {
  if (/^[^\0]{0,2}(([^\0]\0){4}|(\0[^\0]){4})/.test(head)) return UTF16;
  return head.includes('-----BEGIN ') ? NUL_IN_PEM : undefined;
}

function oddity(head: string, wanted: Wanted): string | undefined {
  const text = head.trim();
  if (text === '') return 'empty';
  if (head.includes('\0')) return kindWithNul(head) ?? BINARY_TEXT;
  if (head.includes('\ufffd')) return BINARY_TEXT;
  if (/^<(!doctype|html|\?xml|head|body)/i.test(text))
    return 'an HTML or XML page: check the URL that it was fetched from';
  if (/BEGIN [^\n]*-----\\r?\\?n|-----\\n/.test(head)) return LITERAL_BREAKS;
  if (/[\u2013\u2014]\s*BEGIN/.test(head)) return 'PEM whose dashes were replaced by longer ones: use five hyphens (-)';
  if (/-{1,4}\s?BEGIN|-----BEGIN(?! [A-Z0-9 ]+-----)/.test(head) && pemHeaders(head).length === 0) {
    return `PEM whose first line is not -----BEGIN ${LABELS[wanted]}-----`;
  }
  if (/^(ssh-|ecdsa-sha2-)/.test(text)) return 'an SSH key, which is not an X.509 certificate';
  if (/^Certificate:/.test(text)) return 'the readable form that `openssl x509 -text` prints: remove -text';
  if (text.startsWith('{')) return 'JSON: send the field that holds the PEM';
  if (/^https?:\/\/\S+$/.test(text)) return 'a URL: send the content of the file at the URL';
  if (/^(@|\.{0,2}\/|[A-Za-z]:\\|file:)\S*$|^[\w.-]+\.(pem|crt|cer|der|crl|p7b|p12|pfx)$/i.test(text)) {
    return 'a file name: send the content of the file (on a command line: name=@file)';
  }
  return undefined;
}

export const LITERAL_BREAKS = 'PEM whose line breaks are the two characters \\n: send real line breaks';
const BINARY_TEXT = 'binary (DER, PKCS#12 or the like): send it as PEM';

function ofLabel(label: string, wanted: Wanted): string {
  const kind = LABEL_KINDS.find(([pattern]) => pattern.test(label))?.[1];
  if (kind === undefined) return `, which is not ${NAMES[wanted]}`;
  if (kind !== wanted) return described(kind);
  return label === LABELS[wanted] ? ' that cannot be read' : `: its first and last line have to say ${LABELS[wanted]}`;
}

const described = (kind: DerKind | undefined): string =>
  kind === undefined || kind === 'unknown DER' ? '' : `: ${ADVICE[kind]}`;
