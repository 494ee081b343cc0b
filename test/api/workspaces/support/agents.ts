import { expect } from 'vitest';
import type { Answer, Caller, TestApi } from './api.ts';
import type { TestOrganization } from './organization.ts';

/** An agent that registered, and calls under its own id. */
export interface TestAgent extends Caller {
  readonly id: string;
  readonly poolId: string;
  readonly tokenId: string;
  claim(): Promise<Answer>;
  /** Takes the next job. */
  take(): Promise<TestJob>;
  /** Sends the status that the agent reports about itself. */
  say(status: string): Promise<Answer>;
}

/** A plan or an apply that an agent has taken. */
export interface TestJob extends Caller {
  readonly id: string;
  readonly runId: string;
  /** The job as the server returned it. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly data: any;
  start(): Promise<Answer>;
  log(offset: number, text: string | Buffer): Promise<Answer>;
  heartbeat(): Promise<Answer>;
  finish(outcome: string, attributes?: object): Promise<Answer>;
}

/** Returns the job in the response to a claim. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into it
export function jobOf(api: TestApi, data: any): TestJob {
  const holder = api.holder(data.attributes.token);
  const path = `/jobs/${data.id}`;
  const act = (action: string, body?: object) => {
    api.advance(1);
    return holder.call('POST', `${path}/actions/${action}`, body);
  };
  return {
    ...{ id: data.id, runId: data.attributes['run-id'], data, token: data.attributes.token, call: holder.call },
    start: () => act('start'),
    heartbeat: () => act('heartbeat'),
    finish: (outcome, attributes = {}) =>
      act('finish', { data: { type: 'jobs', attributes: { outcome, ...attributes } } }),
    async log(offset, text) {
      const answer = await api.app.inject({
        method: 'PATCH',
        url: `/api/v2${path}/log?offset=${offset}`,
        headers: { authorization: `Bearer ${data.attributes.token}`, 'content-type': 'application/octet-stream' },
        payload: text,
      });
      return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: answer.json() } as Answer;
    },
  };
}

/** Short functions for pools and agents of one organization. */
export function agentsOf(api: TestApi, acme: TestOrganization) {
  const { owner } = acme;

  async function pool(name: string, attributes: object = {}, relationships: object = {}): Promise<string> {
    const made = await owner.call('POST', `/organizations/${acme.name}/agent-pools`, {
      data: { type: 'agent-pools', attributes: { name, ...attributes }, relationships },
    });
    expect(made.status, made.text).toBe(201);
    return made.body.data.id;
  }

  /** Creates a token of a pool. */
  async function token(poolId: string, attributes: object = {}): Promise<{ id: string; text: string }> {
    const made = await owner.call('POST', `/agent-pools/${poolId}/authentication-tokens`, {
      data: { type: 'authentication-tokens', attributes: { description: 'rack 7', ...attributes } },
    });
    expect(made.status, made.text).toBe(201);
    return { id: made.body.data.id, text: made.body.data.attributes.token };
  }

  async function agent(poolId: string, given?: { id: string; text: string }, offered: object = {}): Promise<TestAgent> {
    const { id: tokenId, text } = given ?? (await token(poolId));
    const holder = api.holder(text);
    const made = await holder.call('POST', `/agent-pools/${poolId}/agents`, {
      data: { type: 'agents', attributes: { name: 'runner-1', ...offered } },
    });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    const call: Caller['call'] = (method, path, body, headers = {}) =>
      holder.call(method, path, body, { 'agent-id': id, ...headers });
    const claim = () => call('POST', `/agents/${id}/actions/claim`);
    const say = (status: string) =>
      call('PATCH', `/agents/${id}`, { data: { type: 'agents', attributes: { status } } });
    const take = async () => {
      const claimed = await claim();
      expect(claimed.status, claimed.text).toBe(200);
      return jobOf(api, claimed.body.data);
    };
    return { id, poolId, tokenId, token: text, call, claim, take, say };
  }

  return { pool, token, agent };
}

/** Attributes of a workspace whose runs agents of the pool execute. */
export const byAgents = (poolId: string) => ({ 'execution-mode': 'agent', 'agent-pool-id': poolId });
