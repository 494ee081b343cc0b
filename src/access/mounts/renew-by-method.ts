import { AppError } from '../../lib/errors.ts';
import type { RenewByMethod } from '../tokens/index.ts';
import type { Mounts } from './mounts.ts';

/** Renews a token through the method and mount that issued it, for any caller. */
export function renewByMethod({ table, methods }: Mounts): RenewByMethod {
  return async (token, call, increment) => {
    const mount = token.mountId === null ? undefined : await table.byId(token.mountId);
    if (!mount) throw new AppError('bad-request', 'lease is not renewable');
    return methods.methodOf(mount).renew(token, mount, call, increment);
  };
}
