/**
 * @limit providers of a state in the explorer, providers -> the others are left out
 */
const MAX_PROVIDERS = 100;
/**
 * @limit resource types of a state in the explorer, types -> the others are left out
 */
const MAX_TYPES = 300;
/**
 * @limit modules of a state in the explorer, modules -> the others are left out
 */
const MAX_MODULES = 100;
/**
 * @limit name of a provider, type or module of a state in the explorer, characters -> it is left out
 */
const MAX_NAME = 256;

/**
 * @limit names of providers, types and modules of a state in the explorer in total, characters -> the others are left out
 */
const MAX_TEXT = 32_768;

const QUOTED = /^(?:.*?)\["([^"\\]{1,256})"\]/;
const INDEX = /\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g;

/** Summary of a state for the explorer. It names what the state uses, and contains no values. */
export interface StateUses {
  /** Source addresses, such as `registry.opentofu.org/hashicorp/aws`. */
  readonly providers: readonly string[];
  /** Managed resources by type: type, position of the provider or -1, number of instances. */
  readonly types: readonly (readonly [type: string, provider: number, instances: number])[];
  /** Paths of module calls without indexes, such as `network.subnets`. */
  readonly modules: readonly string[];
}

/** Collects the summary resource by resource, with bounded memory. */
export class UseCollector {
  readonly #providers = new Map<string, number>();
  readonly #types = new Map<string, { readonly type: string; readonly provider: number; count: number }>();
  readonly #modules = new Set<string>();
  #room = MAX_TEXT;

  /** @param module `module.a["x"].module.b`; empty for the root module */
  add(resource: { mode: string; type: string; module: string; provider: string; count: number }): void {
    const { mode, type, module, count } = resource;
    const provider = this.#providerOf(resource.provider);
    this.#module(module);
    if (mode !== 'managed' || count === 0 || type.length > MAX_NAME) return;
    const key = `${provider} ${type}`;
    const known = this.#types.get(key);
    if (known !== undefined) known.count += count;
    else if (this.#types.size < MAX_TYPES && this.#fits(type)) this.#types.set(key, { type, provider, count });
  }

  get uses(): StateUses {
    return {
      providers: [...this.#providers.keys()],
      types: [...this.#types.values()].map(({ type, provider, count }) => [type, provider, count] as const),
      modules: [...this.#modules],
    };
  }

  #providerOf(text: string): number {
    const source = sourceOf(text);
    if (source === undefined) return -1;
    const known = this.#providers.get(source);
    if (known !== undefined) return known;
    if (this.#providers.size === MAX_PROVIDERS || !this.#fits(source)) return -1;
    this.#providers.set(source, this.#providers.size);
    return this.#providers.size - 1;
  }

  #module(module: string): void {
    if (module === '' || this.#modules.size === MAX_MODULES) return;
    const path = module
      .replace(INDEX, '')
      .split('.module.')
      .join('.')
      .replace(/^module\./, '');
    if (path.length <= MAX_NAME && !this.#modules.has(path) && this.#fits(path)) this.#modules.add(path);
  }

  /** Takes the room of a new name, if there is enough. */
  #fits({ length }: string): boolean {
    if (length > this.#room) return false;
    this.#room -= length;
    return true;
  }
}

/** Returns the source address in `provider["SOURCE"].alias`; undefined without one. */
function sourceOf(provider: string): string | undefined {
  const source = QUOTED.exec(provider)?.[1];
  if (source !== undefined) return source;
  const name = /^provider\.([\w-]{1,100})/.exec(provider)?.[1];
  return name;
}
