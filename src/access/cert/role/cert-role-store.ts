import type { Database } from '../../../storage/index.ts';
import { RoleStore, type StoredRole } from '../../method/index.ts';
import { type CertConfig, storedConfig } from '../settings/cert-config.ts';
import { type RoleSettings, storedSettings } from '../settings/role-settings.ts';

export type CertRoleStore = RoleStore<RoleSettings, CertConfig>;
export type StoredCertRole = StoredRole<RoleSettings>;

/** Stores the roles of one cert mount and their common configuration. */
export const certRoleStore = (database: Database, mountId: string): CertRoleStore =>
  new RoleStore(database, mountId, { settings: storedSettings, config: storedConfig });
