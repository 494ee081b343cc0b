import { PostgresServer } from '../../support/postgres/server.ts';
import { Cluster, type ClusterOptions } from './cluster.ts';
import { Organization } from './organization.ts';

/** Environment of a test: three nodes on their own PostgreSQL, and an organization. */
export class Setting {
  readonly postgres: PostgresServer;
  readonly cluster: Cluster;
  readonly acme: Organization;
  readonly #opened: AsyncDisposableStack;

  private constructor(postgres: PostgresServer, cluster: Cluster, acme: Organization, opened: AsyncDisposableStack) {
    this.postgres = postgres;
    this.cluster = cluster;
    this.acme = acme;
    this.#opened = opened;
  }

  static async start(options?: ClusterOptions): Promise<Setting> {
    await using opened = new AsyncDisposableStack();
    const postgres = opened.adopt(await PostgresServer.start('fsync=off'), (server) => server.remove());
    const cluster = opened.adopt(await Cluster.start(postgres.url, options), (started) => started.remove());
    return new Setting(postgres, cluster, await Organization.create(cluster), opened.move());
  }

  async end(): Promise<void> {
    await this.#opened.disposeAsync();
  }
}
