/** The databases, and the keys of what is encrypted in them. */
export { bindKeyring } from './bind-keyring.ts';
export * from './database.ts';
export { StorageError } from './errors.ts';
export { type Keyring, KeyringError } from './keyring.ts';
export { createKeyring, openKeyring } from './keyring-file.ts';
export { migrate } from './migrate.ts';
export { openPostgres } from './postgres.ts';
export { queryBuilder } from './query-builder.ts';
export { openSqlite } from './sqlite.ts';
