import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Cluster } from './cluster.ts';
import type { Node, Reply } from './node.ts';
import { type Organization, stateOf, type Team } from './organization.ts';

/** Statuses after which a client tries again, and does not know whether the request was executed. */
const isUnclear = ({ status }: Reply) => status === 0 || status === 503;
const PAUSE = 20;
/** Limit of a workspace. */
const MOST_VARIABLES = 500;

/** Records failures and acknowledged writes. */
class Ledger {
  /** Statuses that no client should ever get, and locks with two holders. */
  readonly faults: string[] = [];
  readonly unclear = new Map<string, number>();
  readonly states: { readonly serial: number; readonly md5: string }[] = [];
  readonly variables: string[] = [];
  readonly roles: string[] = [];
  readonly #byNode = new Map<string, number>();
  #holder: string | undefined;
  /** Time of the last acknowledged write, and the longest time between two of them, milliseconds. */
  #last = performance.now();
  longestPause = 0;

  heard(node: Node, what: string, reply: Reply, expected: readonly number[]): Reply {
    if (isUnclear(reply)) {
      const name = reply.code ?? String(reply.status);
      this.unclear.set(name, (this.unclear.get(name) ?? 0) + 1);
    } else if (!expected.includes(reply.status)) {
      this.faults.push(`${what} on ${node.options.name}: ${reply.status} ${reply.text}`);
      process.stderr.write(`${this.faults.at(-1)}\n`);
    }
    return reply;
  }

