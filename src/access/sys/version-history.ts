import { isoTime } from '../../lib/clock.ts';
import { type Database, sql } from '../../storage/index.ts';
import { answersKeys } from '../operation/answer.ts';
import { listReply } from '../operation/listing.ts';
import type { Operation } from '../operation/operation.ts';
import { component, orNull, text, time } from '../operation/schema.ts';

type Row = { version: string; installed_at: number };

const known = sql<{ version: string }, { version: string }>(
  'SELECT version FROM program_version WHERE version = :version',
);
const insert = sql<Row>(
  `INSERT INTO program_version (version, installed_at) VALUES (:version, :installed_at)
   ON CONFLICT (version) DO NOTHING`,
);
/** @limit versions in the version history, versions -> later ones are not returned */
const MAX_SHOWN = 1000;
const all = sql<{ most: number }, Row>(
  'SELECT version, installed_at FROM program_version ORDER BY installed_at, version LIMIT :most',
);

const ProgramVersion = component('ProgramVersion', {
  previous_version: orNull(text()),
  timestamp_installed: time("Time of the version's first start."),
  build_date: text('Empty.'),
  commit_date: text('Empty.'),
});

/** Records which server versions have used this database, and since when. */
export class VersionHistory {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Records the first start of a version on any node. Call it at each start. */
  async note(version: string, now: number): Promise<void> {
    if (await this.#database.one(known, { version })) return;
    await this.#database.run(insert, { version, installed_at: now });
  }

  /** Returns the versions, oldest first. */
  all(): Promise<readonly Row[]> {
    return this.#database.all(all, { most: MAX_SHOWN });
  }
}

export function versionHistoryOperation(history: VersionHistory): Operation {
  return {
    path: 'version-history',
    verb: 'list',
    id: 'version-history',
    summary: 'List the server versions that have used this database',
    answers: answersKeys(ProgramVersion),
    async handle() {
      const rows = await history.all();
      const infos = rows.map(({ version, installed_at: installedAt }, index) => [
        version,
        {
          previous_version: rows[index - 1]?.version ?? null,
          timestamp_installed: isoTime(installedAt),
          // The dates of the build are not recorded. Clients read one of the two.
          build_date: '',
          commit_date: '',
        },
      ]);
      return listReply(
        rows.map(({ version }) => version),
        Object.fromEntries(infos),
      );
    },
  };
}
