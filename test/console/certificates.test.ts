import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { utf8String } from '../../src/pki/der.ts';
import { otherName } from '../../src/pki/names.ts';
import { createRoot } from '../support/pki.ts';
import { bench, describeConsole, signIn } from './support/console.ts';

const SCRIPT = '<script>alert(1)</script>';
const RTL = 'שלום-runner';

describeConsole('certificates', () => {
  const on = bench();

  async function asRoot(place: string): Promise<Page> {
    const page = await on().open();
    await page.goto(`/app${place}`);
    await signIn(page, on().server.rootToken);
    return page;
  }
  async function inspect(page: Page, pem: string): Promise<void> {
    await page.getByLabel('Certificates', { exact: true }).fill(pem);
    await page.getByRole('button', { name: 'Inspect', exact: true }).click();
  }
  /** Expects only the messages that the browser logs for this status. */
  const forgive = (status: string) => {
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes(status)),
    ).toBe(true);
  };

  it('a refused certificate shows the reason, and is accepted after a change of the role', async () => {
    const { server, clients } = on();
    const { pem } = clients.issue({ subject: 'runner-9', dns: ['runner-9.build.example'] });
    await server.root('POST', '/v1/auth/cert/certs/deploy', {
      certificate: clients.pem,
      allowed_dns_sans: '*.prod.example',
    });
    const page = await asRoot('/~access/inspect?role=deploy');
    await inspect(page, pem);
    await page.getByText('The only role would not accept it').waitFor();
    const check = page.getByRole('row', { name: 'refused: allowed_dns_sans' });
    await check.getByText('*.prod.example').waitFor();
    await check.getByText('runner-9.build.example').waitFor();
    await page.getByText('patterns of the role').waitFor();
    await page.getByRole('link', { name: 'Roles of auth/cert' }).click();
    await page.getByRole('link', { name: 'deploy' }).click();
    await page.getByRole('heading', { name: 'deploy', level: 1 }).waitFor();
    await page.getByLabel('allowed_dns_sans').fill('*.prod.example\n*.build.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Inspect a certificate' }).click();
    await inspect(page, pem);
    await page.getByText('The only role would accept it').waitFor();
    await page.getByText('accepts it').waitFor();
  });

  it('key purposes, other names and groups are shown, and set in the form of the role', async () => {
    const { server, clients } = on();
    const { pem } = clients.issue({
      subject: [
        ['CN', 'jane'],
        ['OU', 'ops'],
      ],
      ips: ['10.0.0.7'],
      otherNames: [otherName('1.3.6.1.4.1.311.20.2.3', utf8String('jane@corp.example'))],
      extendedKeyUsage: ['serverAuth'],
    });
    await server.root('POST', '/v1/auth/cert/certs/people', { certificate: clients.pem });
    const page = await asRoot('/~access/inspect?role=people');
    await inspect(page, pem);
    await page.getByRole('row', { name: 'refused: extended-key-usage' }).waitFor();
    for (const text of ['ServerAuth', '10.0.0.7', 'UPN:jane@corp.example'])
      await page.getByText(text, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Roles of auth/cert' }).click();
    await page.getByRole('link', { name: 'people' }).click();
    expect(await page.getByLabel('extended_key_usage').inputValue()).toBe('ClientAuth');
    await page.getByLabel('extended_key_usage').fill('server_auth');
    await page.getByLabel('allowed_other_sans').fill('UPN:*@corp.example');
    await page.getByLabel('allowed_ip_sans').fill('10.0.0.0/8');
    await page.getByLabel('allowed_subject_attributes').fill('CN=jane');
    await page.getByLabel('group_sources').fill('subject:OU');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Inspect a certificate' }).click();
    await inspect(page, pem);
    await page.getByText('The only role would accept it').waitFor();
    await page.getByText('; groups: ops').waitFor();
  });

  it('a certificate of an unknown CA gets a new role', async () => {
    const strangers = createRoot({ subject: 'Strangers' });
    const { pem } = strangers.issue({ subject: 'web-1.stranger.example', dns: ['web-1.stranger.example'] });
    const page = await asRoot('/~access/inspect');
    await inspect(page, `${pem}\n${strangers.pem}`);
    await page.getByRole('link', { name: 'Create a role for this certificate…' }).click();
    await page.getByRole('heading', { name: 'New role', level: 1 }).waitFor();
    expect(await page.getByLabel('certificate', { exact: true }).inputValue()).toBe(strangers.pem.trim());
    expect(await page.getByLabel('allowed_common_names').inputValue()).toBe('web-1.stranger.example');
    await page.getByLabel('Name', { exact: true }).fill('strangers');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('heading', { name: 'strangers', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Inspect a certificate' }).click();
    await inspect(page, pem);
    await page.getByText('The only role would accept it').waitFor();
  });

  it('markup in the name is shown as text', async () => {
    const { pem } = on().clients.issue({
      subject: [['CN', `${SCRIPT}${RTL}`]],
      organizationalUnits: ['x'.repeat(90)],
    } as never);
    const page = await asRoot('/~access/inspect');
    await inspect(page, pem);
    const name = page.getByRole('heading', { name: 'alert(1)', level: 3 });
    await name.waitFor();
    expect(await name.innerText()).toContain(RTL);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });

  it('a certificate with a private key is not sent', async () => {
    const { pem, keyPem } = on().clients.issue({ subject: 'with-key' });
    const page = await asRoot('/~access/inspect');
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    const pasted = page.getByLabel('Certificates', { exact: true });
    await pasted.fill(pem + keyPem);
    await page.getByText('The text contains a private key').first().waitFor();
    expect(await page.getByRole('button', { name: 'Inspect', exact: true }).getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Tab');
    expect(asked.filter((url) => url.includes('explain'))).toEqual([]);
    await page.getByLabel('Choose a file…').setInputFiles({
      name: 'runner.pem',
      mimeType: 'application/x-pem-file',
      buffer: Buffer.from(pem),
    });
    await page.getByRole('button', { name: 'Inspect', exact: true }).click();
    await page.getByText('runner.pem').waitFor();
    await page.getByText('would accept it').waitFor();
  });

  it('a revoked certificate is found by its serial number in both formats', async () => {
    const { server, clients } = on();
    const revoked = clients.issue({ subject: 'revoked' });
    const list = clients.crl({ revoked: [revoked.serial] });
    await server.root('POST', '/v1/auth/cert/crls/corp', { crl: list.pem });
    const other = createRoot({ subject: 'Other CA' });
    const past = { thisUpdate: new Date('2026-01-01T00:00:00Z'), nextUpdate: new Date('2026-01-02T00:00:00Z') };
    await server.root('POST', '/v1/auth/cert/crls/late', { crl: other.crl(past).pem });
    const page = await asRoot('/~access/revocation-lists');
    await page.getByText('1 of 2 CRLs need attention').waitFor();
    await page.getByRole('row', { name: 'late' }).getByText('past its next update', { exact: true }).waitFor();
    const number = page.getByLabel('Serial number');
    await number.fill(`0x${revoked.serial.toString(16)}`);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('Revoked: the serial number is in corp.').waitFor();
    expect(new URL(page.url()).searchParams.get('serial')).toBe(`0x${revoked.serial.toString(16)}`);
    await number.fill('4711');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('The serial number is not in the 2 CRLs.').waitFor();
    await page.getByRole('row', { name: 'late' }).getByRole('button', { name: 'Delete…' }).click();
    await page.getByLabel('Name of the CRL').fill('late');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('The CRL is fresh and verified').waitFor();
    await page.getByRole('button', { name: 'Add CRL…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('broken');
    await page.getByLabel('Or paste the CRL').fill('no list at all');
    await page.getByRole('button', { name: 'Add CRL', exact: true }).click();
    await page.getByRole('alert').waitFor();
    forgive('400');
  });

  it('a user with read access sees no buttons', async () => {
    const { server } = on();
    await server.root('PUT', '/v1/sys/policies/acl/looker', {
      policy: `path "auth/cert/certs" { capabilities = ["list"] }
        path "auth/cert/certs/*" { capabilities = ["read"] }`,
    });
    const made = await server.root('POST', '/v1/auth/token/create', { policies: ['looker'] });
    await server.root('POST', '/v1/auth/cert/certs/seen', { certificate: on().clients.pem });
    const page = await on().open();
    await page.goto('/app/~access/roles');
    await signIn(page, made.body.auth.client_token);
    await page.getByRole('link', { name: 'seen' }).waitFor();
    expect(await page.getByRole('link', { name: 'New role' }).count()).toBe(0);
    await page.getByRole('link', { name: 'seen' }).click();
    await page.getByText('Requires update on auth/cert/certs/seen').first().waitFor();
    expect(await page.getByRole('button', { name: 'Delete the role…' }).count()).toBe(0);
    await page.goto('/app/~access/revocation-lists');
    await page.getByText('list on auth/cert/crls').waitFor();
    forgive('403');
  });
});
