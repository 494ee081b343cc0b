import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { Command, tokensIn } from './command.ts';
import { postgresUrl } from './databases.ts';
import type { Target } from './load.ts';
import { writeServerCertificate } from './machine/server-certificate.ts';
import { type Authority, createRoot } from './pki.ts';

/** A server with several workers on PostgreSQL, as a process of its own. */
export interface WorkersServer {
  readonly command: Command;
  readonly tls: Target;
  readonly plain: Target;
  /** `http://127.0.0.1:40123` */
  readonly plainAddress: string;
  /** Process IDs of the current workers. */
  workerPids(): number[];
  /** Returns the log lines with this message. */
  logged(message: string): Record<string, unknown>[];
}

let schemas = 0;

/** Installation of servers with several workers: one folder, one schema, any number of servers. */
export class WorkersInstallation {
  readonly folder = mkdtempSync(join(tmpdir(), 'lockkeeper-workers-'));
  readonly schema = `workers_${process.pid}_${++schemas}`;
  readonly serverCa: Authority = createRoot();
  readonly config = join(this.folder, 'lockkeeper.yaml');
  readonly #pool = new Pool({ connectionString: postgresUrl, max: 1 });
  readonly #started: Command[] = [];
  #tokens = { root: '', user: '' };

  constructor(more = '') {
    this.renewCertificate('localhost');
    writeFileSync(
      this.config,
      `listeners:
  - address: 127.0.0.1:0
    services: [access, workspaces, metrics]
    tls: { certificate_file: server.pem, private_key_file: server.key }
  - address: 127.0.0.1:0
    services: [access, workspaces, metrics]
    plain_http: true
storage: { type: postgres, schema: ${this.schema}, blob_directory: blobs }
keyring_file: keyring.json
${/^audit:/m.test(more) ? '' : 'audit: { file: audit.log }'}
${more}
`,
    );
  }

  get tokens(): { readonly root: string; readonly user: string } {
    return this.#tokens;
  }

  get auditFile(): string {
    return join(this.folder, 'audit.log');
  }

  renewCertificate(subject: string): void {
    writeServerCertificate(this.serverCa, this.folder, subject);
  }

  command(name: string, ...settings: readonly string[]): Command {
    const flags = settings.flatMap((setting) => ['--set', setting]);
    const environment = { LOCKKEEPER_STORAGE_URL: postgresUrl ?? '' };
    const command = new Command([name, '--config', this.config, ...flags], environment);
    this.#started.push(command);
    return command;
  }

  async init(): Promise<void> {
    const { stdout, stderr } = await this.command('init').ended();
    this.#tokens = tokensIn(stdout);
    if (!this.#tokens.user) throw new Error(stderr);
  }

  /** @param settings `workers=2` */
  async serve(...settings: readonly string[]): Promise<WorkersServer> {
    const command = this.command('serve', ...settings);
    const { addresses, msg } = JSON.parse(await command.firstLine());
    if (msg !== 'ready') throw new Error(`the first line says ${msg}`);
    const [tls, plain] = addresses.map((address: string) => Number(new URL(address).port));
    return {
      command,
      tls: { port: tls, ca: this.serverCa.pem },
      plain: { port: plain },
      plainAddress: addresses[1],
      workerPids: () => childrenOf(command.process.pid ?? 0),
      logged: (message) => command.logged(message),
    };
  }

  async query<T>(text: string): Promise<T[]> {
    return (
      ((await this.#pool.query(`SET search_path TO "${this.schema}"; ${text}`)) as unknown as { rows: T[] }[])[1]
        ?.rows ?? []
    );
  }

  async remove(): Promise<void> {
    for (const { process: one } of this.#started) {
      if (one.exitCode !== null || one.signalCode !== null) continue;
      // A stopped worker does not notice that the main process is gone.
      for (const worker of childrenOf(one.pid ?? 0)) process.kill(worker, 'SIGKILL');
      one.kill('SIGKILL');
    }
    await Promise.all(this.#started.map((command) => command.ended()));
    await this.#pool.query(`DROP SCHEMA IF EXISTS "${this.schema}" CASCADE`);
    await this.#pool.end();
    rmSync(this.folder, { recursive: true });
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
