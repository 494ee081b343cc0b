import { type Database, sql } from '../../../storage/index.ts';
import type { ProviderSettings } from './store.ts';

/** Identity provider of an organization. */
export interface IssuerFacts {
  readonly organization: string;
  /** Issuer URL, the base of its discovery document. */
  readonly issuer: string;
  /** CA certificates in PEM. Empty: only those of the system. */
  readonly authorities: string;
}

/**
 * @limit identity providers of organizations whose keys one check includes, providers -> the keys of further ones are
 * not checked
 */
const MAX_PROVIDERS = 100;

const all = sql<{ most: number }, { organization: string; settings: string }>(
  `SELECT o.name AS organization, p.settings FROM sign_in_provider p
   JOIN organization o ON o.id = p.organization_id AND o.deleted_at IS NULL ORDER BY o.name LIMIT :most`,
);

/** Returns the identity providers of all organizations that have one. */
export async function issuerFacts(database: Database): Promise<readonly IssuerFacts[]> {
  const rows = await database.all(all, { most: MAX_PROVIDERS });
  return rows.map(({ organization, settings }) => {
    const { issuer, authorities } = JSON.parse(settings) as ProviderSettings;
    return { organization, issuer, authorities };
  });
}
