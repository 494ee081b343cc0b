import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { startIssuer } from '../support/jwt/issuer.ts';
import { barriers, bench, describeConsole, signIn } from './support/console.ts';

const AUDIENCE = 'https://lockkeeper.example.com';
const SCRIPT = '<script>alert(1)</script>';

describeConsole('JWT logins', () => {
  const on = bench();

  async function asRoot(place: string): Promise<Page> {
    const page = await on().open();
    await page.goto(`/app${place}`);
    await signIn(page, on().server.rootToken);
    return page;
  }
  /** Expects only the messages that the browser logs for this status. */
  const forgive = (...statuses: string[]) => {
    const lines = on().complaints.splice(0);
    expect(lines.filter((line) => !statuses.some((status) => line.includes(status)))).toEqual([]);
  };
  async function newIssuer() {
    const issuer = await startIssuer();
    onTestFinished(() => issuer.stop());
    const now = Math.floor(on().server.now() / 1000);
    const sign = (claims: Record<string, unknown> = {}) =>
      issuer.sign({ iss: issuer.url, sub: 'repo:acme/shop', aud: AUDIENCE, iat: now, exp: now + 300, ...claims });
    return { issuer, sign };
  }
  async function tryToken(page: Page, token: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Token', exact: true }).fill(token);
    await page.getByRole('button', { name: 'Check token' }).click();
  }

  it('a new mount, configuration and role accept a token, and refuse another with the reason', async () => {
    const { issuer, sign } = await newIssuer();
    const page = await asRoot('/~access/mounts');
    await page.getByRole('button', { name: 'Enable auth method…' }).click();
    await page.getByLabel('Method', { exact: true }).selectOption('jwt');
    await page.getByLabel('Path').fill('github');
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByRole('heading', { name: 'auth/github', level: 1 }).waitFor();

    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByText('No issuer is configured yet').waitFor();
    await page.getByLabel('oidc_discovery_url').fill(`${issuer.url}/elsewhere`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('error fetching the keys of the issuer').waitFor();
    await page.getByLabel('oidc_discovery_url').fill(issuer.url);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByText('the keys are fetched without TLS').waitFor();

    await page.getByRole('link', { name: 'Roles', exact: true }).last().click();
    await page.getByRole('heading', { name: 'No roles yet' }).waitFor();
    const place = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Roles' });
    expect(await place.getAttribute('aria-current')).toBe('page');
    await page.getByRole('link', { name: 'New role' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Deploy');
    await page.getByLabel('user_claim', { exact: true }).fill('sub');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByText('must have at least one bound constraint').waitFor();
    await page.getByLabel('bound_audiences').fill(AUDIENCE);
    await page.getByLabel('bound_claims', { exact: true }).fill('ref');
    await page.getByText('bound_claims: ref: write each line as name = value').waitFor();
    await page.getByLabel('bound_claims', { exact: true }).fill('ref = refs/heads/main\nrun = 7');
    await page.getByLabel('token_policies').fill('deploy');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('heading', { name: 'deploy', level: 1 }).waitFor();
    const stored = await on().server.root('GET', '/v1/auth/github/role/deploy');
    expect(stored.body.data).toMatchObject({
      ...{ user_claim: 'sub', bound_audiences: [AUDIENCE], token_policies: ['deploy'] },
      bound_claims: { ref: 'refs/heads/main', run: 7 },
    });

    await page.getByRole('link', { name: 'Inspect a token' }).click();
    await tryToken(page, await sign({ ref: 'refs/heads/other', run: 7, note: SCRIPT }));
    await page.getByText('The only role would not accept it').waitFor();
    const check = page.getByRole('row', { name: /^refused: .*ref/ });
    await check.getByText('refs/heads/other').waitFor();
    await page.getByText(SCRIPT).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Inspect another…' }).click();
    await tryToken(page, await sign({ ref: 'refs/heads/main', run: 7 }));
    await page.getByText('The only role would accept it').waitFor();
    await page.getByText('repo:acme/shop').first().waitFor();
    // The inspection created no token.
    const { body } = await on().server.root('LIST', '/v1/identity/entity/id');
    expect(body.data?.keys ?? []).toEqual([]);
    forgive('404', '400');
  });

  it('an unknown token leads to a new role that is filled in from the token', async () => {
    const { issuer, sign } = await newIssuer();
    const { issuer: other, sign: signOther } = await newIssuer();
    await on().server.root('POST', '/v1/sys/auth/gitlab', { type: 'jwt' });
    await on().server.root('POST', '/v1/auth/gitlab/config', {
      jwks_url: issuer.jwksUrl,
      bound_issuer: issuer.url,
    });
    const page = await asRoot('/~access/jwt/inspect?mount=gitlab');
    await tryToken(page, await signOther({ iss: other.url }));
    await page.getByText('not valid').waitFor();
    await page.getByRole('row', { name: /^refused: signature/ }).waitFor();
    await page.getByRole('button', { name: 'Inspect another…' }).click();
    await tryToken(page, await sign());
    await page.getByText('There is no role that could accept it').waitFor();
    await page.getByRole('link', { name: 'Create a role for this token…' }).click();
    await page.getByRole('heading', { name: 'New role', level: 1 }).waitFor();
    expect(await page.getByLabel('bound_subject').inputValue()).toBe('repo:acme/shop');
    await page.getByLabel('Name', { exact: true }).fill('shop');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('heading', { name: 'shop', level: 1 }).waitFor();

    await page.getByRole('button', { name: 'Delete the role…' }).click();
    await page.getByLabel('Name of the role').fill('shop');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'No roles yet' }).waitFor();
  });

  it('a user with read access sees them without buttons', async () => {
    const { server } = on();
    await server.root('POST', '/v1/sys/auth/readable', { type: 'jwt' });
    await server.root('POST', '/v1/auth/readable/config', {
      jwks_url: 'https://issuer.example/keys',
      skip_jwks_validation: true,
    });
    await server.root('POST', '/v1/auth/readable/role/one', { user_claim: 'sub', bound_audiences: ['a'] });
    const policy = 'path "auth/readable/*" { capabilities = ["read", "list"] }';
    await server.root('POST', '/v1/sys/policies/acl/reads-tokens', { policy });
    const made = await server.root('POST', '/v1/auth/token/create', { policies: ['reads-tokens'] });
    const page = await on().open();
    await page.goto('/app/~access/jwt?mount=readable');
    await signIn(page, made.body.auth.client_token);
    await page.getByRole('link', { name: 'one', exact: true }).click();
    await page.getByText('Requires update on auth/readable/role/one').waitFor();
    expect(await page.getByRole('button', { name: 'Delete the role…' }).count()).toBe(0);
    await page.goto('/app/~access/jwt/configuration?mount=readable');
    await page.getByText('Requires update on auth/readable/config').waitFor();
    await page.goto('/app/~access/jwt/inspect?mount=readable');
    await tryToken(page, 'a.b.c');
    await page.getByRole('heading', { name: 'The verdicts: permission denied' }).waitFor();
    forgive('403');
  });
});
