import type { KeyMetrics } from '../../jwt/index.ts';
import type { Mounts } from '../mounts/index.ts';
import { JwtMethod } from './jwt-method.ts';

/** State of the keys that one mount fetches. */
export interface MountKeyMetrics {
  /** Path of the mount. */
  readonly mount: string;
  readonly sources: readonly KeyMetrics[];
}

/** Returns the state of the keys of every mount in this process. */
export async function keyMetricsOf({ table, methods }: Mounts): Promise<readonly MountKeyMetrics[]> {
  return (await table.all()).flatMap((mount) => {
    const method = methods.has(mount.type) ? methods.methodOf(mount) : undefined;
    return method instanceof JwtMethod ? [{ mount: mount.path, sources: method.keyMetrics() }] : [];
  });
}
