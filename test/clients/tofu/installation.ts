import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, type CallOptions, call } from '../../support/http.ts';
import { type Serving, startServing } from '../support/serving.ts';
import {
  baseEnvironment,
  type Credentials,
  certificateEnvironment,
  installHelper,
  tokenEnvironment,
} from './credentials.ts';
import type { Surroundings } from './project.ts';
import { Relay } from './relay.ts';

export const ORGANIZATION = 'acme';
/** How a configuration refers to the server: with a `cloud` block or a backend. */
export type Backend = 'cloud' | 'remote';

/** A server with an organization, and all that a command line needs to work there. */
export class Installation {
  readonly #folder = mkdtempSync(join(tmpdir(), 'lockkeeper-tofu-'));
  readonly #serving: Serving;
  #address: string;
  /** Host and port that command lines connect to. */
  readonly relay: Relay;

  private constructor(serving: Serving, relay: Relay) {
    this.#serving = serving;
    this.#address = serving.address;
    this.relay = relay;
  }

  /** @param settings more settings of the server, in YAML */
  static async start(settings = ''): Promise<Installation> {
    const serving = await startServing(undefined, settings);
    const relay = await Relay.start(serving.address);
    const installation = new Installation(serving, relay);
    await installation.#makeOrganization();
    installHelper(installation.#folder);
    return installation;
  }

  /** Kills the server, as a power cut does, and starts it again. Clients cannot reach it until `reconnect`. */
  async crash(): Promise<void> {
    this.relay.turnTo(undefined);
    this.#address = await this.#serving.restart();
  }

  reconnect(): void {
    this.relay.turnTo(this.#address);
  }

  async stop(): Promise<void> {
    await this.relay.stop();
    await this.#serving.stop();
    rmSync(this.#folder, { recursive: true });
  }

  /** Host and port of the server itself, without the relay: `127.0.0.1:40123`. */
  get host(): string {
    return new URL(this.#address).host;
  }

  /** Certificate of the server's CA, in PEM. */
  get authority(): string {
    return readFileSync(this.#serving.caFile, 'utf8');
  }

  /** Token of the owner of the organization. */
  get userToken(): string {
    return this.#serving.userToken;
  }

  /** Sends a request with the token of the owner of the organization, or with another token. */
  call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { userToken: token } = this.#serving;
    return call({ address: this.#address, ca: this.authority }, method, path, { token, ...options });
  }

  /**
   * Creates a resource.
   * @returns its id
   */
  async create(path: string, type: string, attributes: object, relationships: object = {}): Promise<string> {
    const answer = await this.call('POST', path, { body: { data: { type, attributes, relationships } } });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body.data.id;
  }

  /** Returns a workspace. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  async workspace(name: string): Promise<any> {
    return (await this.call('GET', `/api/v2/organizations/${ORGANIZATION}/workspaces/${name}`)).body.data;
  }

  /** Returns the current state of a workspace from the server. */
  async storedState(name: string): Promise<string> {
    const { id } = await this.workspace(name);
    const { body } = await this.call('GET', `/api/v2/workspaces/${id}/current-state-version`);
    const { pathname, search } = new URL(body.data.attributes['hosted-state-download-url']);
    return (await this.call('GET', pathname + search)).text;
  }

  /** @param token default: token of the owner of the organization */
  surroundings(program: string, credentials: Credentials, token = this.#serving.userToken): Surroundings {
    const environment = {
      ...baseEnvironment(this.#folder, this.#serving),
      ...(credentials === 'certificate'
        ? certificateEnvironment(this.#folder, this.#serving, this.relay.host)
        : tokenEnvironment(this.relay.host, token)),
    };
    return { program, folder: this.#folder, environment };
  }

  /** Returns the block that configures this server as the backend. */
  backend(backend: Backend, workspaces: string, more = ''): string {
    const block = backend === 'cloud' ? 'cloud' : 'backend "remote"';
    return `terraform {
  ${block} {
    hostname     = "${this.relay.host}"
    organization = "${ORGANIZATION}"
    workspaces {
      ${workspaces}
    }
  }
  ${more}
}
`;
  }

  async #makeOrganization(): Promise<void> {
    const { rootToken, clientCaFile } = this.#serving;
    const settings = { email: 'acme@example.com', 'allow-force-delete-workspaces': true };
    await this.create('/api/v2/organizations', 'organizations', { name: ORGANIZATION, ...settings });
    const team = await this.create(`/api/v2/organizations/${ORGANIZATION}/teams`, 'teams', {
      name: 'runners',
      'organization-access': { 'manage-workspaces': true },
    });
    const identity = { mount: 'cert', role: 'runner', 'common-name': 'machine-1' };
    await this.create(`/api/v2/teams/${team}/machine-identities`, 'machine-identities', identity);
    const asRoot = async (path: string, body: object) => {
      const answer = await this.call('POST', path, { token: rootToken, body });
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    };
    const { body } = await this.call('GET', '/v1/sys/auth', { token: rootToken });
    if (!('cert/' in body.data)) await asRoot('/v1/sys/auth/cert', { type: 'cert' });
    const certificate = readFileSync(clientCaFile, 'utf8');
    await asRoot('/v1/auth/cert/certs/runner', { certificate, token_ttl: '1h' });
  }
}
