import { expect } from 'vitest';
import type { Workspaces } from '../../../../src/workspaces/index.ts';
import type { Answer, TestApi } from './api.ts';
import { type TestOrganization, workspaceBody } from './organization.ts';
import { runsOf, type TestRuns } from './runs.ts';
import { stateText, worker } from './states.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Attributes of a workspace about auto-destroy, without the prefix `auto-destroy-`. */
export interface Shown {
  readonly at: string | null;
  readonly status: string | null;
  readonly explanation: string | null;
  readonly next: string | null;
  readonly run: string | null;
  readonly source: string | null;
}

/** Short functions for automatic destroy runs of one organization. */
export function autoDestroyOf(api: TestApi, acme: TestOrganization) {
  const runs: TestRuns = runsOf(api, acme);
  let names = 0;

  /** Creates a workspace with a configuration and a state that manages one resource. */
  async function workspace(attributes: object = {}, relationships: object = {}): Promise<string> {
    const id = await acme.workspace(`w-${++names}`, attributes, relationships);
    await runs.uploaded(id);
    await write(id, 1);
    return id;
  }

  /** Writes a state as a client does that works without runs. */
  async function write(id: string, serial: number): Promise<void> {
    const at = worker(api, acme.owner, id);
    expect((await at.lock()).status).toBe(200);
    await at.write(stateText(serial), { serial });
    expect((await at.unlock()).status).toBe(200);
  }

  const patch = async (id: string, attributes: object): Promise<Answer> => {
    const answer = await acme.owner.call('PATCH', `/workspaces/${id}`, workspaceBody(attributes));
    expect(answer.status, answer.text).toBe(200);
    return answer;
  };

  async function shown(id: string): Promise<Shown> {
    const { attributes } = await runs.place(id);
    const of = (name: string) => attributes[`auto-destroy-${name}`];
    const [at, status, explanation] = [of('at'), of('status'), of('explanation')];
    return { at, status, explanation, next: of('next-attempt-at'), run: of('run-id'), source: of('source') };
  }

  /** Returns the runs of a workspace, newest first. */
  const runsIn = async (id: string) => (await acme.owner.call('GET', `/workspaces/${id}/runs`)).body.data;

  const sweep = (node: Workspaces = api.workspaces) => node.execution.runReconciler.sweep();
  const later = async (milliseconds: number) => {
    api.advance(milliseconds);
    await sweep();
  };

  /** Starts the destroy run of a workspace that is due, and returns its ID. */
  async function begun(id: string): Promise<string> {
    await sweep();
    const { run } = await shown(id);
    expect(run, JSON.stringify(await shown(id))).not.toBeNull();
    return run ?? '';
  }

  /** Executes a run to its end. */
  const applied = (run: string) => runs.through(run, 'planning', 'planned', 'applying', 'applied');

  const inTime = (milliseconds: number) => new Date(api.now() + milliseconds).toISOString();

  async function project(duration: string | null) {
    const made = await acme.owner.call('POST', `/organizations/${acme.name}/projects`, {
      data: { type: 'projects', attributes: { name: `P-${++names}`, 'auto-destroy-activity-duration': duration } },
    });
    expect(made.status, made.text).toBe(201);
    const id: string = made.body.data.id;
    const set = async (value: string | null) => {
      const body = { data: { type: 'projects', attributes: { 'auto-destroy-activity-duration': value } } };
      expect((await acme.owner.call('PATCH', `/projects/${id}`, body)).status).toBe(200);
    };
    return { id, set, within: { project: { data: { type: 'projects', id } } } };
  }

  return { runs, workspace, write, patch, shown, runsIn, sweep, later, begun, applied, inTime, project };
}
