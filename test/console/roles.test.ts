import { expect, it } from 'vitest';
import { bench, describeConsole } from './support/console.ts';

const MANY = 5_000;
const LANES = 8;
const nameOf = (at: number) => `host-${String(at).padStart(4, '0')}`;

describeConsole('thousands of roles', () => {
  const on = bench();

  it('the list shows the details of visible roles, and a search finds one', async () => {
    const { server, clients } = on();
    let next = 0;
    const lane = async () => {
      for (let at = next++; at < MANY; at = next++) {
        const body = { certificate: clients.pem, allowed_common_names: `${nameOf(at)}.example.com` };
        expect((await server.root('POST', `/v1/auth/cert/certs/${nameOf(at)}`, body)).status).toBe(204);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const page = await on().openBoth('/~access/roles');
    await page.getByText('host-0000.example.com').waitFor();
    // The CA of the tests expires after a day.
    await page
      .getByText(/^CN=Clients, expires in \d+ hours$/)
      .first()
      .waitFor();
    // The role `people` of the test server is one more.
    await page.getByText('5,001 roles').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(100);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.getByText('host-4999.example.com').waitFor();
    await page.getByLabel('Filter by name').fill('HOST-4321');
    await page.getByText('1 role of 5,001').waitFor();
    await page.getByText('host-4321.example.com').waitFor();
    await page.getByRole('link', { name: 'host-4321' }).click();
    await page.getByRole('heading', { name: 'host-4321', level: 1 }).waitFor();
    await page.goBack();
    await page.getByText('1 role of 5,001').waitFor();
  }, 180_000);
});
