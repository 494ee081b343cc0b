import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { bench, describeConsole, makeWorkspace } from './support/console.ts';
import { makeOf } from './support/organization.ts';

/** A free port: the configuration of each listener names the other listener before both start. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const [open, asking] = [await freePort(), await freePort()];

describeConsole('a listener that requests no client certificate', () => {
  const on = bench(undefined, { ports: [open, asking] });
  const origin = `https://127.0.0.1:${asking}`;

  it('redirects the browser to a listener that does, and back with a session of both APIs', async () => {
    const { clients } = on();
    const make = makeOf(on());
    const workspace = await makeWorkspace(on(), 'network');
    const team = await make('/organizations/acme/teams', 'teams', { name: 'deploy' });
    await make(
      '/team-workspaces',
      'team-workspaces',
      { access: 'write' },
      { team: ['teams', team], workspace: ['workspaces', workspace] },
    );
    const identity = { mount: 'cert', role: 'people', 'common-name': 'laptop-*' };
    await make(`/teams/${team}/machine-identities`, 'machine-identities', identity);
    const { pem, keyPem } = clients.issue({ subject: 'laptop-1' });
    const page = await on().open({
      clientCertificates: [{ origin, cert: Buffer.from(pem), key: Buffer.from(keyPem) }],
    });
    await page.goto('/app/acme/workspaces');
    await page.getByRole('button', { name: 'Continue with a certificate' }).click();
    await page.getByRole('link', { name: 'network' }).waitFor();
    expect(new URL(page.url()).origin).toBe(on().server.address);
    await page.getByText('laptop-1').first().waitFor();
    await page.goto('/app/~access/machine-identities');
    await page.getByText('You see identities of teams that you own').waitFor();
  });

  it('shows an error to a browser without a certificate', async () => {
    const page = await on().open();
    await page.goto('/app');
    await page.getByRole('button', { name: 'Continue with a certificate' }).click();
    await page.getByLabel('Token', { exact: true }).waitFor();
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/~sign-in');
  });
});
