import { MigrationError } from '../model/errors.ts';
import { FolderPlace } from './folder-place.ts';
import { type HttpAccess, HttpPlace } from './http-place.ts';
import type { StatePattern } from './pattern.ts';
import { PgPlace } from './pg-place.ts';
import { type S3Access, S3Place } from './s3-place.ts';
import type { StatePlace } from './state-place.ts';

export interface PlaceAccess {
  readonly s3: S3Access;
  readonly http: HttpAccess;
  readonly pg: { readonly address: string | undefined; readonly schema: string };
}

/**
 * Opens the place of an address: `s3://…`, `https://…`, `pg`, or a folder. The address of PostgreSQL contains a
 * password, so it is not an argument.
 */
export async function openPlace(from: string, pattern: StatePattern, access: PlaceAccess): Promise<StatePlace> {
  if (from.startsWith('s3://')) return S3Place.open(from, access.s3, pattern);
  if (/^https?:\/\//.test(from)) return new HttpPlace(from, access.http, pattern);
  if (from !== 'pg') return new FolderPlace(from, pattern);
  const { address, schema } = access.pg;
  if (address === undefined) throw new MigrationError('invalid', 'set PG_CONN_STR, as for the pg backend');
  return PgPlace.open(address, schema, pattern);
}
