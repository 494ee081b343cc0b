import type { Transaction } from '../../../storage/index.ts';

/** An account as a directory knows it. */
export interface ListedAccount {
  readonly id: string;
  /** It was here before the directory named it, or runs the installation: to be named is not enough to be them. */
  readonly isGuarded: boolean;
}

/** Where people and groups are provisioned, if they are. */
export interface Directory {
  isOn(tx: Transaction): Promise<boolean>;
  /** One that the directory has deleted, too. */
  accountOf(tx: Transaction, externalId: string): Promise<ListedAccount | undefined>;
}
