import type { Database } from '../../../../storage/index.ts';
import { notFound, unprocessable } from '../../../jsonapi/errors.ts';
import { Trials } from '../../../platform/trials.ts';
import { type Actor, requireInOrganization } from '../../../tenancy/index.ts';
import type { Connections } from '../access.ts';
import type { LinkedInstallation } from '../app/app.ts';
import type { Installations } from '../app/installations.ts';
import type { OAuthClients } from '../clients.ts';
import type { OAuthClientView } from '../connection.ts';
import type { ConnectionChecks } from './checks.ts';

/** Dependencies of `ManualChecks`. */
export interface ManualChecksOptions {
  readonly database: Database;
  readonly clients: OAuthClients;
  readonly installations: Installations;
  readonly connections: Connections;
  readonly checks: ConnectionChecks;
}

/** Checks of connections for whose result a user waits. */
export class ManualChecks {
  readonly #parts: ManualChecksOptions;
  readonly #trials = new Trials();

  constructor(parts: ManualChecksOptions) {
    this.#parts = parts;
  }

  /**
   * Checks a connection and returns it with its new status. A connection of an earlier version is used from then on.
   * @throws 404 without permission, 422 if it has no token yet, 429 while too many checks run
   */
  async check(actor: Actor, clientId: string): Promise<OAuthClientView> {
    const { checks, clients, connections, database } = this.#parts;
    const client = await clients.managed(actor, clientId);
    const [tokenId] = client.tokenIds;
    const connection = tokenId === undefined ? undefined : await connections.find(database, tokenId);
    if (connection === undefined) {
      throw unprocessable([
        { detail: 'The connection has no token yet. Open its connect-path and sign in at the provider' },
      ]);
    }
    await this.#trials.run(client.organizationId, client.apiUrl, () => checks.checkNow(connection));
    return clients.managed(actor, clientId);
  }

  /**
   * Checks an installation of a GitHub App and returns it with its new status.
   * @throws 404 without permission, 429 while too many checks run
   */
  async checkInstallation(actor: Actor, id: string): Promise<LinkedInstallation> {
    const { checks, connections, database, installations } = this.#parts;
    const { organizationId } = await installations.find(actor, id);
    requireInOrganization(actor, organizationId, 'can-update-oauth');
    const connection = await connections.find(database, id);
    if (connection === undefined) throw notFound();
    await this.#trials.run(organizationId, connection.apiUrl, () => checks.checkNow(connection));
    return installations.find(actor, id);
  }
}
