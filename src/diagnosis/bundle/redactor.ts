import { readFile } from 'node:fs/promises';
import type { Sensitive } from '../../config/index.ts';
import { TAKEN_OUT } from '../../lib/address/bare-address.ts';
import { withoutPatterns } from './patterns.ts';

/** Minimum length of a known secret. Shorter ones would redact harmless words. */
const SHORTEST = 4;
/** Minimum length of a value of an environment variable that may not be a secret. */
const SHORTEST_OF_ENVIRONMENT = 8;
/** Key material in a file: consecutive characters. */
const KEY_MATERIAL = /[A-Za-z\d+/=_-]{16,}/g;
const SECRET_VARIABLE = /TOKEN|SECRET|PASSWORD|PASSWD|PGPASS|PRIVATE|CREDENTIAL|ACCESS_KEY|API_KEY|STORAGE_URL/i;

/** Redacts secrets from texts: the known secrets of this server, and everything that looks like a secret. */
export class Redactor {
  /** Sorted by length, longest first, because one secret may be part of another. */
  readonly #known: readonly string[];

  private constructor(known: ReadonlySet<string>) {
    this.#known = [...known].filter(({ length }) => length >= SHORTEST).toSorted((a, b) => b.length - a.length);
  }

  /** Collects the secrets in the settings, in the files that the settings name, and in the environment. */
  static async fromSettings(
    { texts, files }: Sensitive,
    environment: Readonly<Record<string, string | undefined>>,
  ): Promise<Redactor> {
    const known = [...ofEnvironment(environment), ...texts, ...texts.flatMap(passwordsIn), ...(await ofFiles(files))];
    return new Redactor(new Set(known.flatMap(spellings)));
  }

  text(text: string): string {
    const rest = this.#known.reduce((left, secret) => left.replaceAll(secret, TAKEN_OUT), text);
    return withoutPatterns(rest);
  }

  /** Redacts every text in a value, keys included. */
  value<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T;
    if (Array.isArray(value)) return value.map((item) => this.value(item)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.value(member)])) as T;
  }
}

/** Returns the spellings of a secret: plain, in a URL, and in JSON. */
const spellings = (text: string): string[] => [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)];

function ofEnvironment(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, text]) => {
    if (text === undefined || !SECRET_VARIABLE.test(name)) return [];
    return [text, ...passwordsIn(text)].filter(({ length }) => length >= SHORTEST_OF_ENVIRONMENT);
  });
}

/** Returns passwords in URLs, as written and decoded. */
function passwordsIn(text: string): string[] {
  const written = [
    ...[...text.matchAll(/:\/\/[^/\s]*?:([^\s]*)@/g)].map(([, password = '']) => password),
    ...[...text.matchAll(/[?&](?:ssl)?password=([^&\s#]+)/g)].map(([, password = '']) => password),
  ];
  return written.flatMap((password) => [password, decoded(password)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the secrets in files. Keys are split into lines, because a text may quote only a part of a key. */
async function ofFiles(files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.flatMap((text) => [text.trim(), ...(text.match(KEY_MATERIAL) ?? [])]);
}
