import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { expect } from 'vitest';
import type { Dialect } from '../../../src/storage/index.ts';
import { Command, type Finished } from '../../support/command.ts';
import { postgresUrl } from '../../support/databases.ts';

const JSON_API = 'application/vnd.api+json';
let schemas = 0;

export interface RunningServer {
  readonly address: string;
  /** Creates an organization, a workspace and a state of some size in it, and reads that. */
  useIt(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<Finished>;
}

/** A server as somebody has set it up in a folder. */
export class Installation {
  readonly #config: string;
  readonly #environment: Record<string, string>;
  readonly #schema: string | undefined;
  readonly #started: { readonly command: Command; readonly pid: () => number }[] = [];

  constructor(folder: string, { storage = 'sqlite', workers = 1 }: { storage?: Dialect; workers?: number } = {}) {
    this.#config = join(folder, 'lockkeeper.yaml');
    const isShared = storage === 'postgres';
    this.#schema = isShared ? `installation_${process.pid}_${++schemas}` : undefined;
    this.#environment = isShared ? { LOCKKEEPER_STORAGE_URL: postgresUrl ?? '' } : {};
    const place = isShared
      ? `{ type: postgres, schema: ${this.#schema}, blob_directory: blobs }`
      : '{ type: sqlite, directory: data }';
    writeFileSync(
      this.#config,
      `listeners: [{ address: "127.0.0.1:0", services: [access, workspaces], plain_http: true }]
storage: ${place}
keyring_file: keyring.json
limits: { lame_duck: 0s }
workers: ${workers}
`,
    );
  }

  /** @param within a program that runs it */
  async serve(environment: Record<string, string> = {}, within: readonly string[] = []): Promise<RunningServer> {
    const arguments_ = ['--config', this.#config];
    const { stdout, stderr } = await new Command(['init', ...arguments_], this.#environment).ended();
    const token = /^user token +(\S+)/m.exec(stdout)?.[1];
    if (token === undefined) throw new Error(stderr);
    const all = { ...this.#environment, ...environment };
    const command = new Command(['serve', ...arguments_], all, undefined, within);
    // Not of what it runs within.
    const pid = () => Number(/"pid":(\d+)/.exec(command.stdout)?.[1] ?? command.process.pid);
    this.#started.push({ command, pid });
    const address = (): string | undefined => /"addresses":\["([^"]+)"/.exec(command.stdout)?.[1];
    await Promise.race([
      expect.poll(address).toBeDefined(),
      command.ended().then(({ stderr: said }) => Promise.reject(new Error(`it ended: ${said}${command.stdout}`))),
    ]);
    return {
      address: address() ?? '',
      useIt: () => useServer(address() ?? '', token),
      signal: (signal) => process.kill(pid(), signal),
      stop: () => {
        process.kill(pid(), 'SIGTERM');
        return command.ended();
      },
    };
  }

  /** Also what a test has not stopped that failed. */
  async remove(): Promise<void> {
    for (const { command, pid } of this.#started)
      if (command.process.exitCode === null && command.process.signalCode === null) process.kill(pid(), 'SIGKILL');
    await Promise.all(this.#started.map(({ command }) => command.ended()));
    if (this.#schema === undefined) return;
    const pool = new Pool({ connectionString: postgresUrl, max: 1 });
    await pool.query(`DROP SCHEMA IF EXISTS "${this.#schema}" CASCADE`);
    await pool.end();
  }
}

async function useServer(address: string, token: string): Promise<void> {
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': JSON_API };
    const answer = await fetch(new URL(path, address), {
      ...{ method, headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const create = async (path: string, type: string, attributes: object): Promise<string> => {
    const answer = await call('POST', `/api/v2${path}`, { data: { type, attributes } });
    return ((await answer.json()) as { data: { id: string } }).data.id;
  };
  await create('/organizations', 'organizations', { name: 'acme', email: 'ada@example.com' });
  const workspace = await create('/organizations/acme/workspaces', 'workspaces', { name: 'network' });
  await call('POST', `/api/v2/workspaces/${workspace}/actions/lock`, { reason: 'state' });
  const state = Buffer.from(JSON.stringify(STATE));
  await create(`/workspaces/${workspace}/state-versions`, 'state-versions', {
    ...{ serial: 1, lineage: STATE.lineage, md5: createHash('md5').update(state).digest('hex') },
    state: state.toString('base64'),
  });
  const current = await (await call('GET', `/api/v2/workspaces/${workspace}/current-state-version`)).json();
  const link = (current as { data: { attributes: { 'hosted-state-download-url': string } } }).data.attributes;
  const { pathname, search } = new URL(link['hosted-state-download-url']);
  expect(await (await call('GET', `${pathname}${search}`)).json()).toEqual(STATE);
}

/** Larger than what is read where it comes in. */
const STATE = {
  ...{ version: 4, terraform_version: '1.10.0', serial: 1, lineage: '7d3ad3ac-6b28-4b76-8a2e-3c3fd1b0d2a1' },
  outputs: { text: { value: 'x'.repeat(40_000), type: 'string' } },
  resources: [],
};
