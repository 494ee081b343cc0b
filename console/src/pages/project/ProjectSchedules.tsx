import { workspaces } from '../../api/client.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Schedules } from '../../components/schedules/Schedules.tsx';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';
import { useProject } from './use-project.ts';

/** Schedules of all workspaces of a project. */
export function ProjectSchedules() {
  const { id, query, crumbs } = useProject();
  usePlace([...crumbs, { label: texts.schedules }]);
  usePathLine({
    request: workspaces.request('GET /projects/{project_id}/schedules', { path: { project_id: id } }),
    command: `lockkeeper schedule list --project ${id}`,
  });
  const may = query.data?.data.attributes.permissions;
  return <Schedules owner={{ kind: 'project', id }} mayChange={may?.['can-update'] ?? false} />;
}
