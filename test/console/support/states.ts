import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { type Bench, makeWorkspace } from './console.ts';

/** Returns a managed resource with one instance, or one for each key. */
export function resource(address: string, attributes: object, more: object = {}): object {
  const [, module, type, name] = /^(?:(module\..+)\.)?([^.]+)\.([^.]+)$/.exec(address) ?? [];
  return {
    ...(module && { module }),
    mode: 'managed',
    type,
    name,
    provider: 'provider["registry.opentofu.org/hashicorp/aws"]',
    instances: [{ schema_version: 0, attributes, sensitive_attributes: [], dependencies: [], ...more }],
  };
}

interface Contents {
  readonly serial: number;
  readonly resources?: readonly object[];
  readonly outputs?: object;
}

/** Returns a state file as the engine writes it. */
export function stateText({ serial, resources = [], outputs = {} }: Contents): string {
  return JSON.stringify({ version: 4, terraform_version: '1.11.4', serial, lineage: '3f6c-b21e', outputs, resources });
}

/** Locks the workspace, writes a state and unlocks it. @returns the id of its version */
export async function writeState({ server }: Bench, workspace: string, text: string): Promise<string> {
  const { serial, lineage } = JSON.parse(text) as { serial: number; lineage: string };
  await server.user('POST', `/api/v2/workspaces/${workspace}/actions/lock`, {});
  const md5 = createHash('md5').update(text).digest('hex');
  const state = Buffer.from(text).toString('base64');
  const attributes = { serial, lineage, md5, state };
  const created = await server.user('POST', `/api/v2/workspaces/${workspace}/state-versions`, {
    data: { type: 'state-versions', attributes },
  });
  expect(created.status).toBe(201);
  await server.user('POST', `/api/v2/workspaces/${workspace}/actions/unlock`, {});
  return created.body.data.id;
}

const HOSTILE = '<script>alert(1)</script>';

/** Two states with a difference of each kind. */
const STATES = [
  stateText({
    serial: 85,
    resources: [
      resource('aws_vpc.main', { id: 'vpc-1' }),
      resource('module.vpc.aws_route_table.private', { id: 'rtb-1' }, { dependencies: ['aws_vpc.main'] }),
      resource(
        'module.peering["data-lake"].aws_vpc_peering_connection.this',
        { id: 'p' },
        { dependencies: ['aws_vpc.main'] },
      ),
    ],
    outputs: { egress_addresses: { value: ['10.0.0.1'], type: ['tuple', ['string']] } },
  }),
  stateText({
    serial: 88,
    resources: [
      resource('aws_vpc.main', { id: 'vpc-1' }),
      resource('module.vpc.aws_route_table.private', { id: 'rtb-2' }, { dependencies: ['aws_vpc.main'] }),
      resource(
        `module.egress.aws_route.${HOSTILE}`,
        { id: 'r' },
        {
          dependencies: ['aws_vpc.main', 'module.vpc.aws_route_table.private'],
        },
      ),
    ],
    outputs: {
      egress_addresses: { value: ['10.0.0.1', '10.0.0.2'], type: ['tuple', ['string', 'string']] },
      [HOSTILE]: { value: HOSTILE, type: 'string' },
      resolver_secret: { value: 's3cret', type: 'string', sensitive: true },
    },
  }),
];

/** Creates a workspace with two states. @returns the ids of the workspace and of its versions */
export async function makeStates(on: Bench, name: string) {
  const id = await makeWorkspace(on, name);
  const [older, newer] = STATES as [string, string];
  return { id, versions: [await writeState(on, id, older), await writeState(on, id, newer)] as const };
}
