import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { mintOcspFailure, OCSP_OID, ocspAccess } from '../../test/support/ocsp.ts';
import {
  createTestClient,
  DEFAULTS,
  deadUrl,
  forger,
  issuer,
  leaf,
  mint,
  type React,
  saying,
  startResponder,
  stopResponders,
  type TestClientOptions,
} from '../../test/support/ocsp-responder.ts';
import { createGuardedFetch } from '../outbound/guarded-fetch.ts';
import * as der from '../pki/der.ts';
import { createRoot } from '../pki/index.ts';
import { Certificate } from '../x509/index.ts';
import { createOcspClient, type OcspSettings } from './ocsp-client.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

afterEach(stopResponders);

/** Returns the verdicts of a new client about responders with these reactions, without and with fail-open. */
async function outcomes(
  reactions: readonly React[],
  settings: Partial<OcspSettings> = {},
  timing: TestClientOptions = {},
) {
  const started = await Promise.all(reactions.map((react) => startResponder(react)));
  const serversOverride = started.map(({ url }) => url);
  const closed = await createTestClient(timing).check({ serversOverride, ...settings });
  const open = await createTestClient(timing).check({ serversOverride, ...settings, failOpen: true });
  return { closed: closed.outcome, open: open.outcome, actual: closed.actual };
}

const PASS = { closed: 'passed', open: 'passed' };
const FORGIVEN = { closed: 'refused', open: 'passed' };
const REFUSED = { closed: 'refused', open: 'refused' };

describe('one responder', () => {
  test('that answers good allows the login', async () => {
    expect(await outcomes([saying()])).toMatchObject(PASS);
  });

  test('that answers revoked refuses the login, whatever the other settings are', async () => {
    const found = await outcomes([saying({ status: { revokedAt: new Date(), reason: 1 } })]);
    expect(found).toMatchObject(REFUSED);
    expect(found.actual).toMatch(/revoked at \S+ \(keyCompromise\)$/);
  });

  test.each<[string, React]>([
    ['does not know the certificate', saying({ status: 'unknown' })],
    ['answers tryLater', () => mintOcspFailure(3)],
    ['answers internalError', () => mintOcspFailure(2)],
    ['answers with status 500', () => 500],
    ['answers with status 503', () => 503],
    ['breaks the connection', () => 'reset'],
  ])('that %s is tolerated only with fail-open', async (_, react) => {
    expect(await outcomes([react])).toMatchObject(FORGIVEN);
  });

  test('that never answers is tolerated only with fail-open', async () => {
    expect(await outcomes([() => 'hang'], {}, { perTry: 50 })).toMatchObject(FORGIVEN);
  });

  test('that is down is tolerated only with fail-open', async () => {
    const serversOverride = [await deadUrl()];
    expect(await createTestClient().check({ serversOverride })).toMatchObject({
      outcome: 'refused',
      expected: 'good, from one responder',
      actual: `${serversOverride[0]}: network: the connection failed: ECONNREFUSED`,
    });
    expect(await createTestClient().check({ serversOverride, failOpen: true })).toMatchObject({ outcome: 'passed' });
  });

  test.each<[string, React]>([
    ['signs with another key', saying({ signer: forger })],
    ['is not authorised', saying({ signer: leaf, embedded: [leaf] })],
    ['answers about another certificate', saying({ certificate: issuer.issue() })],
    [
      'sends an expired response',
      saying({ thisUpdate: new Date(Date.now() - HOUR), nextUpdate: new Date(Date.now() - MINUTE) }),
    ],
    ['sends a response from the future', saying({ thisUpdate: new Date(Date.now() + HOUR) })],
    [
      'sends an expired response with a revocation',
      saying({ status: 'revoked', nextUpdate: new Date(Date.now() - MINUTE) }),
    ],
    ['sends something other than an OCSP response', () => Buffer.from('<html>')],
    ['sends bytes after the end', () => Buffer.concat([mint(), Buffer.from([0])])],
    ['sends more than 64 KiB', () => Buffer.alloc(65_537)],
    ['answers unauthorized', () => mintOcspFailure(6)],
    ['answers malformedRequest', () => mintOcspFailure(1)],
    ['answers with status 404', () => 404],
    ['redirects', () => 302],
  ])('that %s is never tolerated', async (_, react) => {
    expect(await outcomes([react])).toMatchObject(REFUSED);
  });

  test('at a denied IP address is never tolerated', async () => {
    const { url } = await startResponder(saying());
    const client = createOcspClient({ fetch: createGuardedFetch(), clock: Date.now, cacheSize: 2 });
    const settings = { ...DEFAULTS, serversOverride: [url], failOpen: true };
    const [verdict] = await client.check(Certificate.parse(leaf.der), Certificate.parse(issuer.der), settings);
    expect(verdict).toMatchObject({ outcome: 'refused' });
    expect(verdict?.actual).toContain('denied: 127.0.0.1 leads to the denied address 127.0.0.1');
  });
});

