import { makeWorkspace, type PageGroup } from '../../support/console.ts';
import { makeStates } from '../../support/states.ts';

const pages: PageGroup = {
  name: 'states and configurations',
  prepare: async (on) => {
    const { id, versions } = await makeStates(on, 'stateful');
    await makeWorkspace(on, 'stateless');
    await on.server.user('POST', `/api/v2/workspaces/${id}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { provisional: true, 'auto-queue-runs': false } },
    });
    return [
      '/acme/workspaces/stateful/states',
      `/acme/workspaces/stateful/states?from=${versions[1]}&to=${versions[0]}`,
      `/acme/workspaces/stateful/states/${versions[0]}`,
      '/acme/workspaces/stateless/states',
      '/acme/workspaces/stateful/configurations',
      '/acme/workspaces/stateless/configurations',
    ];
  },
};

export default pages;
