/** What a workspace says of an identity that it asks for is not whole. The text is for people. */
export class Incomplete extends Error {
  override readonly name = 'Incomplete';
}

/** Ends a name of a variable, where there are several of a kind: `_PROD`. */
const TAG = '(?:_([A-Za-z0-9_]+))?';
/** It ends variables that mean something else. */
const RESERVED = 'TYPE';

/** The environment variables of a run, by name. */
export type Variables = ReadonlyMap<string, string>;

/** The tags of all variables of that name; one without a tag is ''. In order, that first. */
export function tagsOf(variables: Variables, name: string): string[] {
  const pattern = new RegExp(`^${name}${TAG}$`);
  const found = [...variables.keys()].flatMap((key) => {
    const match = pattern.exec(key);
    return match === null ? [] : [match[1] ?? ''];
  });
  return found.filter((tag) => tag !== RESERVED).toSorted();
}

/** `AWS_PROVIDER_AUTH` → `TFC_AWS_PROVIDER_AUTH_PROD` */
const named = (name: string, tag: string): string => `TFC_${name}${tag && `_${tag}`}`;

/** What a workspace says of one of the clouds that its runs may enter, of one tag. */
export class Settings {
  readonly tag: string;
  readonly #variables: Variables;
  readonly #cloud: string;
  readonly #phase: 'PLAN' | 'APPLY';

  /** @param cloud `AWS` */
  constructor(variables: Variables, cloud: string, tag: string, phase: 'plan' | 'apply') {
    this.#variables = variables;
    this.#cloud = cloud;
    this.tag = tag;
    this.#phase = phase === 'plan' ? 'PLAN' : 'APPLY';
  }

  /** Of that tag, or of all (`TFC_DEFAULT_…`); undefined where neither says anything. @throws Incomplete */
  get(name: string): string | undefined {
    return this.#first([named(`${this.#cloud}_${name}`, this.tag), `TFC_DEFAULT_${this.#cloud}_${name}`]);
  }

  /** The same. @throws Incomplete where there is none too */
  need(name: string): string {
    return this.get(name) ?? this.#missing(name);
  }

  /** What counts in this phase: `RUN_…`, unless there is a value for plans or applies. @throws Incomplete */
  needInPhase(name: string): string {
    const ofPhase = [`${this.#phase}_${name}`, `RUN_${name}`].map((one) => `${this.#cloud}_${one}`);
    const keys = [...ofPhase.map((one) => named(one, this.tag)), ...ofPhase.map((one) => `TFC_DEFAULT_${one}`)];
    return this.#first(keys) ?? this.#missing(`RUN_${name}`);
  }

  #first(keys: readonly string[]): string | undefined {
    const key = keys.find((one) => this.#variables.get(one));
    const value = key === undefined ? undefined : this.#variables.get(key);
    // It goes into files line by line, and into addresses.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused
    if (value !== undefined && /[\x00-\x1f\x7f]/.test(value)) throw new Incomplete(`${key} has to be one line`);
    return value;
  }

  #missing(name: string): never {
    const [asked, missing] = [`${this.#cloud}_PROVIDER_AUTH`, `${this.#cloud}_${name}`];
    throw new Incomplete(
      `${named(asked, this.tag)} is set, and ${named(missing, this.tag)} is missing: set it as an environment variable of the workspace`,
    );
  }
}
