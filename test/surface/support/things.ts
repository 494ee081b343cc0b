import { expect } from 'vitest';
import type { Answer } from '../../support/http.ts';
import { createRoot } from '../../support/pki.ts';
import type { TestServer } from '../../support/server.ts';

export const ca = createRoot({ subject: 'Client CA' });
export const client = ca.issue({ subject: 'machine' });

type Node = TestServer;
/** Returns whether a dependent of the deleted object works, at one node. */
export type Life = (node: Node) => Promise<boolean>;

let names = 0;
export const fresh = (kind: string): string => `${kind}-${++names}`;

/** Objects that tests create, to check that an operation ends them. Everything is created at one node. */
export class Things {
  readonly #node: Node;

  constructor(node: Node) {
    this.#node = node;
  }

  async write(path: string, body: object): Promise<Answer> {
    const answer = await this.#node.root('POST', `/v1/${path}`, body);
    expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
    return answer;
  }

  async read(path: string) {
    return (await this.#node.root('GET', `/v1/${path}`)).body.data;
  }

  async role(mount = 'cert'): Promise<string> {
    const name = fresh('role');
    await this.write(`auth/${mount}/certs/${name}`, {
      certificate: ca.pem,
      token_ttl: '1h',
      token_policies: ['maker'],
    });
    return name;
  }

  async login(role: string, mount = 'cert') {
    const answer = await loginAt(this.#node, role, mount);
    expect(answer.status).toBe(200);
    return answer.body.auth;
  }

  async made(path: string, body: object) {
    return (await this.write(path, body)).body.data;
  }

  /** Logs in as another machine than that of the other objects. */
  async loginAs(name: string) {
    const role = await this.role();
    const certificate = ca.issue({ subject: name });
    const answer = await this.#node.call('POST', '/v1/auth/cert/login', { certificate, body: { name: role } });
    expect(answer.status).toBe(200);
    return answer.body.auth;
  }

  async create(token: string, body: object = {}, path = 'create') {
    const answer = await this.#node.call('POST', `/v1/auth/token/${path}`, { token, body });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer.body.auth;
  }

  /** A token that expires, and its derived credentials. */
  async family(path = 'create'): Promise<{ token: string; accessor: string; below: Record<string, Life> }> {
    const { client_token: token, accessor } = await this.create(this.#node.rootToken, { policies: ['maker'] }, path);
    return { token, accessor, below: await this.#childrenOf(token) };
  }

  async familyOf(token: string): Promise<Record<string, Life>> {
    return { 'the token': lives(token), ...(await this.#childrenOf(token)) };
  }

  async #childrenOf(token: string): Promise<Record<string, Life>> {
    const { client_token: child } = await this.create(token);
    const { client_token: grandchild } = await this.create(child);
    const { client_token: batch } = await this.create(child, { type: 'batch' });
    return { 'a child': lives(child), 'a grandchild': lives(grandchild), 'a batch token below': lives(batch) };
  }
}

export const loginAt = (node: Node, name: string, mount = 'cert') =>
  node.call('POST', `/v1/auth/${mount}/login`, { certificate: client, body: { name } });
export const lives =
  (token: string): Life =>
  async (node) =>
    (await node.call('GET', '/v1/auth/token/lookup-self', { token })).status === 200;
export const mayReadMounts =
  (token: string): Life =>
  async (node) =>
    (await node.call('GET', '/v1/sys/auth', { token })).status === 200;
export const renews =
  (token: string): Life =>
  async (node) =>
    (await node.call('POST', '/v1/auth/token/renew-self', { token, certificate: client })).status === 200;
export const isThere =
  (path: string): Life =>
  async (node) =>
    (await node.root('GET', `/v1/${path}`)).status === 200;
export const leaseOf = (token: string, path: string) => `${path}/${token.split('.')[1]}`;
