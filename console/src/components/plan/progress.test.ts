import { expect, test } from 'vitest';
import { LogText } from '../log/log-text.ts';
import { ApplyProgress } from './progress.ts';

test('the progress of an apply is read from complete log lines, plain and structured', () => {
  const log = new LogText();
  const progress = new ApplyProgress();
  const say = (text: string) => {
    log.append(new TextEncoder().encode(text));
    progress.next(log);
    return Object.fromEntries(
      [...progress.of].map(([address, { state, operation, took }]) => [
        address,
        [state, operation, took].join(' ').trim(),
      ]),
    );
  };
  say(
    '\u0002\u001b[0m\u001b[1maws_a.x: Creating...\u001b[0m\nmodule.m["k: l"].aws_b.y: Modifying... [id=1]\naws_c.z: Destr',
  );
  expect(say('')).toEqual({ 'aws_a.x': 'running add', 'module.m["k: l"].aws_b.y': 'running change' });
  expect(
    say(
      'oying... [id=3]\naws_a.x: Still creating... [id=1, 1m10s elapsed]\n{"@message":"aws_c.z: Destruction complete after 1s"}\nmodule.m["k: l"].aws_b.y: Modifications errored after 2s\naws_d.w: Refreshing state...\n',
    ),
  ).toEqual({
    'aws_a.x': 'running add 1m10s',
    'module.m["k: l"].aws_b.y': 'failed change 2s',
    'aws_c.z': 'done destroy 1s',
  });
});
