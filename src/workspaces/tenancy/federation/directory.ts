import type { Transaction } from '../../../storage/index.ts';

/** Account that the SCIM directory has provisioned. */
export interface ListedAccount {
  readonly id: string;
  /**
   * True if the account existed before the directory provisioned it, or is a site administrator. The directory id is
   * then not enough to identify its user.
   */
  readonly isGuarded: boolean;
}

/** SCIM directory that provisions users and groups, if provisioning is on. */
export interface Directory {
  isOn(tx: Transaction): Promise<boolean>;
  /** Returns the account with this directory id, also if the directory has deleted it. */
  accountOf(tx: Transaction, externalId: string): Promise<ListedAccount | undefined>;
}
