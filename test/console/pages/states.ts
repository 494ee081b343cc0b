import { makeWorkspace, type PageGroup } from '../support/console.ts';
import { resource, stateText, writeState } from '../support/states.ts';

const HOSTILE = '<script>alert(1)</script>';

/** Two states between which something of each kind happens. */
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

const pages: PageGroup = {
  name: 'states, resources, outputs and configurations',
  prepare: async (on) => {
    const id = await makeWorkspace(on, 'stateful');
    const versions: string[] = [];
    for (const text of STATES) versions.push(await writeState(on, id, text));
    await makeWorkspace(on, 'stateless');
    await on.server.user('POST', `/api/v2/workspaces/${id}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { provisional: true, 'auto-queue-runs': false } },
    });
    return [
      '/acme/workspaces/stateful/states',
      `/acme/workspaces/stateful/states?from=${versions[1]}&to=${versions[0]}`,
      `/acme/workspaces/stateful/states/${versions[0]}`,
      '/acme/workspaces/stateless/states',
      '/acme/workspaces/stateful/resources',
      '/acme/workspaces/stateful/resources?q=nothing',
      '/acme/workspaces/stateful/resources?view=graph',
      `/acme/workspaces/stateful/resources?view=graph&since=${versions[0]}`,
      '/acme/workspaces/stateless/resources',
      '/acme/workspaces/stateful/outputs',
      '/acme/workspaces/stateless/outputs',
      '/acme/workspaces/stateful/configurations',
      '/acme/workspaces/stateless/configurations',
    ];
  },
};

export default pages;
