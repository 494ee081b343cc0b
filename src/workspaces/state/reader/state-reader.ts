import { ExactNumber, parseExactJson } from '../../../lib/exact-json/exact-json.ts';
import { JsonScanner, type JsonVisitor, type Wanted } from '../../../lib/long-json/json-scanner.ts';
import { type Dependencies, DependencyReader } from './dependencies.ts';
import { DigestOfParts } from './digest-of-parts.ts';
import { type Output, outputOf } from './outputs.ts';
import { READ_FORMAT } from './readable.ts';
import { countKey, moduleName } from './resource-address.ts';
import { type StateUses, UseCollector } from './uses.ts';

/**
 * Maximum number of listed instances.
 * @limit instances of a state that are listed, instances -> the others are only counted
 */
const MAX_INSTANCES = 20_000;
/**
 * Maximum number of resources in a document.
 * @limit resources in the document of a state, resources -> the others are left out
 */
const MAX_SHOWN = 500;
/** @limit modules and providers in the counts of a state, entries -> the others are left out */
const MAX_COUNTS = 200;
/**
 * Maximum number of stored outputs of one state. The others are only in the state itself.
 * @limit outputs of a state that are listed, outputs -> the others are left out
 */
export const MAX_OUTPUTS = 2_000;
/**
 * Maximum size of one output, in a state or in the client's list. Clients take the value of a larger one from the
 * state.
 * @limit listed value of an output, bytes -> the output has no value; clients take it from the state
 */
export const MAX_OUTPUT_BYTES = 262_144;
/** @limit total size of the listed values of all outputs of a state, bytes -> the other outputs have no value */
const MAX_OUTPUTS_BYTES = 4_194_304;
/** @limit string in a state, characters -> it is left out */
const MAX_TEXT = 1_024;

/** One instance of a managed resource. */
export interface Instance {
  /** `module.a.module.b`; empty for the root module. */
  readonly module: string;
  readonly type: string;
  readonly name: string;
  readonly provider: string;
  readonly index: string | number | ExactNumber | null;
  /** Key of a deposed instance, which was replaced and still must be destroyed; null for others. */
  readonly deposed: string | null;
  /** Digest of its attributes, to detect changes. */
  readonly digest: string;
}

/** Number of resources by type, in the form that clients display. */
export interface Overview {
  readonly modules: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly providers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly resources: readonly {
    readonly name: string;
    readonly type: string;
    readonly count: number;
    readonly module: string;
    readonly provider: string;
  }[];
}

/** Properties of the state itself. */
export interface StateSummary {
  /** `READ_FORMAT` for a state that is parsed; null if the file is not a state, or is encrypted. */
  readonly format: number | null;
  readonly isEncrypted: boolean;
  readonly serial: number | null;
  /** Position of the serial's digits in the bytes. */
  readonly serialAt: { readonly start: number; readonly end: number } | null;
  readonly engineVersion: string | null;
  readonly lineage: string | null;
  /** Instances of managed resources. */
  readonly resourceCount: number;
  readonly instances: readonly Instance[];
  /** Dependencies of each instance, by position. */
  readonly dependencies: readonly Dependencies[];
  readonly overview: Overview;
  readonly uses: StateUses;
  readonly outputs: readonly Output[];
}

const TOP = new Set(['version', 'serial', 'lineage', 'terraform_version', 'encryption_version']);
const RESOURCE = new Set(['module', 'mode', 'type', 'name', 'provider']);
const INSTANCE = new Set(['index_key', 'deposed', 'status', 'dependencies']);
const ATTRIBUTES = new Set(['attributes', 'attributes_flat']);

type Fields = Record<string, unknown>;
/** An instance before its resource is known. */
type Waiting = Pick<Instance, 'index' | 'deposed' | 'digest'>;

/** Streaming parser of a state (format 4). Memory is constant except for the lists. */
export class StateReader implements JsonVisitor {
  readonly #scanner = new JsonScanner(this, MAX_OUTPUT_BYTES);
  readonly #top: Fields = {};
  #serialAt: StateSummary['serialAt'] = null;
  #outputBytes = 0;
  readonly #outputs: Output[] = [];
  #resource: Fields = {};
  #instance: Fields = {};
  readonly #attributes = new DigestOfParts();
  /** Properties of the current resource. They may follow its instances. */
  #waiting: Waiting[] = [];
  #waitingDependencies: Dependencies[] = [];
  #waitingCount = 0;
  readonly #instances: Instance[] = [];
  readonly #dependencyReader = new DependencyReader();
  #instanceDependencies: Dependencies = [];
  readonly #dependencies: Dependencies[] = [];
  #resourceCount = 0;
  readonly #modules = new Counts();
  readonly #providers = new Counts();
  readonly #uses = new UseCollector();
  readonly #shown: Overview['resources'][number][] = [];

  feed(part: Uint8Array): void {
    this.#scanner.feed(part);
  }

