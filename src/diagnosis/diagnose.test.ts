import { describe, expect, it } from 'vitest';
import { AppError } from '../lib/errors.ts';
import { failure, type Status, skipped, success, warning, worst } from '../lib/finding/finding.ts';
import { type Diagnosis, diagnose } from './diagnose.ts';
import { type Check, NotAvailable } from './model/check.ts';
import { inParallel } from './model/in-parallel.ts';
import type { Site } from './model/site.ts';

const site = { isThorough: false } as Site;
const check = (name: string, run: Check['run']): Check => ({ name, run });

async function all(checks: readonly Check[], limit = 5_000): Promise<Diagnosis> {
  for await (const subject of diagnose(site, [{ name: 'subject', checks }], limit)) return subject;
  throw new Error('nothing');
}

describe('parallel checks', () => {
  const hangs = () => new Promise<never>(() => {});

  it('run in parallel, each with a timeout, and are aborted', async () => {
    const told: AbortSignal[] = [];
    const silent = (name: string) => ({
      name,
      look: (signal: AbortSignal) => {
        told.push(signal);
        return hangs();
      },
    });
    const asked = [silent('a'), silent('b'), { name: 'c', look: () => success('there') }, silent('d')];
    const found = await inParallel(asked, new AbortController().signal, 20);
    expect(found.map(({ name, status, found: words }) => `${name} ${status}: ${words}`)).toEqual([
      'a failure: no answer within 0.02 s',
      'b failure: no answer within 0.02 s',
      'c success: there',
      'd failure: no answer within 0.02 s',
    ]);
    expect(told.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it('are limited in number', async () => {
    let asked = 0;
    const look = () => success(`${++asked}`);
    const all = Array.from({ length: 70 }, (_, index) => ({ name: `${index}`, look }));
    const found = await inParallel(all, new AbortController().signal);
    expect([asked, found.length, found.at(-1)]).toEqual([
      50,
      51,
      { name: 'others', ...skipped('20 more were not checked') },
    ]);
  });
});

describe('a tree of checks', () => {
  it('has the worst status of its parts', async () => {
    const of = (...statuses: Status[]) => worst(statuses);
    expect([of(), of('skipped', 'success'), of('success', 'warning'), of('warning', 'failure', 'skipped')]).toEqual([
      ...['skipped', 'success', 'warning', 'failure'],
    ]);
    const subject = await all([
      check('one', async () => success('fine')),
      check('several', async () => [
        { name: 'a', ...success('fine') },
        { name: 'b', ...warning('soon', 'do something') },
      ]),
      check('none', async () => []),
    ]);
    expect(subject.status).toBe('warning');
    expect(subject.parts?.map(({ status }) => status)).toEqual(['success', 'warning', 'skipped']);
  });

  it('continues if a check fails or cannot run', async () => {
    const subject = await all([
      check('throws', () => {
        throw new Error('at once');
      }),
      check('refused', async () => {
        throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      }),
      check('unavailable', async () => {
        throw new AppError('unavailable', 'Try again.', { cause: new Error('the reason') });
      }),
      check('nothing there', async () => {
        throw new NotAvailable('there is no database');
      }),
      check('last', async () => failure('found', 'advice')),
    ]);
    expect(subject.parts?.map(({ status, found, detail }) => [status, found, detail])).toEqual([
      ['failure', 'the check failed', 'at once'],
      ['failure', 'ECONNREFUSED', 'connect'],
      ['failure', 'the check failed', 'Try again.: the reason'],
      ['skipped', 'there is no database', undefined],
      ['failure', 'found', undefined],
    ]);
  });

  it('stops waiting for a check after its timeout, and aborts it', async () => {
    let told: AbortSignal | undefined;
    const subject = await all(
      [
        check('hangs', (_, signal) => {
          told = signal;
          return new Promise(() => {});
        }),
        check('next', async () => skipped('nothing')),
      ],
      20,
    );
    expect(subject.parts?.map(({ status, found }) => [status, found])).toEqual([
      ['failure', 'no answer within 0.02 s'],
      ['skipped', 'nothing'],
    ]);
    expect(told?.aborted).toBe(true);
  });
});
