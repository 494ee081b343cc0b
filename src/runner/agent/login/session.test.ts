import { describe, expect, test } from 'vitest';
import { until } from '../../../../test/support/runner/agent-trial.ts';
import { Refusal, Unanswered } from '../http/failures.ts';
import { Session } from './session.ts';
import type { ObtainedToken } from './token-source.ts';

const never = new AbortController().signal;

/** A session whose logins have the listed results in order; the last one repeats. */
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
  test('is shared by all slots, and renewed before its token expires', async () => {
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

  test('that gets no response continues with the current token', async () => {
    const { session, said, logins, end } = sessionOf(token('one', 0.03), new Unanswered('away'));
    await until(() => logins() > 1);
    expect(await session.token(never)).toBe('one');
    await until(() => said.length > 0);
    expect(said[0]).toContain('Login failed: away');
    await end();
  });

  test('that is refused starts no work, and is logged once', async () => {
    const { session, said, logins, end } = sessionOf(token('one', 0.03), new Refusal(400, 'no role admits it'));
    await until(() => logins() > 2);
    await expect(session.token(AbortSignal.timeout(50))).rejects.toThrow();
    // Running work continues with the old token.
    expect(session.current).toBe('one');
    session.refused('one');
    expect(session.current).toBe(null);
    expect(said).toEqual([
      'The login with the certificate failed: no role admits it; look at it. The agent takes no jobs until it succeeds',
    ]);
    await end();
  });

  test('whose token is rejected is repeated with growing pauses', async () => {
    const { session, said, logins, end } = sessionOf(...['a', 'b', 'c', 'd', 'e'].map((text) => token(text)));
    session.refused(await session.token(never));
    session.refused(await session.token(never));
    await until(() => logins() === 3);
    expect(said).toHaveLength(1);
    expect(await session.token(never)).toBe('c');
    session.accepted();
    expect(said).toEqual([expect.stringContaining('rejected the certificate'), 'the server accepts this agent again']);
    // A rejection of an old token means nothing.
    session.refused('a');
    expect(session.current).toBe('c');
    await end();
  });

  test('that returns the rejected token again counts as refused', async () => {
    const { session, said, logins, end } = sessionOf(token('same'));
    session.refused(await session.token(never));
    await until(() => logins() > 1 && said.length === 2);
    await expect(session.token(AbortSignal.timeout(50))).rejects.toThrow();
    await end();
  });
});
