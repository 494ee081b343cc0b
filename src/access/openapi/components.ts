import { Auth, Errors, WrapInfo, WrappedAnswer } from '../operation/answer.ts';

/** Schemas that are always in the document. */
const ALWAYS = [Auth, Errors, WrapInfo, WrappedAnswer];

export const SECURITY_SCHEMES = {
  token: { type: 'apiKey', in: 'header', name: 'X-Vault-Token' },
  bearer: { type: 'http', scheme: 'bearer' },
};

/** Security of operations that need a token. */
export const SECURITY = [{ token: [] }, { bearer: [] }];

/** Collects the named schemas of a document. Each is included once, and other schemas refer to it. */
export class Components {
  readonly #schemas = new Map<string, object>();

  constructor() {
    for (const schema of ALWAYS) this.refer(schema);
  }

  /** Returns the schemas in order of names. */
  get schemas(): Readonly<Record<string, object>> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Converts a schema to the document's format.
   * @throws Error for two schemas with one name
   */
  refer(schema: unknown): object {
    if (Array.isArray(schema)) return schema.map((one) => this.#inside(one));
    const { $id: name, ...rest } = schema as { readonly $id?: string };
    const written = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, this.#inside(value)]));
    if (name === undefined) return written;
    const known = this.#schemas.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(written)) throw new Error(`two schemas are called ${name}`);
    this.#schemas.set(name, written);
    return { $ref: `#/components/schemas/${name}` };
  }

  #inside(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? this.refer(value) : value;
  }
}
