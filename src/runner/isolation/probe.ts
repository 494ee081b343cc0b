import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { JobFailure } from '../ports.ts';
import { programOn } from '../programs.ts';
import { bubblewrap } from './bubblewrap.ts';
import { createFolders } from './folders.ts';
import { type BoundsHere, DEFAULT_BOUNDS_HERE, type Isolation } from './isolation.ts';
import { findNetwork } from './network/network.ts';
import type { NetworkSettings } from './network/plan.ts';

/**
 * Finds bubblewrap, and starts a sandbox to check that it works.
 * @param path directories as in `PATH`
 * @param network null for the network of the machine
 * @throws JobFailure if there is no sandbox or it does not work; the message says what to do
 */
export async function findBubblewrap(
  path: string,
  network: NetworkSettings | null,
  bounds: BoundsHere = DEFAULT_BOUNDS_HERE,
): Promise<Isolation> {
  const bwrap = programOn(path, 'bwrap');
  if (bwrap === undefined) {
    throw new JobFailure('No sandbox: bubblewrap (bwrap) is not on the PATH. Install it, or set isolation to none');
  }
  const settings = { name: 'bubblewrap' as const, program: bwrap, ...bounds };
  const onHost = bubblewrap({ ...settings, network: null });
  const why = await tried(onHost);
  if (why !== undefined) {
    throw new JobFailure(
      `The sandbox does not work on this machine: ${why}. Allow user namespaces, or set isolation to none`,
    );
  }
  return network === null ? onHost : await isolated(path, network, settings);
}

async function isolated(
  path: string,
  network: NetworkSettings,
  settings: { readonly name: 'bubblewrap'; readonly program: string } & BoundsHere,
): Promise<Isolation> {
  const refused = (why: string): JobFailure =>
    new JobFailure(
      `Runs cannot have their own network: ${why}. Fix this, or set network to host: then runs can reach every service of this machine, including those on its loopback`,
    );
  try {
    const isolation = bubblewrap({ ...settings, network: findNetwork(path, network) });
    const why = await tried(isolation);
    if (why !== undefined) throw refused(why);
    return isolation;
  } catch (error) {
    throw error instanceof JobFailure && !error.message.startsWith('Runs cannot') ? refused(error.message) : error;
  }
}

async function tried(isolation: Isolation): Promise<string | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'lockkeeper-probe-'));
  try {
    const here = createFolders(root, 'probe');
    mkdirSync(join(root, 'bin'));
    writeFileSync(join(root, 'bin', 'probe'), '#!/bin/sh\necho works\n', { mode: 0o755 });
    const command = {
      program: join(root, 'bin', 'probe'),
      args: [],
      cwd: '/',
      readable: [],
      server: null,
      environment: {},
      isMerged: false,
    };
    const running = isolation.start(command, here);
    const [output, errors] = await Promise.all([text(running.output), text(running.errors), running.ended]);
    return output === 'works\n' ? undefined : errors.trim() || 'no output';
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
