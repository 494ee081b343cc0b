import * as texts from './texts.ts';

/** Type of a claim value that can be matched. */
type Plain = string | number | boolean;
export type Claims = Readonly<Record<string, unknown>>;

/** A line without a name or a value. */
class NotClaims extends Error {}

const BETWEEN = ' = ';

/** Writes each claim on a line, `repository_id = "123"`. Quotes values that would otherwise be read differently. */
export function claimLines(claims: Claims | null | undefined): string {
  return Object.entries(claims ?? {})
    .map(
      ([name, value]) =>
        `${bareName(name)}${BETWEEN}${typeof value === 'string' ? bareText(value) : JSON.stringify(value)}`,
    )
    .join('\n');
}

/**
 * Parses lines of claims. A value that is not JSON is text; several values of a claim are a JSON array.
 * @throws NotClaims
 */
export function claimsIn(lines: string): Record<string, Plain | readonly Plain[]> {
  const all = lines.split('\n').flatMap((line) => (line.trim() === '' ? [] : [claimIn(line.trim())]));
  const names = all.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new NotClaims(texts.claimTwice(twice));
  return Object.fromEntries(all);
}

/** Returns why the lines are invalid; undefined if they are valid. */
export function whyNoClaims(lines: string): string | undefined {
  try {
    claimsIn(lines);
    return undefined;
  } catch (error) {
    if (error instanceof NotClaims) return error.message;
    throw error;
  }
}

function claimIn(line: string): [name: string, value: Plain | readonly Plain[]] {
  // The name is quoted, because it may contain the separator.
  const quoted = /^("(?:[^"\\]|\\.)*")\s*=\s*(.*)$/.exec(line);
  const at = line.includes(BETWEEN) ? line.indexOf(BETWEEN) + 1 : line.indexOf('=');
  const name = quoted ? parsed(quoted[1] ?? '') : line.slice(0, Math.max(0, at)).trim();
  const value = (quoted ? (quoted[2] ?? '') : line.slice(at + 1)).trim();
  if (typeof name !== 'string' || name === '' || value === '') {
    throw new NotClaims(texts.writeEachLineAs(line));
  }
  return [name, valueIn(value)];
}

function valueIn(text: string): Plain | readonly Plain[] {
  const value = parsed(text);
  if (isPlain(value)) return value;
  return Array.isArray(value) && value.length > 0 && value.every(isPlain) ? value : text;
}

const isPlain = (value: unknown): value is Plain => ['string', 'number', 'boolean'].includes(typeof value);

/** Parses JSON; undefined for other text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the text without quotes if it is read back unchanged, else as JSON. */
function bareText(text: string): string {
  const isBare = text !== '' && text === text.trim() && !text.includes('\n') && valueIn(text) === text;
  return isBare && !text.startsWith('"') ? text : JSON.stringify(text);
}

const bareName = (name: string): string =>
  name !== '' && name === name.trim() && !/^"|[\n=]/.test(name) ? name : JSON.stringify(name);
