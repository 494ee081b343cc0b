import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

const PAGES = { 'current-page': 1, 'page-size': 100, 'prev-page': null, 'next-page': null, 'total-pages': 1 };

export const list = (data: readonly object[], next: number | null = null) => ({
  data,
  meta: { pagination: { ...PAGES, 'next-page': next, 'total-count': data.length } },
});

/**
 * A server of plain HTTP that answers like HCP Terraform where it differs from Lockkeeper: workspaces without an engine,
 * state versions without MD5 and lineage, lists that do not exist.
 */
export class FakeHcp {
  /** Responses by path; others are 404. */
  readonly documents = new Map<string, unknown>();
  /** Replaces the response of a path. */
  readonly handlers = new Map<string, Handler>();
  /** Paths of the requests, with their methods. */
  readonly requests: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(): Promise<FakeHcp> {
    const fake = new FakeHcp();
    await new Promise<void>((resolve) => {
      fake.#server.listen(0, '127.0.0.1', resolve);
    });
    fake.#fill();
    return fake;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  /** Adds a workspace as HCP Terraform describes it. */
  workspace(id: string, name: string, attributes: object = {}, relationships: object = {}): object {
    const document = {
      ...{ id, type: 'workspaces' },
      attributes: {
        ...{ name, 'allow-destroy-plan': true, 'auto-apply': false, 'execution-mode': 'remote', operations: true },
        ...{ 'terraform-version': '1.9.8', 'setting-overwrites': { 'execution-mode': true, 'agent-pool': true } },
        ...{ 'vcs-repo': null, 'trigger-patterns': [], 'trigger-prefixes': [], 'working-directory': '' },
        ...{ 'tag-names': [], locked: false, source: 'tfe-ui', 'hyok-enabled': false, ...attributes },
      },
      relationships: { project: { data: { id: 'prj-1', type: 'projects' } }, ...relationships },
    };
    this.documents.set(`/api/v2/workspaces/${id}`, { data: document });
    return document;
  }

  /** Serves a state as the current one of a workspace. */
  state(workspaceId: string, serial: number, content: string | Buffer): void {
    const id = `sv-${workspaceId}`;
    const document = {
      ...{ id, type: 'state-versions' },
      attributes: {
        ...{ serial, size: Buffer.byteLength(content), status: 'finalized', intermediate: false },
        'hosted-state-download-url': `${this.address}/files/${id}`,
      },
    };
    this.documents.set(`/api/v2/workspaces/${workspaceId}/current-state-version`, { data: document });
    this.documents.set(`/api/v2/state-versions/${id}`, { data: document });
    this.handlers.set(`/files/${id}`, (_request, response) => response.end(content));
  }

  /** Serves states as all versions of a workspace, oldest first. One without content cannot be downloaded. */
  history(workspaceId: string, states: readonly { readonly serial: number; readonly content?: string }[]): void {
    const versions = states.map(({ serial, content }, index) => {
      const id = `sv-${workspaceId}-${index}`;
      const attributes = { serial, status: 'finalized', 'hosted-state-download-url': `${this.address}/files/${id}` };
      const document = { id, type: 'state-versions', attributes };
      this.documents.set(`/api/v2/state-versions/${id}`, { data: document });
      this.handlers.set(`/files/${id}`, (_request, response) => {
        response.writeHead(content === undefined ? 404 : 200).end(content);
      });
      return document;
    });
    this.documents.set('/api/v2/state-versions', list(versions.toReversed()));
    this.documents.set(`/api/v2/workspaces/${workspaceId}/current-state-version`, { data: versions.at(-1) });
  }

  #fill(): void {
    const organization = '/api/v2/organizations/acme';
    this.documents.set(organization, {
      data: { id: 'acme', type: 'organizations', attributes: { name: 'acme', email: 'ops@example.com' } },
    });
    const project = { id: 'prj-1', type: 'projects', attributes: { name: 'Default Project', 'is-unified': false } };
    this.documents.set(`${organization}/projects`, list([project]));
    this.documents.set(`${organization}/workspaces`, list([]));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.address);
    this.requests.push(`${request.method} ${url.pathname}`);
    const handler = this.handlers.get(url.pathname);
    if (handler) {
      handler(request, response, url);
      return;
    }
    const document = this.documents.get(url.pathname);
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/vnd.api+json' });
    const missing = { errors: [{ status: '404', title: 'not found' }] };
    response.end(JSON.stringify(document ?? missing));
  }
}
