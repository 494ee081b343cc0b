import { workspaces } from '../../api/client.ts';
import { Schedules as ScheduleList } from '../../components/schedules/Schedules.tsx';
import { type PartProps, partOf } from './part.tsx';
import * as texts from './texts.ts';

/** Schedules that act in a workspace: its own, and those of its project. */
export const Schedules = partOf(Shows, {
  label: texts.schedules,
  request: (id) => workspaces.request('GET /workspaces/{workspace_id}/schedules', { path: { workspace_id: id } }),
  command: (id) => `lockkeeper schedule list ${id}`,
});

function Shows({ workspace: { id, attributes } }: PartProps) {
  return <ScheduleList owner={{ kind: 'workspace', id }} mayChange={attributes.permissions['can-update']} />;
}
