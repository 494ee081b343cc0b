import { describe, expect, it } from 'vitest';
import { AppError } from '../lib/errors.ts';
import { failure, type Status, skipped, success, warning, worst } from '../lib/finding/finding.ts';
import { type Diagnosis, diagnose } from './diagnose.ts';
import { type Check, NotAvailable } from './model/check.ts';
import type { Site } from './model/site.ts';

const site = { isThorough: false } as Site;
const check = (name: string, run: Check['run']): Check => ({ name, run });

async function all(checks: readonly Check[], limit = 5_000): Promise<Diagnosis> {
  for await (const subject of diagnose(site, [{ name: 'subject', checks }], limit)) return subject;
  throw new Error('nothing');
}

describe('a tree of checks', () => {
  it('is as bad as the worst of its parts', async () => {
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

  it('goes on where a check fails or cannot be made', async () => {
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
      ['failure', 'it does not work', 'at once'],
      ['failure', 'ECONNREFUSED', 'connect'],
      ['failure', 'it does not work', 'Try again.: the reason'],
      ['skipped', 'there is no database', undefined],
      ['failure', 'found', undefined],
    ]);
  });

  it('waits for no check longer than it may take, and tells it to let go', async () => {
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
