import type { WrapInfo } from '../operation/envelope.ts';
import type { Reply } from '../operation/operation.ts';

/** Keeps an answer until somebody comes with the token for it. */
export interface Wrapper {
  /** @param ttl seconds */
  wrap(reply: Reply, ttl: number, origin: { readonly path: string }): Promise<WrapInfo>;
}
