import { expect } from 'vitest';
import type { Answer } from '../../support/http.ts';
import { archive } from '../../support/samples/archive.ts';
import type { Bench } from './console.ts';

/** A job that the test agent has taken. The test reports the output of an engine over the agent protocol. */
export interface TakenJob {
  readonly runId: string;
  /** Id of the plan or the apply. */
  readonly id: string;
  /** Appends to the log. */
  say(text: string): Promise<void>;
  /** Uploads the plan as JSON. */
  handIn(plan: object): Promise<void>;
  finish(outcome?: string, attributes?: object): Promise<void>;
}

/** Workspaces whose runs the test agent executes. */
export interface TestAgents {
  workspace(name: string, attributes?: object): Promise<string>;
  run(workspaceId: string, attributes?: object): Promise<string>;
  /** Takes and starts the next job. */
  take(): Promise<TakenJob>;
}

/** Registers an agent in a pool of `acme`. */
export async function agentsOf({ server }: Bench, name = 'rack-7'): Promise<TestAgents> {
  const made = async (path: string, type: string, attributes: object, relationships: object = {}) => {
    const answer = await server.user('POST', `/api/v2${path}`, { data: { type, attributes, relationships } });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };
  const pool = await made('/organizations/acme/agent-pools', 'agent-pools', { name });
  const secret = await made(`/agent-pools/${pool.id}/authentication-tokens`, 'authentication-tokens', {
    description: name,
  });
  const { token } = secret.attributes;
  const agent = await server.call('POST', `/api/v2/agent-pools/${pool.id}/agents`, {
    token,
    body: { data: { type: 'agents', attributes: { name: 'agent-1' } } },
  });
  expect(agent.status, agent.text).toBe(201);
  const { id: agentId } = agent.body.data;

  async function workspace(called: string, attributes: object = {}): Promise<string> {
    const { id } = await made('/organizations/acme/workspaces', 'workspaces', {
      ...{ name: called, 'execution-mode': 'agent', 'agent-pool-id': pool.id },
      ...attributes,
    });
    const version = await made(`/workspaces/${id}/configuration-versions`, 'configuration-versions', {
      'auto-queue-runs': false,
    });
    const upload = new URL(version.attributes['upload-url']);
    const sent = await server.call('PUT', `${upload.pathname}${upload.search}`, {
      body: archive(),
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(sent.status, sent.text).toBe(200);
    return id;
  }

  async function run(workspaceId: string, attributes: object = {}): Promise<string> {
    const workspaceOf = { workspace: { data: { type: 'workspaces', id: workspaceId } } };
    return (await made('/runs', 'runs', attributes, workspaceOf)).id;
  }

  async function take(): Promise<TakenJob> {
    const claimed = await server.call('POST', `/api/v2/agents/${agentId}/actions/claim?wait=10`, {
      token,
      headers: { 'agent-id': agentId },
    });
    expect(claimed.status, claimed.text).toBe(200);
    const { id, attributes } = claimed.body.data;
    let bytes = 0;
    const call = async (method: string, path: string, body?: unknown, type = 'application/vnd.api+json') => {
      const headers = { 'content-type': type };
      const answer = await server.call(method, `/api/v2${path}`, { token: attributes.token, body, headers });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer;
    };
    const act = (action: string, body?: object): Promise<Answer> => call('POST', `/jobs/${id}/actions/${action}`, body);
    await act('start');
    return {
      id,
      runId: attributes['run-id'],
      async say(text) {
        const part = Buffer.from(text);
        for (let at = 0; at < part.length; at += 262_144) {
          const piece = part.subarray(at, at + 262_144);
          await call('PATCH', `/jobs/${id}/log?offset=${bytes}`, piece, 'application/octet-stream');
          bytes += piece.length;
        }
      },
      async handIn(plan) {
        await call('PUT', `/plans/${id}/json-output-redacted`, plan);
      },
      async finish(outcome = 'finished', more = {}) {
        server.advance(20);
        await act('finish', { data: { type: 'jobs', attributes: { outcome, ...more } } });
      },
    };
  }

  return { workspace, run, take };
}

/** A sensitive value as a plan contains it: a placeholder, and a mark beside it. */
const marked = { password: '(sensitive)', before_sensitive: { password: true }, after_sensitive: { password: true } };

/** A plan as engines report it: one change of each kind, drift, and outputs. */
export const PLAN = {
  plan_format_version: '1.2',
  resource_changes: [
    resource('module.egress.aws_security_group.eu_west', ['update'], {
      before: {
        name: 'eu',
        description: 'egress, 2 ranges',
        tags: { owner: 'net', reviewed: '2026-05-02' },
        ports: [80],
      },
      after: {
        name: 'eu',
        description: 'egress, 4 ranges',
        tags: { owner: 'net', reviewed: '2026-11-22' },
        ports: [80, 443],
      },
    }),
    resource('module.egress.aws_security_group_rule.out[2]', ['create'], {
      before: null,
      after: { cidr_blocks: ['10.24.16.0/21'], from_port: 443, self: false },
      after_unknown: { id: true },
    }),
    resource('aws_network_acl_rule.legacy_8443', ['delete'], {
      before: { egress: true, rule_number: 210 },
      after: null,
    }),
    resource(
      'aws_db_instance.main["a very long key of a resource that is longer than any line where it could stand"]',
      ['delete', 'create'],
      {
        before: { engine_version: '16.1', password: marked.password, port: 5432 },
        after: { engine_version: '17.0', password: '(sensitive, changed)', port: 5432 },
        before_sensitive: marked.before_sensitive,
        after_sensitive: marked.after_sensitive,
      },
      { action_reason: 'replace_because_cannot_update' },
    ),
    resource('aws_route53_record.<script>alert(1)</script>', ['create'], {
      before: null,
      after: { name: '<img src=x onerror=alert(2)>', note: 'مرحبا \u202ehello' },
    }),
    ...Array.from({ length: 11 }, (_, n) => resource(`aws_subnet.private[${n}]`, ['no-op'], { before: {}, after: {} })),
  ],
  resource_drift: [
    resource('aws_instance.bastion', ['update'], { before: { size: 't3.nano' }, after: { size: 't3.large' } }),
  ],
  output_changes: {
    address: { actions: ['update'], before: 'a.example', after: 'b.example' },
    secret: { actions: ['create'], after: '(sensitive)', after_sensitive: true },
  },
};

function resource(address: string, actions: readonly string[], change: object, more: object = {}) {
  return { address, mode: 'managed', type: 'aws_x', change: { actions, ...change }, ...more };
}

/** Final report of an agent for this plan. */
export const PLANNED = {
  'has-changes': true,
  'resource-additions': 3,
  'resource-changes': 1,
  'resource-destructions': 2,
};

/** Log lines of an engine, with escape sequences that an attacker may add. */
export const SAID = [
  'Running plan in the working directory live/prod/network',
  '\u001b[1mInitializing provider plugins...\u001b[0m',
  ...Array.from({ length: 30 }, (_, n) => `aws_subnet.private[${n}]: Refreshing state... [id=subnet-${n}]`),
  '\u001b[33mWarning: Argument is deprecated\u001b[0m',
  '{"@level":"info","@message":"Plan: 3 to add, 1 to change, 2 to destroy.","type":"change_summary"}',
  '<script>alert(1)</script><img src=x onerror=alert(2)>',
  '\u001b]0;evil title\u0007\u001b[2Jafter the title \u001b[8mof a terminal\u001b[0m',
  'name: مرحبا بالعالم \u202eright to left',
  '',
].join('\n');
