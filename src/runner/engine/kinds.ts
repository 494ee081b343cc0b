import type { EngineKind } from '../job.ts';

/** Display names of the engines. */
export const NAMES: Readonly<Record<EngineKind, string>> = { opentofu: 'OpenTofu', terraform: 'Terraform' };

/** File names of the engines. */
export const PROGRAMS: Readonly<Record<EngineKind, string>> = { opentofu: 'tofu', terraform: 'terraform' };

/** An engine on this machine. */
export interface Engine {
  readonly kind: EngineKind;
  readonly version: string;
  readonly program: string;
}
