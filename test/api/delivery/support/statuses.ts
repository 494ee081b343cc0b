import { type Migration, sql } from '../../../../src/storage/index.ts';
import {
  type OrderedEntry,
  OrderedOutbox,
  type Queue,
  type Sender,
  type Sent,
} from '../../../../src/workspaces/delivery/index.ts';

/** Tables of a queue that no module has: statuses of commits, for each repository in order. */
export const statusTables: Migration = {
  name: '0001-statuses',
  statements: ({ text, integer, tableOptions }) => [
    `CREATE TABLE repository (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      url ${text} NOT NULL,
      result ${text},
      target ${text} NOT NULL,
      queued ${integer} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL,
      failures ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX repository_due ON repository (due_at) WHERE due_at IS NOT NULL',
    `CREATE TABLE commit_status (
      id ${text} PRIMARY KEY,
      repository_id ${text} NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      place ${integer} NOT NULL,
      content ${text} NOT NULL,
      tries ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX commit_status_in_order ON commit_status (repository_id, created_at, place, id)',
  ],
};

interface Repository {
  readonly id: string;
  readonly url: string;
}

interface Status {
  readonly commit: string;
  readonly state: string;
}

export const statuses = new OrderedOutbox<Repository, Status>({
  table: 'repository',
  columns: 'id, url',
  messages: { table: 'commit_status', row: 'repository_id' },
  mostWaiting: 10,
  longestWait: 3_600_000,
});

const setResult = sql<{ id: string; result: string }>('UPDATE repository SET result = :result WHERE id = :id');

/** @param node name that the receiver gets */
export function statusQueue(sender: Sender, node: string): Queue<OrderedEntry<Repository, Status>, Sent> {
  return {
    name: 'commit_statuses',
    task: { name: 'commit-status-delivery', description: 'Sends commit statuses.' },
    outbox: statuses,
    places: { all: 8, ofOrganization: 4, toReceiver: 2 },
    mostTries: 3,
    attempt: ({ row: { url }, content }, signal) =>
      sender.send({ url, token: 'secret', headers: { authorization: 'Bearer t', 'x-node': node } }, content, signal),
    settle: async (tx, { row: { id } }, { response }, { verdict }) =>
      void (await tx.run(setResult, { id, result: `${verdict} ${response.code}` })),
  };
}
