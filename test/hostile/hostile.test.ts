import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, startDev } from '../support/command.ts';
import { createRoot } from '../support/pki.ts';
import { CALLERS, STRANGERS } from './attacks/index.ts';
import { useHonestly } from './support/honest.ts';
import type { Target } from './support/target.ts';

const ATTACKER = fileURLToPath(new URL('support/attacker.ts', import.meta.url));
/** Small heap, which overflows if the server keeps data of closed connections. */
const HEAP = '--max-old-space-size=512';
/** Makes the server collect its garbage on a signal. The remaining memory is in use. */
const COLLECTS = "--expose-gc --import=data:text/javascript,process.on('SIGUSR2',()=>gc())";
const UNDER_ATTACK_MS = 6_000;
/**
 * Responses may take so many times as long as those of a server that nobody attacks, at the same time. The attack and its
 * refusal share the cores with the honest client, and that alone makes them a few times slower.
 */
const MOST_TIMES_SLOWER = 8;
/** Shorter times are noise, and count as this. Milliseconds. */
const LEAST_MS = 4;
/** Other processes on the machine can disturb one round. A fault of the server shows in every round. */
const ROUNDS = 3;
/** Memory that may remain in use after an attack: filled caches and compiled code. */
const LEFT_BYTES = 48 * 1_048_576;

describe('the server under attack', () => {
  let folder: string;
  let server: DevServer;
  let target: Target;
  /** Same server without an attack. */
  let control: DevServer;
  let besides: string;

  beforeAll(async () => {
    besides = mkdtempSync(join(tmpdir(), 'lockkeeper-control-'));
    control = await start(besides);
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-hostile-'));
    server = await start(folder);
    target = { port: Number(new URL(server.line.address).port), ca: readFileSync(server.line.ca_file, 'utf8') };
  });
  afterEach(() => stop(server, folder));
  afterAll(() => stop(control, besides));

  it.each(Object.keys(STRANGERS))('%s: honest clients get responses in time, and the server frees its memory', (name) =>
    standsBeside(name, target),
  );
  it.each(Object.keys(CALLERS))('%s: honest clients get responses in time, and the server frees its memory', (name) =>
    standsBeside(name, { ...target, rootToken: server.line.root_token }),
  );

  async function standsBeside(name: string, known: Target): Promise<void> {
    const before = await memory(server);
    let slower = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS && slower > MOST_TIMES_SLOWER; round++) {
      slower = Math.min(slower, await during(name, known, timesSlower));
    }
    expect(slower).toBeLessThanOrEqual(MOST_TIMES_SLOWER);
    await expect.poll(() => memory(server), { timeout: 90_000, interval: 1_000 }).toBeLessThan(before + LEFT_BYTES);
  }

  /** Returns how many times as long as the other server the attacked one takes for a response. */
  async function timesSlower(): Promise<number> {
    const [attacked, other] = await useHonestly([server, control], UNDER_ATTACK_MS);
    expect([attacked?.failures, other?.failures]).toEqual([[], []]);
    const [took, usual] = [attacked, other].map((experience) => Math.max(experience?.p90 ?? Number.NaN, LEAST_MS));
    return (took ?? Number.NaN) / (usual ?? Number.NaN);
  }

  it('chains of self-made certificates: an honest client with an unknown intermediate can still log in', async () => {
    const root = createRoot({ subject: 'Fleet root' });
    const body = { certificate: root.pem, allowed_dns_sans: '*.fleet.example' };
    const { status } = await server.call('POST', '/v1/auth/cert/certs/fleet', { token: server.line.root_token, body });
    expect(status).toBe(204);
    const statuses = await during('chains of self-made certificates', target, async () => {
      await useHonestly([server], UNDER_ATTACK_MS);
      const answers: number[] = [];
      for (let i = 0; i < 20; i++) {
        const intermediate = root.issueAuthority({ subject: `Fleet ${i}` });
        const leaf = intermediate.issue({ subject: `runner-${i}`, dns: [`runner-${i}.fleet.example`] });
        const certificate = { pem: leaf.pem + intermediate.pem, keyPem: leaf.keyPem };
        answers.push((await server.call('POST', '/v1/auth/cert/login', { certificate, body: {} })).status);
      }
      return answers;
    });
    expect(statuses).toEqual(statuses.map(() => 200));
  });

  /** Runs `doing` during the attack. @returns its result */
  async function during<T>(name: string, known: Target, doing: () => Promise<T>): Promise<T> {
    const args = [ATTACKER, name, JSON.stringify(known)];
    const attacker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(attacker, 'close');
    try {
      await Promise.race([once(attacker.stdout, 'data'), ended]);
      const done = await doing();
      expect(attacker.exitCode).toBeNull();
      return done;
    } finally {
      attacker.kill('SIGKILL');
      await ended;
    }
  }
});

/** Starts a server, and uses it until its code is compiled. */
async function start(folder: string): Promise<DevServer> {
  const server = await startDev(join(folder, 'demo'), [], { NODE_OPTIONS: `${HEAP} ${COLLECTS}` });
  await useHonestly([server], 1_000);
  return server;
}

async function stop(server: DevServer, folder: string): Promise<void> {
  server.command.signal('SIGKILL');
  await server.command.ended();
  rmSync(folder, { recursive: true });
}

/** Returns the memory of the server's process, in bytes. */
async function memory(server: DevServer): Promise<number> {
  server.command.signal('SIGUSR2');
  const { text } = await server.call('GET', '/metrics');
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return figure('nodejs_heap_size_used_bytes') + figure('nodejs_external_memory_bytes');
}
