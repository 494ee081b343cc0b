/** What carries out runs. Where their numbers are alike, their releases are not. */
export const ENGINES = ['opentofu', 'terraform'] as const;
/** One of ENGINES. */
export type EngineKind = (typeof ENGINES)[number];

/** What they are called. */
export const ENGINE_NAMES: Readonly<Record<EngineKind, string>> = { opentofu: 'OpenTofu', terraform: 'Terraform' };

/** Of organizations that do not say. */
export const DEFAULT_ENGINE: EngineKind = 'opentofu';
