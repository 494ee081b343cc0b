import { globSync } from 'node:fs';

/** Returns the environment of a process with a shifted clock, in seconds (negative: the past). Uses libfaketime. */
export function fakeTime(seconds: number): Record<string, string> {
  if (seconds === 0) return {};
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (library === undefined) throw new Error('libfaketime is not installed (on Debian: apt-get install faketime)');
  const offset = `${seconds > 0 ? '+' : ''}${seconds}s`;
  return { LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}
