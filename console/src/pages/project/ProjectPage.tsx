import { Outlet } from '@tanstack/react-router';
import { Answered } from '../../components/faces/Answered.tsx';
import { type Tab, Tabs } from '../../components/tabs/Tabs.tsx';
import { counted } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { useProject } from './use-project.ts';

/** What all parts of a project have above them. */
export function ProjectPage() {
  const { organization, id, query } = useProject();
  const params = { organization, project: id };
  return (
    <Answered query={query} what="The project" missing={<code>can-read</code>} isPage>
      {({ data: { attributes } }) => {
        const may = attributes.permissions;
        const tabs: readonly Tab[] = [
          {
            label: 'Workspaces',
            count: String(attributes['workspace-count']),
            to: '/$organization/projects/$project',
            params,
          },
          {
            label: 'Access',
            count: String(attributes['team-count']),
            to: '/$organization/projects/$project/access',
            params,
          },
          { label: 'Settings', to: '/$organization/projects/$project/settings', params },
        ];
        return (
          <>
            <PageHead
              title={attributes.name}
              lede={<bdi>{attributes.description}</bdi>}
              beside={<span className="soft">project, {counted(attributes['workspace-count'], 'workspace')}</span>}
            />
            <Tabs
              label={`Parts of ${attributes.name}`}
              tabs={tabs.filter(({ label }) => label !== 'Access' || may['can-read-teams'])}
            />
            <Outlet />
          </>
        );
      }}
    </Answered>
  );
}
