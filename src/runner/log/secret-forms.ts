/**
 * Shorter values would match ordinary text.
 * @limit minimum length of a sensitive value that is masked in the log of a run, characters -> a shorter value is not
 * masked, and the log names its variable
 */
export const SHORTEST = 4;
/** Longer secrets are searched in pieces of this length, so that the stream holds back few bytes. */
const PIECE = 4096;
/** Depth of nested JSON: an output may be JSON with JSON in it, printed as text in a structured line. */
const NESTED = 4;
/**
 * Depth of nested JSON in the output of programs. That output is already printed as text in a structured line, so it
 * has fewer levels.
 */
const NESTED_OF_PROGRAMS = 2;
/** Line widths of base64 tools. */
const LINES_OF_BASE64 = [64, 76];

/** Returns all forms in which tools print secrets, without duplicates. Values shorter than `SHORTEST` have none. */
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

/**
 * Adds the NFC form: engines compose characters (`u` and a combining diaeresis to `ü`), but environment variables keep
 * the uncomposed form.
 */
function* withComposed(secrets: Iterable<string>): Generator<string> {
  for (const secret of secrets) yield* new Set([secret, secret.normalize('NFC')]);
}

function formsOf(secret: string): string[] {
  const inText = secret.replaceAll(/[$%]\{/g, (one) => `${one[0]}${one}`);
  const hex = Buffer.from(secret).toString('hex');
  const plain = [secret, inText];
  const quoted = plain.map(inQuotes);
  // Output of a program of the configuration is nested one level deeper than values of the engine.
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

/** Returns texts with their JSON escapes, at all levels of nesting, in the style of engines and of other tools. */
function inJson(texts: readonly string[], levels: number): string[] {
  if (levels === 0) return [...texts];
  const quoted = [...new Set(texts)].map(inQuotes);
  return [...texts, ...inJson([...quoted, ...quoted.map(asEnginesDo)], levels - 1)];
}

const inQuotes = (text: string): string => JSON.stringify(text).slice(1, -1);

function asEnginesDo(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, escaped);
}

/**
 * Escapes like libraries that write ASCII-only JSON. Some of them also escape slashes; quotes of other languages leave
 * `"` unescaped.
 */
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

/**
 * Returns the base64 forms at all three alignments, because a secret may follow other text (`user:secret`). Includes
 * only characters that depend on nothing but the secret.
 */
function base64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const whole = [0, 1, 2].flatMap((before) => {
    const length = Math.floor(((before + bytes.length) * 8) / 6);
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const from = Math.ceil((before * 8) / 6);
    // A secret inside a longer text comes first, then a secret at its end.
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
