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
 * The sandbox of this machine, after it was tried.
 * @param path where programs are looked for
 * @param network null: that of the machine
 * @throws JobFailure where there is none, or it does not work here, with what to do
 */
export async function findBubblewrap(
  path: string,
  network: NetworkSettings | null,
  bounds: BoundsHere = DEFAULT_BOUNDS_HERE,
): Promise<Isolation> {
  const bwrap = programOn(path, 'bwrap');
  if (bwrap === undefined) {
    throw new JobFailure(
      'There is no sandbox: bubblewrap (bwrap) is not on the PATH. Install it, or set isolation to none',
    );
  }
  const settings = { name: 'bubblewrap' as const, program: bwrap, ...bounds };
  const onHost = bubblewrap({ ...settings, network: null });
  const why = await tried(onHost);
  if (why !== undefined) {
    throw new JobFailure(`The sandbox does not work here: ${why}. Allow user namespaces, or set isolation to none`);
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
      `Runs cannot have a network of their own: ${why}. Or set network to host: then runs reach every service of this machine, those on its loopback too`,
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
    return output === 'works\n' ? undefined : errors.trim() || 'it says nothing';
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
