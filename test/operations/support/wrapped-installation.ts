import { readFileSync } from 'node:fs';
import type { Dialect } from '../../../src/storage/index.ts';
import type { Finished } from '../../support/command.ts';
import type { RunningServer } from '../../support/machine/running-server.ts';
import { type ProcessOptions, Site } from '../../support/machine/site.ts';

/** A server whose keyring is wrapped by a KMS, an HSM or a credential. */
export class WrappedInstallation extends Site {
  readonly keyring = this.at('keyring.json');
  #workspace = '';

  /** @param wrap `keyring_wrap` of the configuration, in YAML; empty for none */
  constructor(kind: Dialect, wrap: string, environment: Record<string, string> = {}) {
    super(kind);
    Object.assign(this.environment, environment);
    this.configure(wrap);
  }

  /** @returns the name of the file */
  configure(wrap: string, { name = 'lockkeeper.yaml', keyring = 'keyring.json', workers = 1 } = {}): string {
    const own = { keyring_file: keyring, keyring_wrap: wrap, workers: String(workers) };
    this.write({ ...own, audit: '{ file: audit.log }' }, { name });
    return name;
  }

  /** Returns the log of a server that fails to start. */
  async refusal(environment: Record<string, string> = {}): Promise<Finished> {
    const ended = await this.run(['serve'], { environment });
    if (ended.code === 0) throw new Error('it started');
    return ended;
  }

  /** Creates a workspace with encrypted variables. */
  override async serve(options?: ProcessOptions): Promise<RunningServer> {
    const server = await super.serve(options);
    if (this.#workspace !== '') return server;
    const acme = { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } };
    await this.#ask(server, 'POST', '/organizations', acme);
    const one = { type: 'workspaces', attributes: { name: 'one' } };
    this.#workspace = (await this.#ask(server, 'POST', '/organizations/acme/workspaces', one)).id;
    return server;
  }

  /** Values of the variables of the workspace. */
  async values(server: RunningServer): Promise<string[]> {
    const variables: { attributes: { value: string } }[] = await this.#ask(server, 'GET', this.#variables);
    return variables.map(({ attributes }) => attributes.value).toSorted();
  }

  async add(server: RunningServer, key: string, value: string): Promise<void> {
    const attributes = { key, value, category: 'terraform' };
    await this.#ask(server, 'POST', this.#variables, { type: 'vars', attributes });
  }

  /** The unparsed file. */
  file(path = this.keyring): Record<string, unknown> {
    return JSON.parse(readFileSync(path, 'utf8'));
  }

  /** The keys, and the number of values that each has encrypted. */
  async keys(options: { config?: string } = {}): Promise<Record<number, number>> {
    const { keys } = JSON.parse(await this.done(['keyring', 'list', '--format', 'json'], options)) as {
      keys: { key: number; values: number }[];
    };
    return Object.fromEntries(keys.map(({ key, values }) => [key, values]));
  }

  get #variables(): string {
    return `/workspaces/${this.#workspace}/vars`;
  }

  // biome-ignore lint/suspicious/noExplicitAny: whatever came back
  async #ask(server: RunningServer, method: string, path: string, data?: object): Promise<any> {
    const token = this.tokens.user;
    const answer = await server.call(method, `/api/v2${path}`, { token, ...(data && { body: { data } }) });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body.data;
  }
}
