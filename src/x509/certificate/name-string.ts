import { Buffer } from 'node:buffer';
import { dottedFromOid } from '../asn1/oid.ts';
import { type Attribute, SHORT_NAMES } from './attribute.ts';

/** Formats a name as in RFC 4514, safe for a log: line ends and invisible characters are escaped as `\XX`. */
export function nameToString(rdns: readonly (readonly Attribute[])[]): string {
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
