import { makeWorkspace, type PageGroup } from '../../support/console.ts';
import { hostile } from '../../support/organization.ts';
import { connectProvider } from '../../support/vcs.ts';

const pages: PageGroup = {
  name: 'commits and repositories',
  prepare: async (on) => {
    const connected = await connectProvider(on);
    const repository = await connected.repository('visited-repository');
    const id = await connected.follow('visited-commits', repository, { 'trigger-patterns': ['/net/**/*'] });
    await repository.git.git('checkout', '--quiet', '-b', `a-long-branch/${'x'.repeat(90)}`);
    await repository.git.git('checkout', '--quiet', 'main');
    await repository.git.commit({ [`net/${hostile.replaceAll('/', '-')}.tf`]: '#' }, hostile);
    await connected.lookUp(id);
    await makeWorkspace(on, 'no-repository');
    const { body } = await on.server.user('GET', `/api/v2/workspaces/${id}/vcs-events`);
    const { body: runs } = await on.server.user('GET', `/api/v2/workspaces/${id}/runs`);
    const of = (place: string) => `/acme/workspaces/visited-commits${place}`;
    return [
      of('/commits'),
      of('/commits?newest=yes'),
      of('/settings/version-control'),
      of('/runs'),
      of(`/runs/${runs.data[0].id}?part=history`),
      `/acme/vcs-events/${body.data[0].id}`,
      '/acme/workspaces/no-repository/commits',
      '/acme/workspaces/no-repository/settings/version-control',
    ];
  },
};

export default pages;
