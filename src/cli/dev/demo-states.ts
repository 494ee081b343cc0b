import { createHash } from 'node:crypto';
import type { Client } from '../client/client.ts';

/** A resource of a sample state: address, dependencies, and one value that differs between versions. */
interface Sample {
  readonly type: string;
  readonly name: string;
  readonly module?: string;
  readonly needs?: readonly string[];
  readonly value?: string;
}

/** Two state versions of a workspace. */
const STATES: Readonly<Record<string, readonly [before: readonly Sample[], now: readonly Sample[]]>> = {
  'network-production': networkOf('10.20.0.0/16'),
  'network-staging': networkOf('10.30.0.0/16'),
  identity: [
    [
      { type: 'aws_iam_role', name: 'runner' },
      { type: 'aws_iam_policy', name: 'state' },
      { type: 'aws_iam_role_policy_attachment', name: 'state', needs: ['aws_iam_role.runner', 'aws_iam_policy.state'] },
    ],
    [
      { type: 'aws_iam_role', name: 'runner', value: 'session of one hour' },
      { type: 'aws_iam_role', name: 'auditor' },
      { type: 'aws_iam_policy', name: 'state' },
      { type: 'aws_iam_role_policy_attachment', name: 'state', needs: ['aws_iam_role.runner', 'aws_iam_policy.state'] },
    ],
  ],
};

function networkOf(range: string): readonly [readonly Sample[], readonly Sample[]] {
  const subnet = (name: string): Sample[] => [
    { type: 'aws_subnet', name, module: 'subnets', needs: ['aws_vpc.main'], value: `${range} ${name}` },
    {
      type: 'aws_route_table_association',
      name,
      module: 'subnets',
      needs: [`module.subnets.aws_subnet.${name}`, 'aws_route_table.main'],
    },
  ];
  const base: Sample[] = [
    { type: 'aws_vpc', name: 'main', value: range },
    { type: 'aws_internet_gateway', name: 'main', needs: ['aws_vpc.main'] },
    { type: 'aws_route_table', name: 'main', needs: ['aws_vpc.main', 'aws_internet_gateway.main'] },
    ...subnet('a'),
    ...subnet('b'),
    { type: 'aws_security_group', name: 'https', needs: ['aws_vpc.main'], value: 'port 443' },
  ];
  const bastion: Sample = { type: 'aws_instance', name: 'bastion', needs: ['module.subnets.aws_subnet.a'] };
  const balancer: Sample = {
    type: 'aws_lb',
    name: 'edge',
    needs: ['module.subnets.aws_subnet.a', 'module.subnets.aws_subnet.b', 'aws_security_group.https'],
  };
  const opened: Sample = { type: 'aws_security_group', name: 'https', needs: ['aws_vpc.main'], value: 'ports 80, 443' };
  return [
    [...base, bastion],
    [...base.slice(0, -1), opened, ...subnet('c'), balancer],
  ];
}

const PROVIDER = 'provider["registry.opentofu.org/hashicorp/aws"]';

function stateOf(workspace: string, samples: readonly Sample[], serial: number): Buffer {
  const resources = samples.map(({ type, name, module, needs = [], value = name }) => ({
    ...(module && { module: `module.${module}` }),
    ...{ mode: 'managed', type, name, provider: PROVIDER },
    instances: [
      { schema_version: 0, attributes: { id: `${name}-0a1b2c`, tags: { Name: value } }, dependencies: needs },
    ],
  }));
  const outputs = {
    address: { value: `https://${workspace}.example.com`, type: 'string' },
    recovery_key: { value: `key-of-${workspace}`, type: 'string', sensitive: true },
  };
  const lineage = `00000000-0000-4000-8000-${createHash('md5').update(workspace).digest('hex').slice(0, 12)}`;
  return Buffer.from(JSON.stringify({ version: 4, terraform_version: '1.11.0', serial, lineage, outputs, resources }));
}

/**
 * Uploads two state versions to some sample workspaces, each under a lock, as `tofu` and `terraform` do.
 * @param ids workspace IDs by name
 */
export async function makeDemoStates(
  asUser: Client,
  ids: ReadonlyMap<string, string>,
  expectDone: (answer: ReturnType<Client>) => Promise<unknown>,
): Promise<void> {
  for (const [name, versions] of Object.entries(STATES)) {
    const path = `/api/v2/workspaces/${ids.get(name)}`;
    for (const [at, samples] of versions.entries()) {
      const state = stateOf(name, samples, at + 1);
      const md5 = createHash('md5').update(state).digest('hex');
      const attributes = { serial: at + 1, md5, state: state.toString('base64') };
      await expectDone(asUser('POST', `${path}/actions/lock`, { reason: 'tofu apply' }));
      await expectDone(asUser('POST', `${path}/state-versions`, { data: { type: 'state-versions', attributes } }));
      await expectDone(asUser('POST', `${path}/actions/unlock`));
    }
  }
}
