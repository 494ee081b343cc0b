import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/index.ts';
import type { TtlLimits } from '../model/ttl-limits.ts';
import { CleanupStore } from './cleanup-store.ts';
import type { MethodCatalog } from './method.ts';
import { Methods } from './methods.ts';
import { MountKeeper, type RemoveBatch } from './mount-keeper.ts';
import { MountService } from './mount-service.ts';
import { MountStore } from './mount-store.ts';
import { MountTable } from './mount-table.ts';

export interface MountsDependencies {
  readonly database: Database;
  readonly catalog: MethodCatalog;
  /** Removes data of a mount outside of its method. */
  readonly owned: readonly RemoveBatch[];
  /** Server-wide limits. */
  readonly limits: TtlLimits;
  readonly clock: Clock;
  /** Called for errors in the background. */
  readonly report: (error: unknown) => void;
}

/** All parts for mounts in this process: table, methods, management and background work. */
export class Mounts {
  readonly table: MountTable;
  readonly methods: Methods;
  readonly service: MountService;
  /** Background work. */
  readonly keeper: MountKeeper;

  constructor({ database, catalog, owned, limits, clock, report }: MountsDependencies) {
    const store = new MountStore(database);
    const table = new MountTable(store);
    const methods = new Methods(catalog);
    const keeper = new MountKeeper({ table, methods, cleanup: new CleanupStore(database), owned, clock, report });
    this.table = table;
    this.methods = methods;
    this.keeper = keeper;
    this.service = new MountService({ store, methods, limits, clock, changed: () => keeper.wake() });
  }
}
