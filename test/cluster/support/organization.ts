import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { archive } from '../../support/samples/archive.ts';
import type { Cluster } from './cluster.ts';
import type { Node, Reply } from './node.ts';

/** A team with a token, and a permission on a workspace. */
export interface Team {
  readonly id: string;
  readonly token: string;
  /** Id of the permission: `tws-…`. */
  readonly access: string;
}

/** The organization `acme`: sends requests as its owner, to any node. */
export class Organization {
  readonly #cluster: Cluster;

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  static async create(cluster: Cluster): Promise<Organization> {
    const organization = new Organization(cluster);
    await organization.make('organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
    return organization;
  }

  ask(node: Node, method: string, path: string, body?: unknown): Promise<Reply> {
    return node.ask(method, `/api/v2/${path}`, this.#cluster.tokens.user, body);
  }

  /** Its id. */
  async make(path: string, type: string, attributes: object, more: object = {}, node = this.#cluster.node(1)) {
    const reply = await this.ask(node, 'POST', path, { data: { type, attributes, ...more } });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data.id as string;
  }

  workspace(name: string): Promise<string> {
    return this.make('organizations/acme/workspaces', 'workspaces', { name });
  }

  async team(name: string, workspace: string, access: 'read' | 'write'): Promise<Team> {
    const id = await this.make('organizations/acme/teams', 'teams', { name });
    const token = await this.ask(this.#cluster.node(1), 'POST', `teams/${id}/authentication-token`);
    expect(token.status, token.text).toBe(201);
    const relationships = {
      team: { data: { type: 'teams', id } },
      workspace: { data: { type: 'workspaces', id: workspace } },
    };
    const granted = await this.make('team-workspaces', 'team-workspaces', { access }, { relationships });
    return { id, token: token.body.data.attributes.token, access: granted };
  }

  /** Creates a workspace whose runs wait for an agent, so that tests can create runs and get their events. */
  async workspaceWithRuns(name: string): Promise<string> {
    const id = await this.workspace(name);
    const node = this.#cluster.node(1);
    const made = await this.ask(node, 'POST', `workspaces/${id}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': false } },
    });
    const upload = new URL(made.body.data.attributes['upload-url']).pathname;
    const sent = await fetch(new URL(upload, node.address), { method: 'PUT', body: new Uint8Array(archive()) });
    expect(sent.status).toBe(200);
    return id;
  }

  run(node: Node, workspace: string): Promise<Reply> {
    const relationships = { workspace: { data: { type: 'workspaces', id: workspace } } };
    return this.ask(node, 'POST', 'runs', { data: { type: 'runs', attributes: {}, relationships } });
  }
}

/** Request body that uploads a state. */
export function stateOf(serial: number, lineage: string, note: string) {
  const outputs = { note: { value: note, type: 'string' } };
  const state = { version: 4, terraform_version: '1.9.0', serial, lineage, outputs, resources: [] };
  const bytes = Buffer.from(JSON.stringify(state));
  const md5 = createHash('md5').update(bytes).digest('hex');
  const attributes = { serial, lineage, md5, state: bytes.toString('base64') };
  return { data: { type: 'state-versions', attributes } };
}
