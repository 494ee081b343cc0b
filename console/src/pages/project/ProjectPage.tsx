import { Outlet } from '@tanstack/react-router';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { type Tab, Tabs } from '../../components/tabs/Tabs.tsx';
import { counted } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import * as texts from './texts.ts';
import { useProject } from './use-project.ts';

/** Frame of all tabs of a project. */
export function ProjectPage() {
  const { organization, id, query } = useProject();
  const params = { organization, project: id };
  return (
    <QueryResult query={query} what={texts.theProject} missing={<code>can-read</code>} isPage>
      {({ data: { attributes } }) => {
        const may = attributes.permissions;
        const tabs: readonly Tab[] = [
          {
            label: texts.workspaces,
            count: String(attributes['workspace-count']),
            to: '/$organization/projects/$project',
            params,
          },
          {
            label: texts.access,
            count: String(attributes['team-count']),
            to: '/$organization/projects/$project/access',
            params,
          },
          { label: texts.schedules, to: '/$organization/projects/$project/schedules', params },
          { label: texts.settings, to: '/$organization/projects/$project/settings', params },
        ];
        return (
          <>
            <PageHead
              title={attributes.name}
              lede={<bdi>{attributes.description}</bdi>}
              beside={
                <span className="soft">{texts.project2(counted(attributes['workspace-count'], texts.workspace))}</span>
              }
            />
            <Tabs
              label={texts.partsOf(attributes.name)}
              tabs={tabs.filter(({ label }) => label !== 'Access' || may['can-read-teams'])}
            />
            <Outlet />
          </>
        );
      }}
    </QueryResult>
  );
}
