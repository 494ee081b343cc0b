import type { Values } from '../surface/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Data = any;

/** Attributes that a request can write to a resource, and their place in a later response. */
export interface Written {
  /**
   * Attributes with values, in several sets if some exclude others: each must change the previous value at least once.
   */
  readonly sets: readonly (object | ((values: Values) => object))[];
  /**
   * Attributes that no response contains, or only under another name, with the reason. Without `read`, the test does
   * not look for the attribute.
   */
  readonly elsewhere?: Readonly<Record<string, { readonly why: string; readonly read?: (data: Data) => unknown }>>;
  /** Path that shows the resource, if it has no link to itself. Undefined if only the response shows it. */
  readonly show?: string;
  /** Whether only one resource of this kind can exist: a second one would be refused, or replace the first. */
  readonly isOnlyOne?: true;
  /** Whether a PATCH also needs the attributes of the surface. */
  readonly isWhole?: true;
  /** Whether the agent of the pool writes it. */
  readonly byAgent?: true;
  /** Whether the first site administrator writes it. */
  readonly bySiteAdmin?: true;
}

export const secret = { why: 'a secret: it is sealed' };
export const same = (names: readonly string[], value: unknown) =>
  Object.fromEntries(names.map((name) => [name, value]));
export const token: Written = { sets: [{ description: 'written', 'expired-at': '2027-01-01T00:00:00.000Z' }] };
