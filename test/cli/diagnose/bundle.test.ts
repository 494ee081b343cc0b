import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { list } from 'tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Command } from '../../support/command.ts';
import { Diagnosable } from '../../support/diagnose/diagnosed.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { createRoot } from '../../support/pki.ts';

/** A value that occurs nowhere else. */
const secret = () => randomBytes(12).toString('hex');

async function filesIn(path: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const reading: Promise<void>[] = [];
  await list({
    file: path,
    onReadEntry: (entry) => {
      const parts: Buffer[] = [];
      entry.on('data', (part) => parts.push(part));
      reading.push(
        new Promise((resolve) =>
          entry.on('end', () => resolve(void files.set(entry.path, Buffer.concat(parts).toString()))),
        ),
      );
    },
  });
  await Promise.all(reading);
  return files;
}

describe('lockkeeper diagnose bundle', () => {
  const site = new Diagnosable();
  let server: Command;
  let port: number;
  let tokens: string[];
  const planted: Record<string, string> = {};

  beforeAll(async () => {
    port = await freePort();
    const root = createRoot();
    const { pem, keyPem } = root.issue({ subject: 'localhost', dns: ['localhost'], ips: ['127.0.0.1'] });
    writeFileSync(site.at('server.pem'), pem);
    writeFileSync(site.at('server.key'), keyPem, { mode: 0o600 });
    site.configure(
      '',
      `{ address: "127.0.0.1:${port}", services: [access, workspaces, metrics], tls: { certificate_file: server.pem, private_key_file: server.key } }`,
    );
    tokens = Object.values(await site.init());
    server = site.start(['serve']);
    await server.ready();
  });
  afterAll(() => site.remove());

  const bundle = async (name: string, ...more: string[]) => {
    const ended = await site.start(['diagnose', 'bundle', '--out', site.at(name), ...more]).ended();
    return { ...ended, files: ended.code === 0 ? await filesIn(site.at(name)) : new Map<string, string>() };
  };

  it("contains the settings, the diagnosis, versions and the server's metrics, readable only by its owner", async () => {
    writeFileSync(site.at('server.log'), `${'x'.repeat(2_000_000)}\n{"level":30,"msg":"the last line"}\n`);
    const { code, stdout, stderr, files } = await bundle('first.tar.gz', '--log', site.at('server.log'));
    expect([stderr, code]).toEqual(['', 0]);
    expect(stdout).toMatch(/are in .*first\.tar\.gz\nSecrets were removed/);
    expect(statSync(site.at('first.tar.gz')).mode & 0o777).toBe(0o600);
    expect([...files.keys()]).toEqual([
      ...['diagnosis.json', 'diagnosis.txt', 'versions.json', 'configuration.yaml', 'metrics.txt', 'log.txt'],
    ]);
    expect(files.get('metrics.txt')).toContain('http_requests_total');
    expect(files.get('log.txt')).toBe('{"level":30,"msg":"the last line"}\n');
    expect(JSON.parse(files.get('diagnosis.json') ?? '')).toMatchObject({ version: expect.any(String) });
    expect(parse(files.get('configuration.yaml') ?? '')).toMatchObject({
      storage: { type: 'sqlite', directory: 'data' },
      listeners: [{ address: `127.0.0.1:${port}`, tls: { private_key_file: 'server.key' } }],
    });
  });

  it('refuses to overwrite a file', async () => {
    const before = readFileSync(site.at('first.tar.gz'));
    const { code, stderr } = await bundle('first.tar.gz');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/first\.tar\.gz already exists and is not overwritten/)]);
    expect(readFileSync(site.at('first.tar.gz'))).toEqual(before);
    expect((await bundle('no.tar.gz', '--log', site.at('none'))).stderr).toMatch(/--log: .*none cannot be read/);
  });

  it('contains none of the secrets in the configuration', async () => {
    for (const name of [
      'url',
      'query',
      's3',
      'oidc',
      'unknown',
      'listener',
      'environment',
      'bearer',
      'cookie',
      'json',
      'proxy',
      'github',
      'collector',
      ...['path', 'otlp', 'issuer', 'endpoint', 'webhook'],
    ])
      planted[name] = secret();
    const s3Id = `AKIA${randomBytes(8).toString('hex').toUpperCase()}`;
    const { url, s3, oidc, unknown } = planted;
    site.storage = `
  type: postgres
  url: "postgres://lockkeeper:${url}%40@127.0.0.1:1/db?password=${planted.query}"
  blobs: { type: s3, bucket: states, region: us-east-1, endpoint: "http://127.0.0.1:1", access_key_id: ${s3Id}, secret_access_key: "${s3}" }`;
    site.environment.LOCKKEEPER_TOKEN = `lks.${planted.environment}`;
    writeFileSync(site.at('collector.token'), `${planted.collector}\n`, { mode: 0o600 });
    const settings = `tracing: { otlp_endpoint: "http://127.0.0.1:1/${planted.otlp}", token_file: collector.token }
audit: { sinks: [{ type: http, url: "https://127.0.0.1:1/in/${planted.path}/x?y", buffer_directory: waiting }] }
sign_in: { oidc: { issuer: "https://127.0.0.1:1/${planted.issuer}", client_id: lockkeeper, client_secret: "${oidc}" } }`;
    const listener = readFileSync(site.config, 'utf8').match(/listeners: \[(.*)\]\n/)?.[1];
    site.configure(settings, listener);
    const key = readFileSync(site.at('server.key'), 'utf8');
    const keyring = JSON.parse(readFileSync(site.at('keyring.json'), 'utf8')) as { encryption: object; hash: string };
    const keys = [...Object.values(keyring.encryption), keyring.hash] as string[];
    const jwt = `eyJhbGciOiJFUzI1NiJ9.${Buffer.from(`{"sub":"${secret()}"}`).toString('base64url')}.${secret()}`;
    writeFileSync(
      site.at('server.log'),
      [
        ...tokens.map((token) => `{"msg":"a request with ${token}"}`),
        `GET /v1/x Authorization: Bearer ${planted.bearer}`,
        `{"headers":{"cookie":"__Host-session=${planted.cookie}"},"client_secret":"${planted.json}"}`,
        `connect postgres://somebody:${planted.proxy}@db/x, then https://bucket/x?X-Amz-Signature=${planted.github}`,
        `the url is ${site.storage}`,
        `the key ${key.split('\n')[1]} and ${JSON.stringify(key)}`,
        key,
        ...keys,
        jwt,
        s3Id,
        oidc,
        planted.collector,
        `{"reason":"https://127.0.0.1:1/in/${planted.path}/x?y answered with 403","path":"/in/${planted.path}/x?y"}`,
        `exported to http%3A%2F%2F127.0.0.1%3A1%2F${planted.otlp}, told https://hooks.example.com/services/${planted.webhook}`,
        'and the end',
      ].join('\n'),
    );
    const valid = await bundle('second.tar.gz', '--log', site.at('server.log'));
    // An invalid configuration: an unknown setting, and a URL with a path that it should not have.
    site.configure(
      `${settings}\nacess_token: ${unknown}\nbackup: { s3: { region: a, endpoint: "https://127.0.0.1:1/${planted.endpoint}" } }\n`,
      listener?.replace('services:', `password: ${planted.listener}, services:`),
    );
    const invalid = await bundle('third.tar.gz', '--log', site.at('server.log'));
    const checked = await site.start(['diagnose']).ended();
    const refused = await site.start(['serve']).ended();

    const found = [...valid.files, ...invalid.files].map(([name, text]) => ({ name, text }));
    expect(found.length).toBeGreaterThan(9);
    expect(refused.stderr).toContain('backup.s3.endpoint: found "https://127.0.0.1:1/[redacted]"; allowed: https://');
    const everything = [
      ...found,
      { name: 'diagnose', text: checked.stdout + checked.stderr },
      { name: 'serve', text: refused.stdout + refused.stderr },
    ];
    const keyLines = key.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
    const secrets = [...Object.values(planted), ...keys, ...keyLines, ...tokens, jwt, s3Id];
    expect(secrets.length).toBeGreaterThan(18);
    for (const { name, text } of everything)
      for (const one of secrets) expect(text.includes(one) ? [name, one] : []).toEqual([]);
    // Values that are not secret remain.
    expect(valid.files.get('log.txt')).toMatch(/and the end$/);
    expect(parse(valid.files.get('configuration.yaml') ?? '')).toMatchObject({
      storage: { type: 'postgres', url: '[redacted]', blobs: { bucket: 'states', secret_access_key: '[redacted]' } },
      audit: { sinks: [{ url: 'https://127.0.0.1:1/[redacted]' }] },
      tracing: { otlp_endpoint: 'http://127.0.0.1:1/[redacted]' },
      sign_in: { oidc: { issuer: 'https://127.0.0.1:1/[redacted]', client_secret: '[redacted]' } },
    });
    expect(parse(invalid.files.get('configuration.yaml') ?? '')).toMatchObject({ acess_token: '[redacted]' });
  });
});
