import { expect } from 'vitest';
import type { Answer, Caller, TestApi } from './api.ts';
import type { TestOrganization } from './organization.ts';

/** An agent that registered, and calls under its own id. */
export interface TestAgent extends Caller {
  readonly id: string;
  readonly poolId: string;
  readonly tokenId: string;
  claim(): Promise<Answer>;
  /** What it says of itself. */
  say(status: string): Promise<Answer>;
}

/** Short ways to pools and agents of one organization. */
export function agentsOf(api: TestApi, acme: TestOrganization) {
  const { owner } = acme;

  async function pool(name: string, attributes: object = {}, relationships: object = {}): Promise<string> {
    const made = await owner.call('POST', `/organizations/${acme.name}/agent-pools`, {
      data: { type: 'agent-pools', attributes: { name, ...attributes }, relationships },
    });
    expect(made.status, made.text).toBe(201);
    return made.body.data.id;
  }

  /** Of a pool. */
  async function token(poolId: string, attributes: object = {}): Promise<{ id: string; text: string }> {
    const made = await owner.call('POST', `/agent-pools/${poolId}/authentication-tokens`, {
      data: { type: 'authentication-tokens', attributes: { description: 'rack 7', ...attributes } },
    });
    expect(made.status, made.text).toBe(201);
    return { id: made.body.data.id, text: made.body.data.attributes.token };
  }

  async function agent(poolId: string, given?: { id: string; text: string }): Promise<TestAgent> {
    const { id: tokenId, text } = given ?? (await token(poolId));
    const holder = api.holder(text);
    const made = await holder.call('POST', `/agent-pools/${poolId}/agents`, {
      data: { type: 'agents', attributes: { name: 'runner-1' } },
    });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    const call: Caller['call'] = (method, path, body, headers = {}) =>
      holder.call(method, path, body, { 'agent-id': id, ...headers });
    const claim = () => call('POST', `/agents/${id}/actions/claim`);
    const say = (status: string) =>
      call('PATCH', `/agents/${id}`, { data: { type: 'agents', attributes: { status } } });
    return { id, poolId, tokenId, token: text, call, claim, say };
  }

  return { pool, token, agent };
}

/** What a workspace is set to, so that agents of the pool carry out its runs. */
export const byAgents = (poolId: string) => ({ 'execution-mode': 'agent', 'agent-pool-id': poolId });
