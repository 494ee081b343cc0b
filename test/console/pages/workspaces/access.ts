import { colleague } from '../../support/colleague.ts';
import { makeWorkspace, type PageGroup } from '../../support/console.ts';
import { makeOf } from '../../support/organization.ts';

const pages: PageGroup = {
  name: 'access to a workspace',
  prepare: async (on) => {
    const make = makeOf(on);
    const id = await makeWorkspace(on, 'with-access');
    await colleague(on, 'alma', id, 'write');
    const { body } = await on.server.user('GET', '/api/v2/organizations/acme/workspaces/with-access');
    const { id: project } = body.data.relationships.project.data;
    const long = await make('/organizations/acme/teams', 'teams', { name: 'x'.repeat(90), visibility: 'organization' });
    const wide = await make('/organizations/acme/teams', 'teams', {
      name: 'platform',
      'organization-access': { 'manage-workspaces': true },
    });
    await make(
      '/team-workspaces',
      'team-workspaces',
      { access: 'custom' },
      { team: ['teams', long], workspace: ['workspaces', id] },
    );
    await make(
      '/team-projects',
      'team-projects',
      { access: 'maintain' },
      { team: ['teams', long], project: ['projects', project] },
    );
    const place = '/acme/workspaces/with-access/access';
    return [place, `${place}?user=alma`, `${place}?team=${wide}`];
  },
};

export default pages;
