/** Capabilities that a policy can grant on a path. `deny` removes all others. */
export type Capability = 'create' | 'read' | 'update' | 'patch' | 'delete' | 'list' | 'sudo' | 'deny';

/** Operations that a request can perform. Each needs the capability of the same name. */
export type Verb = Exclude<Capability, 'sudo' | 'deny'>;

/** A value of a parameter in a policy. Texts in it may be templates. */
export type ParameterValue =
  | string
  | number
  | boolean
  | null
  | readonly ParameterValue[]
  | { readonly [key: string]: ParameterValue };

/** Values by lower-cased parameter name. No values: every value. The name `*`: every other parameter. */
export type ParameterMap = ReadonlyMap<string, readonly ParameterValue[]>;

export const NO_PARAMETERS: ParameterMap = new Map();

/** Restrictions on a path, besides its capabilities. */
export interface Restrictions {
  readonly allowed: ParameterMap;
  readonly denied: ParameterMap;
  /** Names of parameters, in lower case. */
  readonly required: readonly string[];
  /** Minimum wrapping time, seconds. 0: no limit. */
  readonly minWrapTtl: number;
  readonly maxWrapTtl: number;
}

/** One block: `path "…" { … }`. */
export interface PathBlock extends Restrictions {
  /** The path as written, without a leading slash. */
  readonly path: string;
  /** Whether the path or a value is a template. */
  readonly templated: boolean;
  /** Capabilities: either only `deny`, or any others. */
  readonly capabilities: ReadonlySet<Capability>;
  /** Expiry, milliseconds since 1970. The block does not apply afterwards. */
  readonly expiresAt: number | null;
  /** Number of names and values in the block. */
  readonly values: number;
  /** Line in the text of the policy, starting at 1. */
  readonly line: number;
}

/** A parsed policy. It has no name: equal texts have one parsed policy. */
export interface Policy {
  readonly blocks: readonly PathBlock[];
  /** Whether a block has templates, so that the result depends on the identity. */
  readonly templated: boolean;
  /** Warnings about parts that may not have the intended effect. */
  readonly warnings: readonly string[];
  /** Length of the text in UTF-16 units. */
  readonly length: number;
}
