import type { MountTuning } from '../model/mount.ts';
import type { Token } from '../model/token.ts';

/** Returns the token type: a type forced by the mount, else the role's, else the mount's default. */
export function tokenType(ofRole: string, ofMount: MountTuning['token_type']): Token['type'] {
  if (ofMount === 'service' || ofMount === 'batch') return ofMount;
  if (ofRole === 'service' || ofRole === 'batch') return ofRole;
  return ofMount === 'default-batch' ? 'batch' : 'service';
}
