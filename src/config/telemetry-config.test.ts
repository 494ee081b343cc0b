import { describe, expect, it } from 'vitest';
import { loadConfig } from './index.ts';

const BASE = {
  listeners: [{ address: '127.0.0.1:0', services: ['access'], plain_http: true }],
  storage: { type: 'sqlite', directory: 'data' },
  keyring_file: 'keyring.json',
};
const load = (more: object, environment = {}) =>
  loadConfig({ file: JSON.stringify({ ...BASE, ...more }), environment, flags: [] }, '/etc/lockkeeper');
const sink = (one: object) => load({ audit: { sinks: [one] } }).auditSinks?.[0];

describe('sinks of the audit record', () => {
  it('of syslog over TLS and of HTTP have a buffer, and files beside the configuration', () => {
    const tls = { authorities_file: 'ca.pem', certificate_file: 'own.pem', private_key_file: 'own.key' };
    expect(
      sink({ type: 'syslog', address: 'tls://logs.example.com:6514', buffer_directory: 'waiting', ...tls }),
    ).toEqual({
      type: 'syslog',
      address: { transport: 'tls', host: 'logs.example.com', port: 6514 },
      facility: 'auth',
      collected: {
        directory: '/etc/lockkeeper/waiting',
        mostBytes: 1_073_741_824,
        authoritiesFile: '/etc/lockkeeper/ca.pem',
        certificate: { file: '/etc/lockkeeper/own.pem', keyFile: '/etc/lockkeeper/own.key' },
      },
    });
    const http = {
      type: 'http',
      url: 'https://logs.example.com/in',
      token_file: 't',
      buffer_directory: 'b',
      buffer_size: 8,
    };
    expect(sink(http)).toEqual({
      ...{ type: 'http', url: 'https://logs.example.com/in', tokenHeader: 'Authorization', gzip: false },
      collected: { directory: '/etc/lockkeeper/b', mostBytes: 8_388_608, token: { file: '/etc/lockkeeper/t' } },
    });
  });

  it.each([
    [{ type: 'syslog', address: 'tls://h:1' }, 'audit.sinks[0].buffer_directory: missing'],
    [{ type: 'http', url: 'https://h/' }, 'audit.sinks[0].buffer_directory: missing'],
    [{ type: 'http', buffer_directory: 'b' }, 'audit.sinks[0].url: missing'],
    [{ type: 'syslog', address: 'udp://h:1', buffer_directory: 'b' }, 'buffer_directory: found beside udp'],
    [{ type: 'syslog', address: 'tcp://h:1', buffer_size: 10 }, 'buffer_size: found beside no buffer_directory'],
    [
      { type: 'syslog', address: 'tcp://h:1', authorities_file: 'x', buffer_directory: 'b' },
      'authorities_file: found beside tcp',
    ],
    [{ type: 'file', path: 'x', url: 'https://h/' }, 'url: found beside type file'],
    [
      { type: 'http', url: 'http://h/', buffer_directory: 'b', authorities_file: 'x' },
      'found beside a URL without TLS',
    ],
    [
      { type: 'http', url: 'https://h/', buffer_directory: 'b', token: 'a', token_file: 'b' },
      'token: found beside token_file',
    ],
    [{ type: 'http', url: 'https://h/', buffer_directory: 'b', certificate_file: 'x' }, 'private_key_file: missing'],
    [{ type: 'http', url: 'https://h/', buffer_directory: 'b', token: 'one\ntwo' }, 'token: found something else'],
  ])('%j is refused', (one, text) => {
    expect(() => sink(one)).toThrow(text);
  });

  it('have folders of their own', () => {
    const one = { type: 'http', url: 'https://h/', buffer_directory: 'b' };
    expect(() => load({ audit: { sinks: [one, { ...one, url: 'https://other/' }] } })).toThrow(
      'audit.sinks[1].buffer_directory: found the folder of audit.sinks[0]',
    );
  });
});

describe('rate limits and traces', () => {
  it('are off unless they are set', () => {
    const { rateLimits, tracing } = load({});
    expect([rateLimits, tracing]).toEqual([undefined, undefined]);
    expect(load({ rate_limits: { workspaces: 30, failed_logins: 5 } }).rateLimits).toEqual({
      workspaces: 30,
      failedLogins: 5,
    });
  });

  it('have the collector and its token from the environment too', () => {
    const environment = { LOCKKEEPER_TRACING_OTLP_ENDPOINT: 'http://127.0.0.1:4318', LOCKKEEPER_TRACING_TOKEN: 'abc' };
    expect(load({}, environment).tracing).toEqual({
      ...{ endpoint: 'http://127.0.0.1:4318', sampleRatio: 1, tokenHeader: 'Authorization', token: { text: 'abc' } },
    });
  });

  it.each([
    [{ rate_limits: { workspaces: 3 } }, 'rate_limits.workspaces: found 3'],
    [{ rate_limits: { requests: 1 } }, 'rate_limits.requests: unknown key'],
    [{ tracing: { otlp_endpoint: 'localhost:4318' } }, 'tracing.otlp_endpoint: found "localhost:4318"'],
    [{ tracing: { otlp_endpoint: 'http://h', sample_ratio: 2 } }, 'tracing.sample_ratio: found 2'],
    [{ tracing: { otlp_endpoint: 'http://h', token: 'a', token_file: 'b' } }, 'tracing.token: found beside token_file'],
    [{ tracing: {} }, 'tracing.otlp_endpoint: missing'],
  ])('%j is refused', (more, text) => {
    expect(() => load(more)).toThrow(text);
  });
});
