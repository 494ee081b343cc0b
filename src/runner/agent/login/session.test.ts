import { describe, expect, test } from 'vitest';
import { until } from '../../../../test/support/runner/agent-trial.ts';
import { Refusal, Unanswered } from '../http/failures.ts';
import { Session } from './session.ts';
import type { ObtainedToken } from './token-source.ts';

const never = new AbortController().signal;

/** A session whose logins end as the list says, one after the other, the last one again and again. */
function sessionOf(...answers: readonly (ObtainedToken | Error)[]) {
  const said: string[] = [];
  const stop = new AbortController();
  let logins = 0;
  const source = {
    what: 'the certificate',
    hint: 'look at it',
    async obtain() {
      const answer = answers[Math.min(logins++, answers.length - 1)];
      if (answer instanceof Error || answer === undefined) throw answer;
      return answer;
    },
  };
  const say = (text: string): void => void said.push(text);
  const session = new Session(source, { info: say, warn: say });
  const ended = session.run(stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  return { session, said, logins: () => logins, end };
}

const token = (text: string, seconds: number | null = null): ObtainedToken => ({ token: text, seconds });

describe('a login', () => {
  test('is shared by all, and made again before its token ends', async () => {
    const { session, logins, end } = sessionOf(token('one', 0.3), token('two'));
    let told = 0;
    session.onLogin(() => {
      told += 1;
    });
    expect(await Promise.all([session.token(never), session.token(never)])).toEqual(['one', 'one']);
    await until(() => logins() === 2);
    expect(await session.token(never)).toBe('two');
    await until(() => told === 2);
    await end();
  });

  test('that the server does not answer goes on with the token there is', async () => {
    const { session, said, logins, end } = sessionOf(token('one', 0.03), new Unanswered('away'));
    await until(() => logins() > 1);
    expect(await session.token(never)).toBe('one');
    await until(() => said.length > 0);
    expect(said[0]).toContain('Cannot log in: away');
    await end();
  });

  test('that is refused has nobody begin anything, and is said once', async () => {
    const { session, said, logins, end } = sessionOf(token('one', 0.03), new Refusal(400, 'no role admits it'));
    await until(() => logins() > 2);
    await expect(session.token(AbortSignal.timeout(50))).rejects.toThrow();
    // What is under way may say so with what there is.
    expect(session.current).toBe('one');
    session.refused('one');
    expect(session.current).toBe(null);
    expect(said).toEqual([
      'The login with the certificate is refused: no role admits it; look at it. Nothing is begun until it succeeds',
    ]);
    await end();
  });

  test('whose token is not taken is made anew, and less and less often', async () => {
    const { session, said, logins, end } = sessionOf(...['a', 'b', 'c', 'd', 'e'].map((text) => token(text)));
    session.refused(await session.token(never));
    session.refused(await session.token(never));
    await until(() => logins() === 3);
    expect(said).toHaveLength(1);
    expect(await session.token(never)).toBe('c');
    session.accepted();
    expect(said).toEqual([
      expect.stringContaining('does not take the certificate'),
      'the server lets this agent in again',
    ]);
    // Of one that is not the current one nothing is to be learnt.
    session.refused('a');
    expect(session.current).toBe('c');
    await end();
  });

  test('that gives the token again which was refused is a refused one', async () => {
    const { session, said, logins, end } = sessionOf(token('same'));
    session.refused(await session.token(never));
    await until(() => logins() > 1 && said.length === 2);
    await expect(session.token(AbortSignal.timeout(50))).rejects.toThrow();
    await end();
  });
});
