import { expect, it } from 'vitest';
import { bench, describeConsole, makeWorkspace } from '../support/console.ts';
import { makeStates, resource, stateText, writeState } from '../support/states.ts';

describeConsole('lists on narrow and wide screens', () => {
  const on = bench();

  it('ends a long lock holder with an ellipsis, and keeps the age beside it', async () => {
    const { server } = on();
    const name = 'a-runner-with-a-very-long-name.in-the-east.example.com';
    const id = await makeWorkspace(on(), 'held');
    const user = await server.application.workspaces.tenancy.users.create({
      username: name,
      email: 'long@example.com',
    });
    const { text } = await server.application.workspaces.tenancy.tokens.issue(user.id, {
      description: '',
      expiresAt: null,
    });
    await on().server.user('POST', '/api/v2/organizations/acme/organization-memberships', {
      data: { type: 'organization-memberships', attributes: { email: 'long@example.com' } },
    });
    expect(await locked(id, text)).toBe(true);
    for (const width of [390, 1280, 1440]) {
      const page = await on().openAs(server.userToken, '/acme/workspaces', { viewport: { width, height: 900 } });
      const holder = page.getByText(name);
      await holder.waitFor();
      const shown = await page.evaluate(`(() => {
        const holder = document.querySelector('td [title^="${name}"]');
        const age = holder.parentElement.querySelector('time').getBoundingClientRect();
        const cell = holder.closest('td').getBoundingClientRect();
        return { textOverflow: getComputedStyle(holder).textOverflow, isAgeInside: age.right <= cell.right };
      })()`);
      expect(shown, `${width} pixels`).toEqual({ textOverflow: 'ellipsis', isAgeInside: true });
    }
  });

  it('names each value of a state on a narrow screen', async () => {
    await makeStates(on(), 'labelled');
    for (const width of [320, 390]) {
      const page = await on().openAs(on().server.userToken, '/acme/workspaces/labelled/states', {
        viewport: { width, height: 900 },
      });
      const row = page.getByRole('row').filter({ hasText: '88' });
      await row.waitFor();
      const labels = await page.evaluate(`
        [...[...document.querySelectorAll('tbody tr')].find((row) => row.textContent.includes('88')).children]
          .map((cell) => getComputedStyle(cell, '::before').content.replaceAll('"', ''))`);
      expect(labels).toEqual(['From', 'To', 'Serial', 'Created by', 'Source', 'Resources', 'Size', 'Created']);
      const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(excess, `${width} pixels`).toBe(0);
    }
  });

  it('shows a wide graph in full, and larger or smaller on request', async () => {
    const id = await makeWorkspace(on(), 'chained');
    const names = Array.from({ length: 9 }, (_, at) => `t.n${at}`);
    const chain = names.map((name, at) => resource(name, {}, { dependencies: at === 0 ? [] : [`t.n${at - 1}`] }));
    await writeState(on(), id, stateText({ serial: 1, resources: chain }));
    for (const width of [768, 1280]) {
      const page = await on().openAs(on().server.userToken, '/acme/workspaces/chained/resources?view=graph', {
        viewport: { width, height: 900 },
      });
      const graph = page.getByRole('group', { name: /^Resources of chained/ });
      await graph.waitFor();
      const cut = () => graph.evaluate((frame) => frame.scrollWidth - frame.clientWidth);
      const drawn = async () => (await graph.locator('svg').first().boundingBox())?.width ?? 0;
      await expect.poll(cut, { message: `${width} pixels` }).toBe(0);
      const fitting = await drawn();
      await page.getByRole('button', { name: 'Zoom in' }).click();
      await expect.poll(drawn).toBeGreaterThan(fitting);
      await page.getByRole('button', { name: 'Fit' }).click();
      await expect.poll(drawn).toBe(fitting);
      await page.getByRole('button', { name: 'Zoom in' }).click();
      await page.getByRole('button', { name: 'Zoom out' }).click();
      await expect.poll(drawn).toBeLessThanOrEqual(fitting);
    }
  });

  /** Locks a workspace as a member of the owners, so that the holder has a long name. */
  async function locked(id: string, token: string): Promise<boolean> {
    const { server } = on();
    const owners = await server.user('GET', '/api/v2/organizations/acme/teams?q=owners');
    const members = await server.user('GET', '/api/v2/organizations/acme/organization-memberships');
    const invited = members.body.data.find(
      (one: { attributes: { email: string } }) => one.attributes.email === 'long@example.com',
    );
    await server.call('POST', `/api/v2/organization-memberships/${invited.id}/actions/accept`, { token });
    await server.user('POST', `/api/v2/teams/${owners.body.data[0].id}/relationships/organization-memberships`, {
      data: [{ type: 'organization-memberships', id: invited.id }],
    });
    return (await server.call('POST', `/api/v2/workspaces/${id}/actions/lock`, { token })).status === 200;
  }
});
