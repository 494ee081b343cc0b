/**
 * Shorter ones would be found in everything.
 * @limit the shortest sensitive value that is masked in the log of a run, characters -> not masked: the log names its variable
 */
export const SHORTEST = 4;
/** Longer ones are looked for in pieces, so that little is held back of a log that may go on with one. */
const PIECE = 4096;
/** An output of JSON, with JSON in it, is printed as text, in a line of JSON. */
const NESTED = 4;
/** Such a text is JSON already, and is printed in a text, in a line of JSON. */
const NESTED_OF_PROGRAMS = 2;
/** Where tools break base64 into lines. */
const LINES_OF_BASE64 = [64, 76];

/** All forms in which tools print secrets, each once. One that is shorter than 4 characters has none. */
export function secretForms(secrets: Iterable<string>): Buffer[] {
  const forms = new Set<string>();
  for (const secret of withComposed(secrets)) {
    for (const text of [secret, ...secret.split(/[\r\n]+/).map((line) => line.trim())]) {
      if (text.length < SHORTEST) continue;
      for (const form of formsOf(text)) if (form.length >= SHORTEST) forms.add(form);
    }
  }
  return [...forms].flatMap((form) => pieces(Buffer.from(form)));
}

/** Engines compose the characters of their texts (`u` and its two dots to `ü`); environment variables stay as they are. */
function* withComposed(secrets: Iterable<string>): Generator<string> {
  for (const secret of secrets) yield* new Set([secret, secret.normalize('NFC')]);
}

function formsOf(secret: string): string[] {
  const inText = secret.replaceAll(/[$%]\{/g, (one) => `${one[0]}${one}`);
  const hex = Buffer.from(secret).toString('hex');
  const plain = [secret, inText];
  const quoted = plain.map(inQuotes);
  // The output of a program of the configuration is one level below what the engine makes of it.
  const ofPrograms = quoted.flatMap((json) => {
    const inAscii = asPythonDoes(json);
    return [inAscii, inAscii.replaceAll('/', '\\/'), json.replaceAll('\\"', '"')];
  });
  return [
    ...inJson(plain, NESTED),
    ...inJson(ofPrograms, NESTED_OF_PROGRAMS),
    ...urlEncoded(secret),
    ...base64(secret),
    ...[hex, hex.toUpperCase()],
  ];
}

/** Texts, the same in JSON, in JSON in JSON, and so on; of engines, and of all others. */
function inJson(texts: readonly string[], levels: number): string[] {
  if (levels === 0) return [...texts];
  const quoted = [...new Set(texts)].map(inQuotes);
  return [...texts, ...inJson([...quoted, ...quoted.map(asEnginesDo)], levels - 1)];
}

const inQuotes = (text: string): string => JSON.stringify(text).slice(1, -1);

function asEnginesDo(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, escaped);
}

/** As libraries do that write JSON in ASCII. Some of them escape slashes, too; quotes of other languages leave `"` as it is. */
function asPythonDoes(json: string): string {
  return json.replaceAll(/[\u0080-\uffff]/g, escaped);
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function urlEncoded(secret: string): string[] {
  const loose = encodeURIComponent(secret.toWellFormed());
  const strict = loose.replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  const all = [loose, strict, strict.replaceAll('%20', '+')];
  return [...all, ...all.map((form) => form.replaceAll(/%[0-9A-F]{2}/g, (one) => one.toLowerCase()))];
}

/** Wherever the secret begins in what was encoded (`user:secret`): of that, what depends on the secret alone. */
function base64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const whole = [0, 1, 2].flatMap((before) => {
    const length = Math.floor(((before + bytes.length) * 8) / 6);
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const from = Math.ceil((before * 8) / 6);
    // With what follows, and at the end.
    return [encoded.slice(from, length), encoded.slice(from)];
  });
  const lines = LINES_OF_BASE64.flatMap((width) => whole[0]?.match(new RegExp(`.{1,${width}}`, 'g')) ?? []);
  const all = [...whole, ...lines];
  return [...all, ...all.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

function pieces(form: Buffer): Buffer[] {
  const count = Math.ceil(form.length / PIECE);
  return Array.from({ length: count }, (_, n) => form.subarray(n * PIECE, (n + 1) * PIECE)).filter(
    ({ length }) => length >= SHORTEST,
  );
}
