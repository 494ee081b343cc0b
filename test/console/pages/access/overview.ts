import { archive } from '../../../support/samples/archive.ts';
import { type Bench, makeWorkspace, type PageGroup } from '../../support/console.ts';

/** Creates a run and takes it through these statuses, as an agent does. */
export async function makeRun({ server }: Bench, workspace: string, message: string, ...statuses: string[]) {
  const made = await server.user('POST', `/api/v2/workspaces/${workspace}/configuration-versions`, {
    data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': false } },
  });
  const { pathname } = new URL(made.body.data.attributes['upload-url']);
  await server.call('PUT', pathname, { body: archive(), headers: { 'content-type': 'application/octet-stream' } });
  const run = await server.user('POST', '/api/v2/runs', {
    data: {
      type: 'runs',
      attributes: { message },
      relationships: { workspace: { data: { type: 'workspaces', id: workspace } } },
    },
  });
  const { id } = run.body.data;
  for (const status of statuses) {
    const counts = { 'has-changes': true, 'resource-additions': 3, 'resource-changes': 2, 'resource-destructions': 1 };
    await server.user('POST', `/api/v2/runs/${id}/actions/advance`, {
      data: { type: 'runs', attributes: { status, ...(status === 'planned' && counts) } },
    });
  }
  return id as string;
}

const pages: PageGroup = {
  name: 'overview and first steps',
  prepare: async (on) => {
    await makeRun(on, await makeWorkspace(on, 'waits-for-somebody'), 'three more subnets', 'planning', 'planned');
    await makeRun(on, await makeWorkspace(on, 'has-failed'), '<script>alert(1)</script>', 'planning', 'errored');
    await makeRun(on, await makeWorkspace(on, `long-${'n'.repeat(85)}`), 'اسم من اليمين', 'planning', 'planned');
    return ['/~overview', '/~guide'];
  },
};

export default pages;
