import type { Item, Value } from './language/parse.ts';
import { errorAt, quoted } from './language/policy-error.ts';
import { type Capability, NO_PARAMETERS, type ParameterMap, type PathBlock } from './policy.ts';
import { type Fail, ValueReader } from './value-reader.ts';

const CAPABILITIES = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo', 'deny'] as const;
const CAPABILITY_NAMES: ReadonlySet<string> = new Set(CAPABILITIES);
/** Capabilities of operations that Lockkeeper does not have. They are accepted and have no effect. */
const IDLE_CAPABILITIES = new Set(['scan', 'subscribe', 'recover']);

/** Legacy form before capabilities: `policy = "…"`. */
const OLD_FORM: ReadonlyMap<string, readonly Capability[]> = new Map([
  ['deny', ['deny']],
  ['read', ['read', 'list']],
  ['write', ['create', 'read', 'update', 'delete', 'list']],
  ['sudo', ['create', 'read', 'update', 'delete', 'list', 'sudo']],
]);

/**
 * Restrictions that Lockkeeper does not support. A policy with one of them is refused, because without the
 * restriction it would allow more than intended.
 */
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['mfa_methods', 'Lockkeeper has no second factor'],
  ['control_group', 'Lockkeeper has no control groups'],
  ['subscribe_event_types', 'Lockkeeper has no event subscriptions'],
  ['pagination_limit', 'policies cannot limit lists in Lockkeeper'],
  ['list_scan_response_keys_filter_path', 'policies cannot filter lists in Lockkeeper'],
]);

/**
 * Maximum length in characters.
 * @limit a path in a policy, characters -> 400
 */
export const MAX_PATH = 1024;
const NONE: readonly string[] = [];

/** Shared capability sets: thousands of blocks use a few different ones. */
const SETS = new Map<string, ReadonlySet<Capability>>();

function shared(capabilities: ReadonlySet<Capability>): ReadonlySet<Capability> {
  const key = [...capabilities].join();
  const known = SETS.get(key);
  if (known) return known;
  // The number of possible orders of eight words is too large to cache them all.
  if (SETS.size < MAX_SETS) SETS.set(key, capabilities);
  return capabilities;
}
/** @limit different capability lists that policies share in memory, lists -> further lists are stored per block */
const MAX_SETS = 1000;

interface Draft {
  capabilities: Set<Capability>;
  allowed: ParameterMap;
  denied: ParameterMap;
  required: readonly string[];
  minWrapTtl: number;
  maxWrapTtl: number;
  expiresAt: number | null;
}

/**
 * Parses the inside of `path "…" { … }`.
 * @throws PolicyError
 */
export function readBlock(text: string, written: string, value: Value, line: number): PathBlock {
  const path = written.startsWith('/') ? written.slice(1) : written;
  const fail = (offset: number, message: string) => errorAt(text, offset, `path ${quoted(path)}: ${message}`);
  const values = new ValueReader(fail);
  const reader = new BlockReader(fail, values);
  if (value.kind !== 'object') throw fail(value.offset, 'expected a block: { capabilities = [ … ] }');
  if (path.length > MAX_PATH) throw fail(value.offset, `a path may have at most ${MAX_PATH} characters`);
  if (path.includes('+*')) throw fail(value.offset, "invalid use of wildcards ('+*' is forbidden)");
  const templatedPath = values.isTemplate(path, value.offset);
  for (const item of value.items) reader.read(item);
  const draft = reader.finished(value.offset);
  return { ...draft, path, templated: templatedPath || values.templated, values: values.count, line };
}

class BlockReader {
  readonly #fail: Fail;
  readonly #values: ValueReader;
  readonly #seen = new Set<string>();
  readonly #draft: Draft = {
    capabilities: new Set(),
    allowed: NO_PARAMETERS,
    denied: NO_PARAMETERS,
    required: NONE,
    minWrapTtl: 0,
    maxWrapTtl: 0,
    expiresAt: null,
  };

  constructor(fail: Fail, values: ValueReader) {
    this.#fail = fail;
    this.#values = values;
  }

  read({ keys, value }: Item): void {
    const [key, label] = keys;
    const unsupported = UNSUPPORTED.get(key.text);
    if (unsupported) throw this.#fail(key.offset, `${quoted(key.text)} is not supported: ${unsupported}`);
    if (label) throw this.#fail(label.offset, `invalid key ${quoted(key.text)}`);
    if (this.#seen.has(key.text)) throw this.#fail(key.offset, `${quoted(key.text)} occurs twice; merge the entries`);
    this.#seen.add(key.text);
    if (!this.#readField(key.text, value)) throw this.#fail(key.offset, `invalid key ${quoted(key.text)}`);
  }

  #readField(key: string, value: Value): boolean {
    const draft = this.#draft;
    if (key === 'capabilities') this.#addCapabilities(value);
    else if (key === 'policy') this.#addOldForm(value);
    else if (key === 'allowed_parameters') draft.allowed = this.#values.parameters(value);
    else if (key === 'denied_parameters') draft.denied = this.#values.parameters(value);
    else if (key === 'required_parameters')
      draft.required = this.#values.texts(value).map((name) => name.toLowerCase());
    else if (key === 'min_wrapping_ttl') draft.minWrapTtl = this.#values.seconds(value);
    else if (key === 'max_wrapping_ttl') draft.maxWrapTtl = this.#values.seconds(value);
    else if (key === 'expiration') draft.expiresAt = this.#values.time(value);
    else if (key === 'comment') this.#values.text(value);
    else return false;
    return true;
  }

  finished(offset: number): Omit<Draft, 'capabilities'> & Pick<PathBlock, 'capabilities'> {
    const draft = this.#draft;
    if (draft.maxWrapTtl > 0 && draft.maxWrapTtl < draft.minWrapTtl) {
      throw this.#fail(offset, 'max_wrapping_ttl cannot be less than min_wrapping_ttl');
    }
    const given = draft.capabilities;
    return { ...draft, capabilities: shared(given.has('deny') ? new Set<Capability>(['deny']) : given) };
  }

  #addCapabilities(value: Value): void {
    for (const name of this.#values.texts(value)) {
      if (CAPABILITY_NAMES.has(name)) this.#draft.capabilities.add(name as Capability);
      else if (!IDLE_CAPABILITIES.has(name)) {
        throw this.#fail(value.offset, `invalid capability ${quoted(name)}; use ${CAPABILITIES.join(', ')}`);
      }
    }
  }

  #addOldForm(value: Value): void {
    const name = this.#values.text(value);
    const capabilities = OLD_FORM.get(name);
    if (!capabilities) throw this.#fail(value.offset, `invalid policy ${quoted(name)}; use capabilities instead`);
    for (const capability of capabilities) this.#draft.capabilities.add(capability);
  }
}
