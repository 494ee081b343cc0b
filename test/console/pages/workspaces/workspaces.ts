import { makeWorkspace, type PageGroup } from '../../support/console.ts';

const pages: PageGroup = {
  name: 'workspaces, locks and the components',
  prepare: async (on) => {
    const id = await makeWorkspace(on, 'held', ['network', 'env:prod']);
    await on.server.user('POST', `/api/v2/workspaces/${id}/actions/lock`, { reason: 'a reason' });
    await makeWorkspace(on, 'free');
    return [
      '/acme/workspaces',
      '/acme/workspaces?name=nothing',
      '/acme/workspaces?columns=project,execution,engine,created',
      '/acme/workspaces/~new',
      '/acme/workspaces/held',
      '/acme/workspaces/held/lock-history',
      '/acme/workspaces/free',
      '/~organizations',
      '/~access/token',
      '/~components',
    ];
  },
};

export default pages;
