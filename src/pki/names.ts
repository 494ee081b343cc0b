/** Names in DER for tests: distinguished names and GeneralNames. */
import { isIPv4 } from 'node:net';
import * as der from './der.ts';

const ATTRIBUTES: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  DC: '0.9.2342.19200300.100.1.25',
  UID: '0.9.2342.19200300.100.1.1',
  emailAddress: '1.2.840.113549.1.9.1',
};

/**
 * A string is one common name. A list holds pairs of attribute (`CN`, `OU`, … or dotted) and value, one RDN each, in
 * the written order; a value may be DER. Bytes are the DER of the whole name.
 */
export type NameInput = string | readonly (readonly [attribute: string, value: string | Uint8Array])[] | Uint8Array;

/** Returns the DER of a distinguished name. Strings become UTF8Strings. */
export function nameDer(name: NameInput): Buffer {
  if (name instanceof Uint8Array) return Buffer.from(name);
  const pairs = typeof name === 'string' ? ([['CN', name]] as const) : name;
  return der.sequence(...pairs.map(([attribute, value]) => der.set(attributeDer(attribute, value))));
}

/** Returns one attribute of a name. `der.set(a, b)` of several is a multi-valued RDN. */
export function attributeDer(attribute: string, value: string | Uint8Array): Buffer {
  const content = typeof value === 'string' ? der.utf8String(value) : value;
  return der.sequence(der.oid(ATTRIBUTES[attribute] ?? attribute), content);
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

export const emailName = (text: string): Buffer => der.primitive(1, latin1(text));
export const dnsName = (text: string): Buffer => der.primitive(2, latin1(text));
export const directoryName = (name: NameInput): Buffer => der.constructed(4, nameDer(name));
export const uriName = (text: string): Buffer => der.primitive(6, latin1(text));
export const registeredId = (dotted: string): Buffer => der.primitive(8, der.oid(dotted).subarray(2));

/**
 * Returns an iPAddress from a dotted IPv4 or an IPv6 address; for a name constraint from `address/mask`, both written
 * as addresses.
 */
export function ipName(text: string): Buffer {
  return der.primitive(7, Buffer.from(text.split('/').flatMap(addressBytes)));
}

export function otherName(typeId: string, value: Uint8Array): Buffer {
  return der.constructed(0, der.oid(typeId), der.constructed(0, value));
}

function addressBytes(text: string): number[] {
  if (isIPv4(text)) return text.split('.').map(Number);
  const [head = '', tail] = text.split('::');
  const words = (part: string) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)));
  const left = words(head);
  const right = words(tail ?? '');
  const zeros = tail === undefined ? [] : Array<number>(8 - left.length - right.length).fill(0);
  return [...left, ...zeros, ...right].flatMap((word) => [word >> 8, word & 0xff]);
}

/** Returns the subject alternative names of a certificate's options as GeneralNames. */
export function generalNames(options: {
  readonly dns?: readonly string[];
  readonly emails?: readonly string[];
  readonly uris?: readonly string[];
  readonly ips?: readonly string[];
  readonly otherNames?: readonly Uint8Array[];
}): Uint8Array[] {
  return [
    ...(options.dns ?? []).map(dnsName),
    ...(options.emails ?? []).map(emailName),
    ...(options.uris ?? []).map(uriName),
    ...(options.ips ?? []).map(ipName),
    ...(options.otherNames ?? []),
  ];
}
