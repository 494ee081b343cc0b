import { Auth, Errors, WrapInfo, WrappedAnswer } from '../operation/answer.ts';

/** There whether an answer refers to them or not. */
const ALWAYS = [Auth, Errors, WrapInfo, WrappedAnswer];

export const SECURITY_SCHEMES = {
  token: { type: 'apiKey', in: 'header', name: 'X-Vault-Token' },
  bearer: { type: 'http', scheme: 'bearer' },
};

/** Of operations that need a token. */
export const SECURITY = [{ token: [] }, { bearer: [] }];

/** The named schemas of a document. What has a name stands here once, and is referred to wherever it is met. */
export class Components {
  readonly #schemas = new Map<string, object>();

  constructor() {
    for (const schema of ALWAYS) this.refer(schema);
  }

  /** In order of their names. */
  get schemas(): Readonly<Record<string, object>> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * The schema in the words of the document.
   * @throws Error for two schemas of one name
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
