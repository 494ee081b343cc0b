/** The first line of a PEM block in a text. */
export interface PemHeader {
  /** Label of the block, such as `CERTIFICATE`. */
  readonly label: string;
  /** Line of the text, from 1. */
  readonly line: number;
  /** Offset of the first character. */
  readonly start: number;
}

const HEADER = /-----BEGIN ([A-Z0-9 ]{1,40})-----/g;
/** Maximum number of blocks that are examined. */
const LOOKED_AT = 2_000;

/** Returns the first lines of the blocks of a text, for messages about one of them. */
export function pemHeaders(text: string): PemHeader[] {
  const headers: PemHeader[] = [];
  let line = 1;
  let counted = 0;
  for (const { 1: label = '', index } of text.matchAll(HEADER)) {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
    counted = index;
    if (headers.push({ label, line, start: index }) === LOOKED_AT) break;
  }
  return headers;
}

/** Returns the bytes of the block that starts here; undefined if it has no end or is not base64. */
export function bodyOf(text: string, { label, start }: PemHeader): Buffer | undefined {
  const from = start + `-----BEGIN ${label}-----`.length;
  const end = text.indexOf(`-----END ${label}-----`, from);
  return end < 0 ? undefined : fromBase64(text.slice(from, end));
}

/** Decodes base64 and ignores white space. Returns undefined for any other text. */
export function fromBase64(text: string): Buffer | undefined {
  const base64 = text.replace(/\s+/g, '');
  const bytes = Buffer.from(base64, 'base64');
  return base64 !== '' && bytes.toString('base64') === base64 ? bytes : undefined;
}

const COLUMNS = 64;

/** Returns a PEM block. */
export function toPem(label: string, der: Uint8Array): string {
  const base64 = Buffer.from(der).toString('base64');
  const lines = base64.match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
