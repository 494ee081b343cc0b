import { type Database, sql } from '../../../storage/index.ts';
import type { ProviderSettings } from './store.ts';

/** Who says who the people of an organization are. */
export interface IssuerFacts {
  readonly organization: string;
  /** Its address, below which its discovery document is. */
  readonly issuer: string;
  /** PEM; empty: those of the system alone. */
  readonly authorities: string;
}

/** @limit providers of organizations whose keys are looked at together, providers -> those of others are not looked at */
const MAX_PROVIDERS = 100;

const all = sql<{ most: number }, { organization: string; settings: string }>(
  `SELECT o.name AS organization, p.settings FROM sign_in_provider p
   JOIN organization o ON o.id = p.organization_id AND o.deleted_at IS NULL ORDER BY o.name LIMIT :most`,
);

/** Of the organizations that have one. */
export async function issuerFacts(database: Database): Promise<readonly IssuerFacts[]> {
  const rows = await database.all(all, { most: MAX_PROVIDERS });
  return rows.map(({ organization, settings }) => {
    const { issuer, authorities } = JSON.parse(settings) as ProviderSettings;
    return { organization, issuer, authorities };
  });
}
