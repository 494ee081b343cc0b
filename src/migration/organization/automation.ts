import type { Item, Note } from '../model/item.ts';
import { wordsOf } from '../plan/plan.ts';
import type { OrganizationSource } from './migrate.ts';
import { organizationRules } from './rules.ts';

const AUTO_DESTROY = ['auto-destroy-at', 'auto-destroy-activity-duration'];
const SCHEDULES = ['schedules', 'project-schedules'];

/**
 * Leaves out parts that would act on the same infrastructure from two servers: times of automatic destroy runs, and whether
 * schedules run; those are created paused. Adds a note for each. The target keeps its own.
 */
export function withoutAutomation(source: OrganizationSource): OrganizationSource {
  const notes = source.items.flatMap((item) => noteOf(item) ?? []);
  return { ...source, items: source.items.map(withoutTimes), notes: [...source.notes, ...notes] };
}

/** Names of attributes that start runs by themselves. */
function timesOf(kind: string): readonly string[] {
  if (SCHEDULES.includes(kind)) return ['paused'];
  return ['workspaces', 'projects'].includes(kind) ? AUTO_DESTROY : [];
}

function withoutTimes(item: Item): Item {
  const left = timesOf(item.kind);
  if (left.length === 0) return item;
  const attributes = Object.fromEntries(Object.entries(item.attributes).filter(([name]) => !left.includes(name)));
  return { ...item, attributes };
}

function noteOf(item: Item): Note | undefined {
  const about = wordsOf(item, organizationRules(item.kind));
  if (SCHEDULES.includes(item.kind)) {
    if (item.attributes.paused === true) return undefined;
    const why = 'both servers would start its runs, so a new one is paused here; after the switch, take it with';
    return { about, why: `${why} --automation, then pause it at the source` };
  }
  if (!timesOf(item.kind).some((name) => (item.attributes[name] ?? '') !== '')) return undefined;
  const why = 'both servers would destroy its infrastructure; after the switch, take it with --automation';
  return { about: `auto-destroy of ${about}`, why: `${why}, then turn it off at the source` };
}
