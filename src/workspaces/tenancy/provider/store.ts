import { type Queries, sql } from '../../../storage/index.ts';

/**
 * Settings of an identity provider: how to reach it, which scopes to request, and how its users and groups are mapped.
 */
export interface ProviderSettings {
  /** Display name of the provider. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly claims: { readonly name: string; readonly email: string; readonly groups: string };
  readonly create: 'always' | 'invited' | 'never';
  readonly ssoTeamIds: boolean;
  /** Groups of the provider, and the teams of the organization that they give, by name. */
  readonly teams: readonly { readonly group: string; readonly team: string }[];
  /** CA certificates in PEM. If empty, only those of the system are used. */
  readonly authorities: string;
}

/** Identity provider of one organization. */
export interface Provider {
  readonly organizationId: string;
  readonly organizationName: string;
  /** Revision, which changes with each update. */
  readonly revision: string;
  readonly settings: ProviderSettings;
  /** Client secret, encrypted; null for a public client. */
  readonly clientSecret: Uint8Array | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

type Row = Omit<Provider, 'settings'> & { readonly settings: string };

const COLUMNS = `p.organization_id AS "organizationId", o.name AS "organizationName", p.revision, p.settings,
  p.client_secret AS "clientSecret", p.created_at AS "createdAt", p.updated_at AS "updatedAt"`;
/** This join excludes organizations that are being removed. */
const FROM = 'sign_in_provider p JOIN organization o ON o.id = p.organization_id AND o.deleted_at IS NULL';

const selectById = sql<{ id: string }, Row>(`SELECT ${COLUMNS} FROM ${FROM} WHERE p.organization_id = :id`);
const selectByName = sql<{ name: string }, Row>(`SELECT ${COLUMNS} FROM ${FROM} WHERE o.name = :name`);
const selectAny = sql<Record<string, never>, { revision: string }>('SELECT revision FROM sign_in_provider LIMIT 1');
const putRow = sql<Record<string, string | number | Uint8Array | null>>(
  `INSERT INTO sign_in_provider (organization_id, revision, settings, client_secret, created_at, updated_at)
   VALUES (:organizationId, :revision, :settings, :clientSecret, :createdAt, :updatedAt)
   ON CONFLICT (organization_id) DO UPDATE SET revision = excluded.revision, settings = excluded.settings,
     client_secret = excluded.client_secret, created_at = excluded.created_at, updated_at = excluded.updated_at`,
);
const removeRow = sql<{ id: string }>('DELETE FROM sign_in_provider WHERE organization_id = :id');
const removeSessions = sql<{ id: string }>(
  `DELETE FROM authentication_token WHERE idle_ms IS NOT NULL
   AND account_id IN (SELECT id FROM account WHERE organization_id = :id)`,
);

/** Finds the provider of an organization. Returns undefined if it has none. */
export async function findProvider(db: Queries, id: string): Promise<Provider | undefined> {
  return read(await db.one(selectById, { id }));
}

/** Finds the provider by the name of the organization. */
export async function findProviderByName(db: Queries, name: string): Promise<Provider | undefined> {
  return read(await db.one(selectByName, { name }));
}

/** Returns whether any organization has a provider. */
export async function hasProviders(db: Queries): Promise<boolean> {
  return (await db.one(selectAny, {})) !== undefined;
}

/** Stores the provider and replaces an existing one. */
export function putProvider(db: Queries, { settings, organizationName: _of, ...provider }: Provider) {
  return db.run(putRow, { ...provider, settings: JSON.stringify(settings) });
}

/** Deletes the provider and the sessions of its users. */
export async function removeProvider(db: Queries, id: string): Promise<void> {
  await db.run(removeRow, { id });
  await endSessionsOfProvider(db, id);
}

/** Ends the sessions of users whom the organization's identity provider has authenticated. */
export function endSessionsOfProvider(db: Queries, id: string) {
  return db.run(removeSessions, { id });
}

function read(row: Row | undefined): Provider | undefined {
  return row && { ...row, settings: JSON.parse(row.settings) as ProviderSettings };
}
