import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Command, type Finished } from '../command.ts';
import { startTestServer, type TestServer } from '../server.ts';

/** A whole server with the organization acme, and the client commands as processes. */
export interface CliClient {
  readonly server: TestServer;
  /** Folder for files of the commands. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Runs a command as the first user. */
  run(args: readonly string[], more?: Record<string, string>, input?: string): Promise<Finished>;
  /** Runs a command that must succeed, and returns its standard output. */
  ok(...args: string[]): Promise<string>;
  /** Creates a resource over the API, and returns it. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  made(path: string, type: string, attributes: object, relationships?: object): Promise<any>;
  stop(): Promise<void>;
}

/** Starts a server, and creates the organization acme. */
export async function startCliClient(): Promise<CliClient> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-cli-'));
  const server = await startTestServer('sqlite');
  writeFileSync(join(folder, 'ca.pem'), server.ca);
  const environment = {
    LOCKKEEPER_ADDR: server.address,
    LOCKKEEPER_CACERT: join(folder, 'ca.pem'),
    LOCKKEEPER_TOKEN: server.userToken,
    LOCKKEEPER_ORGANIZATION: 'acme',
    LOCKKEEPER_RUNTIME_DIR: join(folder, 'run'),
    BROWSER: '',
  };
  const run: CliClient['run'] = (args, more = {}, input = '') => {
    const command = new Command(args, { ...environment, ...more });
    command.process.stdin?.end(input);
    return command.ended();
  };
  const made: CliClient['made'] = async (path, type, attributes, relationships = {}) => {
    const answer = await server.user('POST', `/api/v2${path}`, { data: { type, attributes, relationships } });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };
  await made('/organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
  return {
    ...{ server, folder, environment, run, made },
    async ok(...args) {
      const { code, stdout, stderr } = await run(args);
      expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
      return stdout;
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
