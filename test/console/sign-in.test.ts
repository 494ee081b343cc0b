import { expect, it } from 'vitest';
import { bench, describeConsole, makeWorkspace, signIn } from './support/console.ts';

describeConsole('signing in to the console', () => {
  const on = bench();

  it('the root URL redirects to the sign-in page, which leads to the workspaces', async () => {
    const page = await on().open();
    await page.goto('/');
    await page.waitForURL(/\/app\/~sign-in$/);
    await signIn(page, on().server.userToken);
    await page.waitForURL('**/app/acme/workspaces');
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    expect(await page.title()).toBe('Workspaces · acme · Lockkeeper');
  });

  it('returns to the requested page', async () => {
    await makeWorkspace(on(), 'deep');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/deep/lock-history?page=1');
    await page.getByRole('heading', { name: 'No locks yet' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/acme/workspaces/deep/lock-history');
  });

  it('an unknown token shows an error and keeps the page', async () => {
    const page = await on().open();
    await page.goto('/app');
    await page.getByLabel('Token', { exact: true }).fill('lku.nobody.knows');
    await page.getByRole('button', { name: 'Continue with the token' }).click();
    await page.getByRole('alert').getByText('unknown or has expired').waitFor();
    // The browser logs each refused response itself.
    expect(on().complaints.splice(0)).toEqual([expect.stringContaining('403')]);
  });

  it('accepts a certificate', async () => {
    const { server, clients } = on();
    const { pem, keyPem } = clients.issue({ subject: 'laptop-1' });
    const clientCertificates = [{ origin: server.address, cert: Buffer.from(pem), key: Buffer.from(keyPem) }];
    const page = await on().open({ clientCertificates });
    await page.goto('/app');
    await page.getByRole('button', { name: 'Continue with a certificate' }).click();
    await page.getByText('laptop-1').first().waitFor();
    await page.getByText('access by certificate').waitFor();
  });

  it('a session of one API adds a token of the other API', async () => {
    const page = await on().openAs(on().server.userToken);
    await page.getByRole('link', { name: 'Sign in to access' }).click();
    await signIn(page, on().server.rootToken);
    await page.waitForURL('**/app/acme/workspaces');
    await page.getByRole('link', { name: 'My token' }).click();
    await page.getByText('token-console').waitFor();
    await page.getByText('Signed in to both APIs').waitFor();
    const navigation = page.getByRole('navigation', { name: 'Console' });
    expect(await navigation.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
  });

  it('a page of an API without a token asks for one and returns', async () => {
    const page = await on().openAs(on().server.userToken);
    await page.goto('/app/~access/inspect?role=builders');
    await page.getByRole('heading', { name: 'Sign in to the access API to open this page', level: 1 }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in to access' }).click();
    await signIn(page, on().server.rootToken);
    await page.waitForURL('**/app/~access/inspect?role=builders');
    await page.getByLabel('Certificates', { exact: true }).waitFor();
  });

  it('a page of an API without a token sends no requests while the sign-in page loads', async () => {
    const page = await on().openAs(on().server.userToken, '/~access/inspect');
    const heading = page.getByRole('heading', { name: 'Sign in to the access API to open this page', level: 1 });
    await heading.waitFor();
    let load = () => {};
    const isOpened = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.reload();
    await page.route('**/~assets/SignInPage-*.js', (route) => isOpened.then(() => route.continue()));
    const toAccess: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/v1/')) toAccess.push(request.url());
    });
    await page.getByRole('main').getByRole('link', { name: 'Sign in to access' }).click();
    await page.waitForURL(/~sign-in/);
    // A page that is shown sends its requests within two frames.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');
    expect(await heading.isVisible()).toBe(true);
    load();
    await page.getByLabel('Token', { exact: true }).waitFor();
    expect(toAccess).toEqual([]);
  });

  it('hides the token from scripts, URLs and titles', async () => {
    const page = await on().openAs(on().server.userToken);
    const found = await page.evaluate<string>(
      'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, document.title])',
    );
    expect(found).not.toMatch(/lk[usb]\./);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({
      name: '__Host-lockkeeper',
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
      path: '/',
    });
  });

  it('signing out ends the session in all tabs', async () => {
    const page = await on().openAs(on().server.userToken);
    const other = await page.context().newPage();
    await other.goto('/app/acme/workspaces');
    await other.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/app\/~sign-in$/);
    await page.goBack();
    await page.waitForURL(/\/app\/~sign-in/);
    await other.reload();
    await other.waitForURL(/\/app\/~sign-in/);
  });

  it('a session that expires on an open page leads to the sign-in page and back', async () => {
    await makeWorkspace(on(), 'kept');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/kept');
    await page.getByRole('heading', { name: 'kept', level: 1 }).waitFor();
    on().server.advance(8 * 3600 + 1);
    await page.waitForURL(/~sign-in\?to=/);
    await page.getByText('Your session has ended').waitFor();
    await signIn(page, on().server.userToken);
    await page.getByRole('heading', { name: 'kept', level: 1 }).waitFor();
    // The browser logs the refused response itself.
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('401')),
    ).toBe(true);
  });
});
