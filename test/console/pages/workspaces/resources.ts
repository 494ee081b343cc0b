import { makeWorkspace, type PageGroup } from '../../support/console.ts';
import { makeStates } from '../../support/states.ts';

const pages: PageGroup = {
  name: 'resources and outputs',
  prepare: async (on) => {
    const { versions } = await makeStates(on, 'resourceful');
    await makeWorkspace(on, 'bare');
    return [
      '/acme/workspaces/resourceful/resources',
      '/acme/workspaces/resourceful/resources?q=nothing',
      '/acme/workspaces/resourceful/resources?view=graph',
      `/acme/workspaces/resourceful/resources?view=graph&since=${versions[0]}`,
      '/acme/workspaces/bare/resources',
      '/acme/workspaces/resourceful/outputs',
      '/acme/workspaces/bare/outputs',
    ];
  },
};

export default pages;
