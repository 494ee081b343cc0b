import type { TSchema } from 'typebox';
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

/** Members of a schema that are read here. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
/** Attributes of a body, as a resource declares them. */
interface Attributes {
  readonly properties: Readonly<Record<string, TSchema>>;
}

/** Returns the names of the attributes that are true or false, except those that a test writes by itself. */
export function flagsOf({ properties }: Attributes, except: readonly string[] = []): string[] {
  const flags = Object.entries(properties).filter(([, schema]) => isFlag(schema as Schema));
  return flags.map(([name]) => name).filter((name) => !except.includes(name));
}

const isFlag = ({ type }: Schema) => [type].flat().includes('boolean');

/** Returns the most that each of these attributes can give: true, or the last word. */
export function mostOf({ properties }: Attributes): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, most(schema as Schema)]));
}

function most({ enum: words, properties }: Schema): unknown {
  if (properties) return mostOf({ properties: properties as Attributes['properties'] });
  return words ? words.findLast((word) => word !== null) : true;
}

export const token: Written = { sets: [{ description: 'written', 'expired-at': '2027-01-01T00:00:00.000Z' }] };
