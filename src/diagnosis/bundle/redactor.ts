import { readFile } from 'node:fs/promises';
import type { Sensitive } from '../../config/index.ts';
import { TAKEN_OUT } from '../../lib/address/bare-address.ts';
import { withoutPatterns } from './patterns.ts';

/** Shorter ones would take words out that are no secrets. */
const SHORTEST = 4;
/** The same of variables that may be anybody's. */
const SHORTEST_OF_ENVIRONMENT = 8;
/** Of what stands in a file of keys, characters in a row. */
const KEY_MATERIAL = /[A-Za-z\d+/=_-]{16,}/g;
const SECRET_VARIABLE = /TOKEN|SECRET|PASSWORD|PASSWD|PGPASS|PRIVATE|CREDENTIAL|ACCESS_KEY|API_KEY|STORAGE_URL/i;

/** Takes secrets out of texts: those that the installation is known to have, and whatever looks like one. */
export class Redactor {
  /** The longest first: one may be part of another. */
  readonly #known: readonly string[];

  private constructor(known: ReadonlySet<string>) {
    this.#known = [...known].filter(({ length }) => length >= SHORTEST).toSorted((a, b) => b.length - a.length);
  }

  /** Knows what the settings name, what is in the files that they name, and what the environment holds. */
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

  /** The same for each text in a value, those that are names too. */
  value<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T;
    if (Array.isArray(value)) return value.map((item) => this.value(item)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.value(member)])) as T;
  }
}

/** As it is written in an address, and in JSON. */
const spellings = (text: string): string[] => [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)];

function ofEnvironment(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, text]) => {
    if (text === undefined || !SECRET_VARIABLE.test(name)) return [];
    return [text, ...passwordsIn(text)].filter(({ length }) => length >= SHORTEST_OF_ENVIRONMENT);
  });
}

/** As it is written there, and decoded. */
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

/** Keys line by line: what is quoted somewhere need not be all of it. */
async function ofFiles(files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.flatMap((text) => [text.trim(), ...(text.match(KEY_MATERIAL) ?? [])]);
}
