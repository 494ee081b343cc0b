/** What a claim has to be: a text, a number, true or false. */
type Plain = string | number | boolean;
export type Claims = Readonly<Record<string, unknown>>;

/** A line that says neither a name nor a value. */
class NotClaims extends Error {}

const BETWEEN = ' = ';

/** A line for each claim, `repository_id = "123"`: what would be read as something else, or not at all, is quoted. */
export function claimLines(claims: Claims | null | undefined): string {
  return Object.entries(claims ?? {})
    .map(
      ([name, value]) =>
        `${bareName(name)}${BETWEEN}${typeof value === 'string' ? bareText(value) : JSON.stringify(value)}`,
    )
    .join('\n');
}

/**
 * What lines say. A value that is not JSON is a text; several values of a claim stand in `[ ]`.
 * @throws NotClaims
 */
export function claimsIn(lines: string): Record<string, Plain | readonly Plain[]> {
  const all = lines.split('\n').flatMap((line) => (line.trim() === '' ? [] : [claimIn(line.trim())]));
  const names = all.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new NotClaims(`${twice} is there twice: several values stand in one line, ["a", "b"]`);
  return Object.fromEntries(all);
}

/** Why lines are no claims; nothing where they are. */
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
  // A quoted name may hold what parts names from values.
  const quoted = /^("(?:[^"\\]|\\.)*")\s*=\s*(.*)$/.exec(line);
  const at = line.includes(BETWEEN) ? line.indexOf(BETWEEN) + 1 : line.indexOf('=');
  const name = quoted ? parsed(quoted[1] ?? '') : line.slice(0, Math.max(0, at)).trim();
  const value = (quoted ? (quoted[2] ?? '') : line.slice(at + 1)).trim();
  if (typeof name !== 'string' || name === '' || value === '') {
    throw new NotClaims(`${line}: a line is name = value`);
  }
  return [name, valueIn(value)];
}

function valueIn(text: string): Plain | readonly Plain[] {
  const value = parsed(text);
  if (isPlain(value)) return value;
  return Array.isArray(value) && value.length > 0 && value.every(isPlain) ? value : text;
}

const isPlain = (value: unknown): value is Plain => ['string', 'number', 'boolean'].includes(typeof value);

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As it is, where it is read as the same again. */
function bareText(text: string): string {
  const isBare = text !== '' && text === text.trim() && !text.includes('\n') && valueIn(text) === text;
  return isBare && !text.startsWith('"') ? text : JSON.stringify(text);
}

const bareName = (name: string): string =>
  name !== '' && name === name.trim() && !/^"|[\n=]/.test(name) ? name : JSON.stringify(name);
