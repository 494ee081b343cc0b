import { expect } from 'vitest';
import type { Answer, Caller } from './api.ts';
import type { Notifying } from './notifications.ts';

/** Short functions for run tasks. */
export function runTasksOf(server: () => Notifying) {
  let names = 0;
  const owner = () => server().acme.owner;
  const newWorkspace = (attributes = {}) => server().runs.workspace(`t-${++names}`, attributes);
  const newPath = () => `/task-${++names}`;
  const attributesFor = (path: string, more: object = {}) => ({
    name: `task${path.replaceAll('/', '-')}`,
    category: 'task',
    url: server().receiver.address + path,
    ...more,
  });
  const post = (attributes: object, caller: Pick<Caller, 'call'> = owner(), more = {}) => {
    server().api.advance(1);
    return caller.call('POST', `/organizations/${server().acme.name}/tasks`, {
      data: { type: 'tasks', attributes, ...more },
    });
  };
  /** Creates a task with this path. */
  const create = async (path: string, more: object = {}) => {
    const answer = await post(attributesFor(path, more));
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };
  const patch = (id: string, attributes: object) =>
    owner().call('PATCH', `/tasks/${id}`, { data: { type: 'tasks', attributes } });
  const attachWith = (workspace: string, id: string, attributes: object, caller: Pick<Caller, 'call'> = owner()) => {
    server().api.advance(1);
    const task = { data: { type: 'tasks', id } };
    return caller.call('POST', `/workspaces/${workspace}/tasks`, {
      data: { type: 'workspace-tasks', attributes, relationships: { task } },
    });
  };
  /** Creates a task with a path of its own, and attaches it to the workspace. */
  const judge = async (workspace: string, stages: string[], level = 'mandatory', more: object = {}) => {
    const path = newPath();
    const task = await create(path, more);
    const attached = await attachWith(workspace, task.id, { stages, 'enforcement-level': level });
    expect(attached.status, attached.text).toBe(201);
    return { path, task, attached: attached.body.data };
  };
  /** Sends all due requests; each of them succeeds or is given up. */
  const ask = async () => {
    const { taskRequests } = server().api.workspaces.execution;
    await taskRequests.begin();
    await taskRequests.settled();
  };
  /** Returns the requests at a path, without the verification request. */
  const askedAt = (path: string) => server().receiver.at(path).slice(1);
  const lastAt = (path: string) => askedAt(path).at(-1)?.body;
  /** Responds as the service does, using only the content of the request. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  const say = (asked: any, attributes: object, relationships?: object): Promise<Answer> => {
    server().api.advance(1);
    const { pathname } = new URL(asked.task_result_callback_url);
    return server()
      .api.holder(asked.access_token)
      .call('PATCH', pathname.replace('/api/v2', ''), {
        data: { type: 'task-results', attributes, ...(relationships && { relationships }) },
      });
  };
  /** Sends the requests, and reports a result as the service at that path. */
  const judged = async (path: string, status: string, more: object = {}) => {
    await ask();
    const answer = await say(lastAt(path), { status, ...more });
    expect(answer.status, answer.text).toBe(200);
  };
  const stagesOf = async (run: string) => (await owner().call('GET', `/runs/${run}/task-stages`)).body.data;
  /** Returns the statuses by stage, such as `{ post_plan: 'pending' }`. */
  const statusesOf = async (run: string) =>
    Object.fromEntries((await stagesOf(run)).map(({ attributes: { stage, status } }: never) => [stage, status]));
  const resultOf = async (run: string, stage: string) => {
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
    const found = (await stagesOf(run)).find(({ attributes }: any) => attributes.stage === stage);
    const [{ id }] = found.relationships['task-results'].data;
    return (await owner().call('GET', `/task-results/${id}`)).body.data;
  };

  return {
    ...{ newWorkspace, newPath, attributesFor, post, create, patch, attachWith, judge },
    ...{ ask, askedAt, lastAt, say, judged, stagesOf, statusesOf, resultOf },
  };
}
