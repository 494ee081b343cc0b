import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bytesOf } from '../../test/support/runner/run.ts';
import { CONFIGURATION_BOUNDS } from '../lib/job/configuration-bounds.ts';
import { type Bytes, JobFailure } from './ports.ts';
import { unpackForJob } from './unpack.ts';

const never = new AbortController().signal;
const unpacked = (bytes: Bytes, signal = never, into = mkdtempSync(join(tmpdir(), 'unpack-'))) =>
  unpackForJob({ name: 'The configuration', bytes, bounds: CONFIGURATION_BOUNDS }, into, signal);

async function* failing(error: Error): Bytes {
  yield Buffer.alloc(0);
  throw error;
}

test('an invalid archive fails the job, with the reason', async () => {
  const refused = unpacked(bytesOf(Buffer.from('text')));
  await expect(refused).rejects.toThrow(JobFailure);
  await expect(refused).rejects.toThrow(
    'The configuration cannot be unpacked: it is not a tar.gz archive. Upload a tar.gz archive: `tar czf configuration.tar.gz -C FOLDER .`',
  );
});

test('a download that fails for a known reason fails the job with it; other errors stay as they are', async () => {
  await expect(unpacked(failing(new JobFailure('the server is gone')))).rejects.toThrow(
    'The configuration cannot be unpacked: the server is gone',
  );
  const other = new Error('no space');
  await expect(unpacked(failing(other))).rejects.toBe(other);
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  await expect(unpacked(failing(denied))).rejects.toThrow(
    'The configuration cannot be unpacked here: EACCES: permission denied',
  );
});

test('a stopped job stops unpacking with the reason of the stop', async () => {
  const stop = new AbortController();
  const stalled = (async function* (): Bytes {
    stop.abort(new Error('stopped'));
    await new Promise(() => {});
    yield Buffer.alloc(0);
  })();
  await expect(unpacked(stalled, stop.signal)).rejects.toThrow('stopped');
});
