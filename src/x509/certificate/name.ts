import { Buffer } from 'node:buffer';
import { readItems } from '../asn1/list.ts';
import { dottedFromOid, type Oid, readOid } from '../asn1/oid.ts';
import { type DerReader, Tag } from '../asn1/reader.ts';
import { isStringTag, stringInContent } from '../asn1/strings.ts';
import { ParseError } from '../parse-error.ts';
import { type Attribute, AttributeType, SHORT_NAMES } from './attribute.ts';
import { prepareForComparison } from './name-preparation.ts';

/**
 * Maximum number of attributes; names in practice have fewer than twenty.
 * @limit attributes of a distinguished name, attributes -> the name cannot be read
 */
const MAX_ATTRIBUTES = 128;
/**
 * Maximum DER length of one name. Comparing a name can take eighteen times its length.
 * @limit size of a distinguished name, bytes -> the name cannot be read
 */
const MAX_NAME_BYTES = 8192;

/** A distinguished name (RFC 5280 §4.1.2.4): relative distinguished names from the root of the directory down. */
export class Name {
  /** DER of the whole name. */
  readonly der: Buffer;
  readonly rdns: readonly (readonly Attribute[])[];
  #rdnKeys: readonly string[] | undefined;
  #key: string | undefined;

  private constructor(der: Buffer, rdns: readonly (readonly Attribute[])[]) {
    this.der = der;
    this.rdns = rdns;
  }

  /** Reads one Name. Throws if it is malformed, has more than 128 attributes, or is longer than 8 KiB. */
  static read(reader: DerReader): Name {
    reader.expect(Tag.sequence);
    const der = reader.element;
    if (der.length > MAX_NAME_BYTES) throw new ParseError(`a name of more than ${MAX_NAME_BYTES} bytes`);
    return new Name(der, readRdns(reader.inner()));
  }

  get isEmpty(): boolean {
    return this.rdns.length === 0;
  }

  /**
   * Key that is equal for names that are the same by RFC 5280 §7.1 (case, spaces and string types do not count), and
   * different for all others. Computed on first use.
   */
  get key(): string {
    this.#key ??= this.rdnKeys.join();
    return this.#key;
  }

  /** Keys of the relative distinguished names. A name is below another if it starts with the other's keys. */
  get rdnKeys(): readonly string[] {
    this.#rdnKeys ??= this.rdns.map(rdnKey);
    return this.#rdnKeys;
  }

  /** Returns the values of an attribute that are strings, in the order of the name. */
  values(type: Oid): string[] {
    const values: string[] = [];
    for (const rdn of this.rdns) {
      for (const attribute of rdn) {
        if (attribute.type === type && attribute.text !== undefined) values.push(attribute.text);
      }
    }
    return values;
  }

  /** The last common name, like Go and most programs with OpenSSL use it. */
  get commonName(): string | undefined {
    return this.values(AttributeType.commonName).at(-1);
  }

  /** Formats as RFC 4514: `CN=device,O=Acme`, most specific first; control characters escaped. */
  toString(): string {
    return nameToString(this.rdns);
  }
}

const ATTRIBUTES = { items: 'attributes', most: MAX_ATTRIBUTES, mayBeEmpty: false };

function readRdns(reader: DerReader): Attribute[][] {
  const rdns: Attribute[][] = [];
  let count = 0;
  while (reader.more) {
    const values = reader.enter(Tag.set);
    const rdn = readItems(values, ATTRIBUTES, () => readAttribute(values.enter(Tag.sequence)));
    count += rdn.length;
    if (count > MAX_ATTRIBUTES) throw new ParseError(`a name of more than ${MAX_ATTRIBUTES} attributes`);
    rdns.push(rdn);
  }
  return rdns;
}

function readAttribute(reader: DerReader): Attribute {
  const type = readOid(reader);
  const tag = reader.next();
  const isString = isStringTag(tag);
  const attribute = {
    type,
    text: isString ? stringInContent(reader, tag) : undefined,
    hex: isString ? '' : reader.element.toString('hex'),
  };
  reader.finish();
  return attribute;
}

function rdnKey(rdn: readonly Attribute[]): string {
  const [only] = rdn;
  if (rdn.length === 1 && only !== undefined) return attributeKey(only);
  return rdn.map(attributeKey).sort().join('+');
}

/** The length in front of the text prevents that a value looks like the next attribute. */
function attributeKey(attribute: Attribute): string {
  if (attribute.text === undefined) return `${attribute.type}#${attribute.hex}`;
  const text = prepareForComparison(attribute.text);
  return `${attribute.type}=${text.length}:${text}`;
}

/** Formats a name as in RFC 4514, safe for a log: line ends and invisible characters are escaped as `\XX`. */
function nameToString(rdns: readonly (readonly Attribute[])[]): string {
  return rdns
    .map((rdn) => rdn.map(attributeToString).join('+'))
    .reverse()
    .join(',');
}

function attributeToString({ type, text, hex }: Attribute): string {
  const shortName = SHORT_NAMES.get(type) ?? dottedFromOid(type);
  return text === undefined ? `${shortName}=#${hex}` : `${shortName}=${escapeValue(text)}`;
}

const SPECIAL = /["+,;<>\\]/g;
/** Controls, invisible format characters and line separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes a value (RFC 4514 §2.4). */
function escapeValue(text: string): string {
  const body = text.replace(SPECIAL, '\\$&').replace(UNSEEN, utf8Escape);
  const start = body.startsWith(' ') || body.startsWith('#') ? '\\' : '';
  return body.length > 1 && body.endsWith(' ') ? `${start}${body.slice(0, -1)}\\ ` : start + body;
}

function utf8Escape(character: string): string {
  return Buffer.from(character, 'utf8').toString('hex').toUpperCase().replace(/../g, '\\$&');
}
