import { type Answer, type CallOptions, call } from '../../support/http.ts';
import { createRoot } from '../../support/pki.ts';
import { type Attack, pause, type Target } from '../support/target.ts';

/**
 * Returns the largest size that the server accepts: tries `most`, then halves it. The test does not know the limits.
 */
async function mostThatIsTaken(most: number, ask: (size: number) => Promise<Answer>): Promise<number> {
  for (let size = most; size > most / 1_000; size = Math.floor(size / 2)) {
    const { status, text } = await ask(size);
    if (status < 300) return size;
    if (status !== 400 && status !== 413) throw new Error(`${status} ${text}`);
  }
  throw new Error('nothing of it is taken');
}

/** Returns a function that sends requests as root to the access API. @throws Error for any status other than 2xx */
function rootOf({ port, ca, rootToken = '' }: Target) {
  const at = { address: `https://127.0.0.1:${port}`, ca };
  const ask = (method: string, path: string, options: CallOptions = {}) =>
    call(at, method, path, { token: rootToken, ...options });
  const must = async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const answer = await ask(method, path, options);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  return { ask, must };
}

const rules = (policy: string, bytes: number): string => {
  const rule = (i: number) => `path "secret/${policy}/team-${i}/+/x*" { capabilities = ["read", "list"] }\n`;
  let text = '';
  for (let i = 0; text.length < bytes; i++) text += rule(i);
  return text.slice(0, text.lastIndexOf('\n', bytes) + 1);
};

/** Writes one of a dozen policies of maximum size in each round, so that the server must parse them again. */
export const largePolicies: Attack = async (target, ready) => {
  const { ask, must } = rootOf(target);
  const write = (name: string, bytes: number) =>
    ask('PUT', `/v1/sys/policies/acl/${name}`, { body: { policy: rules(name, bytes) } });
  const bytes = await mostThatIsTaken(500_000, (size) => write('large-0', size));
  const policies = Array.from({ length: 12 }, (_, i) => `large-${i}`);
  for (const name of policies) await write(name, bytes);
  ready();
  let count = 12;
  const created = (n: number) => ask('POST', '/v1/auth/token/create', { body: { policies: policies.slice(0, n) } });
  for (let round = 0; ; round++) {
    await write(`large-${round % 12}`, bytes - round);
    const { status, body } = await created(count);
    if (status === 400 || status === 403) {
      count = Math.max(1, count - 1);
      continue;
    }
    const token = body.auth.client_token;
    await ask('GET', '/v1/auth/token/lookup-self', { token });
    await must('POST', '/v1/auth/token/revoke', { body: { token } });
    await pause(20);
  }
};

/** Compares hundreds of names with thousands of patterns. */
export const manyPatterns: Attack = async (target, ready) => {
  const { ask } = rootOf(target);
  const root = createRoot({ subject: 'Patterns' });
  const patterns = (count: number) => Array.from({ length: count }, (_, i) => `*a*b*c*${i}*.example.org`);
  await mostThatIsTaken(5_000, (count) =>
    ask('POST', '/v1/auth/cert/certs/patterns', { body: { certificate: root.pem, allowed_dns_sans: patterns(count) } }),
  );
  const dns = Array.from({ length: 300 }, (_, i) => `${'abc'.repeat(15)}-${i}.example.net`);
  const leaf = root.issue({ subject: 'patterns', dns });
  const certificate = { pem: leaf.pem, keyPem: leaf.keyPem };
  ready();
  for (;;) {
    const { status } = await ask('POST', '/v1/auth/cert/login', { certificate, body: { name: 'patterns' } });
    if (status !== 400) throw new Error(`expected a refusal, got ${status}`);
    await pause(20);
  }
};

/** Uploads a CRL of the maximum body size, again and again. */
export const largeLists: Attack = async (target, ready) => {
  const { must } = rootOf(target);
  const root = createRoot({ subject: 'Lists' });
  await must('POST', '/v1/auth/cert/certs/lists', { body: { certificate: root.pem } });
  const revoked = Array.from({ length: 200_000 }, (_, i) => 2n ** 126n + BigInt(i));
  const lists = [1n, 2n].map((number) => root.crl({ revoked, number }).pem);
  ready();
  for (let round = 0; ; round++) {
    await must('POST', '/v1/auth/cert/crls/large', { body: { crl: lists[round % 2] } });
    await pause(20);
  }
};
