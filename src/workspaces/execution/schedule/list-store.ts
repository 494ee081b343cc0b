import type { Queries } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import { lastOutcomes } from './outcome-store.ts';
import type { Schedule, ShownSchedule } from './schedule.ts';
import { COLUMNS, scheduleOf } from './store.ts';
import { startTimes, waitingTasks } from './task-store.ts';

type Row = Omit<Schedule, 'paused'> & { readonly paused: number };

/** Workspace in whose list schedules are shown; null in the list of a project. */
export interface ShownIn {
  readonly workspaceId: string | null;
}

/** Lists the schedules of a project; or those of a workspace and of its project, its own ones first. */
export async function listShown(
  db: Queries,
  { workspaceId, projectId }: ShownIn & { readonly projectId: string },
  page: Page,
): Promise<Slice<ShownSchedule>> {
  const own = workspaceId === null ? fragment`1 = 0` : fragment`s.workspace_id = ${workspaceId}`;
  const list = {
    ...{ columns: COLUMNS, from: 'schedule s', orderBy: '(s.workspace_id IS NULL), s.name, s.id' },
    where: [fragment`(${own} or s.project_id = ${projectId})`],
  };
  const { items, total } = await selectSlice<Row>(db, list, page);
  return { items: await withFacts(db, items.map(scheduleOf), { workspaceId }), total };
}

/** Adds to a schedule what documents show of it. */
export async function shownOf(db: Queries, schedule: Schedule, shownIn: ShownIn): Promise<ShownSchedule> {
  const [shown] = await withFacts(db, [schedule], shownIn);
  return shown as ShownSchedule;
}

async function withFacts(
  db: Queries,
  schedules: readonly Schedule[],
  { workspaceId }: ShownIn,
): Promise<ShownSchedule[]> {
  const ids = schedules.map(({ id }) => id);
  const waiting = await waitingTasks(db, ids);
  const starts = workspaceId === null ? new Map() : await startTimes(db, workspaceId, ids);
  const last = workspaceId === null ? new Map() : await lastOutcomes(db, workspaceId, ids);
  const excluded = workspaceId === null ? new Set() : await excludedFrom(db, workspaceId, ids);
  return schedules.map((schedule) => ({
    ...schedule,
    shownFor: workspaceId,
    excluded: excluded.has(schedule.id),
    waiting: waiting.get(schedule.id) ?? 0,
    startsAt: starts.get(schedule.id) ?? null,
    last: last.get(schedule.id),
  }));
}

async function excludedFrom(db: Queries, workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await select(
    db,
    fragment<{ id: string }>`select schedule_id as id from schedule_exclusion
      where workspace_id = ${workspaceId} and ${isOneOf('schedule_id', ids)}`,
  );
  return new Set(rows.map(({ id }) => id));
}
