import type { KeyPlace } from '../../jwt/index.ts';
import { type Database, sql } from '../../storage/index.ts';
import { keyPlaces, storedConfig } from './settings/jwt-config.ts';

/** Where a mount fetches the keys of its issuer. */
export interface IssuerFacts {
  /** Path of the mount. */
  readonly mount: string;
  readonly place: KeyPlace;
}

const configured = sql<Record<string, never>, { mount: string; config: string }>(
  "SELECT path AS mount, config FROM mount WHERE type = 'jwt' AND removed_at IS NULL ORDER BY path",
);

/** Returns the key sources of every JWT mount that fetches keys. */
export async function issuerFacts(database: Database): Promise<readonly IssuerFacts[]> {
  return (await database.all(configured, {})).flatMap(({ mount, config }) => {
    const stored = storedConfig(config);
    return stored === undefined ? [] : keyPlaces(stored).map((place) => ({ mount, place }));
  });
}
