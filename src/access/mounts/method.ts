import type { Mount } from '../model/mount.ts';
import type { Token } from '../model/token.ts';
import type { OpenCall, Operation } from '../operation/operation.ts';
import type { RenewedToken } from '../tokens/index.ts';

/** An authentication method at one mount. */
export interface Method {
  readonly operations: readonly Operation[];
  /**
   * Renews a token that the method issued, on its terms of today. The call may come by any path: what counts is the token.
   * @param mount the one that issued the token
   * @param increment seconds asked for; 0: none
   * @throws AppError when the method would not issue it any more
   */
  renew(token: Token, mount: Mount, call: Pick<OpenCall, 'peer' | 'event'>, increment: number): Promise<RenewedToken>;
  /** Begins what goes on in the background. */
  start(): void;
  stop(): Promise<void>;
  /** Removes some of what is stored of a mount that was disabled, a bounded step at a time. False when nothing is left. */
  removeBatch(): Promise<boolean>;
}

/** Which methods there are, by type: each makes itself at home at a mount. */
export type MethodCatalog = Readonly<Record<string, (mount: Mount) => Method>>;
