import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Diagnosable } from '../../support/diagnose/diagnosed.ts';
import { mailAuthority, startScripted, startSmtp } from '../../support/mail/smtp.ts';

describe('lockkeeper diagnose', () => {
  let site: Diagnosable;
  beforeAll(async () => {
    site = new Diagnosable();
    await site.init();
    writeFileSync(site.at('mail-ca.pem'), mailAuthority);
    writeFileSync(site.at('smtp-password'), 'a long password\n', { mode: 0o600 });
  });
  afterAll(() => site.remove());

  const configure = (port: number, more = 'authorities_file: mail-ca.pem') =>
    site.configure(
      `smtp: { host: localhost, port: ${port}, from: keeper@example.com, username: lockkeeper, password_file: smtp-password, timeout: 2s, ${more} }`,
    );

  it('checks the SMTP server: it connects, encrypts and logs in, and sends no email', async () => {
    expect((await site.diagnose()).found('mail', 'SMTP server')).toMatch(/^skipped: no SMTP server is configured/);
    const smtp = await startSmtp();
    configure(smtp.port);
    const works = await site.diagnose();
    expect(works.found('mail', 'SMTP server')).toBe(`success: ready, with TLS | localhost:${smtp.port}`);
    expect(smtp.received).toEqual([]);

    configure(smtp.port, 'tls: starttls');
    const untrusted = await site.diagnose();
    expect(untrusted.found('mail', 'SMTP server')).toMatch(
      /^failure: the connection to the mail server cannot be encrypted/,
    );

    writeFileSync(site.at('smtp-password'), 'another\n', { mode: 0o600 });
    configure(smtp.port);
    const refused = await site.diagnose();
    expect(refused.found('mail', 'SMTP server')).toMatch(/^failure: the mail server refused the login/);
    expect([refused.bad(), refused.code]).toEqual([['failure mail / SMTP server'], 1]);
    await smtp.stop();

    const silent = await startScripted(() => {});
    configure(silent.port);
    expect((await site.diagnose()).found('mail', 'SMTP server')).toMatch(
      /^failure: the mail server did not answer in time/,
    );
    await silent.stop();
  });
});
