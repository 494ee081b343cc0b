import { makeWorkspace, type PageGroup } from '../../support/console.ts';
import { makeOf } from '../../support/organization.ts';

const pages: PageGroup = {
  name: 'variable sets',
  prepare: async (on) => {
    const make = makeOf(on);
    const workspace = await makeWorkspace(on, 'shares-variables');
    const { body } = await on.server.user('GET', '/api/v2/organizations/acme/workspaces/shares-variables');
    const { id: project } = body.data.relationships.project.data;
    const set = await make('/organizations/acme/varsets', 'varsets', { name: 'x'.repeat(90), priority: true });
    await make('/organizations/acme/varsets', 'varsets', { name: 'everybody', global: true });
    const path = `/varsets/${set}/relationships`;
    await make(`${path}/vars`, 'vars', { key: 'k'.repeat(90), value: '{ a = 1 }', category: 'terraform', hcl: true });
    await make(`${path}/vars`, 'vars', { key: 'TOKEN', value: 'open sesame', category: 'env', sensitive: true });
    await on.server.user('POST', `/api/v2${path}/workspaces`, { data: [{ type: 'workspaces', id: workspace }] });
    await on.server.user('POST', `/api/v2${path}/projects`, { data: [{ type: 'projects', id: project }] });
    return ['/acme/variable-sets', '/acme/variable-sets?q=nothing', `/acme/variable-sets/${set}`];
  },
};

export default pages;
