import type { MountTuning } from '../model/mount.ts';
import type { Token } from '../model/token.ts';

/** A mount may force a kind; else the role says, and the mount where the role does not. */
export function tokenType(ofRole: string, ofMount: MountTuning['token_type']): Token['type'] {
  if (ofMount === 'service' || ofMount === 'batch') return ofMount;
  if (ofRole === 'service' || ofRole === 'batch') return ofRole;
  return ofMount === 'default-batch' ? 'batch' : 'service';
}
