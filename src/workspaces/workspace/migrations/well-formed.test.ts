import { expect, it } from 'vitest';
import { openTestDatabase, postgresUrl } from '../../../../test/support/databases.ts';
import { migrate, sql } from '../../../storage/index.ts';
import { wellFormed } from './well-formed.ts';

it.skipIf(postgresUrl === undefined)(
  'settings with lone surrogates are readable JSON afterwards, others are unchanged',
  async () => {
    const { database, close } = await openTestDatabase('postgres');
    try {
      await database.run(sql('CREATE TABLE workspace (id TEXT, settings TEXT)'), {});
      const insert = sql<{ id: string; settings: string }>(
        'INSERT INTO workspace (id, settings) VALUES (:id, :settings)',
      );
      const rows = ['\ud800', 'a\udc00\udc00\0b', '\\ud800', '\\\ud800', '😀', 'plain'].map((text) => ({ text }));
      for (const [id, row] of rows.entries())
        await database.run(insert, { id: `${id}`, settings: JSON.stringify(row) });
      await migrate(database, 'workspaces', [wellFormed]);
      const select = sql<Record<string, never>, { text: string }>(
        `SELECT settings::json ->> 'text' AS text FROM workspace ORDER BY id`,
      );
      const after = (await database.all(select, {})).map(({ text }) => text);
      expect(after).toEqual(['\ufffd', 'a\ufffd\ufffd\ufffdb', '\\ud800', '\\\ufffd', '😀', 'plain']);
    } finally {
      await close();
    }
  },
);
