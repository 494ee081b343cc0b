import { expect, test } from 'vitest';
import type { Change } from './journal.ts';
import { ChangeStream } from './stream.ts';

const ACTOR = { kind: 'team', teamId: 'team-1', credential: 'token~1', grants: new Map() } as const;
const change = (subjectId: string): Change => ({
  kind: 'lock',
  subjectId,
  workspaceId: subjectId,
  organizationId: 'org-1',
  organizationName: 'acme',
});

function opened() {
  const stream = new ChangeStream(ACTOR, '127.0.0.1');
  const errors: string[] = [];
  stream.on('error', (error) => errors.push(error.message));
  return { stream, errors };
}

test('the connection of a client that does not read is closed, others continue', async () => {
  const [idle, read] = [opened(), opened()];
  let text = '';
  read.stream.on('data', (chunk) => (text += chunk));
  const closed = new Promise((resolve) => idle.stream.once('close', resolve));
  for (let at = 0; !idle.stream.destroyed; at++) {
    idle.stream.pushChanges([change(`ws-${at}`)]);
    read.stream.pushChanges([change(`ws-${at}`)]);
    await new Promise(setImmediate);
  }
  await closed;
  expect(idle.errors).toEqual(['the client does not read the events']);
  expect(read.errors).toEqual([]);
  expect(text).toContain('ws-300');
});

test('a change is sent once, and too many changes at a time cause a reload', () => {
  const { stream } = opened();
  stream.pushChanges([change('ws-1'), change('ws-1')]);
  expect(String(stream.read()).match(/event: lock/g)).toHaveLength(1);
  stream.pushChanges(Array.from({ length: 1_000 }, (_, at) => change(`ws-${at}`)));
  expect(String(stream.read())).toBe('event: reload\ndata: {}\n\n');
});

test('sends nothing after its end', () => {
  const { stream, errors } = opened();
  stream.end();
  stream.end();
  stream.pushChanges([change('ws-1')]);
  stream.beat('1-1');
  expect(stream.read()).toBeNull();
  expect(errors).toEqual([]);
});
