import type { Keyring, SealedColumn } from '../../../storage/index.ts';

type Column = 'url' | 'hmac_key';
const contextOf = (column: Column) => (id: string) => `run-task-${column}/${id}`;

/** Encrypts the secret fields of tasks, each bound to its row and column. The URL is secret because it permits posting. */
export class TaskSealing {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  seal(column: Column, id: string, text: string): Uint8Array {
    return this.#keyring.encrypt(Buffer.from(text), contextOf(column)(id));
  }

  open(column: Column, id: string, sealed: Uint8Array): string {
    return Buffer.from(this.#keyring.decrypt(sealed, contextOf(column)(id))).toString();
  }
}

export const sealedTasks: readonly SealedColumn[] = (['url', 'hmac_key'] as const).map((column) => ({
  table: 'run_task',
  key: ['id'],
  column,
  boundTo: column === 'hmac_key' ? ['url'] : [],
  contextOf: contextOf(column),
}));
