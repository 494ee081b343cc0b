import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { startIssuer } from '../../support/jwt/issuer.ts';
import { barriers, bench, describeConsole } from '../support/console.ts';
import { makeOf } from '../support/organization.ts';

describeConsole('pipeline identities of a team', () => {
  const on = bench(undefined, { notifications: { allowedAddresses: ['127.0.0.1'] } });

  async function tryToken(page: Page, token: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Token', exact: true }).fill(token);
    await page.getByRole('button', { name: 'Check token' }).click();
  }

  it('are added, explain a refused token, and are changed and removed', async () => {
    const { server } = on();
    const issuer = await startIssuer();
    onTestFinished(() => issuer.stop());
    const now = Math.floor(server.now() / 1000);
    const sign = (claims: object = {}) =>
      issuer.sign({
        iss: issuer.url,
        aud: server.address,
        sub: 'infra',
        iat: now,
        exp: now + 300,
        ref: 'main',
        ...claims,
      });
    const team = await makeOf(on())('/organizations/acme/teams', 'teams', { name: 'Deploy / prod' });
    const page = await on().openAs(server.userToken, `/acme/teams/${team}`);

    await page.getByRole('button', { name: 'Add pipeline identity…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('infra, from main');
    await dialog.getByLabel('CI system').selectOption({ label: 'other issuer' });
    expect(await dialog.getByRole('button', { name: 'Add', exact: true }).getAttribute('title')).toBe(
      'Enter an issuer',
    );
    await dialog.getByLabel('Issuer', { exact: true }).fill('github');
    await dialog.getByLabel('Claims').fill('ref');
    await dialog.getByText('ref: write each line as name = value').waitFor();
    await dialog.getByLabel('Claims').fill('ref = *');
    // The default audience is the URL of this server.
    expect(await dialog.getByLabel('Audiences').inputValue()).toBe(server.address);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('The value must be an https URL').first().waitFor();
    await dialog.getByText('The value must contain more than stars').first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByLabel('Issuer', { exact: true }).fill(issuer.url);
    await dialog.getByLabel('Claims').fill('ref = main');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const row = page.getByRole('row', { name: /infra, from main/ });
    await row.getByText('ref = main').waitFor();

    await page.getByRole('link', { name: 'Inspect a token' }).click();
    await page.getByText(`LOCKKEEPER_TEAM: "acme/Deploy / prod"`).waitFor();
    await page.getByLabel('CI system').selectOption('gitlab');
    await page.getByText('id_tokens:').waitFor();
    expect(page.url()).toContain('?in=gitlab');
    await tryToken(page, await sign({ ref: 'release' }));
    await page.getByText('The only identity would not accept it').waitFor();
    await page
      .getByRole('row', { name: /^refused: bound_claims ref/ })
      .getByText('release')
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Inspect another token…' }).click();
    await tryToken(page, 'a.b.c');
    await page.getByText('This is not a token').waitFor();

    await page.getByRole('link', { name: 'Deploy / prod' }).click();
    await row.getByRole('button', { name: 'Change infra, from main…' }).click();
    await dialog.getByLabel('Claims').fill('ref = ["main", "release"]');
    await dialog.getByText('This change revokes the tokens that its pipelines hold.').waitFor();
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await row.getByText('ref = ["main","release"]').waitFor();
    await page.getByRole('link', { name: 'Inspect a token' }).click();
    await tryToken(page, await sign({ ref: 'release' }));
    await page.getByText('The only identity would accept it').waitFor();

    await page.goBack();
    await row.getByRole('button', { name: 'Remove identity infra, from main…' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('422')),
    ).toBe(true);
  });
});
