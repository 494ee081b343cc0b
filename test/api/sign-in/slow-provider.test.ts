import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Session, SigningIn } from '../../support/oidc/signing-in.ts';

const DISCOVERY = '/.well-known/openid-configuration';

const refusal = ({ status, headers }: Session) => [
  status,
  new URL(headers.location ?? '', 'https://here').searchParams.get('refused'),
];
const SOON = { timeout: 15_000 };
const AWAY = [303, 'away'];

describe('a provider that is slow', () => {
  const started: SigningIn[] = [];
  const start = async () => {
    const on = await SigningIn.start('sqlite');
    started.push(on);
    return on;
  };
  afterAll(async () => {
    for (const on of started) await on.stop();
  });

  it.concurrent.for([
    ['/token', 'hangs'],
    ['/token', 'drips'],
    ['/keys', 'hangs'],
    ['/userinfo', 'drips'],
  ] as const)(
    'whose %s %s fails within the timeout, and users with a session notice nothing',
    { timeout: 40_000 },
    async ([path, how], { expect }) => {
      const on = await start();
      const session = await on.signIn();
      const begun = await on.begin();
      on.provider.says.slow = { [path]: how };
      const coming = on.comeBack(begun);
      await expect.poll(() => on.provider.asked.filter((one) => one === path).length, SOON).toBe(2);
      expect(await on.whoIs(session)).toBe('ada');
      expect(refusal(await coming)).toEqual(AWAY);
      await expect.poll(() => on.provider.open(), SOON).toBe(0);
      on.provider.reset();
      expect(await on.whoIs(await on.signIn())).toBe('ada');
    },
  );

  it.concurrent.for(['hangs', 'drips'] as const)(
    'that %s before the discovery document gets one request',
    { timeout: 40_000 },
    async (how, { expect }) => {
      const on = await start();
      on.provider.says.slow = { [DISCOVERY]: how };
      const answers = await Promise.all(Array.from({ length: 8 }, () => on.begin()));
      expect(answers.map(refusal)).toEqual(answers.map(() => AWAY));
      expect(on.provider.asked).toEqual([DISCOVERY]);
      await expect.poll(() => on.provider.open(), SOON).toBe(0);
      on.provider.reset();
      expect(await on.whoIs(await on.signIn())).toBe('ada');
    },
  );

  describe('and many who sign in', () => {
    let on: SigningIn;
    beforeAll(async () => {
      on = await start();
    });

    it('a limited number of requests waits for it, the others are refused at once', async () => {
      const session = await on.signIn();
      const begun = await Promise.all(Array.from({ length: 40 }, () => on.begin()));
      on.provider.asked.splice(0);
      on.provider.says.slow = { '/token': 'hangs' };
      const answers = Promise.all(begun.map((one) => on.comeBack(one)));
      await expect.poll(() => on.provider.asked.length, SOON).toBe(32);
      expect(await on.whoIs(session)).toBe('ada');
      expect((await answers).map(refusal)).toEqual(begun.map(() => AWAY));
      expect(on.provider.asked).toHaveLength(32);
      await expect.poll(() => on.provider.open(), SOON).toBe(0);
      on.provider.reset();
      expect(await on.whoIs(await on.signIn())).toBe('ada');
    }, 40_000);
  });

  it.concurrent('whose keys hang at a sign-out gets one request, and the error says so', async ({ expect }) => {
    const on = await start();
    const session = await on.signIn();
    on.provider.says.slow = { '/keys': 'hangs' };
    on.provider.asked.splice(0);
    const posted = Array.from({ length: 10 }, async () =>
      on.server.call('POST', '/app/~session/oidc/logout', {
        body: new URLSearchParams({ logout_token: await on.provider.logoutToken() }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    );
    expect((await Promise.all(posted)).map(({ status }) => status)).toEqual(posted.map(() => 400));
    expect(on.provider.asked).toEqual([DISCOVERY, '/keys']);
    expect(await on.whoIs(session)).toBe('ada');
  }, 40_000);
});
