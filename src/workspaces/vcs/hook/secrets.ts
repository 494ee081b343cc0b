import { randomText } from '../../../lib/ids.ts';
import type { Keyring, SealedColumn } from '../../../storage/index.ts';
import type { Hook } from './hook.ts';

const contextOf = (id: string) => `vcs-hook/${id}`;

/** Secrets of webhooks, encrypted and bound to their rows. */
export class HookSecrets {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  seal(id: string, secret: string): Uint8Array {
    return this.#keyring.encrypt(Buffer.from(secret), contextOf(id));
  }

  open({ id, secret }: Pick<Hook, 'id' | 'secret'>): string {
    return Buffer.from(this.#keyring.decrypt(secret, contextOf(id))).toString();
  }
}

/** Returns a new secret of 234 random bits. */
export const newSecret = (): string => randomText(40);

/** Returns the last part of the URL of a new hook: 140 random bits. */
export const newKey = (): string => randomText(24);

/** A hook has no destination that a request could change. */
export const sealedHooks: SealedColumn = {
  table: 'vcs_hook',
  key: ['id'],
  column: 'secret',
  boundTo: [],
  contextOf,
};
