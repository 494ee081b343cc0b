import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { type Command, tokensIn } from '../../support/command.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { writeServerCertificate } from '../../support/machine/server-certificate.ts';
import { type Authority, createRoot } from '../../support/pki.ts';
import { Node } from './node.ts';

export interface ClusterOptions {
  readonly nodes?: number;
  /** More settings for the configuration of each node, in YAML. */
  readonly more?: string;
  /** Environment of a node, by its number; the first is 1. */
  readonly environment?: (node: number) => Record<string, string>;
}

/** Several nodes of one server: each is a process with its own configuration, on one PostgreSQL. */
export class Cluster {
  readonly folder = mkdtempSync(join(tmpdir(), 'lockkeeper-cluster-'));
  readonly ca: Authority = createRoot({ subject: 'Cluster CA' });
  readonly nodes: readonly Node[];
  /** Database connection of the test itself, to read stored data. */
  readonly pool: Pool;
  #tokens = { root: '', user: '' };

  private constructor(url: string, ports: readonly number[], { more = '', environment }: ClusterOptions) {
    this.pool = new Pool({ connectionString: url, max: 2, options: '-c search_path=lockkeeper' });
    this.pool.on('error', () => {});
    writeServerCertificate(this.ca, this.folder);
    mkdirSync(join(this.folder, 'blobs'));
    this.nodes = Array.from({ length: ports.length / 2 }, (_, index) => {
      const [tls = 0, plain = 0] = ports.slice(2 * index, 2 * index + 2);
      const config = join(this.folder, `node-${index + 1}.yaml`);
      writeFileSync(config, configuration(index + 1, tls, plain) + more);
      const name = `node-${index + 1}`;
      const own = { LOCKKEEPER_STORAGE_URL: `${url}?application_name=${name}`, ...environment?.(index + 1) };
      return new Node({ name, config, tls, plain, ca: this.ca.pem, environment: own });
    });
  }

  /** Initializes the server, starts all nodes and waits until they are ready. */
  static async start(url: string, options: ClusterOptions = {}): Promise<Cluster> {
    const ports = await Promise.all(Array.from({ length: 2 * (options.nodes ?? 3) }, freePort));
    const cluster = new Cluster(url, ports, options);
    try {
      await cluster.#init();
      await Promise.all(cluster.nodes.map((node) => node.start()));
      return cluster;
    } catch (error) {
      await cluster.remove();
      throw error;
    }
  }

  get tokens(): { readonly root: string; readonly user: string } {
    return this.#tokens;
  }

  /** Returns a node by its number; the first is 1. */
  node(number: number): Node {
    const node = this.nodes[number - 1];
    if (node === undefined) throw new Error(`there is no node ${number}`);
    return node;
  }

  async query<T>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return (await this.pool.query(text, [...values])).rows as T[];
  }

  /** Runs `lockkeeper …` with the configuration of the first node. */
  command(...args: readonly string[]): Command {
    return this.node(1).command(...args);
  }

  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    await this.pool.end();
    rmSync(this.folder, { recursive: true });
  }

  async #init(): Promise<void> {
    const { stdout, stderr } = await this.command('init').ended();
    this.#tokens = tokensIn(stdout);
    if (!this.#tokens.user) throw new Error(stderr);
  }
}

const configuration = (number: number, tls: number, plain: number) => `listeners:
  - address: 127.0.0.1:${tls}
    services: [access, workspaces]
    tls: { certificate_file: server.pem, private_key_file: server.key }
  - address: 127.0.0.1:${plain}
    services: [access, workspaces]
    plain_http: true
storage: { type: postgres, blob_directory: blobs }
keyring_file: keyring.json
audit: { file: audit-${number}.log }
workers: 1
`;
