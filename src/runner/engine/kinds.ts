import type { EngineKind } from '../job.ts';

/** What they are called. */
export const NAMES: Readonly<Record<EngineKind, string>> = { opentofu: 'OpenTofu', terraform: 'Terraform' };

/** What their programs are called. */
export const PROGRAMS: Readonly<Record<EngineKind, string>> = { opentofu: 'tofu', terraform: 'terraform' };

/** An engine on this machine. */
export interface Engine {
  readonly kind: EngineKind;
  readonly version: string;
  readonly program: string;
}
