/** Engines that execute runs. OpenTofu and Terraform releases with the same version number are different. */
export const ENGINES = ['opentofu', 'terraform'] as const;
export type EngineKind = (typeof ENGINES)[number];

/** Display names of the engines. */
export const ENGINE_NAMES: Readonly<Record<EngineKind, string>> = { opentofu: 'OpenTofu', terraform: 'Terraform' };

/** Engine of organizations that do not set one. */
export const DEFAULT_ENGINE: EngineKind = 'opentofu';
