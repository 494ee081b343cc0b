import { JsonFile } from './json-file.ts';
import { readParts } from './json-parts.ts';
import type { ResourceChange } from './plan-json.ts';

const KINDS = ['resource_schemas', 'data_source_schemas'] as const;
type Kind = (typeof KINDS)[number];

/** Resource types that a plan uses, by provider. */
export class NamedTypes {
  readonly #named = new Map<string, Readonly<Record<Kind, Set<string>>>>();

  take({ provider_name: provider, mode, type }: ResourceChange): void {
    const named = this.#named.get(provider) ?? { resource_schemas: new Set(), data_source_schemas: new Set() };
    named[mode === 'data' ? 'data_source_schemas' : 'resource_schemas'].add(type);
    this.#named.set(provider, named);
  }

  has(provider: string, kind: Kind, type: string): boolean {
    return this.#named.get(provider)?.[kind].has(type) === true;
  }

  hasProvider(provider: string): boolean {
    return this.#named.has(provider);
  }
}

/** JSON of provider schemas, by provider, kind and type. */
export class Schemas {
  /** JSON of the format version; null if unknown. */
  #version: string | null = null;
  readonly #providers = new Map<string, Readonly<Record<Kind, string[]>>>();

  /**
   * Reads the schemas of a plan's resource types from the output of `providers schema -json`. All schemas together can
   * take 100 MB.
   * @throws JobFailure if the file is not JSON
   */
  static async read(path: string, named: NamedTypes): Promise<Schemas> {
    const schemas = new Schemas();
    const ofKind = (kind: Kind) => ({
      at: ['provider_schemas', '*', kind, '*'],
      isWanted: ([, provider = '', , type = '']: readonly string[]) => named.has(provider, kind, type),
      take: (_: unknown, [, provider = '', , type = '']: readonly string[], json: string) =>
        void schemas.#of(provider)[kind].push(`${JSON.stringify(type)}:${json}`),
    });
    await readParts(path, 'providers schema', [
      { at: ['format_version'], take: (_, __, json) => schemas.#tellVersion(json) },
      ...KINDS.map(ofKind),
    ]);
    return schemas;
  }

  /** Writes the schemas in the format of `providers schema -json`. */
  write(path: string): void {
    const file = new JsonFile(path);
    if (this.#version !== null) file.member('format_version', this.#version);
    this.writeTo(file);
    file.end();
  }

  /** Writes the schemas as a member of the redacted plan. */
  writeTo(file: JsonFile): void {
    for (const [provider, of] of this.#providers) {
      const kinds = KINDS.map((kind) => `"${kind}":{${of[kind].join(',')}}`);
      file.entry('provider_schemas', provider, `{"provider":{"version":0},${kinds.join(',')}}`);
    }
    if (!file.has('provider_schemas')) file.member('provider_schemas', '{}');
  }

  get version(): string | null {
    return this.#version;
  }

  #tellVersion(json: string): void {
    this.#version = json;
  }

  #of(provider: string): Readonly<Record<Kind, string[]>> {
    const of = this.#providers.get(provider) ?? { resource_schemas: [], data_source_schemas: [] };
    this.#providers.set(provider, of);
    return of;
  }
}
