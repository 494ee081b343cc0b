import { isSameJson } from '../../lib/exact-json/exact-json.ts';
import { type Item, type Json, keyOf, type MissingSecret, type Note } from '../model/item.ts';

/** Rules of a kind that a plan needs. */
export interface PlanRules {
  /** Singular, for people. */
  readonly words: string;
  readonly owner?: string;
  readonly cannotCreate?: string;
  readonly cannotUpdate?: boolean;
  readonly links: Readonly<Record<string, { readonly kind: string; readonly isRequired?: boolean }>>;
  /** Returns the secret of the item, if no API returns its value. */
  secretOf?(item: Item): MissingSecret | undefined;
}

/** One item of the source, compared with the target. */
export interface Change {
  readonly action: 'create' | 'update' | 'same';
  readonly item: Item;
  /** Names of attributes and links that differ; all of them for a creation. */
  readonly attributes: readonly string[];
  readonly links: readonly string[];
}

export interface Plan {
  /** In the order in which they are applied. */
  readonly changes: readonly Change[];
  readonly notes: readonly Note[];
  readonly secrets: readonly MissingSecret[];
}

/** Values of secrets that the user gives. */
export type SecretValue = (secret: MissingSecret) => string | undefined;

/**
 * Compares a source with its target. Nothing is ever deleted, and links are only added.
 * @param rulesOf rules of a kind; undefined for kinds that the target does not know
 */
export function planOf(
  source: readonly Item[],
  target: readonly Item[],
  rulesOf: (kind: string) => PlanRules | undefined,
  secretValue: SecretValue = () => undefined,
): Plan {
  return new Planner(source, target, rulesOf, secretValue).plan();
}

class Planner {
  readonly #source: readonly Item[];
  readonly #target: ReadonlyMap<string, Item>;
  /** Keys of items that the target has or will have. */
  readonly #known: Set<string>;
  readonly #rulesOf: (kind: string) => PlanRules | undefined;
  readonly #secretValue: SecretValue;
  readonly #notes: Note[] = [];
  readonly #secrets: MissingSecret[] = [];

  constructor(
    source: readonly Item[],
    target: readonly Item[],
    rulesOf: (kind: string) => PlanRules | undefined,
    secretValue: SecretValue,
  ) {
    this.#source = source;
    this.#target = new Map(target.map((item) => [keyOf(item), item]));
    this.#rulesOf = rulesOf;
    this.#secretValue = secretValue;
    const creatable = source.filter((item) => rulesOf(item.kind)?.cannotCreate === undefined);
    this.#known = new Set([...this.#target.keys(), ...creatable.map(keyOf)]);
  }

  plan(): Plan {
    const changes = this.#source.flatMap((item) => {
      const rules = this.#rulesOf(item.kind);
      const change = rules === undefined ? this.#unknownKind(item) : this.#change(item, rules);
      // Items that use it must know that it will not exist.
      if (change === undefined && !this.#target.has(keyOf(item))) this.#known.delete(keyOf(item));
      return change === undefined ? [] : [change];
    });
    return { changes, notes: this.#notes, secrets: this.#secrets };
  }

  #unknownKind(item: Item): undefined {
    this.#notes.push({ about: wordsOf(item, undefined), why: `this version does not know the kind ${item.kind}` });
  }

  #change(item: Item, rules: PlanRules): Change | undefined {
    const current = this.#target.get(keyOf(item));
    const about = wordsOf(item, rules);
    const note = (why: string) => void this.#notes.push({ about, why });
    if (rules.owner !== undefined && !this.#isKnown(rules.owner, '', item.owner)) {
      return note(`the target has no ${rules.owner} ${item.owner}`);
    }
    if (current === undefined && rules.cannotCreate !== undefined) return note(rules.cannotCreate);
    const secret = rules.secretOf?.(item);
    const value = secret && this.#secretValue(secret);
    if (secret && value === undefined && current === undefined) return void this.#secrets.push(secret);
    const links: Record<string, readonly string[]> = {};
    for (const [link, names] of Object.entries(item.links)) {
      const rule = rules.links[link];
      if (rule === undefined) continue;
      const known = names.filter((name) => this.#isKnown(rule.kind, '', name));
      const unknown = names.filter((name) => !known.includes(name));
      if (unknown.length > 0) note(`it uses ${rule.kind} that the target does not have: ${unknown.join(', ')}`);
      if (unknown.length > 0 && rule.isRequired && current === undefined) return undefined;
      if (known.length > 0) links[link] = known;
    }
    const attributes = secret && value !== undefined ? { ...item.attributes, value } : item.attributes;
    const unknown = current === undefined ? [] : unknownTo(current, attributes);
    if (unknown.length > 0) note(`this server has no such settings: ${unknown.join(', ')}`);
    return compared({ ...item, attributes, links }, current, rules, secret !== undefined);
  }

  #isKnown(kind: string, owner: string, name: string): boolean {
    return this.#known.has(keyOf({ kind, owner, name }));
  }
}

