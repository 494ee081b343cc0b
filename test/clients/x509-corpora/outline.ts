import type { Kind } from './inputs.ts';

const TIMES = [0x17, 0x18];
const ENUMERATED = 0x0a;
const SEQUENCE = 0x30;

/** Type and length of the first DER element, from its outer structure only: its content may be malformed. */
export interface Outline {
  readonly kind: Kind | undefined;
  /** Length of the first element in bytes, from its header; undefined without a definite length. */
  readonly length: number | undefined;
}

export function outline(bytes: Buffer): Outline {
  const outer = elementAt(bytes, 0);
  if (bytes[0] !== SEQUENCE || outer === undefined) return { kind: undefined, length: undefined };
  return { kind: kindOf(bytes, outer.start), length: outer.end };
}

function kindOf(bytes: Buffer, start: number): Kind | undefined {
  if (bytes[start] === ENUMERATED) return 'ocsp';
  const inner = bytes[start] === SEQUENCE ? elementAt(bytes, start) : undefined;
  if (inner === undefined) return undefined;
  const tags = tagsFrom(bytes, inner.start).map((tag) => (TIMES.includes(tag) ? 'time' : tag.toString(16)));
  const outlineOfIt = tags.join(' ');
  if (/^(a0 )?2 30 30 30 30/.test(outlineOfIt)) return 'certificate';
  return /^(2 )?30 30 time/.test(outlineOfIt) ? 'crl' : undefined;
}

/** Tags of the first six elements. */
function tagsFrom(bytes: Buffer, start: number): number[] {
  const tags: number[] = [];
  for (let at: number | undefined = start; at !== undefined && tags.length < 6 && at < bytes.length; ) {
    tags.push(bytes[at] ?? 0);
    at = elementAt(bytes, at)?.end;
  }
  return tags;
}

function elementAt(bytes: Buffer, at: number): { readonly start: number; readonly end: number } | undefined {
  const first = bytes[at + 1];
  if (first === undefined || first === 0x80) return undefined;
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const size = first & 0x7f;
  if (size > 4 || at + 2 + size > bytes.length) return undefined;
  const start = at + 2 + size;
  return { start, end: start + bytes.readUIntBE(at + 2, size) };
}
