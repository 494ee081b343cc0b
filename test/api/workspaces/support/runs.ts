import { expect } from 'vitest';
import { archive } from '../../../support/samples/archive.ts';
import type { Answer, Caller, TestApi } from './api.ts';
import type { TestOrganization } from './organization.ts';

/** Short functions for runs of one organization. */
export function runsOf(api: TestApi, acme: TestOrganization) {
  const { owner } = acme;

  async function configuration(workspaceId: string, attributes: object = {}): Promise<{ id: string; url: string }> {
    const answer = await owner.call('POST', `/workspaces/${workspaceId}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': false, ...attributes } },
    });
    expect(answer.status, answer.text).toBe(201);
    api.advance(1);
    return { id: answer.body.data.id, url: answer.body.data.attributes['upload-url'] };
  }

  /** Uploads without a token, like clients. @param content bytes, or the name of an archive */
  function put(url: string, content: string | Buffer, length?: number) {
    return api.app.inject({
      method: 'PUT',
      url: new URL(url).pathname,
      headers: { 'content-type': 'application/octet-stream', ...(length && { 'content-length': String(length) }) },
      payload: typeof content === 'string' ? archive(content) : content,
    });
  }

  async function uploaded(workspaceId: string, attributes: object = {}): Promise<string> {
    const { id, url } = await configuration(workspaceId, attributes);
    expect((await put(url, id)).statusCode).toBe(200);
    return id;
  }

  function create(workspaceId: string, attributes: object = {}, versionId?: string, caller: Caller = owner) {
    api.advance(1);
    const configurationVersion = {
      data: versionId === undefined ? null : { type: 'configuration-versions', id: versionId },
    };
    const workspace = { data: { type: 'workspaces', id: workspaceId } };
    return caller.call('POST', '/runs', {
      data: {
        type: 'runs',
        attributes,
        relationships: { workspace, 'configuration-version': configurationVersion },
      },
    });
  }

  /** Creates a run, and returns its ID. */
  async function run(workspaceId: string, attributes: object = {}, versionId?: string): Promise<string> {
    const answer = await create(workspaceId, attributes, versionId);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  }

  /** Creates a workspace with a configuration. */
  async function workspace(name: string, attributes: object = {}): Promise<string> {
    const id = await acme.workspace(name, attributes);
    await uploaded(id);
    return id;
  }

  const act = (id: string, action: string, body?: object, caller: Caller = owner): Promise<Answer> => {
    api.advance(1);
    return caller.call('POST', `/runs/${id}/actions/${action}`, body);
  };

  const report = (id: string, status: string, attributes: object = {}, caller: Caller = owner): Promise<Answer> =>
    act(id, 'advance', { data: { type: 'runs', attributes: { status, ...attributes } } }, caller);

  /** Moves a run through these statuses, as its executor. */
  async function through(id: string, ...statuses: string[]): Promise<void> {
    for (const status of statuses) {
      const answer = await report(id, status, status === 'planned' ? { 'has-changes': true } : {});
      expect(answer.status, answer.text).toBe(200);
    }
  }

  const show = async (id: string, query = '') => (await owner.call('GET', `/runs/${id}${query}`)).body.data;
  const statusOf = async (id: string): Promise<string> => (await show(id)).attributes.status;
  const place = async (id: string) => (await owner.call('GET', `/workspaces/${id}`)).body.data;

  return { configuration, put, uploaded, create, run, workspace, act, report, through, show, statusOf, place };
}

/** Returns short functions for runs. */
export type TestRuns = ReturnType<typeof runsOf>;