/** Returns the names of settings that have a value, and that the target does not have at all. */
function unknownTo({ attributes: known }: Item, attributes: Item['attributes']): readonly string[] {
  if (Object.keys(known).length === 0) return [];
  const hasValue = (value: Json) => value !== false && value !== 0 && !isSame(value, null) && !isSame(value, {});
  return Object.keys(attributes).filter(
    (name) => !(name in known) && hasValue(attributes[name]) && !ABSENT_IF_UNSET.has(name),
  );
}

/** Attributes that a reader leaves out where they are not set. */
const ABSENT_IF_UNSET: ReadonlySet<string> = new Set([
  ...['vcs-repo', 'execution-mode', 'default-execution-mode', 'auto-destroy-at', 'value', 'custom_metadata', 'url'],
  ...['runs', 'variables', 'state-versions', 'sentinel-mocks', 'run-tasks', 'policy-overrides', 'workspace-locking'],
  ...['project-access', 'workspace-access'],
]);

function compared(item: Item, current: Item | undefined, rules: PlanRules, isSecret: boolean): Change {
  if (current === undefined) {
    return { action: 'create', item, attributes: Object.keys(item.attributes), links: Object.keys(item.links) };
  }
  const isRead = Object.keys(current.attributes).length > 0;
  const isOpen = (name: string) =>
    (name in current.attributes || (isRead && ABSENT_IF_UNSET.has(name))) && !(isSecret && name === 'value');
  const attributes = Object.keys(item.attributes).filter(
    (name) => isOpen(name) && !isTaken(name, item.attributes[name], current.attributes[name]),
  );
  const links = Object.keys(item.links).filter((name) =>
    item.links[name]?.some((one) => !current.links[name]?.includes(one)),
  );
  const isChanged = !rules.cannotUpdate && attributes.length + links.length > 0;
  if (!isChanged) return { action: 'same', item, attributes: [], links: [] };
  const merged = links.map((name) => [
    name,
    [...new Set([...(current.links[name] ?? []), ...(item.links[name] ?? [])])],
  ]);
  return { action: 'update', item: { ...item, links: Object.fromEntries(merged) }, attributes, links };
}

/** Tags are only added. */
function isTaken(name: string, wanted: Json, current: Json): boolean {
  if (name !== 'tag-names' || !Array.isArray(wanted) || !Array.isArray(current)) return isSame(wanted, current);
  return wanted.every((tag) => current.includes(tag));
}

/** Names an item for people: `variable env/REGION of network`. */
export function wordsOf(item: Item, rules: Pick<PlanRules, 'words'> | undefined): string {
  const words = rules?.words ?? item.kind;
  const name = item.owner === '' ? item.name : `${item.owner}: ${item.name}`;
  // Names from a server may contain line breaks.
  return `${words} ${name.replaceAll(/\s/g, ' ')}`;
}

/** Returns whether two settings are equal. Servers write "not set" as null, an empty text or an empty list. */
function isSame(one: Json, other: Json): boolean {
  if (isEmpty(one) && isEmpty(other)) return true;
  return isSameJson(withoutEmpty(one), withoutEmpty(other));
}

function isEmpty(value: Json): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Removes empty members of an object, at each level. */
function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutEmpty(member)]));
}