  acknowledged(node: Node): void {
    const { name } = node.options;
    this.#byNode.set(name, this.writesOn(node) + 1);
    const now = performance.now();
    this.longestPause = Math.max(this.longestPause, now - this.#last);
    this.#last = now;
  }

  writesOn({ options }: Node): number {
    return this.#byNode.get(options.name) ?? 0;
  }

  holds(who: string): void {
    if (this.#holder !== undefined) this.faults.push(`${who} got the lock that ${this.#holder} holds`);
    this.#holder = who;
  }

  letsGo(): void {
    this.#holder = undefined;
  }
}

/** Clients of one organization, and the nodes that they use. */
export interface WorkPlace {
  readonly cluster: Cluster;
  readonly organization: Organization;
  /** Default: all nodes of the cluster. */
  readonly nodes?: readonly Node[];
}

/**
 * Clients of an organization that write to all nodes in turn and record the acknowledged writes: several lock one
 * workspace in turn and store a state in it, one creates variables, one creates roles.
 */
export class Work {
  readonly ledger = new Ledger();
  readonly #cluster: Cluster;
  /** Nodes that its clients use. */
  readonly #nodes: readonly Node[];
  readonly #organization: Organization;
  readonly #workspace: string;
  readonly #lineage = randomUUID();
  readonly #clients: Promise<void>[];
  #isOver = false;
  #turn = 0;

  private constructor({ cluster, organization, nodes }: WorkPlace, workspace: string, teams: readonly Team[]) {
    this.#cluster = cluster;
    this.#nodes = nodes ?? cluster.nodes;
    this.#organization = organization;
    this.#workspace = workspace;
    this.#clients = [
      ...teams.map((team) => this.#repeat((node) => this.#lockAndWrite(node, team))),
      this.#repeat((node, n) => this.#makeVariable(node, n)),
      this.#repeat((node, n) => this.#makeRole(node, n)),
    ];
  }

  /** @param name name of a new workspace for these clients */
  static async begin(place: WorkPlace, name: string): Promise<Work> {
    const { organization } = place;
    const workspace = await organization.workspace(name);
    const teams: Team[] = [];
    for (let n = 1; n <= 4; n++) teams.push(await organization.team(`${name}-${n}`, workspace, 'write'));
    return new Work(place, workspace, teams);
  }

  /** Waits until each of these nodes has acknowledged some more writes. */
  async goesOn(nodes: readonly Node[] = this.#nodes, writes = 10): Promise<void> {
    const before = nodes.map((node) => this.ledger.writesOn(node));
    const all = () => nodes.every((node, index) => this.ledger.writesOn(node) >= (before[index] ?? 0) + writes);
    await expect.poll(all, { timeout: 90_000, message: 'writes are acknowledged on each node' }).toBe(true);
  }

  /** Stops the clients, then checks that every acknowledged write exists once on every node. */
  async endsWell(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    const { faults, states, variables, roles } = this.ledger;
    const causes = this.#nodes.flatMap((node) => node.logged('unexpected error').map(({ err }) => err));
    const found = JSON.stringify({ faults, causes });
    expect({ faults, causes }, found).toEqual({ faults: [], causes: [] });
    for (const node of this.#cluster.nodes) {
      const versions = await this.#all(
        node,
        `state-versions?filter[workspace][name]=${await this.#name()}&filter[organization][name]=acme`,
      );
      const kept = versions.map(({ attributes }) => ({
        serial: attributes.serial as number,
        md5: attributes['hosted-md5'],
      }));
      const serials = kept.map(({ serial }) => serial);
      expect(new Set(serials).size).toBe(serials.length);
      expect(serials).toEqual(expect.arrayContaining(states.map(({ serial }) => serial)));
      const keys = (await this.#all(node, `workspaces/${this.#workspace}/vars`)).map(
        ({ attributes }) => attributes.key,
      );
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).toEqual(expect.arrayContaining(variables));
      const listed = await node.ask('LIST', '/v1/auth/cert/certs', this.#cluster.tokens.root);
      expect(listed.body.data.keys).toEqual(expect.arrayContaining(roles));
    }
    expect(Math.min(states.length, variables.length, roles.length)).toBeGreaterThan(0);
  }

  async #repeat(step: (node: Node, n: number) => Promise<void>): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      await step(this.#next(), n);
      await sleep(PAUSE);
    }
  }

  #next(): Node {
    return this.#nodes[this.#turn++ % this.#nodes.length] as Node;
  }

  /** Repeats a request until an answer is definite. */
  async #clear(what: string, ask: (node: Node) => Promise<Reply>, ...expected: number[]): Promise<[Reply, Node]> {
    for (;;) {
      const node = this.#next();
      const reply = this.ledger.heard(node, what, await ask(node), expected);
      if (!isUnclear(reply)) return [reply, node];
      await sleep(PAUSE);
    }
  }

  async #lockAndWrite(node: Node, team: Team): Promise<void> {
    const path = `/api/v2/workspaces/${this.#workspace}`;
    const ask = (on: Node, method: string, rest = '', body?: unknown) =>
      on.ask(method, `${path}${rest}`, team.token, body);
    const isOurs = async () => {
      const [{ body }] = await this.#clear('show', (other) => ask(other, 'GET'), 200);
      return body?.data?.relationships['locked-by']?.data?.id === team.id;
    };
    const locked = this.ledger.heard(node, 'lock', await ask(node, 'POST', '/actions/lock', {}), [200, 409]);
    if (locked.status === 200) this.ledger.acknowledged(node);
    else if (!(await isOurs())) return;
    this.ledger.holds(team.id);
    await this.#leaveState(node, team);
    this.ledger.letsGo();
    // When the first request succeeded without an answer, the second one gets a conflict.
    const [, on] = await this.#clear('unlock', (other) => ask(other, 'POST', '/actions/unlock', {}), 200, 409);
    this.ledger.acknowledged(on);
  }

  async #leaveState(node: Node, team: Team): Promise<void> {
    const path = `/api/v2/workspaces/${this.#workspace}`;
    const current = (other: Node) => other.ask('GET', `${path}/current-state-version`, team.token);
    const [{ body }] = await this.#clear('current state', current, 200, 404);
    const state = stateOf((body?.data?.attributes.serial ?? 0) + 1, this.#lineage, node.options.name);
    const reply = await node.ask('POST', `${path}/state-versions`, team.token, state);
    if (this.ledger.heard(node, 'state', reply, [201]).status !== 201) return;
    this.ledger.states.push(state.data.attributes);
    this.ledger.acknowledged(node);
  }

  async #makeVariable(first: Node, n: number): Promise<void> {
    if (n >= MOST_VARIABLES) return;
    const attributes = { key: `v${n}`, value: first.options.name, category: 'env' };
    const body = { data: { type: 'vars', attributes } };
    const make = (node: Node) => this.#organization.ask(node, 'POST', `workspaces/${this.#workspace}/vars`, body);
    // 422: the name is taken, by a first request that got no answer.
    const [, node] = await this.#clear('variable', make, 201, 422);
    this.ledger.variables.push(attributes.key);
    this.ledger.acknowledged(node);
  }

  async #makeRole(_first: Node, n: number): Promise<void> {
    const name = `${this.#workspace.toLowerCase()}-${n}`;
    const body = { certificate: this.#cluster.ca.pem };
    const make = (node: Node) => node.ask('POST', `/v1/auth/cert/certs/${name}`, this.#cluster.tokens.root, body);
    // The status is 200 when the role is stored and the database stops before the CRLs are read for the warnings.
    const [, node] = await this.#clear('role', make, 204, 200);
    this.ledger.roles.push(name);
    this.ledger.acknowledged(node);
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  async #all(node: Node, path: string): Promise<{ id: string; attributes: any }[]> {
    const found = [];
    const separator = path.includes('?') ? '&' : '?';
    for (let page: number | null = 1; page !== null; ) {
      const at = `${path}${separator}page[size]=100&page[number]=${page}`;
      const { status, text, body } = await this.#organization.ask(node, 'GET', at);
      expect(status, text).toBe(200);
      found.push(...body.data);
      page = body.meta?.pagination?.['next-page'] ?? null;
    }
    return found;
  }

  async #name(): Promise<string> {
    const { body } = await this.#organization.ask(this.#cluster.node(1), 'GET', `workspaces/${this.#workspace}`);
    return body.data.attributes.name;
  }
}
