/** Incomplete identity settings of a workspace. The message is for users. */
export class Incomplete extends Error {
  override readonly name = 'Incomplete';
}

/** Tag suffix of a variable name, such as `_PROD`. */
const TAG = '(?:_([A-Za-z0-9_]+))?';
/** Suffixes of other variables, which are not tags. */
const RESERVED = 'TYPE';

/** Environment variables of a run, by name. */
export type Variables = ReadonlyMap<string, string>;

/** Returns the sorted tags of all variables of this name. Untagged is '' and comes first. */
export function tagsOf(variables: Variables, name: string): string[] {
  const pattern = new RegExp(`^${name}${TAG}$`);
  const found = [...variables.keys()].flatMap((key) => {
    const match = pattern.exec(key);
    return match === null ? [] : [match[1] ?? ''];
  });
  return found.filter((tag) => tag !== RESERVED).toSorted();
}

/** Returns the full name, such as `TFC_AWS_PROVIDER_AUTH_PROD`. */
const named = (name: string, tag: string): string => `TFC_${name}${tag && `_${tag}`}`;

/** Settings of a workspace for one cloud and tag. */
export class Settings {
  readonly tag: string;
  readonly #variables: Variables;
  readonly #cloud: string;
  readonly #phase: 'PLAN' | 'APPLY';

  /**
   * Settings for one cloud and tag.
   * @param cloud name in variable names, such as `AWS`
   */
  constructor(variables: Variables, cloud: string, tag: string, phase: 'plan' | 'apply') {
    this.#variables = variables;
    this.#cloud = cloud;
    this.tag = tag;
    this.#phase = phase === 'plan' ? 'PLAN' : 'APPLY';
  }

  /**
   * Returns the value for the tag, or the default (`TFC_DEFAULT_…`). Returns undefined without either. @throws
   * Incomplete
   */
  get(name: string): string | undefined {
    return this.#first([named(`${this.#cloud}_${name}`, this.tag), `TFC_DEFAULT_${this.#cloud}_${name}`]);
  }

  /**
   * Like `get`, but the value is required.
   * @throws Incomplete if there is no value
   */
  need(name: string): string {
    return this.get(name) ?? this.#missing(name);
  }

  /** Returns the value for this phase: the one for plans or applies, or else `RUN_…`. @throws Incomplete */
  needInPhase(name: string): string {
    const ofPhase = [`${this.#phase}_${name}`, `RUN_${name}`].map((one) => `${this.#cloud}_${one}`);
    const keys = [...ofPhase.map((one) => named(one, this.tag)), ...ofPhase.map((one) => `TFC_DEFAULT_${one}`)];
    return this.#first(keys) ?? this.#missing(`RUN_${name}`);
  }

  #first(keys: readonly string[]): string | undefined {
    const key = keys.find((one) => this.#variables.get(one));
    const value = key === undefined ? undefined : this.#variables.get(key);
    // Values must be one line, because they are written into files and URLs.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused
    if (value !== undefined && /[\x00-\x1f\x7f]/.test(value)) throw new Incomplete(`${key} must be one line`);
    return value;
  }

  #missing(name: string): never {
    const [asked, missing] = [`${this.#cloud}_PROVIDER_AUTH`, `${this.#cloud}_${name}`];
    throw new Incomplete(
      `${named(asked, this.tag)} is set, and ${named(missing, this.tag)} is missing: set it as an environment variable of the workspace`,
    );
  }
}
