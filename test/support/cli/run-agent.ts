import { expect } from 'vitest';
import { archive } from '../samples/archive.ts';
import type { CliClient } from './cli-client.ts';

/** Result of a job. */
export interface JobResult {
  readonly log?: string;
  /** Data of a plan, without sensitive values. */
  readonly plan?: unknown;
  readonly outcome?: 'finished' | 'failed';
}

/** An agent that a test plays. */
export interface RunAgent {
  /** Creates a workspace with a configuration, whose runs this agent executes. Returns its ID. */
  workspace(name: string): Promise<string>;
  /** Takes the next job, and finishes it as an agent does: log, data of the plan, result. Returns the ID of the run. */
  execute(kind: 'plan' | 'apply', result?: JobResult): Promise<string>;
}

/** Registers an agent in a new pool of the organization acme. */
export async function startRunAgent(cli: CliClient): Promise<RunAgent> {
  const pool = await cli.made('/organizations/acme/agent-pools', 'agent-pools', { name: 'racks' });
  const created = await cli.made(`/agent-pools/${pool.id}/authentication-tokens`, 'authentication-tokens', {
    description: 'a',
  });
  const { token } = created.attributes;
  const registered = await cli.server.call('POST', `/api/v2/agent-pools/${pool.id}/agents`, {
    ...{ token, body: { data: { type: 'agents', attributes: { name: 'runner-1' } } } },
  });
  expect(registered.status, registered.text).toBe(201);
  const agentId = registered.body.data.id;
  return {
    async workspace(name) {
      const attributes = { name, 'execution-mode': 'agent', 'agent-pool-id': pool.id };
      const { id } = await cli.made('/organizations/acme/workspaces', 'workspaces', attributes);
      const version = await cli.made(`/workspaces/${id}/configuration-versions`, 'configuration-versions', {
        'auto-queue-runs': false,
      });
      const headers = { 'content-type': 'application/octet-stream' };
      await cli.server.call('PUT', new URL(version.attributes['upload-url']).pathname, { body: archive(), headers });
      return id;
    },
    async execute(kind, { log = '', plan, outcome = 'finished' } = {}) {
      const claimed = await cli.server.call('POST', `/api/v2/agents/${agentId}/actions/claim`, {
        ...{ token, headers: { 'agent-id': agentId } },
      });
      expect(claimed.status, claimed.text).toBe(200);
      const { id, attributes } = claimed.body.data;
      const send = async (method: string, path: string, body: unknown, headers = {}) => {
        const answer = await cli.server.call(method, `/api/v2${path}`, { token: attributes.token, body, headers });
        expect(answer.status, answer.text).toBeLessThan(300);
      };
      await send('POST', `/jobs/${id}/actions/start`, {});
      const bytes = { 'content-type': 'application/octet-stream' };
      if (log !== '') await send('PATCH', `/jobs/${id}/log?offset=0`, log, bytes);
      if (kind === 'plan' && plan !== undefined) await send('PUT', `/plans/${id}/json-output-redacted`, plan);
      const result = { outcome, ...(kind === 'plan' && outcome === 'finished' && { 'has-changes': true }) };
      await send('POST', `/jobs/${id}/actions/finish`, { data: { type: 'jobs', attributes: result } });
      return attributes['run-id'];
    },
  };
}
