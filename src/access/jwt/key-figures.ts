import type { KeyFigures } from '../../jwt/index.ts';
import type { Mounts } from '../mounts/index.ts';
import { JwtMethod } from './jwt-method.ts';

/** State of the keys that one mount fetches. */
export interface KeyFiguresOfMount {
  /** Path of the mount. */
  readonly mount: string;
  readonly sources: readonly KeyFigures[];
}

/** Returns the state of the keys of every mount in this process. */
export async function keyFiguresOf({ table, methods }: Mounts): Promise<readonly KeyFiguresOfMount[]> {
  return (await table.all()).flatMap((mount) => {
    const method = methods.has(mount.type) ? methods.of(mount) : undefined;
    return method instanceof JwtMethod ? [{ mount: mount.path, sources: method.keyFigures() }] : [];
  });
}