  end(): StateSummary {
    const isJson = this.#scanner.end();
    const { version, serial, lineage, terraform_version: engine, encryption_version: encryption } = this.#top;
    const format = isJson && isFormat(version) ? version : null;
    const isReadable = format === READ_FORMAT;
    return {
      ...(isReadable ? this.#content() : NOTHING),
      format,
      isEncrypted: isJson && encryption !== undefined,
      serial: isReadable && Number.isSafeInteger(serial) ? (serial as number) : null,
      serialAt: isReadable ? this.#serialAt : null,
      engineVersion: format === null ? null : textOr(engine, null),
      lineage: isReadable ? textOr(lineage, null) : null,
    };
  }

  #content() {
    return {
      resourceCount: this.#resourceCount,
      instances: this.#instances,
      dependencies: this.#dependencies,
      overview: { modules: this.#modules.counts, providers: this.#providers.counts, resources: this.#shown },
      uses: this.#uses.uses,
      outputs: this.#outputs.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    };
  }

  want(keys: readonly string[]): Wanted {
    const [top, , second, , third] = keys;
    switch (keys.length) {
      case 0:
        return 'enter';
      case 1:
        return TOP.has(top ?? '') ? 'capture' : top === 'outputs' || top === 'resources' ? 'enter' : 'skip';
      case 2:
        if (top === 'resources') return this.#enterResource();
        return this.#outputs.length < MAX_OUTPUTS ? 'capture' : 'skip';
      case 3:
        return RESOURCE.has(second ?? '') ? 'capture' : second === 'instances' ? 'enter' : 'skip';
      case 4:
        return this.#enterInstance();
      default:
        return INSTANCE.has(third ?? '') ? 'capture' : ATTRIBUTES.has(third ?? '') ? 'stream' : 'skip';
    }
  }

  #enterResource(): Wanted {
    this.#resource = {};
    this.#waiting = [];
    this.#waitingDependencies = [];
    this.#waitingCount = 0;
    return 'enter';
  }

  #enterInstance(): Wanted {
    this.#instance = {};
    this.#instanceDependencies = this.#dependencyReader.none;
    return 'enter';
  }

  captured(keys: readonly string[], json: string | undefined, start: number, end: number): void {
    const key = keys.at(-1) ?? '';
    const isOutput = keys[0] === 'outputs' && keys.length === 2;
    if (isOutput) this.#output(key, json);
    else if (keys.length === 5 && key === 'dependencies')
      this.#instanceDependencies = this.#dependencyReader.read(json);
    else this.#field(keys, key, json, { start, end });
  }

  #field(keys: readonly string[], key: string, json: string | undefined, at: StateSummary['serialAt']): void {
    const value = json && json.length <= MAX_TEXT * 6 ? parsed(json) : undefined;
    if (keys.length === 5) {
      this.#instance[key] = value;
    } else if (keys.length === 3) {
      this.#resource[key] = value;
    } else {
      this.#top[key] = value;
      if (key === 'serial') this.#serialAt = at;
    }
  }

  part(_keys: readonly string[], bytes: Buffer): void {
    this.#attributes.add(bytes);
  }

  left(keys: readonly string[]): void {
    if (keys.length === 4) {
      this.#endOfInstance();
    } else if (keys.length === 2 && keys[0] === 'resources') {
      this.#endOfResource();
    }
  }

  #output(name: string, json: string | undefined): void {
    this.#outputBytes += json?.length ?? 0;
    const isKept = json !== undefined && this.#outputBytes <= MAX_OUTPUTS_BYTES;
    this.#outputs.push(outputOf(name, isKept ? parsed(json) : undefined));
  }

  #endOfInstance(): void {
    this.#waitingCount++;
    const { index_key: index, deposed, status } = this.#instance;
    const digest = this.#attributes.end(JSON.stringify(status ?? null));
    if (this.#instances.length + this.#waiting.length === MAX_INSTANCES) return;
    this.#waitingDependencies.push(this.#instanceDependencies);
    this.#waiting.push({
      index: isIndex(index) ? index : null,
      deposed: textOr(deposed, null),
      digest,
    });
  }

  #endOfResource(): void {
    const text = (key: string) => textOr(this.#resource[key], '');
    const [module, mode, type, name, provider] = [...RESOURCE].map(text) as [string, string, string, string, string];
    const count = this.#waitingCount;
    const key = countKey(mode, type);
    this.#modules.add(moduleName(module), key, count);
    this.#providers.add(provider, key, count);
    this.#uses.add({ mode, type, module, provider, count });
    if (this.#shown.length < MAX_SHOWN) {
      const shownType = mode === 'data' ? `data.${type}` : type;
      this.#shown.push({ name, type: shownType, count, module: moduleName(module), provider });
    }
    if (mode !== 'managed') return;
    this.#resourceCount += count;
    for (const waiting of this.#waiting) this.#instances.push({ module, type, name, provider, ...waiting });
    for (const one of this.#waitingDependencies) this.#dependencies.push(one);
  }
}

const NOTHING = {
  resourceCount: 0,
  instances: [],
  dependencies: [],
  overview: { modules: {}, providers: {}, resources: [] },
  uses: { providers: [], types: [], modules: [] },
  outputs: [],
};

/** Returns the counts as an object, limited to the size of a document. */
class Counts {
  readonly #all = new Map<string, Map<string, number>>();

  add(group: string, key: string, count: number): void {
    let counts = this.#all.get(group);
    if (!counts && this.#all.size < MAX_COUNTS) {
      counts = new Map();
      this.#all.set(group, counts);
    }
    if (counts && (counts.has(key) || counts.size < MAX_COUNTS)) counts.set(key, (counts.get(key) ?? 0) + count);
  }

  get counts(): Record<string, Record<string, number>> {
    return Object.fromEntries([...this.#all].map(([group, counts]) => [group, Object.fromEntries(counts)]));
  }
}

const isFormat = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

const isIndex = (value: unknown): value is Instance['index'] =>
  typeof value === 'string' || typeof value === 'number' || value instanceof ExactNumber;

function parsed(json: string): unknown {
  try {
    return parseExactJson(json);
  } catch {
    return undefined;
  }
}

function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === 'string' && value.length <= MAX_TEXT ? value : other;
}
