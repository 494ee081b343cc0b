/** What is shorter would be found in everything. */
const SHORTEST = 4;
/** Longer ones are looked for in pieces, so that little is held back of a log that may go on with one. */
const LONGEST = 4096;
/** Where tools break base64 into lines. */
const LINES_OF_BASE64 = [64, 76];

/** All forms in which tools print secrets, each once. One that is shorter than 4 characters has none. */
export function secretForms(secrets: Iterable<string>): Buffer[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    for (const text of [secret, ...secret.split(/[\r\n]+/).map((line) => line.trim())]) {
      if (text.length < SHORTEST) continue;
      for (const form of formsOf(text)) if (form.length >= SHORTEST) forms.add(form);
    }
  }
  return [...forms].flatMap((form) => pieces(Buffer.from(form)));
}

function formsOf(secret: string): string[] {
  const inJson = json(secret);
  return [
    secret,
    inJson,
    json(inJson),
    forHtml(inJson),
    json(forHtml(inJson)),
    ...urlEncoded(secret),
    ...base64(secret),
    Buffer.from(secret).toString('hex'),
  ];
}

const json = (text: string): string => JSON.stringify(text).slice(1, -1);

/** As engines write JSON. */
function forHtml(text: string): string {
  return text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
}

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
    return [encoded.slice(Math.ceil((before * 8) / 6), length)];
  });
  const lines = LINES_OF_BASE64.flatMap((width) => whole[0]?.match(new RegExp(`.{1,${width}}`, 'g')) ?? []);
  const all = [...whole, ...lines];
  return [...all, ...all.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

function pieces(form: Buffer): Buffer[] {
  const count = Math.ceil(form.length / LONGEST);
  return Array.from({ length: count }, (_, n) => form.subarray(n * LONGEST, (n + 1) * LONGEST)).filter(
    ({ length }) => length >= SHORTEST,
  );
}