describe('a question', () => {
  test('gets a GET with the request in base64 in the path', async () => {
    const { url, requests } = await startResponder(saying());
    await createTestClient().check({ serversOverride: [`${url}/ocsp/`] });
    expect(requests).toEqual([expect.stringMatching(/^GET \/ocsp\/[A-Za-z0-9%]+$/)]);
    const path = decodeURIComponent(requests[0]?.slice('GET /ocsp/'.length) ?? '');
    expect(Buffer.from(path, 'base64')).toEqual(expectedRequest());
  });

  test('gets a POST if GET has no conclusive result', async () => {
    const good = mint();
    const onlyPost: React[] = [404, 405, 500, mintOcspFailure(1), mintOcspFailure(3)].map(
      (reaction) => (request: IncomingMessage) => (request.method === 'GET' ? reaction : good),
    );
    for (const react of onlyPost) expect(await outcomes([react])).toMatchObject(PASS);
    const { url, requests, types } = await startResponder(onlyPost[0] as React);
    await createTestClient().check({ serversOverride: [url] });
    expect(requests[1]).toBe('POST /');
    expect(types[1]).toBe('application/ocsp-request');
  });

  test('gets a POST if the request is too long for a URL', async () => {
    const certificate = issuer.issue({ serial: 2n ** 1600n });
    const { url, requests } = await startResponder(saying({ certificate }));
    expect(await createTestClient().check({ serversOverride: [url] }, certificate)).toMatchObject({
      outcome: 'passed',
    });
    expect(requests).toEqual(['POST /']);
  });

  test('that sends an invalid answer to GET needs a valid one to POST', async () => {
    const [good, forged] = [mint(), mint({ signer: forger })];
    expect(await outcomes([({ method }) => (method === 'GET' ? forged : good)])).toMatchObject(PASS);
    expect(await outcomes([({ method }) => (method === 'GET' ? forged : 503)])).toMatchObject(REFUSED);
  });

  test('is taken from the certificate, unless the role configures others', async () => {
    const named = await startResponder(() => mint({ certificate }));
    const other = await startResponder(() => mint({ certificate }));
    const certificate = issuer.issue({ extensions: [ocspAccess('http://127.0.0.1:1/', named.url)] });
    const client = createTestClient();
    expect(await client.check({}, certificate)).toMatchObject({ outcome: 'passed' });
    expect([named.requests.length, other.requests.length]).toEqual([1, 0]);
    expect(await client.check({ serversOverride: [other.url] }, certificate)).toMatchObject({ outcome: 'passed' });
    expect([named.requests.length, other.requests.length]).toEqual([1, 1]);
  });

  test('is missing: the login is refused, with or without fail-open', async () => {
    expect(await createTestClient().check({ failOpen: true })).toMatchObject({
      outcome: 'refused',
      actual: 'no responder: neither the certificate nor the role names one',
    });
  });

  test('cannot be asked about a certificate without an issuer: refused, with or without fail-open', async () => {
    const settings = { serversOverride: ['http://127.0.0.1:1/'], failOpen: true };
    expect(await createTestClient().check(settings, leaf, null)).toMatchObject({
      outcome: 'refused',
      actual: 'the issuer of the certificate is unknown',
    });
  });

  test('cannot be read from the certificate: refused, with or without fail-open', async () => {
    const oid = OCSP_OID.authorityInformationAccess;
    const certificate = issuer.issue({ extensions: [{ oid, value: der.nullValue() }] });
    expect(await createTestClient().check({ failOpen: true }, certificate)).toMatchObject({ outcome: 'refused' });
  });

  test('may be one that the role trusts, also for old responses', async () => {
    const own = createRoot({ subject: 'Own responder' });
    const react = saying({ signer: own, thisUpdate: new Date(Date.now() - 2 * HOUR) });
    const responderCertificates = [Certificate.parse(own.der)];
    expect(await outcomes([react])).toMatchObject(REFUSED);
    expect(await outcomes([react], { responderCertificates })).toMatchObject(PASS);
    expect(await outcomes([react], { responderCertificates, thisUpdateMaxAge: 3600 })).toMatchObject(REFUSED);
    expect(await outcomes([react], { responderCertificates, thisUpdateMaxAge: 3 * 3600 })).toMatchObject(PASS);
  });
});

