import { makeWorkspace, type PageGroup } from '../../support/console.ts';

const pages: PageGroup = {
  name: 'variables and settings',
  prepare: async (on) => {
    const id = await makeWorkspace(on, 'with-variables');
    await makeWorkspace(on, 'without-variables');
    const make = (attributes: object) =>
      on.server.user('POST', `/api/v2/workspaces/${id}/vars`, { data: { type: 'vars', attributes } });
    await make({ key: 'region', value: 'eu-west-1', category: 'terraform' });
    await make({ key: 'x'.repeat(90), value: '{ a = 1 }', category: 'terraform', hcl: true });
    await make({ key: 'TOKEN', value: 'secret', category: 'env', sensitive: true });
    const names = [{ type: 'vars', attributes: { key: 'region', value: 'us-east-1', category: 'terraform' } }];
    const attributes = { name: 'defaults', global: true, priority: true };
    await on.server.user('POST', '/api/v2/organizations/acme/varsets', {
      data: { type: 'varsets', attributes, relationships: { vars: { data: names } } },
    });
    return [
      '/acme/workspaces/with-variables/variables',
      '/acme/workspaces/without-variables/variables?name=x',
      '/acme/workspaces/with-variables/settings',
    ];
  },
};

export default pages;
