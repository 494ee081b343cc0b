import type { KeyMetrics } from '../../jwt/index.ts';
import type { Mounts } from '../mounts/index.ts';
import { JwtMethod } from './jwt-method.ts';

/** How the keys that one mount fetches are doing. */
export interface MountKeyMetrics {
  /** The path of the mount. */
  readonly mount: string;
  readonly sources: readonly KeyMetrics[];
}

/** Of every mount in this process. */
export async function keyMetricsOf({ table, methods }: Mounts): Promise<readonly MountKeyMetrics[]> {
  return (await table.all()).flatMap((mount) => {
    const method = methods.has(mount.type) ? methods.methodOf(mount) : undefined;
    return method instanceof JwtMethod ? [{ mount: mount.path, sources: method.keyMetrics() }] : [];
  });
}
