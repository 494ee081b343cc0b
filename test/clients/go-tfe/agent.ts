import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent as Connections } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, call } from '../../support/http.ts';
import type { Serving } from '../support/serving.ts';

/** Between two looks at the queues. */
const PAUSE = 200;
/** What the agent may meet: an organization takes no tokens of users, or is gone, or a run was canceled meanwhile. */
const OVERTAKEN = [401, 404, 409];

// biome-ignore lint/suspicious/noExplicitAny: documents as they come
type Document = any;

/** What one run does, in place of a plan: it adds one resource, as the configuration of the tests would. */
const RESOURCE = {
  mode: 'managed',
  type: 'null_resource',
  name: 'foo',
  provider: 'provider["registry.opentofu.org/hashicorp/null"]',
  instances: [{ schema_version: 0, attributes: { id: '1', triggers: null } }],
};
const CHANGES = { 'resource-additions': 1 };

/** Carries out what is queued in any organization, through the API, as an agent does; but it plans nothing. */
export class Agent {
  readonly #serving: Serving;
  readonly #ca: string;
  readonly #connections = new Connections({ keepAlive: true });
  readonly #working: Promise<void>;
  #stopping = false;

  constructor(serving: Serving) {
    this.#serving = serving;
    this.#ca = readFileSync(serving.caFile, 'utf8');
    this.#working = this.#work();
    // Whoever stops it hears of a failure.
    this.#working.catch(() => {});
  }

  /** @throws Error when a run could not be carried out */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#working.finally(() => this.#connections.destroy());
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      const organizations: Document[] = (await this.#ask('GET', '/organizations')) ?? [];
      for (const { id } of organizations) {
        const runs: Document[] = (await this.#ask('GET', `/organizations/${id}/runs/queue?page[size]=100`)) ?? [];
        for (const run of runs) await this.#carryOut(run);
      }
      await pause(PAUSE);
    }
  }

  async #carryOut(run: Document): Promise<void> {
    const { status } = run.attributes;
    const { plan, apply, workspace } = run.relationships;
    if (status === 'plan_queued') {
      if (!(await this.#advance(run.id, 'planning'))) return;
      await this.#log(`/plans/${plan.data.id}`, 'Plan: 1 to add, 0 to change, 0 to destroy.\n');
      await this.#advance(run.id, 'planned', CHANGES);
    }
    if (status === 'apply_queued') {
      if (!(await this.#advance(run.id, 'applying'))) return;
      await this.#log(`/applies/${apply.data.id}`, 'Apply complete! Resources: 1 added, 0 changed, 0 destroyed.\n');
      await this.#store(workspace.data.id, run.id);
      await this.#advance(run.id, 'applied', CHANGES);
    }
  }

  async #advance(run: string, status: string, counts: object = {}): Promise<boolean> {
    const body = { data: { attributes: { status, ...counts } } };
    return (await this.#ask('POST', `/runs/${run}/actions/advance`, body)) !== undefined;
  }

  async #log(phase: string, text: string): Promise<void> {
    const attributes = { offset: 0, content: Buffer.from(text).toString('base64') };
    await this.#ask('POST', `${phase}/actions/append-log`, { data: { attributes } });
  }

  async #store(workspace: string, run: string): Promise<void> {
    const current = await this.#ask('GET', `/workspaces/${workspace}/current-state-version`);
    const serial = (current?.attributes.serial ?? 0) + 1;
    const state = { version: 4, terraform_version: '1.9.0', serial, lineage: workspace, resources: [RESOURCE] };
    const bytes = Buffer.from(JSON.stringify(state));
    const attributes = {
      serial,
      md5: createHash('md5').update(bytes).digest('hex'),
      state: bytes.toString('base64'),
    };
    const relationships = { run: { data: { type: 'runs', id: run } } };
    await this.#ask('POST', `/workspaces/${workspace}/state-versions`, {
      data: { type: 'state-versions', attributes, relationships },
    });
  }

  /** `data` of the answer; undefined when the run was overtaken. */
  async #ask(method: string, path: string, body?: object): Promise<Document> {
    const answer: Answer = await call({ address: this.#serving.address, ca: this.#ca }, method, `/api/v2${path}`, {
      token: this.#serving.userToken,
      agent: this.#connections,
      body,
    });
    if (OVERTAKEN.includes(answer.status)) return undefined;
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body.data;
  }
}
