import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postgresUrl } from '../../../../test/support/databases.ts';
import { translate } from '../errors.ts';
import { type Connected, connectSession } from './connect.ts';
import { Session } from './session.ts';

const query = (text: string, ...values: unknown[]) => ({ name: text.slice(0, 60), text, values });

/** Counts the writes to the connection during `action`. */
async function writesOf({ session }: Connected, action: () => Promise<unknown>): Promise<number> {
  const before = session.writes;
  await action();
  return session.writes - before;
}

describe.skipIf(postgresUrl === undefined)('a session', () => {
  let connected: Connected;
  let lost: unknown[];
  beforeEach(async () => {
    lost = [];
    connected = await connectSession(postgresUrl as string, 5000, (error) => lost.push(error));
  });
  afterEach(() => connected.close());

  it('sends the queries of one turn of the event loop in one write, and returns answers in order', async () => {
    const { session } = connected;
    const order: number[] = [];
    const ask = (number: number) =>
      session.query(query('SELECT $1::int AS n', number)).then(({ rows }) => {
        order.push(number);
        return rows;
      });
    let answers: unknown;
    const writes = await writesOf(connected, async () => {
      answers = await Promise.all([1, 2, 3].map(ask));
    });
    expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    expect(order).toEqual([1, 2, 3]);
    expect(writes).toBe(1);
  });

  it('reads every kind of value, also in rows that arrive in many pieces', async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
    const text = 'ä€😀'.repeat(50_000);
    const { rows, rowCount } = await connected.session.query(
      query(
        'SELECT n, $1::bytea AS bytes, $2::text AS text, NULL AS none, true AS yes, 1.5::float8 AS half FROM generate_series(1, 3) n',
        bytes,
        text,
      ),
    );
    expect(rowCount).toBe(3);
    expect(rows).toEqual([1, 2, 3].map((n) => ({ n, bytes, text, none: null, yes: 1, half: 1.5 })));
  });

  it('is lost after silence while an answer is due, and not before', async () => {
    const { session } = connected;
    session.answerTimeoutMs = 300;
    const sleep = (seconds: number) => session.query(query('SELECT pg_sleep($1)', seconds));
    for (let n = 0; n < 4; n++) await sleep(0.15);
    await expect(sleep(5)).rejects.toThrow('has not answered for 0.3 s');
    expect(session.failure).toBeDefined();
  });

  it('a failed query does not affect others', async () => {
    const { session } = connected;
    const answers = await Promise.allSettled([
      session.query(query('SELECT 1 AS n')),
      session.query(query('SELECT 1 / $1::int AS n', 0)),
      session.query(query('SELECT 2 AS n')),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(answers[1]).toMatchObject({ reason: { code: '22012', message: 'division by zero', severity: 'ERROR' } });
  });

  it('prepares a statement again if an earlier failure skipped it', async () => {
    const { session } = connected;
    const batch = session.batch([query('SELECT 1 / $1::int AS n', 0), query('SELECT 3 AS n')]);
    await expect(batch).rejects.toMatchObject({ code: '22012' });
    expect((await session.query(query('SELECT 3 AS n'))).rows).toEqual([{ n: 3 }]);
    expect((await session.query(query('SELECT 1 / $1::int AS n', 1))).rows).toEqual([{ n: 1 }]);
  });

  it('keeps the answers before a failure in a transaction, and works again after its end', async () => {
    const { session } = connected;
    const answers = await Promise.allSettled(
      [query('BEGIN'), query('SELECT 1 AS n'), query('SELECT 1 / $1::int', 0), query('SELECT 2 AS n')].map((one) =>
        session.joined(one),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    await session.joined(query('ROLLBACK'));
    expect((await session.joined(query('SELECT 2 AS n'))).rows).toEqual([{ n: 2 }]);
  });

  it('reports a value that cannot be represented, and continues', async () => {
    const { session } = connected;
    await expect(session.query(query('SELECT 9007199254740993::bigint AS n'))).rejects.toBeInstanceOf(RangeError);
    expect((await session.query(query('SELECT 1 AS n'))).rows).toEqual([{ n: 1 }]);
  });

  it('fails all pending queries and notifies its owner when the connection is cut', async () => {
    const { session } = connected;
    const cut = query('SELECT pg_terminate_backend(pg_backend_pid())');
    const answers = await Promise.allSettled([session.query(cut), session.query(query('SELECT 1 AS n'))]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect.poll(() => lost, { timeout: 10_000 }).toEqual([expect.objectContaining({ code: '57P01' })]);
    await expect(session.query(query('SELECT 1 AS n'))).rejects.toMatchObject({ code: '57P01' });
  });
});

/** ErrorResponse of a server: https://www.postgresql.org/docs/current/protocol-error-fields.html */
function errorResponse(fields: Readonly<Record<string, string>>): Buffer {
  const body = Buffer.from(
    `${Object.entries(fields)
      .map(([type, value]) => `${type}${value}\0`)
      .join('')}\0`,
  );
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

describe('a server with another language', () => {
  it.each([
    ['57P01', 'завершение подключения по команде администратора'],
    ['53300', 'извините, уже слишком много клиентов'],
    ['28000', 'роли "lockkeeper" не разрешено подключаться'],
    ['25P04', 'завершение подключения из-за тайм-аута транзакции'],
  ])('ends the session with %s at once, and the database counts as unavailable', async (code, message) => {
    const stream = new PassThrough();
    const session = new Session(stream);
    const answer = session.query(query('SELECT 1 AS n'));
    stream.emit('data', errorResponse({ S: 'ВАЖНО', V: 'FATAL', C: code, M: message }));
    const error = await answer.catch((refused: unknown) => refused);
    expect(error).toMatchObject({ code, severity: 'ВАЖНО' });
    expect(session.failure).toBe(error);
    expect(translate(error)).toMatchObject({ kind: 'unavailable' });
  });

  it('keeps the session after an error of one query', async () => {
    const stream = new PassThrough();
    const session = new Session(stream);
    const answers = Promise.allSettled([session.query(query('SELECT 1 / 0'))]);
    stream.emit('data', errorResponse({ S: 'ОШИБКА', V: 'ERROR', C: '22012', M: 'деление на ноль' }));
    expect(session.failure).toBeUndefined();
    session.fail(new Error('the connection was closed'));
    expect(await answers).toMatchObject([{ status: 'rejected', reason: { code: '22012' } }]);
  });
});
