import { Type } from 'typebox';
import { unprocessable } from '../../jsonapi/errors.ts';
import { text } from '../../jsonapi/schema.ts';

const id = Type.Optional(text(1024));

/** Query that names a repository by a connection. */
export const ofRepository = { oauth_token_id: id, githubAppInstallationId: id, identifier: text(1024) };

/** Returns the one connection that a query names. @throws 422 for none or both */
export function connectionIn(query: { oauth_token_id?: string; githubAppInstallationId?: string }): string {
  const given = [query.oauth_token_id, query.githubAppInstallationId].filter((one) => one !== undefined && one !== '');
  const [only] = given;
  if (only !== undefined && given.length === 1) return only;
  throw unprocessable([{ detail: 'Name one connection: oauth_token_id or githubAppInstallationId' }]);
}