describe('a responder over https', () => {
  const own = createRoot({ subject: 'Own authority' });
  const server = own.issue({ ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });

  test('is asked if a CA that the role trusts signed its certificate', async () => {
    const { url } = await startResponder(saying(), server);
    const settings = { serversOverride: [url], responderCertificates: [Certificate.parse(own.der)] };
    expect(await createTestClient().check(settings)).toMatchObject({ outcome: 'passed' });
  });

  test('counts as unreachable if no CA signed its certificate', async () => {
    const { url } = await startResponder(saying(), server);
    const verdict = await createTestClient().check({ serversOverride: [url] });
    expect(verdict).toMatchObject({ outcome: 'refused' });
    expect(verdict.actual).toContain('network: the connection failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });
});

describe('several responders', () => {
  const good = saying();
  const revoked = saying({ status: 'revoked' });
  const unknown = saying({ status: 'unknown' });
  const forged = saying({ signer: forger });
  const down: React = () => 503;

  test.each<[string, React[], object]>([
    ['the first decides: good', [good, revoked], PASS],
    ['the first decides: revoked', [revoked, good], REFUSED],
    ['one that is down is skipped', [down, good], PASS],
    ['one without knowledge is skipped', [unknown, good], PASS],
    ['one without knowledge is skipped, and the next says revoked', [unknown, revoked], REFUSED],
    ['an invalid answer does not count, and a valid one does', [forged, good], PASS],
    ['an invalid answer followed by no answer is an error', [forged, down], REFUSED],
    ['no answer followed by an invalid one is an error', [down, forged], REFUSED],
    ['no answer at all is tolerated', [down, unknown], FORGIVEN],
  ])('in order: %s', async (_, reactions, expected) => {
    expect(await outcomes(reactions)).toMatchObject(expected);
  });

  test.each<[string, React[], object]>([
    ['all say good', [good, good], PASS],
    ['one says revoked', [good, revoked], REFUSED],
    ['one says revoked and others are down', [down, revoked, unknown], REFUSED],
    ['one does not know', [good, unknown], FORGIVEN],
    ['one is down', [good, down], FORGIVEN],
    ['one sends an invalid answer', [good, forged], REFUSED],
  ])('all of them: %s', async (_, reactions, expected) => {
    expect(await outcomes(reactions, { queryAllServers: true })).toMatchObject(expected);
  });

  test('that must all agree are asked in parallel', async () => {
    const { promise: bothAsked, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    const waiting: React = async () => {
      asked += 1;
      if (asked === 2) resolve();
      await bothAsked;
      return mint();
    };
    expect(await outcomes([waiting, waiting], { queryAllServers: true })).toMatchObject(PASS);
  });

  test('that hang leave time for the next', async () => {
    expect(await outcomes([() => 'hang', good], { maxRetries: 4 }, { perTry: 100 })).toMatchObject(PASS);
  });
});

function expectedRequest(): Buffer {
  const [one] = mintedCertIds();
  return der.sequence(der.sequence(der.sequence(der.sequence(one))));
}

/** Returns the CertID of a minted response, which has the same form as in a request. */
function mintedCertIds(): [Buffer] {
  const response = mint();
  const start = response.indexOf(Buffer.from('300906052b0e03021a0500', 'hex'));
  const end = response.indexOf(der.integer(leaf.serial)) + der.integer(leaf.serial).length;
  return [der.sequence(response.subarray(start, end))];
}
