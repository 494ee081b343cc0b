/** Engines that execute runs. Equal version numbers do not mean equal releases. */
export const ENGINES = ['opentofu', 'terraform'] as const;
export type EngineKind = (typeof ENGINES)[number];

/** Display names of the engines. */
export const ENGINE_NAMES: Readonly<Record<EngineKind, string>> = { opentofu: 'OpenTofu', terraform: 'Terraform' };

/** Engine of organizations that do not set one. */
export const DEFAULT_ENGINE: EngineKind = 'opentofu';
