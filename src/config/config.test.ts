import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CHAIN_MEMORY } from '../server/peer/peer-budget.ts';
import { type Config, loadConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

const FILE = `
listeners:
  - address: 0.0.0.0:8200
    services: [access, workspaces]
    tls: { certificate_file: tls/server.pem, private_key_file: tls/server.key }
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
`;

function load(file: string, environment: Record<string, string> = {}, flags: string[] = []): Config {
  return loadConfig({ file, environment, flags }, '/etc/lockkeeper');
}

function refusal(file: string, environment: Record<string, string> = {}, flags: string[] = []): string {
  try {
    load(file, environment, flags);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('a configuration', () => {
  it('fills in defaults and resolves paths against the folder of the file', () => {
    const config = load(FILE);
    expect(config.listeners).toEqual([
      {
        host: '0.0.0.0',
        port: 8200,
        services: ['access', 'workspaces', 'console'],
        tls: {
          certificateFile: '/etc/lockkeeper/tls/server.pem',
          privateKeyFile: '/etc/lockkeeper/tls/server.key',
          minVersion: 'TLSv1.2',
        },
        requestClientCertificate: true,
      },
    ]);
    expect(config.storage).toEqual({ type: 'sqlite', directory: '/etc/lockkeeper/data' });
    expect(config.access.maxTokenTtl).toBe(768 * 3600);
    expect(config.limits.chainMemory).toEqual(DEFAULT_CHAIN_MEMORY);
  });

  it.each([
    ['[access]', '', ['access', 'console']],
    ['[workspaces, metrics]', '', ['workspaces', 'metrics', 'console']],
    ['[console, access]', '', ['console', 'access']],
    ['[access, workspaces]', 'console: false', ['access', 'workspaces']],
    ['[metrics]', '', ['metrics']],
    ['[metrics]', 'console: true', ['metrics']],
  ])('services %s %s serve %j', (services, more, expected) => {
    const file = FILE.replace('[access, workspaces]', services).replace('    tls:', `    ${more}\n    tls:`);
    expect(load(file).listeners[0]?.services).toEqual(expected);
  });

  it.each([
    ['[console]', '', 'listeners[0].services: found only console; allowed: console beside access or workspaces'],
    ['[console, access]', 'console: false', 'listeners[0].console: found false beside console in services'],
  ])('services %s %s are refused', (services, more, expected) => {
    const file = FILE.replace('[access, workspaces]', services).replace('    tls:', `    ${more}\n    tls:`);
    expect(refusal(file)).toContain(expected);
  });

  it('takes a variable without the white space that files and shells leave around it', () => {
    const environment = { LOCKKEEPER_LOG_LEVEL: 'warn\n', LOCKKEEPER_STORAGE_DIRECTORY: ' /srv/data\r\n' };
    expect(load(FILE, environment)).toMatchObject({ logLevel: 'warn', storage: { directory: '/srv/data' } });
  });

  it('lets the environment win over the file, and a flag over both', () => {
    const environment = { LOCKKEEPER_LOG_LEVEL: 'warn', LOCKKEEPER_STORAGE_DIRECTORY: '/srv/data' };
    expect(load(FILE, environment).logLevel).toBe('warn');
    expect(load(FILE, environment).storage).toEqual({ type: 'sqlite', directory: '/srv/data' });
    expect(load(FILE, environment, ['log.level=error']).logLevel).toBe('error');
  });

  it('reads where responders may be from file, environment and flag', () => {
    const file = `${FILE}revocation: { allowed_addresses: [OCSP.example.com., 10.0.0.0/8, 127.0.0.1/32, '::1'] }\n`;
    expect(load(file).allowedAddresses).toEqual(['ocsp.example.com', '10.0.0.0/8', '127.0.0.1', '::1']);
    const environment = { LOCKKEEPER_REVOCATION_ALLOWED_ADDRESSES: 'a.example, 127.0.0.1' };
    expect(load(file, environment).allowedAddresses).toEqual(['a.example', '127.0.0.1']);
    expect(load(file, environment, ['revocation.allowed_addresses=b.example']).allowedAddresses).toEqual(['b.example']);
    expect(load(FILE, {}, ['revocation.denied_addresses=']).deniedAddresses).toEqual([]);
    for (const bad of ['http://a.example', 'a.example:80', '*.example', '10.0.0.0/33', '127.1']) {
      expect(refusal(FILE, {}, [`revocation.allowed_addresses=${bad}`])).toBe(
        `revocation.allowed_addresses: found "${bad}"; allowed: host names, IP addresses and CIDR blocks`,
      );
    }
    expect(refusal(`${FILE}revocation: { allowed_addresses: 7 }\n`)).toContain('revocation.allowed_addresses: found 7');
  });

  it('leaves names of the environment alone that are read elsewhere', () => {
    expect(() => load(FILE, { LOCKKEEPER_DEV_ROOT_TOKEN: 'x', LOCKKEEPER_ADDR: 'y', PATH: '/bin' })).not.toThrow();
  });
});

describe('the audit section', () => {
  const audit = (text: string) => `${FILE}audit: ${text}\n`;

  it('has a short form for one file, also in the environment', () => {
    expect(load(audit('{ file: audit.log }')).auditFile).toBe('/etc/lockkeeper/audit.log');
    expect(load(FILE, { LOCKKEEPER_AUDIT_FILE: '/var/log/audit' })).toMatchObject({ auditFile: '/var/log/audit' });
    expect(load(FILE)).not.toHaveProperty('auditFile');
  });

  it('lists sinks, each with what belongs to its type', () => {
    const sinks = `{ sinks: [
      { type: file, path: audit.log },
      { type: stdout },
      { type: syslog, address: "udp://logs.example.com:514" },
      { type: syslog, address: "tcp://[::1]:601", facility: local3 },
      { type: syslog, address: "unix:///run/log.sock" } ] }`;
    expect(load(audit(sinks)).auditSinks).toEqual([
      { type: 'file', path: '/etc/lockkeeper/audit.log' },
      { type: 'stdout' },
      { type: 'syslog', address: { transport: 'udp', host: 'logs.example.com', port: 514 }, facility: 'auth' },
      { type: 'syslog', address: { transport: 'tcp', host: '::1', port: 601 }, facility: 'local3' },
      { type: 'syslog', address: { transport: 'unix', path: '/run/log.sock' }, facility: 'auth' },
    ]);
  });

  it.each([
    ['{ sinks: [{ type: file }] }', 'audit.sinks[0].path: missing; allowed: a path'],
    ['{ sinks: [{ type: syslog }] }', 'audit.sinks[0].address: missing; allowed: udp://HOST:PORT, tcp:'],
    ['{ sinks: [{ type: stdout, path: x }] }', 'audit.sinks[0].path: found beside type stdout; allowed: none'],
    ['{ sinks: [{ type: file, path: x, facility: auth }] }', 'audit.sinks[0].facility: found beside type file'],
    ['{ sinks: [{ type: journal }] }', 'audit.sinks[0].type: found "journal"; allowed: file, stdout, syslog'],
    ['{ sinks: [{ path: x }] }', 'audit.sinks[0].type: missing; allowed: file, stdout, syslog'],
    ['{ sinks: [{ type: syslog, address: "logs:514" }] }', 'audit.sinks[0].address: found "logs:514"; allowed: udp://'],
    ['{ sinks: [{ type: syslog, address: "tcp://logs:99999" }] }', 'audit.sinks[0].address: found "logs:99999"'],
  ])('refuses %s', (text, expected) => {
    expect(refusal(audit(text))).toContain(expected);
  });
});

describe('a refusal names the key, what was found and what is allowed', () => {
  it.each([
    ['an unknown key', `${FILE}storrage: 1\n`, /^storrage: unknown key; allowed: listeners, storage, keyring_file/],
    [
      'a bad choice',
      FILE.replace('type: sqlite', 'type: mysql'),
      'storage.type: found "mysql"; allowed: sqlite, postgres',
    ],
    ['a missing key', FILE.replace(/keyring_file.*/, ''), 'keyring_file: missing; allowed: a path'],
    [
      'a key inside a list',
      FILE.replace('services:', 'service:'),
      /listeners\[0\]\.service: unknown key; allowed: address, services/,
    ],
    [
      'a wrong type',
      FILE.replace('[access, workspaces]', 'access'),
      /^listeners\[0\]\.services: found "access"; allowed: access, workspaces, console, metrics/,
    ],
    ['a bad address', FILE.replace('0.0.0.0:8200', '8200'), /^listeners\[0\]\.address: found 8200; allowed: HOST:PORT/],
    [
      'a port out of range',
      FILE.replace('0.0.0.0:8200', '0.0.0.0:99999'),
      /^listeners\[0\]\.address: found "0.0.0.0:99999"/,
    ],
    [
      'a bad duration',
      `${FILE}access: { max_token_ttl: soon }\n`,
      /^access.max_token_ttl: found "soon"; allowed: a duration/,
    ],
    ...['http://a.example', 'https://a.example/', 'https://A.example', 'https://a.example/x', 'a.example:443'].map(
      (address): [string, string, RegExp] => [
        `an address that is no origin: ${address}`,
        `${FILE}workspaces: { address: "${address}" }\n`,
        /^workspaces\.address: found ".*"; allowed: https:\/\/HOST or https:\/\/HOST:PORT/,
      ],
    ),
  ])('%s', (_name, file, expected) => {
    expect(refusal(file)).toMatch(expected);
  });

  it('takes the address by which others find the server as it is', () => {
    const { workspaces } = load(`${FILE}workspaces: { address: "https://lockkeeper.example.com:8443" }\n`);
    expect(workspaces?.address).toBe('https://lockkeeper.example.com:8443');
  });

  it('says where the value came from when it was not the file', () => {
    expect(refusal(FILE, { LOCKKEEPER_LOG_LEVEL: 'loud' })).toBe(
      'log.level (from LOCKKEEPER_LOG_LEVEL): found "loud"; allowed: debug, info, warn, error',
    );
    expect(refusal(FILE, {}, ['log.level=loud'])).toMatch('log.level (from --set log.level): found "loud"');
  });

  it('refuses a misspelt name in the environment and a malformed flag', () => {
    expect(refusal(FILE, { LOCKKEEPER_LOGLEVEL: 'warn' })).toMatch(
      /^LOCKKEEPER_LOGLEVEL: unknown; allowed: LOCKKEEPER_STORAGE_TYPE/,
    );
    expect(refusal(FILE, {}, ['log.level'])).toMatch(/expected KEY=VALUE/);
  });

  it('lists everything that is wrong at once', () => {
    const file = `${FILE.replace('type: sqlite', 'type: mysql')}oops: 1\n`;
    expect(refusal(file).split('\n')).toHaveLength(2);
  });

  it('refuses plain HTTP that nobody asked for, and both at once', () => {
    const bare = FILE.replace(/\n {4}tls:.*/, '');
    expect(refusal(bare)).toMatch(/^listeners\[0\]\.tls: missing; allowed: .*plain_http: true/);
    expect(refusal(FILE.replace('services:', 'plain_http: true\n    services:'))).toMatch(
      /^listeners\[0\]\.plain_http/,
    );
    expect(
      load(bare.replace('services:', 'plain_http: true\n    services:')).listeners[0]?.requestClientCertificate,
    ).toBe(false);
  });

  it('believes proxies only with their addresses', () => {
    const forwarded = (text: string) =>
      FILE.replace('services:', `forwarded_client_certificates: ${text}\n    services:`);
    expect(
      load(forwarded('{ trusted_proxies: [10.0.0.0/8, 127.0.0.1/32], format: envoy }')).listeners[0]?.forwarded,
    ).toEqual({
      trustedProxies: ['10.0.0.0/8', '127.0.0.1'],
      format: 'envoy',
    });
    expect(
      load(forwarded('{ trusted_proxies: [10.0.0.1], format: haproxy, header: X-Cert, chain_header: X-Cert-Chain }'))
        .listeners[0]?.forwarded,
    ).toEqual({ trustedProxies: ['10.0.0.1'], format: 'haproxy', header: 'x-cert', chainHeader: 'x-cert-chain' });
    const named = (text: string) => refusal(forwarded(`{ trusted_proxies: [10.0.0.1], ${text} }`));
    expect(named('format: rfc9440, header: Authorization')).toMatch(/header: found "Authorization"; allowed: a header/);
    expect(named('format: caddy, chain_header: X-Cert')).toMatch(/chain_header: found with format caddy/);
    expect(named('format: google, header: X-Cert, chain_header: x-cert')).toMatch(/chain_header: found the name of/);
    expect(refusal(forwarded('{ format: envoy }'))).toMatch(/trusted_proxies: missing; allowed: IP addresses/);
    expect(refusal(forwarded('{ trusted_proxies: [], format: envoy }'))).toMatch(/trusted_proxies: found \[\]/);
    expect(refusal(forwarded('{ trusted_proxies: [proxy], format: envoy }'))).toMatch(
      /trusted_proxies: error parsing address "proxy"/,
    );
  });

  it('refuses text that is not YAML, duplicate keys and alias bombs', () => {
    expect(refusal('a: [')).toMatch(/not valid YAML/);
    expect(refusal('[1]')).toMatch(/expected a mapping/);
    expect(refusal(`${FILE}keyring_file: b\n`)).toMatch(/not valid YAML: Map keys must be unique/);
  });
});

describe('workers', () => {
  const postgres = FILE.replace(
    'type: sqlite, directory: data',
    'type: postgres, url: postgres://db/lk, blob_directory: b',
  );
  const workers = (file: string, environment = {}) => load(file, environment).workers;

  it('are as many as there are cores on PostgreSQL, and one on SQLite', () => {
    expect(workers(postgres)).toBe(availableParallelism());
    expect(workers(`${postgres}workers: auto\n`)).toBe(availableParallelism());
    expect([workers(FILE), workers(`${FILE}workers: auto\n`), workers(`${FILE}workers: 1\n`)]).toEqual([1, 1, 1]);
  });

  it('are as many as the file or the environment says', () => {
    expect(workers(`${postgres}workers: 3\n`)).toBe(3);
    expect(workers(postgres, { LOCKKEEPER_WORKERS: '4' })).toBe(4);
  });

  it.each([
    ['several on SQLite', `${FILE}workers: 2\n`, 'workers: found 2 beside storage.type sqlite; allowed: auto, 1'],
    ['none', `${postgres}workers: 0\n`, 'workers: found 0; allowed: auto, 1 to 128'],
    ['another word', `${postgres}workers: many\n`, 'workers: found "many"; allowed: auto, 1 to 128'],
  ])('are refused: %s', (_, file, reason) => expect(refusal(file)).toContain(reason));

  it.each([
    [1, 10, 10],
    [2, 10, 5],
    [3, 16, 5],
    // No worker waits for a single slow query.
    [8, 10, 4],
    [8, 2, 2],
  ])('%s of them share a pool of %s: %s each', (count, size, each) => {
    const { storage } = load(
      `${postgres.replace('blob_directory', `pool_size: ${size}, blob_directory`)}workers: ${count}\n`,
    );
    expect(storage).toMatchObject({ poolSize: each });
  });
});

describe('a bucket for states', () => {
  const withBlobs = (blobs: string, more = '') =>
    FILE.replace('directory: data', `directory: data${more}, blobs: { ${blobs} }`);
  const bucket = 'type: s3, bucket: states, region: eu-central-1';

  it('needs a name and a region, and is otherwise what AWS says', () => {
    expect(load(withBlobs(bucket)).storage).toEqual({
      type: 'sqlite',
      directory: '/etc/lockkeeper/data',
      blobs: { type: 's3', bucket: 'states', region: 'eu-central-1', prefix: '', forcePathStyle: false },
    });
  });

  it('takes a server of its own, and credentials from a file or from the environment', () => {
    const own = `${bucket}, endpoint: 'http://[::1]:9000', prefix: lockkeeper/, force_path_style: true, access_key_id: me`;
    const storage = { endpoint: 'http://[::1]:9000', prefix: 'lockkeeper/', forcePathStyle: true };
    const secretAccessKey = { file: '/etc/lockkeeper/s3.secret' };
    expect(load(withBlobs(`${own}, secret_access_key_file: s3.secret`)).storage.blobs).toMatchObject({
      ...storage,
      credentials: { accessKeyId: 'me', secretAccessKey },
    });
    const environment = { LOCKKEEPER_STORAGE_BLOBS_SECRET_ACCESS_KEY: 'hidden' };
    expect(load(withBlobs(own), environment).storage.blobs).toMatchObject({
      credentials: { accessKeyId: 'me', secretAccessKey: { text: 'hidden' } },
    });
  });

  it('takes the place of the directory that PostgreSQL needs', () => {
    const postgres = FILE.replace('type: sqlite, directory: data', 'type: postgres, url: postgres://db/lk');
    expect(refusal(postgres)).toMatch(
      /^storage.blob_directory: missing; allowed: a directory that all nodes share, or storage.b/,
    );
    const bucketed = postgres.replace('db/lk', `db/lk, blobs: { ${bucket} }`);
    expect(load(bucketed).storage).toMatchObject({ type: 'postgres', blobs: { bucket: 'states' } });
  });

  it.each([
    [
      'beside a directory',
      withBlobs(bucket, ', blob_directory: b'),
      'storage.blob_directory: found beside storage.blobs',
    ],
    ['without a region', withBlobs('type: s3, bucket: states'), 'storage.blobs.region: missing'],
    ['with a key without its secret', withBlobs(`${bucket}, access_key_id: me`), 'secret_access_key_file: missing'],
    ['with a secret of nobody', withBlobs(`${bucket}, secret_access_key: a`), 'storage.blobs.access_key_id: missing'],
    [
      'with two secrets',
      withBlobs(`${bucket}, access_key_id: me, secret_access_key: a, secret_access_key_file: f`),
      'found beside secret_access_key_file',
    ],
    [
      'with a user in its address',
      withBlobs(`${bucket}, endpoint: 'https://me:x@s3'`),
      'storage.blobs.endpoint: found',
    ],
    ['with a prefix that is no folder', withBlobs(`${bucket}, prefix: a`), 'storage.blobs.prefix: found "a"'],
  ])('is refused %s', (_, file, reason) => expect(refusal(file)).toContain(reason));

  it.each([
    ['the secret of a bucket', withBlobs(`${bucket}, access_key_id: me, secret_access_key: [Hidden1]`)],
    ['the address of a database', FILE.replace('directory: data', 'url: "Hidden1://user:Hidden1@db"')],
  ])('never repeats %s', (_, file) => {
    expect(refusal(file)).toMatch(/: found something else; allowed: /);
    expect(refusal(file)).not.toContain('Hidden1');
  });
});
