import { ENTRY, OBJECT, sizeOfText } from './memory.ts';

/** A provider or module in one version, or a resource type. Workspaces that use the same share the object. */
export interface Use {
  /** Position among the uses of its kind. */
  readonly id: number;
  readonly name: string;
  /** Source address; null if unknown. */
  readonly source: string | null;
  /** Selected version; null if unknown, or if the source has no versions. */
  readonly version: string | null;
  /** Text in the lists of a workspace. */
  readonly text: string;
  /** `public`, `private`, or null for no registry. */
  readonly registryType: string | null;
}

/** Interned uses of one kind. */
export class Uses {
  readonly #kind: 'provider' | 'module' | undefined;
  readonly #byKey = new Map<string, Use>();
  #bytes = 0;

  /** @param kind of what a registry has */
  constructor(kind?: 'provider' | 'module') {
    this.#kind = kind;
  }

  /** Returns the use with this source, or with this name if the source is unknown. */
  use(name: string, source: string | null, version: string | null, text: string): Use {
    const key = `${version ?? ''}\n${source ?? ''}\n${name}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const registry = this.#kind === undefined ? null : registryType(this.#kind, source);
    const made = { id: this.#byKey.size, name, source, version, text, registryType: registry };
    this.#byKey.set(key, made);
    const texts = [key, name, source, version, text];
    this.#bytes += OBJECT + ENTRY + texts.reduce((sum, one) => sum + sizeOfText(one), 0);
    return made;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Estimated memory. Uses that no workspace has any more count too. */
  get bytes(): number {
    return this.#bytes;
  }
}

const PUBLIC = ['registry.terraform.io/', 'registry.opentofu.org/'];
const PART = /^[\w-]+$/;

/**
 * Returns the name in `[HOST/]NAMESPACE/NAME/SYSTEM[//FOLDER]`; undefined for other sources. Agents report sources, so
 * the cost is linear in their length.
 */
function registryName(source: string): string | undefined {
  const [address = ''] = source.split('//', 1);
  const parts = address.split('/');
  const hasHost = parts.length === 4 && (parts[0] ?? '').slice(1, -1).includes('.');
  const [namespace = '', name = '', system = '', ...rest] = hasHost ? parts.slice(1) : parts;
  return rest.length === 0 && [namespace, name, system].every((part) => PART.test(part)) ? name : undefined;
}

/** Returns `public` for the registries of Terraform and OpenTofu, `private` for others; null for no registry. */
function registryType(kind: 'provider' | 'module', source: string | null): string | null {
  if (source === null || source.startsWith('terraform.io/builtin/')) return null;
  if (kind === 'module' && registryName(source) === undefined) return null;
  return PUBLIC.some((host) => source.startsWith(host)) || !/^[^/]+\./.test(source) ? 'public' : 'private';
}

/** Returns the text of a provider as in HCP Terraform: `HOST/providers/NAMESPACE/TYPE/VERSION`. */
export function providerText(source: string, version: string | null): string {
  const [host, ...path] = source.split('/');
  const text = path.length === 2 ? [host, 'providers', ...path].join('/') : source;
  return version === null ? text : `${text}/${version}`;
}

export function providerName(source: string): string {
  return source.split('/').at(-1) ?? source;
}

/** Returns the name of a module: that of the registry, or else the last part of its source. */
export function moduleName(source: string): string {
  const name = registryName(source);
  if (name !== undefined && !/^(?:\.|\/|\w+:)/.test(source)) return name;
  const [path = ''] = source.split('?', 1);
  return (path.split(/[/:]/).findLast((part) => part !== '') ?? '').replace(/\.git$/, '') || source;
}
