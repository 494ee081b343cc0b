import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Diagnosable, type Diagnosed, listen } from '../../support/diagnose/diagnosed.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { CertifiedProvider, CLIENT_SECRET } from '../../support/oidc/certified.ts';
import { createRoot } from '../../support/pki.ts';

const DAY = 86_400_000;
const now = Date.now();

describe('lockkeeper diagnose', () => {
  let site: Diagnosable;
  let rootToken: string;
  beforeAll(async () => {
    site = new Diagnosable();
    rootToken = (await site.init()).root;
  });
  afterAll(() => site.remove());

  it('checks the keyring: file permissions, and whether it matches the database', async () => {
    chmodSync(site.at('keyring.json'), 0o644);
    const open = await site.diagnose();
    expect(open.bad()).toEqual(['failure keyring / file', 'failure keyring / keys']);
    expect(open.found('keyring', 'file')).toMatch(/^failure: mode 0644: any user of this machine can access it/);
    chmodSync(site.at('keyring.json'), 0o600);

    const other = new Diagnosable();
    await other.init();
    const own = readFileSync(site.at('keyring.json'));
    writeFileSync(site.at('keyring.json'), readFileSync(other.at('keyring.json')));
    await other.remove();
    const wrong = await site.diagnose();
    writeFileSync(site.at('keyring.json'), own);
    expect([wrong.bad(), wrong.code]).toEqual([['failure keyring / database'], 1]);
    expect(wrong.found('keyring', 'database')).toMatch(/^failure: the database belongs to another keyring/);
  });

  it('checks the keyring: the next key', async () => {
    expect((await site.start(['keyring', 'rotate', '--seals-in', '1h']).ended()).code).toBe(0);
    const { found } = await site.diagnose();
    expect(found('keyring', 'keys')).toMatch(/^success: 2 keys, key 1 encrypts, 0 d old, key 2 replaces it at 20\S+Z/);
  });

  it('checks certificates: validity, key, names, and file permissions of the key', async () => {
    const root = createRoot({ notAfter: new Date(now + 400 * DAY) });
    const issue = (days: number, name = 'localhost') =>
      root.issue({
        ...{ subject: name, dns: [name], ips: ['127.0.0.1'] },
        ...{ notBefore: new Date(now - 60 * DAY), notAfter: new Date(now + days * DAY) },
      });
    const listener = (name: string) =>
      `{ address: "127.0.0.1:0", services: [workspaces], tls: { certificate_file: ${name}.pem, private_key_file: ${name}.key } }`;
    const put = (name: string, { pem, keyPem }: { pem: string; keyPem: string }, mode = 0o600) => {
      writeFileSync(site.at(`${name}.pem`), pem);
      writeFileSync(site.at(`${name}.key`), keyPem, { mode });
    };
    put('good', issue(90));
    put('soon', issue(20));
    put('late', issue(-1));
    put('else', { pem: issue(90).pem, keyPem: issue(90).keyPem });
    put('seen', issue(90), 0o644);
    site.configure(
      'workspaces: { address: https://lockkeeper.example.com }',
      ['good', 'soon', 'late', 'else', 'seen', 'missing'].map(listener).join(', '),
    );
    const { subjects, code, found } = await site.diagnose();
    site.configure();
    const tls = subjects.find(({ name }) => name === 'listeners')?.parts?.[0]?.parts ?? [];
    expect(tls.map(({ status, found: words }) => `${status}: ${words?.replace(/(on|until) 20\S+/, '$1')}`)).toEqual([
      'warning: it does not cover all addresses that clients use',
      'warning: it does not cover all addresses that clients use',
      'failure: expired on',
      'failure: the private key does not belong to the certificate',
      'warning: it does not cover all addresses that clients use',
      'failure: a file cannot be read: ENOENT',
    ]);
    expect(tls[0]?.advice).toMatch(/reissue it for lockkeeper\.example\.com too/);
    expect(code).toBe(1);
    const key = (index: number) => found('configuration', 'secret files', `listeners[${index}].tls.private_key_file`);
    expect(key(0)).toMatch(/^success: mode 0600/);
    expect(key(4)).toMatch(/^failure: mode 0644: any user/);
    expect(key(5)).toMatch(/^failure: cannot be read: ENOENT/);

    site.configure('workspaces: { address: https://localhost }', ['good', 'soon'].map(listener).join(', '));
    const named = await site.diagnose();
    site.configure();
    expect([named.bad(), named.code]).toEqual([['warning listeners / tls / 127.0.0.1:0'], 7]);
  });

  it('checks the configuration: secrets that other users can read', async () => {
    const oidc = (secret: string) => `sign_in: { oidc: { issuer: "https://127.0.0.1:1", client_id: x, ${secret} } }`;
    site.configure(oidc('client_secret: between-us'));
    chmodSync(site.config, 0o644);
    expect((await site.diagnose()).found('configuration', 'file')).toMatch(/^failure: mode 0644: any user/);
    site.configure();
    chmodSync(site.config, 0o666);
    expect((await site.diagnose()).found('configuration', 'file')).toMatch(/^failure: mode 0666: others can change it/);
    chmodSync(site.config, 0o644);
    expect((await site.diagnose()).found('configuration', 'file')).toMatch(/^success: mode 0644/);
  });

  it('checks the configuration: collector tokens that other users can read, inline and in files', async () => {
    writeFileSync(site.at('collector.token'), 'between-us');
    chmodSync(site.at('collector.token'), 0o644);
    const sink = (token: string) =>
      `audit: { sinks: [{ type: http, url: "http://127.0.0.1:1", buffer_directory: waiting, ${token} }] }`;
    site.configure(sink('token_file: collector.token'));
    chmodSync(site.config, 0o644);
    const inFile = await site.diagnose();
    expect(inFile.found('configuration', 'secret files', 'audit.sinks[0].token_file')).toMatch(/^failure: mode 0644/);
    expect(inFile.found('configuration', 'file')).toMatch(/^success/);
    for (const settings of [
      sink('token: between-us'),
      'tracing: { otlp_endpoint: "http://127.0.0.1:1", token: between-us }',
    ]) {
      site.configure(settings);
      chmodSync(site.config, 0o644);
      expect((await site.diagnose()).found('configuration', 'file')).toMatch(/^failure: mode 0644: any user/);
    }
    site.configure();
  });

  it('checks the audit log: files that cannot be written, unavailable collectors', async () => {
    mkdirSync(site.at('folder'), { recursive: true });
    const port = await freePort();
    const collector = createServer();
    const there = await listen(collector);
    site.configure(`audit:
  sinks:
    - { type: file, path: folder }
    - { type: file, path: nowhere/audit.log }
    - { type: file, path: audit.log }
    - { type: syslog, address: "tcp://127.0.0.1:${port}" }
    - { type: syslog, address: "tcp://127.0.0.1:${there}" }
    - { type: syslog, address: "udp://127.0.0.1:${port}" }
    - { type: stdout }`);
    const { found, bad } = await site.diagnose();
    const sink = (index: number) => found('audit', 'sinks', `audit.sinks[${index}]`);
    expect(sink(0)).toMatch(/^failure: no entry can be appended: EISDIR/);
    expect(sink(1)).toMatch(/^failure: no entry can be appended: ENOENT/);
    expect(sink(2)).toMatch(/^success: entries can be appended/);
    expect(sink(3)).toMatch(/^failure: the collector cannot be reached: ECONNREFUSED/);
    expect(sink(4)).toMatch(/^success: the collector accepts connections/);
    expect(sink(5)).toMatch(/^skipped: over UDP/);
    expect(sink(6)).toMatch(/^skipped: of type stdout/);
    expect(bad()).toHaveLength(3);
    // A missing folder does not stop the check of the others.
    expect(found('audit', 'space', 'audit.sinks[1]')).toMatch(/^skipped: there is no such folder/);
    expect(found('audit', 'space', 'audit.sinks[2]')).toMatch(/ of .* free/);
    collector.close();
    site.configure('audit: {}');
    const none = await site.diagnose();
    expect([none.bad(), none.code]).toEqual([['warning audit / sinks'], 7]);
    site.configure();
  });

  it('checks states: a store that cannot store, and an unavailable bucket', async () => {
    writeFileSync(site.at('file'), '');
    const { storage } = site;
    site.storage = '{ type: sqlite, directory: data, blob_directory: file }';
    site.configure();
    const file = await site.diagnose();
    expect([file.bad(), file.code]).toEqual([['failure states / round trip'], 1]);
    expect(file.found('states', 'round trip')).toMatch(/^failure: ENOTDIR/);

    const port = await freePort();
    site.storage = `{ type: sqlite, directory: data, blobs: { type: s3, bucket: states, region: us-east-1, endpoint: "http://127.0.0.1:${port}", access_key_id: somebody, secret_access_key: nobody-knows } }`;
    site.configure();
    chmodSync(site.config, 0o600);
    const bucket = await site.diagnose();
    expect(bucket.bad()).toEqual(['failure states / round trip', 'failure states / clock']);
    expect(bucket.found('states', 'round trip')).toMatch(/no answer: ECONNREFUSED/);
    expect(bucket.stdout).not.toContain('nobody-knows');
    site.storage = storage;
    site.configure();
    rmSync(site.at('file'));
  });

  it('checks identity providers: a working one, a wrong one, an unavailable one', async () => {
    const provider = await CertifiedProvider.start();
    provider.serve(['https://lock.example.com/callback']);
    writeFileSync(site.at('provider.pem'), provider.ca);
    writeFileSync(site.at('secret'), CLIENT_SECRET, { mode: 0o600 });
    const oidc = (issuer: string) =>
      `sign_in: { oidc: { issuer: "${issuer}", client_id: lockkeeper, client_secret_file: secret, authorities_file: provider.pem, allowed_addresses: [127.0.0.1] } }`;
    site.configure(oidc(provider.issuer));
    const works = await site.diagnose();
    expect(works.bad()).toEqual([]);
    expect(works.found('identity providers', 'keys', 'sign_in.oidc')).toMatch(/^success: \d keys? \| https:/);
    writeFileSync(site.at('secret'), 'of somebody else');
    const refused = await site.diagnose();
    expect(refused.found('identity providers', 'keys', 'sign_in.oidc')).toMatch(
      /^failure: client: the provider does not accept/,
    );
    expect(refused.stdout).not.toContain('of somebody else');
    site.configure(oidc(`${provider.issuer}/other`));
    const other = await site.diagnose();
    provider.stop();
    site.configure(oidc(provider.issuer));
    const away = await site.diagnose();
    site.configure();
    expect([other.bad(), other.code]).toEqual([['failure identity providers / keys / sign_in.oidc'], 1]);
    expect(other.found('identity providers', 'keys', 'sign_in.oidc')).toMatch(/^failure: address: status 404/);
    expect(away.found('identity providers', 'keys', 'sign_in.oidc')).toMatch(
      /^failure: address: the connection failed: ECONNREFUSED/,
    );
  });

  it('checks revocation and mounts: an overdue CRL; unavailable distribution points, responders and keys', async () => {
    const root = createRoot({ subject: 'CA of devices' });
    let crl = root.crl({ revoked: [1n] });
    const point = createServer((_request, response) => response.end(crl.der));
    const url = `http://127.0.0.1:${await listen(point)}/ca.crl`;
    const port = await freePort();
    const revocation = 'revocation: { allowed_addresses: [127.0.0.1] }';
    site.configure(revocation, `{ address: "127.0.0.1:${port}", services: [access], plain_http: true }`);
    const server = site.start(['serve']);
    await server.ready();
    const write = (path: string, body: object) =>
      fetch(`http://127.0.0.1:${port}/v1/${path}`, {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: { 'x-vault-token': rootToken, 'content-type': 'application/json' },
      });
    expect((await write('auth/cert/crls/fetched', { url })).status).toBe(204);
    crl = root.crl({ thisUpdate: new Date(now - 2 * DAY), nextUpdate: new Date(now - 3 * 3_600_000) });
    expect((await write('auth/cert/crls/old', { crl: crl.pem, on_stale: 'refuse' })).status).toBeLessThan(300);
    const responder = `http://127.0.0.1:${await freePort()}/ocsp`;
    const role = { certificate: root.pem, ocsp_enabled: true, ocsp_servers_override: [responder] };
    expect((await write('auth/cert/certs/devices', role)).status).toBeLessThan(300);
    expect((await write('sys/auth/jwt', { type: 'jwt' })).status).toBe(204);
    const keys = { jwks_url: `http://127.0.0.1:${await freePort()}/keys`, skip_jwks_validation: true };
    expect((await write('auth/jwt/config', keys)).status).toBeLessThan(300);
    const works = await site.diagnose();
    server.signal('SIGTERM');
    await server.ended();
    expect(works.bad()).toEqual([
      'failure revocation / lists / cert/old',
      'failure revocation / addresses / responder of cert/devices',
      'failure identity providers / keys / mount jwt',
    ]);
    expect(works.found('revocation', 'lists', 'cert/old')).toMatch(
      /^failure: overdue for 3\.0 h: certificates of its issuer are refused/,
    );
    expect(works.found('revocation', 'lists', 'cert/fetched')).toMatch(
      /^success: 0\.0 h old, the next one is due in 2[34]\.\d h/,
    );
    const address = (said: Diagnosed) => said.found('revocation', 'addresses', 'CRL cert/fetched');
    const shown = new URL(url).origin;
    expect(address(works)).toBe(`success: it answers with status 200 | ${shown}/[redacted]`);
    point.closeAllConnections();
    point.close();
    const away = await site.diagnose();
    expect(address(away)).toMatch(/^failure: cannot be reached: network/);
    site.configure();
    const denied = await site.diagnose();
    expect(address(denied)).toMatch(/^failure: cannot be reached: denied/);
  });

  it('checks backups: whether one exists, and the result of the last one', async () => {
    const own = new Diagnosable();
    await own.init();
    expect((await own.diagnose()).found('backups', 'age')).toMatch(/^skipped: the server makes no backups/);
    mkdirSync(own.at('backups'));
    own.configure('backup: { schedule: 6h, destination: backups }');
    expect((await own.diagnose()).bad()).toEqual(['warning backups / age']);
    expect((await own.start(['backup', 'create']).ended()).code).toBe(0);
    expect((await own.diagnose()).found('backups', 'age')).toBe('success: the last one is 0 h old');
    rmSync(own.at('backups'), { recursive: true });
    expect((await own.start(['backup', 'create']).ended()).code).toBe(1);
    const { bad, found } = await own.diagnose();
    own.remove();
    expect(bad()).toEqual(['failure backups / age']);
    expect(found('backups', 'age')).toBe('failure: the last one failed');
  });
});
