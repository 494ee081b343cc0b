import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { JobFailure } from '../ports.ts';
import { programOn } from '../programs.ts';
import { bubblewrap } from './bubblewrap.ts';
import { createFolders } from './folders.ts';
import type { Isolation } from './isolation.ts';

/**
 * The sandbox of this machine, after it was tried.
 * @param path where programs are looked for
 * @throws JobFailure where there is none, or it does not work here, with what to do
 */
export async function findBubblewrap(path: string): Promise<Isolation> {
  const bwrap = programOn(path, 'bwrap');
  if (bwrap === undefined) {
    throw new JobFailure(
      'There is no sandbox: bubblewrap (bwrap) is not on the PATH. Install it, or set isolation to none',
    );
  }
  const isolation = bubblewrap(bwrap);
  const why = await tried(isolation);
  if (why !== undefined) {
    throw new JobFailure(`The sandbox does not work here: ${why}. Allow user namespaces, or set isolation to none`);
  }
  return isolation;
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
