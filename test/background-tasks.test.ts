import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BackgroundTasks } from '../src/lib/background/background-tasks.ts';
import { PeriodicTask } from '../src/lib/background/periodic-task.ts';
import { declaredTasks, sources } from './support/tasks/declared-tasks.ts';

const LIMIT = 'a time limit of one operation';
const RETRY = 'a pause between two attempts of one operation';
const CONNECTION = 'watches a connection while it is open';

/** Folders of other processes, which have no background tasks of a server. */
const OTHER_PROCESSES = ['src/cli/', 'src/runner/', 'src/workers/', 'src/diagnosis/', 'src/migration/'];

/** Files that set a timer and may do so, with the reason. Work that a server repeats is a `PeriodicTask`. */
const TIMERS: Readonly<Record<string, string>> = {
  'src/lib/background/periodic-task.ts': 'the mechanism itself',
  'src/composition/backup/scheduled-backups.ts': LIMIT,
  'src/composition/metrics/cached-read.ts': LIMIT,
  'src/composition/schemas.ts': RETRY,
  'src/lib/http/deadline.ts': LIMIT,
  'src/lib/http/exchange.ts': LIMIT,
  'src/lib/locks/file-lock.ts': RETRY,
  'src/mail/mailer.ts': LIMIT,
  'src/revocation/ocsp/responders.ts': RETRY,
  'src/server/audit/audit-sink.ts': LIMIT,
  'src/server/audit/delivery/batch-sender.ts': 'sends what is queued; its backlog is in the health of the audit log',
  'src/server/audit/delivery/buffered-sink.ts':
    'looks for buffers of ended processes; their backlog is in the health of the audit log',
  'src/server/audit/line-writer.ts': RETRY,
  'src/server/audit/sink-spaces.ts': LIMIT,
  'src/server/audit/syslog-sinks.ts': CONNECTION,
  'src/server/connection/listener-limits.ts': CONNECTION,
  'src/server/connection/listener.ts': 'closes idle connections while the listener stops',
  'src/server/flow-control/transfer-times.ts': CONNECTION,
  'src/server/flow-control/unread-body.ts': CONNECTION,
  'src/server/flow-control/unsent-answers.ts': CONNECTION,
  'src/server/http1/lingering-close.ts': CONNECTION,
  'src/server/http1/list-method.ts': CONNECTION,
  'src/server/monitoring/health.ts': LIMIT,
  'src/storage/keyring/wrap/retry.ts': RETRY,
  'src/storage/postgres.ts': RETRY,
  'src/storage/postgres/schema-session.ts': RETRY,
  'src/storage/postgres/session-pool.ts': LIMIT,
  'src/storage/postgres/wire/session.ts': CONNECTION,
  'src/storage/signals/postgres-signals.ts': RETRY,
  'src/storage/signals/waits.ts': LIMIT,
  'src/tracing/span-queue.ts': 'sends what is queued, and counts failures in its own metrics',
  'src/workspaces/audit-trail/waiting-events.ts': 'stores what is queued (group commit)',
  'src/workspaces/execution/change/feed.ts': 'reads the journal while event streams are open',
  'src/workspaces/execution/change/routes.ts': LIMIT,
  'src/workspaces/execution/change/streams.ts': 'sends keep-alive messages while event streams are open',
  'src/workspaces/delivery/delivery-loop.ts': LIMIT,
  'src/workspaces/delivery/relay.ts': RETRY,
  'src/workspaces/state/intake/intake-thread-handle.ts': LIMIT,
  'src/git/thread/archive-reader.ts': LIMIT,
  'src/git/thread/git-thread.ts': LIMIT,
  'src/git/thread/git-threads.ts': LIMIT,
  'src/git/thread/paced-reader.ts': LIMIT,
  'src/workspaces/vcs/connection/credentials.ts': RETRY,
  'src/workspaces/vcs/explanation/target.ts': LIMIT,
  'src/workspaces/vcs/provider/http/request-budget.ts': 'waits for the rate limit of a provider',
  'src/workspaces/vcs/event/processing.ts': 'extends the claim of an event while a node works on it',
};

describe('background tasks', () => {
  const tasks = declaredTasks();

  it('have a unique name in kebab case and a description of one sentence', () => {
    expect(tasks.length).toBeGreaterThan(20);
    const names = tasks.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
    expect(tasks.filter(({ description }) => !/^[A-Z][a-z]+s [^.]+\.$/.test(description))).toEqual([]);
  });

  it('are declared in the way that this test reads', () => {
    const declarations = [...sources().values()].join('').match(/: (TaskDefinition|DeliveryTask) = /g) ?? [];
    expect(tasks).toHaveLength(declarations.length);
  });

  it('are all in the documentation', () => {
    const page = readFileSync(new URL('../docs/operations/background-tasks.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.*?) \|/gm)].map(([, name, description]) => [
      name,
      description,
    ]);
    expect(rows.sort()).toEqual(tasks.map(({ name, description }) => [name, description]).sort());
  });

  it('are the only work that a server repeats: all other timers have a reason', () => {
    const withTimer = [...sources()]
      .filter(([file]) => !OTHER_PROCESSES.some((folder) => file.startsWith(folder)))
      .filter(([, text]) => /\b(setTimeout|setInterval)\b/.test(text.replace(/^ *(\/\/|\*|\/\*\*).*$/gm, '')))
      .map(([file]) => file);
    expect(withTimer).toEqual(Object.keys(TIMERS).sort());
  });

  it('with the same name keep the server from starting', () => {
    const task = (description: string) =>
      PeriodicTask.every(
        { name: 'one', description, runsOn: 'leader', period: 1 },
        async () => {},
        () => {},
      );
    expect(() => new BackgroundTasks([task('Does this.'), task('Does that.')])).toThrow(
      'two background tasks have the name one',
    );
  });
});
