import type { Migration } from '../../storage/index.ts';
import { people } from './people.ts';
import { work } from './work.ts';

/** Every step of this API's schema, in order. One that has landed never changes. */
export const workspacesMigrations: readonly Migration[] = [people, work];
