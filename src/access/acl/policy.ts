/** What a policy can give on a path. `deny` takes everything away. */
export type Capability = 'create' | 'read' | 'update' | 'patch' | 'delete' | 'list' | 'sudo' | 'deny';

/** What a request wants of a path. Each is also the capability that a policy must give for it. */
export type Verb = Exclude<Capability, 'sudo' | 'deny'>;

/** A value that a parameter may or may not have; a text in it may be a template. */
export type ParameterValue =
  | string
  | number
  | boolean
  | null
  | readonly ParameterValue[]
  | { readonly [key: string]: ParameterValue };

/** By lower-cased name, the values that are meant; without any: every value. The name `*`: every other parameter. */
export type ParameterMap = ReadonlyMap<string, readonly ParameterValue[]>;

export const NO_PARAMETERS: ParameterMap = new Map();

/** What holds on a path, besides its capabilities. */
export interface Restrictions {
  readonly allowed: ParameterMap;
  readonly denied: ParameterMap;
  /** Lower-cased. */
  readonly required: readonly string[];
  /** Seconds; 0: none. */
  readonly minWrapTtl: number;
  readonly maxWrapTtl: number;
}

/** One `path "…" { … }`. */
export interface PathBlock extends Restrictions {
  /** As written, without a slash in front. */
  readonly path: string;
  /** Whether its path or a value in it is a template. */
  readonly templated: boolean;
  /** `deny` alone, or anything else. */
  readonly capabilities: ReadonlySet<Capability>;
  /** Milliseconds; from then on the block counts as not there. */
  readonly expiresAt: number | null;
  /** How many there are in it: names and values. */
  readonly values: number;
  /** In the text of the policy, from 1. */
  readonly line: number;
}

/** A policy, read. Equal texts are equal policies: it does not know its name. */
export interface Policy {
  readonly blocks: readonly PathBlock[];
  /** Whether who is asking matters. */
  readonly templated: boolean;
  /** What cannot have the effect that its author may expect. */
  readonly warnings: readonly string[];
  /** UTF-16 units of its text. */
  readonly length: number;
}
