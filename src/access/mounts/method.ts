import type { BackgroundTask } from '../../lib/background/background-work.ts';
import type { Mount } from '../model/mount.ts';
import type { Token } from '../model/token.ts';
import type { OpenCall, Operation } from '../operation/operation.ts';
import type { RenewedToken } from '../tokens/index.ts';

/** An auth method at one mount. */
export interface Method {
  readonly operations: readonly Operation[];
  readonly tasks: readonly BackgroundTask[];
  /**
   * Renews a token of the method with current settings. The request may use any path; the token decides.
   * @param mount mount that issued the token
   * @param increment requested seconds; 0: none
   * @throws AppError if the method would not issue the token any more
   */
  renew(token: Token, mount: Mount, call: Pick<OpenCall, 'peer' | 'event'>, increment: number): Promise<RenewedToken>;
  /** Starts background work. */
  start(): void;
  stop(): Promise<void>;
  /** Removes some data of a disabled mount, in one bounded step. Returns false when nothing is left. */
  removeBatch(): Promise<boolean>;
}

/** Factories of the methods, by type. */
export type MethodCatalog = Readonly<Record<string, (mount: Mount) => Method>>;
