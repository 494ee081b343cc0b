import { expect } from 'vitest';
import type { Caller, TestApi } from './api.ts';
import type { TestOrganization } from './organization.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Attributes of a schedule of every night at 2 h UTC that plans. */
export const NIGHTLY = { name: 'nightly', operation: 'plan', cron: '0 2 * * *' };

const scheduleBody = (attributes: object) => ({ data: { type: 'schedules', attributes } });

/** Short functions for schedules of one organization. */
export function schedulesOf(api: TestApi, acme: TestOrganization) {
  const { owner } = acme;
  const known = new Set<string>();

  const create = (path: string, attributes: object = {}, caller: Caller = owner) =>
    caller.call('POST', `${path}/schedules`, scheduleBody({ ...NIGHTLY, ...attributes }));

  /** Creates a schedule, and returns its ID. */
  async function made(path: string, attributes: object = {}): Promise<string> {
    const answer = await create(path, attributes);
    expect(answer.status, answer.text).toBe(201);
    known.add(answer.body.data.id);
    return answer.body.data.id;
  }

  const change = (id: string, attributes: object, caller: Caller = owner) =>
    caller.call('PATCH', `/schedules/${id}`, scheduleBody(attributes));
  const show = async (id: string) => (await owner.call('GET', `/schedules/${id}`)).body.data;
  const listed = async (path: string, caller: Caller = owner) =>
    (await caller.call('GET', `${path}/schedules`)).body.data;

  /** Returns the outcomes of a schedule, newest first. */
  async function outcomes(id: string, query = ''): Promise<{ status: string; reason: string | null }[]> {
    const answer = await owner.call('GET', `/schedules/${id}/outcomes?page[size]=100${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data.map(({ attributes }: { attributes: object }) => attributes);
  }

  /** Sets the clock to the next time of day. @param time such as `02:00` */
  function until(time: string): void {
    const now = api.now();
    const today = Date.parse(`${new Date(now).toISOString().slice(0, 10)}T${time}:00Z`);
    api.advance((today > now ? today : today + DAY) - now);
  }

  const sweep = () => api.workspaces.execution.runReconciler.sweep();

  /** Sweeps at the next time of day. */
  async function at(time: string): Promise<void> {
    until(time);
    await sweep();
  }

  /** Returns the runs of a workspace, newest first. */
  async function runsIn(workspace: string) {
    const { body } = await owner.call('GET', `/workspaces/${workspace}/runs?page[size]=100`);
    return body.data as { id: string; attributes: Record<string, unknown>; relationships: Record<string, unknown> }[];
  }

  /** Deletes the schedules, so that they do not act in later tests of the same server. */
  async function clear(): Promise<void> {
    for (const id of known) await owner.call('DELETE', `/schedules/${id}`);
  }

  return { create, made, change, show, listed, outcomes, until, sweep, at, runsIn, clear };
}

/** Short functions for schedules. */
export type TestSchedules = ReturnType<typeof schedulesOf>;
